import { deserialize, serialize } from 'node:v8'

/** Two lengths of 32 bits, of the value and of the bytes after it. */
const headerBytes = 8

/** A value, and bytes that are passed on as they are, in memory of their own. */
export type Frame = { value: unknown; bytes: Uint8Array }

/** The pieces of a frame, to be written one after another. Throws for a value that cannot be copied, like a function. */
export function frameOf(value: unknown, bytes: Uint8Array = new Uint8Array()): Uint8Array[] {
  const encoded = serialize(value)
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(encoded.length, 0)
  header.writeUInt32LE(bytes.length, 4)
  return [header, encoded, bytes]
}

/** Takes what arrives, in pieces of any length, and calls `onFrame` for each whole frame. Throws for one that is too long. */
export function frameReader(onFrame: (frame: Frame) => void, bytesMax = Infinity): (chunk: Buffer) => void {
  const header = Buffer.alloc(headerBytes)
  // The parts of a frame that are not complete yet, and how much of the first of them is there.
  let parts: Uint8Array[] = [header]
  let filled = 0
  let value = header.subarray(0, 0)
  let bytes = new Uint8Array()

  const endPart = () => {
    const [part] = parts
    parts = parts.slice(1)
    filled = 0
    if (part === header) {
      const [valueLength, bytesLength] = [header.readUInt32LE(0), header.readUInt32LE(4)]
      if (valueLength + bytesLength > bytesMax) throw new RangeError(`A frame is longer than ${bytesMax} bytes.`)
      value = Buffer.allocUnsafeSlow(valueLength)
      bytes = new Uint8Array(bytesLength)
      parts = [value, bytes]
    }
    if (parts.length > 0) return
    parts = [header]
    onFrame({ value: deserialize(value), bytes })
  }

  return (chunk) => {
    let at = 0
    const isPartDone = () => filled === parts[0]?.length
    for (;;) {
      while (isPartDone()) endPart()
      if (at === chunk.length) return
      const part = parts[0] as Uint8Array
      const count = chunk.copy(part, filled, at)
      filled += count
      at += count
    }
  }
}
