// Data: the sentences of summaries around what was said, in Italian.

import type { Frames } from './english.ts'

const many = (one: string, plural: string) => (count: number) => (count === 1 ? one : `${count} ${plural}`)

export const italian: Frames = {
  and: 'e',
  others: (count) => `altre ${count} persone`,
  count: {
    word: many('una parola', 'parole'),
    turn: many('un intervento', 'interventi'),
    entry: many('una voce', 'voci'),
    minute: many('un minuto', 'minuti'),
    second: many('un secondo', 'secondi'),
    question: many('una domanda', 'domande'),
    decision: many('una decisione', 'decisioni'),
    task: many('un compito', 'compiti'),
    person: many('una persona', 'persone'),
  },
  underOne: "meno dell'1%",
  unnamed: 'Persona senza nome',
  participant: (name) => `Partecipante ${name}`,
  headings: {
    overview: 'Panoramica',
    course: 'Svolgimento',
    points: 'Punti principali',
    contributions: 'Contributi',
    decisions: 'Decisioni',
    actions: 'Compiti',
    questions: 'Domande sollevate',
    about: 'Su questa registrazione',
  },
  voices: {
    supportive: 'Che cosa è andato bene',
    challenger: 'Punti da mettere in discussione',
    analyst: 'Cifre',
    coach: 'Domande su cui riflettere',
  },
  inMeeting: (title) => (title ? `Nella riunione ${title}` : 'In questa riunione'),
  noTranscript: (title) =>
    `Non è ancora stato registrato nulla per ${title ? `la riunione ${title}` : 'questa riunione'}.`,
  discussed: (who, topics, isSeveral) =>
    `${who} ${isSeveral ? 'hanno parlato' : 'ha parlato'} di questi temi: ${topics}`,
  spoke: (who, isSeveral) => `${who} ${isSeveral ? 'hanno parlato' : 'ha parlato'}`,
  spokeFor: (who, words, turns, minutes) =>
    `si contano ${words} di ${who}, con ${turns}${minutes ? ` in ${minutes}` : ''}`,
  mainTopics: (topics, count) => `${count === 1 ? 'Il tema principale era' : 'I temi principali erano'} ${topics}.`,
  outlineFirst: (topics) => `Prima si è parlato di ${topics}`,
  outlineThen: (topics) => `poi di ${topics}`,
  outlineLast: (topics) => `alla fine di ${topics}`,
  outlineOnly: (clauses) => `Si è parlato ${clauses}`,
  turns: (from, to) => `Interventi da ${from} a ${to}`,
  minutes: (from, to) => `Minuti da ${from} a ${to}`,
  inPart: (place, who, topics) => `${place}${who && `, soprattutto ${who}`}: ${topics}.`,
  said: (who, quote) => `${who} ha detto: ${quote}.`,
  asked: (who, question) => `${who} ha chiesto: \u201c${question}\u201d.`,
  decided: 'Deciso',
  nextSteps: (count) => (count === 1 ? 'Prossimo passo' : 'Prossimi passi'),
  noDate: 'senza data',
  noOwner: 'Senza responsabile',
  noDecision: 'Non risulta nessuna decisione esplicita.',
  noTask: 'Non risulta nessun compito esplicito.',
  possibleDecisions: (count) =>
    `Nessuna decisione è sicura; la lista ne ha ${count === 1 ? 'una possibile' : `${count} possibili`}.`,
  possibleTasks: (count) =>
    `Nessun compito è sicuro; la lista ne ha ${count === 1 ? 'uno possibile' : `${count} possibili`}.`,
  noRoom: (what) => `Qui non c'è posto per ${what}; la lista contiene tutto.`,
  nobodySpoke: "Nessuno ha ancora parlato, quindi non c'è alcun contributo da descrivere.",
  noWords: (who) => `${who} non ha parole nella registrazione.`,
  shortAnswers: (who) => `${who} ha parlato solo con risposte brevi o frammenti.`,
  spokeAbout: (who, topics) => `${who} ha parlato di ${topics}.`,
  gaveShortAnswers: (who) => `${who} ha dato risposte brevi.`,
  mostWords: (names) => `Chi ha parlato di più: ${names}.`,
  fewerWords: (names) => `Poi: ${names}.`,
  otherPeople: (count) => `Le altre ${count} persone sono nella lista dei partecipanti.`,
  recordHolds: (entries, words, people) => `La registrazione contiene ${entries} con ${words} di ${people}.`,
  nothingYet: "Non c'è ancora nulla da riassumere.",
  spokeMost: (who, share) => `${who} ha parlato di più, con ${share} delle parole.`,
  addsNothing: 'Questo riassunto non aggiunge nulla che non sia nella trascrizione.',
  moreLater: 'Si potrà dire di più quando sarà stato registrato altro.',
  tookOnWork: (who) => `, e gentilmente si è preso del lavoro ${who}`,
  allContributed: (people) => `, e ${people === 2 ? 'entrambe le persone' : 'tutte le persone'} hanno contribuito`,
  goodStart: ', il che è un buon inizio',
  timeToAdd: "C'è ancora tempo per aggiungere ciò che è stato detto.",
  everyoneSpoke: (people) =>
    people > 1
      ? `${people === 2 ? 'Entrambe le' : `Tutte le ${people}`} persone hanno parlato, il che è una buona base.`
      : 'Le parole sono registrate, il che è una buona base.',
  keptOpen: (who, questions) => `${who} ha tenuto aperta la conversazione con ${questions}.`,
  creditTo: (who) => `Il merito va a ${who} per il lavoro preso in carico.`,
  openToChallenge: 'Ciò che è stato deciso è discutibile, perché non risulta nessuna decisione esplicita.',
  noDateFor: (tasks) => `Nessuna data è stata indicata per ${tasks}.`,
  noOwnerFor: (tasks) => `Nessuno è stato indicato per ${tasks}.`,
  fewWordsFrom: (who) =>
    `Meno di un ventesimo delle parole è di ${who}, quindi questo punto di vista potrebbe mancare.`,
  worthChallenging: 'Prima di agire resta da chiedersi che cosa mostrerebbe che una decisione era sbagliata.',
  noFigure: (who, quote) => `Nessuna cifra sostiene questa affermazione di ${who}: ${quote}.`,
  allZero: 'Tutti i conteggi della registrazione sono zero.',
  largestShare: (who, share, questions) =>
    `La quota maggiore di parole è di ${who} con ${share}; domande poste: ${questions}.`,
  averageTurn: (words, turns) => `Un intervento aveva in media ${words}, su ${turns}.`,
  mostDiscussed: (topic) => `Il tema più frequente era ${topic}.`,
  toTakeAlong: 'Una domanda da portare con sé è da quale di questi punti comincerebbe ciascuno.',
  leaveBehind: 'Che cosa dovrebbe restare di questa riunione?',
  prompts: [
    'che cosa aiuterebbe a fare il prossimo passo',
    'che cosa ha cambiato il punto di vista',
    'che cosa si ridirebbe con meno parole',
    'a chi si potrebbe chiedere aiuto',
    'che cosa piacerebbe sentirsi chiedere',
  ],
}
