/** Shorter texts are found everywhere by chance, and are no secrets. */
export const secretLengthMin = 8
const base = 31
/** `base` to the power of the length: what the character that leaves the window had been multiplied with. */
const leaving = Array.from({ length: secretLengthMin }).reduce<number>((power) => Math.imul(power, base), 1)
const filterBits = 22

export type Secret = { text: string; what: string; issuedBy: string }

/**
 * Finds any of thousands of secrets in one pass over a text, as themselves, in base64, in base64url and in hex. A hash
 * rolls over the text; where it is that of the last characters of a secret, the secret is compared. The last ones,
 * because the first ones of tokens are all alike.
 */
export function secretIndex() {
  const byTail = new Map<number, { form: string; secret: Secret }[]>()
  const filter = new Uint8Array(2 ** (filterBits - 3))
  const known = new Map<string, Secret>()

  const addForm = (form: string, secret: Secret): void => {
    if (form.length < secretLengthMin) return
    const hash = hashOf(form.slice(-secretLengthMin))
    byTail.set(hash, [...(byTail.get(hash) ?? []), { form, secret }])
    const bit = hash >>> (32 - filterBits)
    filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7))
  }

  return {
    add: (secret: Secret): void => {
      if (secret.text.length < secretLengthMin || known.has(secret.text)) return
      known.set(secret.text, secret)
      for (const form of spellings(secret.text)) addForm(form, secret)
    },
    size: (): number => known.size,
    find: (text: string): Secret[] => {
      const found = new Set<Secret>()
      let hash = 0
      for (let at = 0; at < text.length; at++) {
        hash = Math.imul(hash, base) + text.charCodeAt(at)
        if (at >= secretLengthMin) hash -= Math.imul(text.charCodeAt(at - secretLengthMin), leaving)
        hash |= 0
        const bit = hash >>> (32 - filterBits)
        if (((filter[bit >> 3] as number) & (1 << (bit & 7))) === 0) continue
        for (const { form, secret } of byTail.get(hash) ?? []) {
          if (text.startsWith(form, at + 1 - form.length)) found.add(secret)
        }
      }
      return [...found]
    },
  }
}

function hashOf(text: string): number {
  return [...text.split('')].reduce((hash, character) => (Math.imul(hash, base) + character.charCodeAt(0)) | 0, 0)
}

function spellings(text: string): Set<string> {
  const bytes = Buffer.from(text)
  // The last characters of base64 depend on what follows; those before do not.
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  const forms = [text, JSON.stringify(text).slice(1, -1), whole.toString('base64'), whole.toString('base64url')]
  // A key of 32 bytes, which a table could hold as they are.
  const raw = /^[A-Za-z0-9+/]{43}=$/.test(text) ? [Buffer.from(text, 'base64').toString('hex')] : []
  return new Set([...forms, bytes.toString('hex'), ...raw])
}
