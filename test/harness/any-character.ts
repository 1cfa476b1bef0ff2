import fc from 'fast-check'

const surrogates = 0x800

/**
 * Any code point but half of a surrogate pair, as a unit of `fc.string`. The same as its unit `binary`, which first makes a table
 * of a million: more than a second of a processor, and memory that the process keeps.
 */
export const anyCharacter = fc
  .nat(0x10ffff - surrogates)
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + surrogates))
