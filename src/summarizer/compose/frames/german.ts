// Data: the sentences of summaries around what was said, in German.

import type { Frames } from './english.ts'

const many = (one: string, plural: string) => (count: number) => (count === 1 ? one : `${count} ${plural}`)

export const german: Frames = {
  and: 'und',
  others: (count) => `${count} weitere`,
  count: {
    word: many('ein Wort', 'Wörter'),
    turn: many('ein Beitrag', 'Beiträge'),
    entry: many('einen Eintrag', 'Einträge'),
    minute: many('eine Minute', 'Minuten'),
    second: many('eine Sekunde', 'Sekunden'),
    question: many('eine Frage', 'Fragen'),
    decision: many('eine Entscheidung', 'Entscheidungen'),
    task: many('eine Aufgabe', 'Aufgaben'),
    person: many('eine Person', 'Personen'),
  },
  underOne: 'unter 1%',
  unnamed: 'Unbenannte Person',
  participant: (name) => `Teilnehmer ${name}`,
  headings: {
    overview: 'Überblick',
    course: 'Verlauf',
    points: 'Wichtige Punkte',
    contributions: 'Beiträge',
    decisions: 'Entscheidungen',
    actions: 'Aufgaben',
    questions: 'Offene Fragen',
    about: 'Zu dieser Aufzeichnung',
  },
  voices: {
    supportive: 'Was gut lief',
    challenger: 'Was zu hinterfragen ist',
    analyst: 'Zahlen',
    coach: 'Fragen zum Nachdenken',
  },
  inMeeting: (title) => (title ? `In der Besprechung ${title}` : 'In dieser Besprechung'),
  noTranscript: (title) =>
    `Für ${title ? `die Besprechung ${title}` : 'diese Besprechung'} wurde noch nichts aufgezeichnet.`,
  discussed: (who, topics, isSeveral) => `${isSeveral ? 'sprachen' : 'sprach'} ${who} über ${topics}`,
  spoke: (who, isSeveral) => `${isSeveral ? 'sprachen' : 'sprach'} ${who}`,
  spokeFor: (who, words, turns, minutes) =>
    `fielen von ${who} ${words}, gezählt über ${turns}${minutes ? ` und ${minutes}` : ''}`,
  mainTopics: (topics, count) =>
    `${count === 1 ? 'Das wichtigste Thema war' : 'Die wichtigsten Themen waren'} ${topics}.`,
  outlineFirst: (topics) => `Zuerst ging es um ${topics}`,
  outlineThen: (topics) => `dann um ${topics}`,
  outlineLast: (topics) => `am Ende um ${topics}`,
  outlineOnly: (clauses) => `Es ging ${clauses}`,
  turns: (from, to) => `Beiträge ${from} bis ${to}`,
  minutes: (from, to) => `Minuten ${from} bis ${to}`,
  inPart: (place, who, topics) => `${place}${who && `, vor allem ${who}`}: ${topics}.`,
  said: (who, quote) => `${who} sagte: ${quote}.`,
  asked: (who, question) => `${who} fragte: \u201c${question}\u201d.`,
  decided: 'Entschieden',
  nextSteps: (count) => (count === 1 ? 'Nächster Schritt' : 'Nächste Schritte'),
  noDate: 'ohne Termin',
  noOwner: 'Ohne Zuständige',
  noDecision: 'Es wurde keine ausdrückliche Entscheidung festgehalten.',
  noTask: 'Es wurde keine ausdrückliche Aufgabe festgehalten.',
  possibleDecisions: (count) =>
    `Keine Entscheidung ist sicher; die Liste hat ${count === 1 ? 'eine mögliche' : `${count} mögliche`}.`,
  possibleTasks: (count) =>
    `Keine Aufgabe ist sicher; die Liste hat ${count === 1 ? 'eine mögliche' : `${count} mögliche`}.`,
  noRoom: (what) => `Hier ist kein Platz für ${what}; die Liste enthält alles.`,
  nobodySpoke: 'Noch hat niemand gesprochen, also gibt es keinen Beitrag zu beschreiben.',
  noWords: (who) => `${who} hat in der Aufzeichnung keine Wörter.`,
  shortAnswers: (who) => `${who} sprach nur in kurzen Antworten oder Bruchstücken.`,
  spokeAbout: (who, topics) => `${who} sprach über ${topics}.`,
  gaveShortAnswers: (who) => `${who} gab kurze Antworten.`,
  mostWords: (names) => `Am meisten sprachen: ${names}.`,
  fewerWords: (names) => `Danach: ${names}.`,
  otherPeople: (count) => `Die übrigen ${count} Personen stehen in der Liste der Teilnehmenden.`,
  recordHolds: (entries, words, people) =>
    `Die Aufzeichnung enthält ${entries}, insgesamt ${words}, beteiligt: ${people}.`,
  nothingYet: 'Es gibt noch nichts, was sich zusammenfassen ließe.',
  spokeMost: (who, share) => `${who} sprach am meisten, mit ${share} der Wörter.`,
  addsNothing: 'Diese Zusammenfassung fügt nichts hinzu, was nicht in der Mitschrift steht.',
  moreLater: 'Mehr lässt sich sagen, sobald mehr aufgezeichnet ist.',
  tookOnWork: (who) => `, und dankenswerterweise übernahm Arbeit: ${who}`,
  allContributed: (people) => `, und ${people === 2 ? 'beide' : 'alle'} haben beigetragen`,
  goodStart: ', und das ist ein guter Anfang',
  timeToAdd: 'Es ist noch Zeit, hinzuzufügen, was gesagt wurde.',
  everyoneSpoke: (people) =>
    people > 1
      ? `${people === 2 ? 'Beide' : `Alle ${people}`} haben gesprochen, und darauf lässt sich aufbauen.`
      : 'Die Worte sind festgehalten, und darauf lässt sich aufbauen.',
  keptOpen: (who, questions) => `${who} hielt das Gespräch offen, mit dem Zeichen der Frage gezählt: ${questions}.`,
  creditTo: (who) => `Dank gebührt ${who} für übernommene Arbeit.`,
  openToChallenge: 'Was entschieden wurde, ist fraglich, denn es wurde keine ausdrückliche Entscheidung festgehalten.',
  noDateFor: (tasks) => `Kein Termin wurde genannt für ${tasks}.`,
  noOwnerFor: (tasks) => `Niemand wurde genannt für ${tasks}.`,
  fewWordsFrom: (who) => `Weniger als ein Zwanzigstel der Wörter kam von ${who}, diese Sicht könnte also fehlen.`,
  worthChallenging:
    'Zu fragen bleibt, bevor jemand handelt, woran zu erkennen wäre, dass eine Entscheidung falsch war.',
  noFigure: (who, quote) => `Keine Zahl stützt diese Behauptung von ${who}: ${quote}.`,
  allZero: 'Alle Zählungen der Aufzeichnung sind null.',
  largestShare: (who, share, questions) =>
    `Den größten Anteil an den Wörtern hatte ${who} mit ${share}; gestellte Fragen gezählt: ${questions}.`,
  averageTurn: (words, turns) => `Ein Beitrag hatte im Mittel ${words}, gezählt über ${turns}.`,
  mostDiscussed: (topic) => `Am häufigsten ging es um ${topic}.`,
  toTakeAlong: 'Zum Mitnehmen bleibt die Frage, welchen dieser Punkte jede Person zuerst angehen würde.',
  leaveBehind: 'Was soll von dieser Besprechung bleiben?',
  prompts: [
    'was würde dir beim nächsten Schritt helfen',
    'was hat deine Sicht verändert',
    'was würdest du noch einmal kürzer sagen',
    'wen könntest du um Hilfe bitten',
    'was möchtest du gefragt werden',
  ],
}
