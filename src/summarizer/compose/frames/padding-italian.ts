// Data: sentences in Italian that fill the promised length of a detailed summary.

import type { Padding } from './padding-english.ts'

export const paddingItalian: Padding = {
  facts: {
    holds: (entries, words) => `La registrazione contiene ${entries} con ${words} in tutto.`,
    onePerson: 'Tutto viene da una sola persona, quindi non si può descrivere alcuno scambio.',
    underMinute: "È meno di un minuto di parlato normale, quindi c'è poco da riassumere e molto può mancare.",
    fewMinutes: 'Sono solo pochi minuti di parlato normale, quindi questo riassunto resta vicino alla trascrizione.',
    seconds: (seconds) => `Tra la prima e l'ultima indicazione di tempo passa questo intervallo: ${seconds}.`,
    noTimes: 'Le indicazioni di tempo non dicono quanto è durata la riunione.',
    noQuestion: 'Nessuna domanda è segnata come tale nella registrazione.',
    questions: (questions) => `Sono segnate da un punto interrogativo: ${questions}.`,
    noTopic: 'Nessuna parola è stata detta abbastanza spesso da essere indicata come tema.',
    decisionRule:
      'Una decisione compare qui solo se è stata enunciata o se una proposta è stata accettata in modo esplicito.',
    taskRule: "Un compito compare qui solo se qualcuno l'ha promesso o ricevuto in modo esplicito.",
    language: '',
  },
  empty: [
    'La riunione esiste, ma alla sua trascrizione non è ancora stata aggiunta alcuna voce.',
    'Non ci sono persone, parole, domande o tempi che si possano contare.',
    "Forse la riunione non è cominciata, forse nessuno l'ha registrata, o le sue voci devono ancora arrivare.",
    'Appena sarà aggiunta la prima voce, il prossimo riassunto la descriverà.',
    'Fino ad allora ogni parte di questo riassunto è vuota di proposito, e nulla è stato inventato per riempirla.',
    'Una trascrizione si può aggiungere voce per voce durante la riunione o importare dopo come file.',
    'Ogni voce ha bisogno di una persona, di un testo e di un tempo, e da quel momento ogni persona che parla ha qui la sua parte.',
  ],
  method: [
    "Questo riassunto è stato fatto dalla sola trascrizione, senza alcun'altra fonte.",
    'I rumori, le esitazioni e le parole dette due volte di seguito sono omessi da ciò che è citato.',
    'Ogni frase indica le voci su cui si basa, così che si possa tornare a ciò che è stato davvero detto.',
    'Le quote di parole sono contate su tutta la registrazione e dicono quanto una persona ha parlato, non quanto contava.',
    'Marcature e collegamenti sono omessi, e un testo che cerca di dare ordini a un programma è contato ma non citato.',
  ],
  engine: [
    'Nessun modello linguistico vi ha preso parte, e nulla è stato inviato a un altro servizio.',
    'Le frasi sono scelte per le parole che un riassunto della riunione conterrebbe probabilmente, e perché si capiscono da sole.',
    'Tutto il resto che è citato si trova parola per parola nella trascrizione.',
    'La stessa trascrizione dà sempre lo stesso riassunto.',
  ],
  checklist: [
    'Poiché la registrazione è piccola, conviene controllare alcune cose prima di farci affidamento.',
    'La trascrizione è completa, o la registrazione è cominciata tardi o finita presto?',
    'Tutte le persone presenti sono nominate, e i loro nomi sono giusti?',
    'È stato deciso qualcosa fuori dalla parte registrata che andrebbe annotato?',
    'Ogni compito da fare ha un responsabile e una data?',
    'È rimasta aperta una domanda che andrebbe ripresa?',
    'Ci sono appunti, diapositive o messaggi che appartengono a questa riunione?',
    "Chi c'era può aggiungere alla trascrizione ciò che manca, e il riassunto la seguirà.",
    "Se la riunione doveva essere breve, non c'è nulla da fare, e questa pagina ne è una semplice ricevuta.",
    'Se doveva essere più lunga, la fonte della trascrizione è il primo posto in cui guardare.',
    'Una seconda riunione sulla stessa questione potrebbe cominciare dai punti qui sopra.',
    'Le liste di decisioni, compiti e domande che accompagnano questo testo dicono le stesse cose in una forma che i programmi possono leggere.',
    'Sono vuote dove la registrazione tace, perché una lista vuota è più utile di una supposizione.',
    'Tutto questo è qui perché un riassunto dettagliato ha una lunghezza promessa, che una piccola registrazione da sola non può riempire.',
  ],
  closing: [
    'Nulla in questa parte riporta ciò che una persona ha detto, e così è segnata nella struttura del riassunto.',
  ],
}
