// Data: spoken phrases for the time by which something is due.

const months =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)'
const days = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const date = [
  'to(?:day|morrow|night)',
  'this (?:morning|afternoon|evening)',
  `(?:next |this |the following )?${days}(?: (?:morning|afternoon|evening|night|noon))?`,
  '(?:the )?(?:next|this|following|coming) (?:week|month|quarter|sprint|year|release)',
  '(?:the )?(?:end|middle|start|beginning) of (?:the |this |next )?(?:day|week|month|quarter|sprint|year|' +
    months +
    ')',
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${months}(?: \\d{4})?`,
  `${months} (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
  '\\d{4}-\\d{2}-\\d{2}',
  'the \\d{1,2}(?:st|nd|rd|th)',
  `(?:the|our) (?:next |following )?(?:${months} )?(?:meeting|session|review|call)`,
  '(?:eod|eow|cob|noon|midnight|lunch|close of business)',
  "\\d{1,2}(?::\\d{2})? ?(?:am|pm|o'clock)",
  `(?:early |mid |late |mid-)?${months}`,
].join('|')

/**
 * A date with its preposition. "may" and "march" count only where a preposition or a number shows that a month is
 * meant.
 */
const englishDate = new RegExp(
  `\\b(?:(?:by|before|until|no later than|on|at|in|within) (?:${date})|for (?:(?:the|our) )?next (?:meeting|session|time|week)|(?:within|in) (?:\\w{1,12} )(?:days?|weeks?|hours?|months?)|(?:next|this) (?:week|month|${days})|(?:${days})(?: (?:morning|afternoon|evening))?|tomorrow(?: (?:morning|afternoon))?|tonight|today|this (?:morning|afternoon|evening)|end of (?:the )?(?:day|week|month|quarter)|after (?:lunch|work|the (?:call|meeting|holidays))|at (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o'clock)?)\\b`,
  'i',
)

const german = [
  '(?:bis |am |ab |vor )?(?:(?:nächsten|kommenden|diesen) )?(?:Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)(?:morgen|nachmittag|abend)?',
  'bis (?:zum )?(?:Ende|Anfang|Mitte) (?:der Woche|des Monats|des Jahres|\\p{Lu}\\p{Ll}+)',
  '(?:bis |am |ab |bis zum |zum )?\\d{1,2}\\.? (?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)',
  '(?:bis )?(?:heute|übermorgen|morgen)(?: (?:noch|früh|Vormittag|Mittag|Nachmittag|Abend))?',
  '(?:bis )?(?:diese|nächste|kommende) Woche',
]
const spanish = [
  '(?:antes del?|para el|hasta el|el|este|el próximo) (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?: por la (?:mañana|tarde|noche))?',
  '(?:antes del?|para el|el) \\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)',
  '(?:esta|la próxima) (?:semana|tarde|noche|mañana)|la semana que viene|(?:mañana|hoy)(?: (?:mismo|por la (?:mañana|tarde|noche)))?',
  '(?:antes de|a) (?:fin|finales) de (?:mes|semana|año)',
]
const french = [
  "(?:avant |d'ici |pour |jusqu'à )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: (?:prochain|matin|midi|soir|après-midi))?",
  "(?:avant le|d'ici le|pour le|le) (?:premier|\\d{1,2}) (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)",
  "(?:demain|aujourd'hui)(?: (?:matin|midi|soir|après-midi))?|ce (?:soir|matin|week-end)|pendant le week-end|cet après-midi|cette semaine|la semaine prochaine",
  "(?:avant |d'ici |pour )?(?:la )?fin (?:de la semaine|du mois|de l'année)",
]
const italian = [
  '(?:entro |per |da )?(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)(?: (?:mattina|pomeriggio|sera))?',
  '(?:entro il |per il |il )?\\d{1,2} (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)',
  '(?:domani|oggi)(?: (?:mattina|pomeriggio|sera|stesso))?|stasera|questa settimana|la (?:prossima settimana|settimana prossima)',
  "(?:entro |per )?(?:la )?fine (?:della settimana|del mese|dell'anno)",
]
const wholeWord = (parts: readonly string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'u')
const foreignDates: Readonly<Record<string, RegExp>> = {
  de: wholeWord(german),
  es: wholeWord(spanish),
  fr: wholeWord(french),
  it: wholeWord(italian),
}

/** The pattern for due dates of a language; the English one where there is no other. */
export const dueDatePattern = (language: string): RegExp => foreignDates[language.split('-')[0] ?? ''] ?? englishDate

/** "but not before next week": names a time by which nothing is due. */
export const deniedTime = /\bnot (?:before|until|by|on|in|at|within|this|next|today|tomorrow)\b.{0,60}$/i

const asideStart = /\b(?:if|whether|because|since|who|which) /gi
const dueWord = /\b(?:by|before|until)\b/gi

/**
 * "I'll ask if she's free in December" without what begins at "if", because that time belongs to something else. Not what
 * names a due date after all: "tell me who does it by Monday".
 */
export function withoutAside(text: string): string {
  // Two searches: one expression for both takes quadratic time.
  const lastDue = [...text.matchAll(dueWord)].at(-1)?.index ?? -1
  const aside = text.matchAll(asideStart).find(({ index, 0: words }) => index + words.length > lastDue)
  return aside === undefined ? text : text.slice(0, aside.index)
}

/** A sentence that gives the date of an earlier task: "Give me until the 12th", "I should have them by Monday". */
export const dateAlone =
  /^(?:I should have (?:it|them|that|those|this)\b.{3,30}|I (?:can|could|will|'ll) (?:do|have|get) (?:it|that|those|them)(?: (?:done|ready))?\b.{3,30}|.{0,40}\bgive me until\b.{3,20}|would .{3,30} (?:be(?: (?:okay|ok|fine|good|all right|alright|soon enough|enough))?|work|do)|(?:we )?need (?:it|them|that|those) .{3,25})$/i
/** What else may stand in a sentence that only names a time: "By Wednesday, please". */
export const politeRest =
  /^(?:[ ,]|\b(?:please|do|if|you|can|possible|at|the|latest|ideally|maybe|is|would|be|fine|good|great|works|for|me|that|then|or|so|bitte|spätestens|por favor|s'il|te|vous|plaît|plait)\b)*$/i
