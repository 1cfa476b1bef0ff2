/** A vector as it is stored. `signs`: a digit for each number, 1 if it is positive. `bytes`: each number as a signed byte. */
export type StoredVector = { signs: string; bytes: Buffer }

/** Only the direction of a vector means something, so its largest number becomes 127. It must not be zero. */
export function toStoredVector(vector: readonly number[]): StoredVector {
  const largest = vector.reduce((max, number) => Math.max(max, Math.abs(number)), 0)
  const bytes = Int8Array.from(vector, (number) => Math.round((number / largest) * 127))
  return { signs: vector.map((number) => (number > 0 ? '1' : '0')).join(''), bytes: Buffer.from(bytes.buffer) }
}

/** The cosine of the angle between two directions: 1 for the same one. Null where they have not the same length. */
export function cosine(vector: readonly number[], bytes: Buffer): number | null {
  if (bytes.length !== vector.length) return null
  const stored = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let dot = 0
  let lengthOfStored = 0
  let lengthOfVector = 0
  for (const [index, number] of vector.entries()) {
    const other = stored[index] ?? 0
    dot += number * other
    lengthOfStored += other * other
    lengthOfVector += number * number
  }
  const lengths = Math.sqrt(lengthOfStored) * Math.sqrt(lengthOfVector)
  return lengths > 0 && Number.isFinite(lengths) ? dot / lengths : null
}

/** From 0 for the farthest to 1 for the nearest. */
export function toCloseness(cosines: ReadonlyMap<string, number>): Map<string, number> {
  const least = Math.min(...cosines.values())
  const range = Math.max(...cosines.values()) - least
  return new Map([...cosines].map(([key, value]) => [key, range > 0 ? (value - least) / range : 1]))
}
