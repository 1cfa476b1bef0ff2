/**
 * An estimate of a text's tokens for a language model, rather too high than too low: four ASCII characters are one token,
 * any other character is one.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) < 128) ascii += 1
  return Math.ceil(ascii / 4) + (text.length - ascii)
}
