import { foldCase } from '../words/term.ts'

const alphabets: readonly (readonly [RegExp, string])[] = [
  [/^[\p{Script=Latin}]+$/u, 'abcdefghijklmnopqrstuvwxyz'],
  [/^[\p{Script=Cyrillic}]+$/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґ'],
  [/^[\p{Script=Greek}]+$/u, 'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώς'],
  [/^[\p{Script=Arabic}]+$/u, 'ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئىة'],
  [/^[\p{Script=Hebrew}]+$/u, 'אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
]

const lettersMin = 4
const lettersMax = 24
const furtherLettersMax = 12

/**
 * Every word that is one letter away: a letter more, less, another one, or two that changed places. Only for words of 4 to 24
 * letters of one alphabet, else none. At most about 2,500; of a usual word 600.
 */
export function nearbySpellings(word: string): string[] {
  const letters = [...foldCase(word)]
  const alphabet = alphabets.find(([pattern]) => pattern.test(letters.join('')))?.[1]
  if (alphabet === undefined || letters.length < lettersMin || letters.length > lettersMax) return []
  const further = [...new Set(letters)].filter((it) => !alphabet.includes(it)).slice(0, furtherLettersMax)
  const all = [...alphabet, ...further]
  const found = new Set<string>()
  for (let i = 0; i <= letters.length; i += 1) {
    const before = letters.slice(0, i).join('')
    const after = letters.slice(i + 1).join('')
    const [here = '', next = ''] = letters.slice(i)
    found.add(before + after)
    if (next !== '') found.add(before + next + here + letters.slice(i + 2).join(''))
    for (const letter of all) {
      found.add(before + letter + here + after)
      if (here !== '') found.add(before + letter + after)
    }
  }
  found.delete(letters.join(''))
  return [...found]
}
