/** In code points. NIST SP 800-63B-4 and OWASP ASVS 5.0 6.2.1 require at least 8. The upper bound keeps hashing cheap. */
const lengthMin = 8
const lengthMax = 128
/** A shorter local part occurs in too many good passwords by chance. */
const localPartLengthMin = 4

/** `isCommon` gets the password in lower case. */
export type PasswordContext = { email: string; isCommon: (lowerCasePassword: string) => boolean }

/**
 * What is wrong with a password, as a sentence for the user; null if it is acceptable. There are no composition rules
 * (NIST SP 800-63B-4 section 3.1.1.2): length and a list of common passwords do more.
 */
export function passwordProblem(password: string, { email, isCommon }: PasswordContext): string | null {
  const points = [...password.normalize('NFC')]
  if (points.length < lengthMin) return `Use at least ${lengthMin} characters. A few words make a good password.`
  if (points.length > lengthMax) return `Use at most ${lengthMax} characters.`

  const plain = points.join('').toLowerCase()
  if (isSequence(plain)) return 'Do not use a repeated character or a sequence such as 12345678.'
  if (containsLocalPart(email, plain)) return 'Do not use your e-mail name in the password.'
  if (isCommon(plain)) return 'This password is too common. Choose another one.'
  return null
}

/** Whether all characters repeat, rise or fall by one: aaaa, abcd, dcba, and 8901, where the digits start over. */
function isSequence(plain: string): boolean {
  const cycle = /^[0-9]+$/.test(plain) ? 10 : Number.POSITIVE_INFINITY
  const points = Array.from(plain, (character) => character.codePointAt(0) ?? 0)
  const follows = (step: number) =>
    points.every((point, at) => at === 0 || isStep(point - (points[at - 1] ?? 0), step, cycle))
  return [0, 1, -1].some(follows)
}

function isStep(difference: number, step: number, cycle: number): boolean {
  return difference === step || Math.abs(difference - step) === cycle
}

function containsLocalPart(email: string, plain: string): boolean {
  const address = email.normalize('NFC').toLowerCase()
  const name = address.slice(0, address.lastIndexOf('@'))
  if (plain === address || plain === name) return true
  // A good password may contain the name. It is rejected only if the rest is too short.
  return name.length >= localPartLengthMin && plain.includes(name) && [...plain.replaceAll(name, '')].length < lengthMin
}
