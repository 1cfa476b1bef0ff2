// Data: sentences in German that fill the promised length of a detailed summary.

import type { Padding } from './padding-english.ts'

export const paddingGerman: Padding = {
  facts: {
    holds: (entries, words) => `Die Aufzeichnung enthält ${entries}, insgesamt ${words}.`,
    onePerson: 'Alles stammt von einer Person, ein Austausch lässt sich also nicht beschreiben.',
    underMinute:
      'Das ist weniger als eine Minute gewöhnlicher Rede, es gibt also wenig zusammenzufassen, und vieles kann fehlen.',
    fewMinutes:
      'Das sind nur wenige Minuten gewöhnlicher Rede, deshalb bleibt diese Zusammenfassung nah an der Mitschrift.',
    seconds: (seconds) => `Zwischen der ersten und der letzten Zeitangabe liegt diese Spanne: ${seconds}.`,
    noTimes: 'Die Zeitangaben der Einträge sagen nicht, wie lange die Besprechung dauerte.',
    noQuestion: 'Keine Frage ist in der Aufzeichnung als solche gekennzeichnet.',
    questions: (questions) => `Mit einem Fragezeichen sind gekennzeichnet: ${questions}.`,
    noTopic: 'Kein Wort wurde so oft gesagt, dass es als Thema gelten kann.',
    decisionRule:
      'Eine Entscheidung steht hier nur, wenn sie ausgesprochen oder ein Vorschlag ausdrücklich angenommen wurde.',
    taskRule: 'Eine Aufgabe steht hier nur, wenn jemand sie ausdrücklich zugesagt oder bekommen hat.',
    language: '',
  },
  empty: [
    'Die Besprechung ist angelegt, aber ihre Mitschrift hat noch keinen Eintrag.',
    'Es gibt keine Personen, keine Wörter, keine Fragen und keine Zeiten, die sich zählen ließen.',
    'Vielleicht hat die Besprechung noch nicht begonnen, vielleicht hat niemand sie aufgezeichnet, oder die Einträge sind noch unterwegs.',
    'Sobald der erste Eintrag da ist, beschreibt ihn die nächste Zusammenfassung.',
    'Bis dahin ist jeder Abschnitt mit Absicht leer, und nichts wurde erfunden, um ihn zu füllen.',
    'Eine Mitschrift kann während der Besprechung Eintrag für Eintrag entstehen oder danach als Datei eingelesen werden.',
    'Jeder Eintrag braucht eine Person, einen Text und eine Zeit, und von da an hat jede Person, die spricht, hier ihren eigenen Teil.',
  ],
  method: [
    'Diese Zusammenfassung entstand allein aus der Mitschrift, ohne eine andere Quelle.',
    'Geräusche, Laute des Zögerns und doppelt gesagte Wörter sind in den Zitaten weggelassen.',
    'Zu jedem Satz sind die Einträge genannt, auf denen er beruht, damit man nachlesen kann, was wirklich gesagt wurde.',
    'Anteile an den Wörtern zählen über die ganze Aufzeichnung und sagen, wie viel jemand sprach, nicht wie wichtig es war.',
    'Auszeichnungen und Verweise sind weggelassen, und Text, der Programmen Befehle geben will, wird gezählt, aber nicht zitiert.',
  ],
  engine: [
    'Kein Sprachmodell war daran beteiligt, und nichts wurde an einen anderen Dienst gesendet.',
    'Ausgewählt sind Sätze mit den Wörtern, die eine Zusammenfassung der Besprechung wahrscheinlich enthielte, und die für sich allein verständlich sind.',
    'Alles andere, was zitiert ist, steht Wort für Wort in der Mitschrift.',
    'Dieselbe Mitschrift ergibt immer dieselbe Zusammenfassung.',
  ],
  checklist: [
    'Weil die Aufzeichnung klein ist, lohnt es sich, einiges zu prüfen, bevor man sich auf sie verlässt.',
    'Ist die Mitschrift vollständig, oder begann die Aufnahme zu spät oder endete zu früh?',
    'Sind alle, die dabei waren, mit ihren richtigen Namen genannt?',
    'Wurde außerhalb des aufgezeichneten Teils etwas entschieden, das festgehalten werden sollte?',
    'Hat jede Aufgabe, die erledigt werden soll, eine zuständige Person und einen Termin?',
    'Blieb eine Frage offen, die wieder aufgenommen werden sollte?',
    'Gibt es Notizen, Folien oder Nachrichten, die zu dieser Besprechung gehören?',
    'Wer dabei war, kann in der Mitschrift ergänzen, was fehlt, und die Zusammenfassung folgt ihr.',
    'War die Besprechung kurz gemeint, ist nichts zu tun, und diese Seite dient einfach als Beleg dafür.',
    'War sie länger gemeint, sollte man zuerst bei der Quelle der Mitschrift nachsehen.',
    'Eine zweite Besprechung zu derselben Sache könnte mit den Punkten oben beginnen.',
    'Die Listen der Entscheidungen, Aufgaben und Fragen, die zu diesem Text gehören, enthalten dasselbe in einer Form für Programme.',
    'Sie sind leer, wo die Aufzeichnung schweigt, denn eine leere Liste nützt mehr als eine Vermutung.',
    'Das alles steht hier, weil eine ausführliche Zusammenfassung eine versprochene Länge hat, die eine kleine Aufzeichnung allein nicht füllt.',
  ],
  closing: [
    'Nichts in diesem Abschnitt berichtet, was eine Person gesagt hat, und im Aufbau der Zusammenfassung ist er so gekennzeichnet.',
  ],
}
