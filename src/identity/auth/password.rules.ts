/** SP 800-63B-4 and OWASP ASVS 5.0 6.2.1: at least 8; the upper bound keeps hashing cheap. In code points. */
const lengthMin = 8
const lengthMax = 128
/** A shorter name stands inside too many good passwords by chance. */
const nameLengthMin = 4

/** `isCommon` is asked in lower case. */
export type PasswordContext = { email: string; isCommon: (plain: string) => boolean }

/**
 * What is wrong with a password, as a sentence for the person who chose it; null if nothing is.
 * No composition rules (SP 800-63B-4 section 3.1.1.2): length and a list of the guessed ones do more.
 */
export function passwordProblem(password: string, { email, isCommon }: PasswordContext): string | null {
  const points = [...password.normalize('NFC')]
  if (points.length < lengthMin) return `Use at least ${lengthMin} characters; a few words make a good password.`
  if (points.length > lengthMax) return `Use at most ${lengthMax} characters.`

  const plain = points.join('').toLowerCase()
  if (isSequence(plain)) return 'Do not use one repeated character or a plain sequence such as 12345678.'
  if (containsLocalPart(email, plain)) return 'Do not use the name of the e-mail address in the password.'
  if (isCommon(plain)) return 'Choose a password that is not one of the most common, which are guessed first.'
  return null
}

/** Whether each character follows the one before in the same way: aaaa, abcd, dcba, and 8901 past the end of the digits. */
function isSequence(plain: string): boolean {
  const round = /^[0-9]+$/.test(plain) ? 10 : Number.POSITIVE_INFINITY
  const points = Array.from(plain, (character) => character.codePointAt(0) ?? 0)
  const follows = (step: number) =>
    points.every((point, at) => at === 0 || isStep(point - (points[at - 1] ?? 0), step, round))
  return [0, 1, -1].some(follows)
}

function isStep(difference: number, step: number, round: number): boolean {
  return difference === step || Math.abs(difference - step) === round
}

function containsLocalPart(email: string, plain: string): boolean {
  const address = email.normalize('NFC').toLowerCase()
  const name = address.slice(0, address.lastIndexOf('@'))
  if (plain === address || plain === name) return true
  // Around the name there may stand a password of its own: only what is left is judged.
  return name.length >= nameLengthMin && plain.includes(name) && [...plain.replaceAll(name, '')].length < lengthMin
}
