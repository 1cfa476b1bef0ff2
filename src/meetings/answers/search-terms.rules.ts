// Words that ask or connect, and say nothing about the subject of a question.
const stopWords = new Set(
  `a an and any anybody anyone anything are as at be been but by can could did do does done for from had has have he her here him his
  how i if in into is it its just let me meeting more my no not of on or our out please say said says she should so some somebody someone
  something speak speaker talk talked tell than that the their them then there these they thing things think this those to told transcript up us was we
  were what when where which who whom whose why will with would you your
  aber alle als also am an auf aus bei bin bis bist da das dass dem den der des die doch du durch ein eine einem einen einer eines er es
  für gibt hat hatte habe haben ich ihr ihre im in ist ja kann man mein mit nach nein nicht noch nun nur ob oder sagte sich sie sind so
  über um und uns unser von vor war warum was weil wer wie wir wird wo zu zum zur`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

const word = /[\p{L}\p{N}]+/gu
/** Scripts that are written without spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/**
 * The search terms of a text, without stop words: lower case, without the most common English endings, and pairs of
 * characters for scripts without spaces.
 */
export function* searchTerms(text: string): Generator<string> {
  for (const [found] of text.normalize('NFKC').toLowerCase().matchAll(word)) {
    if (unspaced.test(found)) yield* characterPairs(found)
    else if (!stopWords.has(found)) yield stem(found)
  }
}

function* characterPairs(text: string): Generator<string> {
  const characters = [...text]
  if (characters.length === 1) yield text
  for (let index = 1; index < characters.length; index++) yield `${characters[index - 1]}${characters[index]}`
}

const endings = ['ingly', 'edly', 'ings', 'ing', 'ies', 'ied', 'ed', 'es', 'ly', 's', 'e', 'y']

/**
 * Makes "deciding", "decides" and "decided" equal. Short words keep their endings, so that different words stay
 * different.
 */
function stem(found: string): string {
  if (found.length < 5)
    return found.length === 4 && found.endsWith('s') && !found.endsWith('ss') ? found.slice(0, 3) : found
  const ending = endings.find((candidate) => found.endsWith(candidate) && found.length - candidate.length >= 3)
  return ending === undefined ? found : found.slice(0, -ending.length)
}
