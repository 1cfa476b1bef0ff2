/**
 * The body of a response, or null if it has more than `bytesMax` bytes. They are counted as they arrive, after
 * decompression: an announced length may be wrong, and a small compressed body may be large.
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
