// These characters change the direction of writing. They are invisible and can make a text look like another one.
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Multi-line text without control characters, cut to a length in UTF-16 units. */
export function cleanText(text: string, lengthMax: number): string {
  const cleaned = text
    .slice(0, lengthMax * 2)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out; PostgreSQL refuses the first of them
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(bidiControls, '')
    .trim()
  return cut(cleaned, lengthMax)
}

/** The same as one line. */
export function cleanLine(text: string, lengthMax: number): string {
  return cut(cleanText(text, lengthMax).replace(/\s+/g, ' '), lengthMax)
}

/** Does not cut between the two halves of a character. */
function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax
    ? text
    : text
        .slice(0, lengthMax)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trim()
}
