// Data: sentences in French that fill the promised length of a detailed summary.

import type { Padding } from './padding-english.ts'

export const paddingFrench: Padding = {
  facts: {
    holds: (entries, words) => `L'enregistrement contient ${entries} avec ${words} en tout.`,
    onePerson: "Tout vient d'une seule personne, aucun échange ne peut donc être décrit.",
    underMinute: "C'est moins d'une minute de parole ordinaire, il y a donc peu à résumer et beaucoup peut manquer.",
    fewMinutes: 'Ce ne sont que quelques minutes de parole ordinaire, ce résumé reste donc proche de la transcription.',
    seconds: (seconds) => `Entre la première et la dernière indication de temps, il s'écoule ${seconds}.`,
    noTimes: 'Les indications de temps ne disent pas combien la réunion a duré.',
    noQuestion: "Aucune question n'est marquée comme telle dans l'enregistrement.",
    questions: (questions) => `Sont marquées par un point d'interrogation : ${questions}.`,
    noTopic: "Aucun mot n'a été dit assez souvent pour être nommé comme sujet.",
    decisionRule:
      'Une décision ne figure ici que si elle a été énoncée ou si une proposition a été acceptée en toutes lettres.',
    taskRule: "Une tâche ne figure ici que si quelqu'un l'a promise ou reçue en toutes lettres.",
    language: '',
  },
  empty: [
    "La réunion existe, mais aucune entrée n'a encore été ajoutée à sa transcription.",
    "Il n'y a ni personnes, ni mots, ni questions, ni temps que l'on puisse compter.",
    "Peut-être que la réunion n'a pas commencé, que personne ne l'a enregistrée, ou que ses entrées ne sont pas encore arrivées.",
    'Dès que la première entrée sera ajoutée, le prochain résumé la décrira.',
    "D'ici là, chaque partie de ce résumé est vide à dessein, et rien n'a été inventé pour la remplir.",
    'Une transcription peut être ajoutée entrée par entrée pendant la réunion ou importée ensuite comme fichier.',
    "Chaque entrée a besoin d'une personne, d'un texte et d'un temps, et chaque personne qui parle a alors ici sa propre partie.",
  ],
  method: [
    'Ce résumé a été fait à partir de la transcription seule, sans aucune autre source.',
    'Les bruits, les hésitations et les mots dits deux fois de suite sont omis de ce qui est cité.',
    "Chaque phrase nomme les entrées sur lesquelles elle repose, pour que l'on puisse revenir à ce qui a vraiment été dit.",
    "Les parts de mots sont comptées sur tout l'enregistrement et disent combien une personne a parlé, non combien cela comptait.",
    'Le balisage et les liens sont omis, et un texte qui tente de donner des ordres à un logiciel est compté mais pas cité.',
  ],
  engine: [
    "Aucun modèle de langue n'y a pris part, et rien n'a été envoyé à un autre service.",
    "Les phrases sont choisies d'après les mots qu'un résumé de la réunion contiendrait probablement, et parce qu'on les comprend seules.",
    'Tout ce qui est cité par ailleurs se trouve mot pour mot dans la transcription.',
    'La même transcription donne toujours le même résumé.',
  ],
  checklist: [
    "Comme l'enregistrement est petit, il vaut mieux vérifier quelques points avant de s'y fier.",
    "La transcription est-elle complète, ou l'enregistrement a-t-il commencé tard ou fini tôt ?",
    'Toutes les personnes présentes sont-elles nommées, et leurs noms sont-ils justes ?',
    'A-t-on décidé hors de la partie enregistrée quelque chose qui devrait être noté ?',
    'Chaque tâche à faire a-t-elle un responsable et une date ?',
    "Reste-t-il une question ouverte qu'il faudrait reprendre ?",
    'Y a-t-il des notes, des diapositives ou des messages qui vont avec cette réunion ?',
    'Les personnes présentes peuvent ajouter à la transcription ce qui manque, et le résumé suivra.',
    "Si la réunion devait être courte, il n'y a rien à faire, et cette page en est un simple reçu.",
    "Si elle devait être plus longue, il faut d'abord regarder du côté de la source de la transcription.",
    'Une deuxième réunion sur le même sujet pourrait commencer par les points ci-dessus.',
    'Les listes de décisions, de tâches et de questions qui accompagnent ce texte disent la même chose sous une forme lisible par des programmes.',
    "Elles sont vides là où l'enregistrement se tait, car une liste vide est plus utile qu'une supposition.",
    "Tout cela figure ici parce qu'un résumé détaillé a une longueur promise, qu'un petit enregistrement ne peut remplir seul.",
  ],
  closing: [
    "Rien dans cette partie ne rapporte ce qu'une personne a dit, et la structure du résumé la marque comme telle.",
  ],
}
