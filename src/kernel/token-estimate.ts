/**
 * About how many tokens a model reads in a text, rather more than fewer: four ASCII characters are one, any other character
 * is one of its own.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) < 128) ascii += 1
  return Math.ceil(ascii / 4) + (text.length - ascii)
}
