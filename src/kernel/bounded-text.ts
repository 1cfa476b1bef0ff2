/**
 * The body of an answer; null where it has more bytes. Counted as it comes, after it was decoded: what is announced may
 * be wrong, and what is packed may be small.
 */
export async function boundedText({ body }: Response, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    // Leaving the loop cancels the rest.
    if (bytes > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
