/** The Unicode properties of our patterns as ranges of a character class. All their characters are in the BMP. */
const propertyRanges: Record<string, string> = {
  Cc: '\\u0000-\\u001f\\u007f-\\u009f',
  Zl: '\\u2028',
  Zp: '\\u2029',
}

/** A part of a pattern: a Unicode property, an escaped character, or a single character. */
const part = /\\p\{(?<property>\w+)\}|\\.|[^\\]/gsu

/**
 * The same pattern without `\p{..}`, which only some engines know: Python's `re` and JavaScript without the flag `u` refuse or
 * misread it. Throws for a property that is not listed above, so that none gets into the document.
 */
export function portablePattern(pattern: string): string {
  let isInClass = false
  return pattern.replace(part, (text, property?: string) => {
    if (text === '[') isInClass = true
    if (text === ']') isInClass = false
    if (property === undefined) return text
    const ranges = propertyRanges[property]
    if (ranges === undefined) throw new Error(`The pattern ${pattern} uses ${text}, which has no ranges yet.`)
    return isInClass ? ranges : `[${ranges}]`
  })
}
