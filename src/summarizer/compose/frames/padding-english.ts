// Data: sentences in English that fill the promised length of a detailed summary.

export const paddingEnglish = {
  facts: {
    holds: (entries: string, words: string) => `The record holds ${entries} with ${words} in all.`,
    onePerson: 'All of it comes from one person, so no exchange between people can be described.',
    underMinute:
      'That is less than a minute of ordinary speech, so there is little to summarize and much that may be missing.',
    fewMinutes: 'That is no more than a few minutes of ordinary speech, so this summary stays close to the record.',
    seconds: (seconds: string) => `Between the first and the last time mark lie ${seconds}.`,
    noTimes: 'The time marks of the entries do not tell how long the meeting took.',
    noQuestion: 'No question is marked as such in the record.',
    questions: (questions: string) => `The record marks ${questions} by a question mark.`,
    noTopic: 'No word was repeated or stood out enough to be named as a topic.',
    decisionRule: 'A decision is listed only when it was stated or a proposal was accepted in so many words.',
    taskRule: 'An action item is listed only when somebody promised it or was given it in so many words.',
    language: '',
  },
  empty: [
    'The meeting exists, but no entry has been added to its transcript so far.',
    'There are no speakers, no words, no questions and no times that could be counted.',
    'This may be because the meeting has not begun, because nobody recorded it, or because its entries have yet to arrive.',
    'As soon as the first entry is added, the next summary will describe it.',
    'Until then every section of this summary is empty on purpose, and nothing has been made up to fill it.',
    'A transcript can be added entry by entry during the meeting or imported as a file afterwards.',
    'Each entry needs a speaker, a text and a time, and from then on each person who spoke has a part of their own here.',
  ],
  method: [
    'This summary was made from the transcript alone, without any other source.',
    'Sounds such as coughs, fillers such as hesitations, and words said twice in a row are left out of what is quoted.',
    'Each sentence names the entries on which it rests, so that a reader can go back to what was really said.',
    'Shares of words are counted over the whole record and say how much somebody spoke, not how much it mattered.',
    'Markup and links are left out, and text that tries to give orders to software is counted but not quoted.',
  ],
  /** Not true where a model wrote a part. */
  engine: [
    'No language model took part in it, and nothing was sent to another service.',
    'Sentences are chosen by the words that a summary of the meeting would probably contain, and by how well they read alone.',
    'Everything else that is quoted stands in the transcript word for word.',
    'The same transcript always gives the same summary.',
  ],
  checklist: [
    'Because the record is small, a reader may want to check a few things before relying on it.',
    'Is the transcript complete, or did the recording begin late or end early?',
    'Are all people who took part named as speakers, and are their names right?',
    'Was anything decided outside the recorded part that should be written down?',
    'Does every task that was meant to be done have an owner and a date?',
    'Is there a question that was left open and should be taken up again?',
    'Are there notes, slides or messages that belong with this meeting?',
    'Whoever was there can add what is missing to the transcript, and the summary will follow.',
    'If the meeting was meant to be short, nothing needs to be done, and this page can be read as a plain receipt of it.',
    'If it was meant to be longer, the source of the transcript is the first place to look.',
    'A second meeting on the same matter could begin with the points above.',
    'The lists of decisions, tasks and questions that come with this text hold the same facts in a form that programs can read.',
    'They are empty where the record is silent, for an empty list is more useful than a guess.',
    'It is here because a detailed summary has a promised length, which a small record alone cannot fill.',
  ],
  closing: [
    'Nothing in this section reports anything that a person said, and it is marked as such in the structure of the summary.',
  ],
}

export type Padding = typeof paddingEnglish
