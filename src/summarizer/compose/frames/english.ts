// Data: the sentences of summaries around what was said, in English.

const many = (one: string, plural: string) => (count: number) => (count === 1 ? `one ${one}` : `${count} ${plural}`)

export const english = {
  and: 'and',
  others: (count: number) => `${count} others`,
  count: {
    word: many('word', 'words'),
    turn: many('turn', 'turns'),
    entry: many('entry', 'entries'),
    minute: many('minute', 'minutes'),
    second: many('second', 'seconds'),
    question: many('question', 'questions'),
    decision: many('decision', 'decisions'),
    task: many('action item', 'action items'),
    person: many('person', 'people'),
  },
  underOne: 'under 1%',
  unnamed: 'Unnamed speaker',
  participant: (name: string) => `Participant ${name}`,
  headings: {
    overview: 'Overview',
    course: 'Course of the meeting',
    points: 'Main points',
    contributions: 'Contributions',
    decisions: 'Decisions',
    actions: 'Action items',
    questions: 'Questions raised',
    about: 'About this record',
  },
  voices: {
    supportive: 'What went well',
    challenger: 'Points to challenge',
    analyst: 'Figures',
    coach: 'Questions to reflect on',
  },
  inMeeting: (title: string) => (title ? `In the meeting ${title},` : 'In this meeting,'),
  noTranscript: (title: string) =>
    `No transcript has been recorded for ${title ? `the meeting ${title}` : 'this meeting'}.`,
  discussed: (who: string, topics: string, isSeveral: boolean) =>
    `${who} ${isSeveral ? 'discussed' : 'spoke about'} ${topics}`,
  spoke: (who: string, _isSeveral: boolean) => `${who} spoke`,
  spokeFor: (who: string, words: string, turns: string, minutes: string | null) =>
    `${who} spoke ${words} in ${turns}${minutes ? ` over ${minutes}` : ''}`,
  mainTopics: (topics: string, count: number) => `The main ${count === 1 ? 'topic was' : 'topics were'} ${topics}.`,
  outlineFirst: (topics: string) => `It came to ${topics} first`,
  outlineThen: (topics: string) => `then to ${topics}`,
  outlineLast: (topics: string) => `at the end to ${topics}`,
  outlineOnly: (clauses: string) => `It came ${clauses}`,
  turns: (from: number, to: number) => `Turns ${from} to ${to}`,
  minutes: (from: number, to: number) => `Minutes ${from} to ${to}`,
  inPart: (place: string, who: string, topics: string) => `${place}${who && `, mostly ${who}`}: ${topics}.`,
  said: (who: string, quote: string) => `${who} said: ${quote}.`,
  asked: (who: string, question: string) => `${who} asked: ${question}?`,
  decided: 'Decided',
  nextSteps: (count: number): string => (count === 1 ? 'Next step' : 'Next steps'),
  noDate: 'no date',
  noOwner: 'No owner',
  noDecision: 'No explicit decision was recorded.',
  noTask: 'No explicit action item was recorded.',
  possibleDecisions: (count: number) =>
    `No decision is sure; the list has ${count === 1 ? 'a possible one' : `${count} possible ones`}.`,
  possibleTasks: (count: number) =>
    `No action item is sure; the list has ${count === 1 ? 'a possible one' : `${count} possible ones`}.`,
  noRoom: (what: string) => `There is no room here for ${what}; the list has them all.`,
  nobodySpoke: 'Nobody has spoken yet, so there is no contribution to describe.',
  noWords: (who: string) => `${who} left no words in the record.`,
  shortAnswers: (who: string) => `${who} spoke only in short answers or fragments.`,
  spokeAbout: (who: string, topics: string) => `${who} spoke about ${topics}.`,
  gaveShortAnswers: (who: string) => `${who} gave short answers.`,
  mostWords: (names: string) => `Most words: ${names}.`,
  fewerWords: (names: string) => `Then: ${names}.`,
  otherPeople: (count: number) => `The other ${count} people are in the list of participants.`,
  recordHolds: (entries: string, words: string, people: string) =>
    `The record holds ${entries} with ${words} from ${people}.`,
  nothingYet: 'There is nothing yet that could be summarized.',
  spokeMost: (who: string, share: string) => `${who} spoke most, with ${share} of the words.`,
  addsNothing: 'This summary adds nothing that the transcript does not hold.',
  moreLater: 'More can be said once more has been recorded.',
  tookOnWork: (who: string) => `, and ${who} kindly took on work`,
  allContributed: (people: number) => `, and ${people === 2 ? 'both' : 'all'} of them contributed`,
  goodStart: ', which is a good start',
  timeToAdd: 'There is still time to add what was said.',
  everyoneSpoke: (people: number) =>
    people > 1
      ? `${people === 2 ? 'Both' : `All ${people}`} people spoke, which is a good base to build on.`
      : 'The words are on record, which is a good base to build on.',
  keptOpen: (who: string, questions: string) => `${who} kept the talk open by asking ${questions}.`,
  creditTo: (who: string) => `Credit goes to ${who} for taking on work.`,
  openToChallenge: 'What the meeting decided is open to challenge, for no explicit decision was recorded.',
  noDateFor: (tasks: string) => `No date was named for ${tasks}.`,
  noOwnerFor: (tasks: string) => `No owner was named for ${tasks}.`,
  fewWordsFrom: (who: string) => `Less than a twentieth of the words came from ${who}, so their view may be missing.`,
  worthChallenging: 'Worth challenging before anyone acts is what would show that a decision was wrong.',
  noFigure: (who: string, quote: string) => `No figure supports this claim of ${who}: ${quote}.`,
  allZero: 'All counts of the record are zero.',
  largestShare: (who: string, share: string, questions: string, count: number) =>
    `The largest share of words was that of ${who} with ${share}, and ${questions} ${count === 1 ? 'was' : 'were'} asked.`,
  averageTurn: (words: string, turns: string) => `A turn had ${words} on average over ${turns}.`,
  mostDiscussed: (topic: string) => `The topic that came up most was ${topic}.`,
  toTakeAlong: 'A question to take along is which of these points each person would act on first.',
  leaveBehind: 'What would you like this meeting to leave behind?',
  prompts: [
    'what would help you to take the next step',
    'what did you hear that changed your view',
    'what would you say again in fewer words',
    'whom could you ask for help',
    'what would you like to be asked',
  ],
}

/** The frames of a language. A name or quotation that is passed in stands as it is. */
export type Frames = typeof english
