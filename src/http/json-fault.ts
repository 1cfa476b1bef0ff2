/** What may come next in a JSON text (RFC 8259). */
const expectations = {
  value: 'a value',
  firstItem: 'a value or "]"',
  firstName: 'a name in double quotes or "}"',
  name: 'a name in double quotes',
  colon: '":"',
  afterItem: '"," or "]"',
  afterMember: '"," or "}"',
  end: 'the end of the body',
} as const

type Expectation = keyof typeof expectations
type Fault = { offset: number; expected: string }
/** A token that ends at an offset, or the fault in it. */
type Token = number | Fault

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const literals = ['true', 'false', 'null']

/**
 * Says where a text stops being JSON, for a person: `line 2, column 9: expected "," or "}"`. `JSON.parse` does not always
 * tell, and it quotes what it read. Null for valid JSON. Linear.
 */
export function describeJsonFault(text: string): string | null {
  const fault = locateFault(text)
  if (fault === null) return null
  const rest = fault.offset >= text.length ? ', where the body ends' : ''
  return `${lineAndColumn(text, fault.offset)}${rest}: expected ${fault.expected}`
}

/** Both count from 1. */
export function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset)
  return `line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`
}

function locateFault(text: string): Fault | null {
  const open: ('object' | 'array')[] = []
  let next: Expectation = 'value'
  let offset = skipSpace(text, 0)
  const afterValue = (): Expectation => {
    const around = open.at(-1)
    if (around === undefined) return 'end'
    return around === 'object' ? 'afterMember' : 'afterItem'
  }
  while (offset < text.length) {
    const step = stepOver(text, offset, next)
    if (step === null) return { offset, expected: expectations[next] }
    if (typeof step.token !== 'number') return step.token
    if (step.opens) open.push(step.opens)
    if (step.closes) open.pop()
    next = step.next ?? afterValue()
    offset = skipSpace(text, step.token)
  }
  return next === 'end' ? null : { offset, expected: expectations[next] }
}

/** `next` is null after a value, where it depends on what is around it. */
type Step = { token: Token; next: Expectation | null; opens?: 'object' | 'array'; closes?: true }

function stepOver(text: string, offset: number, expected: Expectation): Step | null {
  const char = text[offset]
  const past = offset + 1
  switch (expected) {
    case 'colon':
      return char === ':' ? { token: past, next: 'value' } : null
    case 'afterMember':
      if (char === '}') return { token: past, next: null, closes: true }
      return char === ',' ? { token: past, next: 'name' } : null
    case 'afterItem':
      if (char === ']') return { token: past, next: null, closes: true }
      return char === ',' ? { token: past, next: 'value' } : null
    case 'firstName':
      if (char === '}') return { token: past, next: null, closes: true }
      return char === '"' ? { token: stringEnd(text, offset), next: 'colon' } : null
    case 'name':
      return char === '"' ? { token: stringEnd(text, offset), next: 'colon' } : null
    case 'firstItem':
      if (char === ']') return { token: past, next: null, closes: true }
      return valueStep(text, offset)
    case 'value':
      return valueStep(text, offset)
    case 'end':
      return null
  }
}

function valueStep(text: string, offset: number): Step | null {
  const char = text[offset]
  if (char === '{') return { token: offset + 1, next: 'firstName', opens: 'object' }
  if (char === '[') return { token: offset + 1, next: 'firstItem', opens: 'array' }
  if (char === '"') return { token: stringEnd(text, offset), next: null }
  const literal = literals.find((word) => text.startsWith(word, offset))
  if (literal !== undefined) return { token: offset + literal.length, next: null }
  numberPattern.lastIndex = offset
  const [digits] = numberPattern.exec(text) ?? []
  return digits === undefined ? null : { token: offset + digits.length, next: null }
}

function stringEnd(text: string, start: number): Token {
  for (let offset = start + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === 0x22) return offset + 1
    if (code < 0x20) return { offset, expected: 'an escape such as \\n in place of a control character' }
    if (code === 0x5c) {
      const length = escapeLength(text, offset)
      if (length === 0) return { offset, expected: 'an escape of JSON, such as \\n, \\" or \\u00e9' }
      offset += length - 1
    }
  }
  return { offset: text.length, expected: 'a closing double quote' }
}

/** 0 if it is not an escape of JSON. */
function escapeLength(text: string, offset: number): number {
  const letter = text[offset + 1] ?? ''
  if (letter === 'u') return /^[\da-f]{4}$/i.test(text.slice(offset + 2, offset + 6)) ? 6 : 0
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? 2 : 0
}

function skipSpace(text: string, start: number): number {
  let offset = start
  while (offset < text.length && ' \t\n\r'.includes(text[offset] as string)) offset++
  return offset
}

/** The first byte that is not part of a UTF-8 character. Null if there is none. */
export function firstInvalidByte(bytes: Uint8Array): number | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let byteOffset = 0
  let from = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', from)) {
    byteOffset += Buffer.byteLength(text.slice(from, at))
    // The character may also have been sent as such.
    if (!replacement.equals(bytes.subarray(byteOffset, byteOffset + 3))) return byteOffset
    byteOffset += replacement.length
    from = at + 1
  }
  return null
}

const replacement = Buffer.from('\ufffd')
