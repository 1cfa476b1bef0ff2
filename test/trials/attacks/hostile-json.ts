/** A JSON object of about `bytes` bytes with as many members as fit; `first` come before them. */
export function manyMembersJson(bytes: number, first: Record<string, string> = {}): Buffer {
  const parts = Object.entries(first).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  let length = 2 + parts.join().length
  for (let count = 0; length < bytes - 16; count++) {
    const part = `"${count.toString(36)}":0`
    parts.push(part)
    length += part.length + 1
  }
  return Buffer.from(`{${parts.join()}}`)
}
