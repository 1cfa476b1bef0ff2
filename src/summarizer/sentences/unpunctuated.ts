// Text of a recognizer that writes no punctuation or apostrophes in ("i dont know lets ask them tomorrow"), the same
// text with apostrophes and line breaks out.

const before = "(?<![\\p{L}\\p{N}'])"
const after = "(?![\\p{L}\\p{N}'])"
const verbAfter =
  '(?=(?:also |just |then )?(?:ask|be|call|check|do|find|get|give|go|have|let|look|make|put|send|speak|take|talk|tell|try|write)\\b)'
const apostropheRules: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`${before}(do|does|did|is|are|was|were|have|has|had|would|could|should|ca|wo)nt${after}`, 'giu'),
    "$1n't",
  ],
  [new RegExp(`${before}(i|you|they|we)(ve)${after}`, 'giu'), "$1'$2"],
  [new RegExp(`${before}(i)(m)${after}`, 'giu'), "$1'$2"],
  [new RegExp(`${before}(you|they)(re)${after}`, 'giu'), "$1'$2"],
  [new RegExp(`${before}(that|what|there)(s)${after}`, 'giu'), "$1'$2"],
  // "This lets us" is another word.
  [
    /(?<!\b(?:this|that|it|which|who|he|she) )\b(let)(s)(?= (?:ask|be|begin|call|decide|do|get|give|go|have|just|keep|make|move|not|open|put|say|see|start|stop|take|talk|try|use|wait)\b)/giu,
    "$1'$2",
  ],
  [/(^|[.!?] |\b(?:okay|so|then|but|and|yes|yeah|no|now|alright|right|well|i think) )(let)(s)(?= \p{L})/giu, "$1$2'$3"],
  [
    new RegExp(
      `${before}(it)(s)(?= (?:an?|the|not|like|been|just|really|mostly|so|too|very|still|on|in|about|worse)\\b)`,
      'giu',
    ),
    "$1'$2",
  ],
  [
    new RegExp(`(?<!\\b(?:is|was|feel|felt|fell|very|be|are|am|were|seriously) )${before}(i)(ll) ${verbAfter}`, 'giu'),
    "$1'$2 ",
  ],
  [/(?<![\p{L}\p{N}'.&-])i(?=$| |'(?:m|ve|ll|d)(?!\p{L}))/gu, 'I'],
]

/** "dont" becomes "don't" and "i" becomes "I". Words that may be others, such as "were", stay. */
export function restoreApostrophes(text: string): string {
  return apostropheRules.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text)
}

/** Words after which a clause continues: "I think | we", "the one | I saw", "where | it is". */
const clauseGoesOn = new Set(
  `think know say says said guess mean hope wish believe feel if that when because what how where who whom which why whether until
  before after as while so than the a an to of for with by from in on at or and but then like just not also only all every each
  is are was were be been do does did have has had can could would should will may might must sure make makes let thing things
  way time one ones everything anything something day week`.split(/\s+/),
)
const connective = /^(?:and|but|so|okay|ok|yeah|then|also|alright|or)$/i
const subject = /^(?:i|i'm|i'll|i've|i'd|we|we're|we'll|we've|they|they're|he|she|it's|that's|there's|let's)$/i
const askedYesNo =
  /^(?:can|could|would|will|do|does|did|are|is|should|shall) (?:you|we|they|I|anyone|anybody|somebody)$/i
const askedOpen = /^(?:what|who|how|when|where|why) (?:is|are|was|about|do|does|did|will|should|much|many|long|can)$/i
const clauseWordsMin = 4

/**
 * Breaks lines where a new clause seems to begin: before "and then they", "I will" or "can you", but not after "I
 * think".
 */
export function breakAtClauses(text: string): string {
  const words = text.split(' ')
  const lines: string[] = []
  let from = 0
  for (let at = 1; at < words.length - 2; at += 1) {
    if (at - from < clauseWordsMin || words.length - at < clauseWordsMin - 1 || !beginsClause(words, at)) continue
    lines.push(words.slice(from, at).join(' '))
    from = at
  }
  return [...lines, words.slice(from).join(' ')].join('\n')
}

function beginsClause(words: readonly string[], at: number): boolean {
  const previous = (words[at - 1] ?? '').toLowerCase()
  let next = at
  while (next < at + 3 && connective.test(words[next] ?? '')) next += 1
  const pair = `${words[next]} ${words[next + 1]}`
  const isJoined = next > at
  // "Write down what is missing" is no question; "and what is missing" may be one.
  const isStart = subject.test(words[next] ?? '') || askedYesNo.test(pair) || (isJoined && askedOpen.test(pair))
  return isStart && !(isJoined ? neverEndsClause : clauseGoesOn).has(previous)
}
const neverEndsClause = new Set('and but or so if because the a an to of for with than as is are'.split(' '))

/** A question by its word order, where no mark shows it. */
export const questionOrder =
  /^(?:(?:what|who|whom|whose|which|when|where|why|how) (?:is|are|was|were|do|does|did|can|could|should|would|will|shall|about|long|many|much|often|far|big|soon|exactly)\b|(?:do|does|did|are|is|was|were|can|could|should|shall|would|will|have|has|isn't|aren't|don't|doesn't|can't|couldn't|shouldn't|wouldn't) (?:i|we|you|they|he|she|it|the|there|that|this|these|those|your|our|my|their|any|anyone|anybody|somebody|someone|everyone|everybody|people)\b|any (?:questions|news|idea))/i
