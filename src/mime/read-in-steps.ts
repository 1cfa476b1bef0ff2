import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

const stepBytes = 64 * 1024

/** The bytes of a mail in pieces, between which others run: what reads 25 MiB at once holds the event loop. */
export async function* readInSteps(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += stepBytes) {
    yield bytes.subarray(at, at + stepBytes)
    await setImmediate()
  }
}

/** SHA-256 as hex. */
export async function digestInSteps(bytes: Buffer): Promise<string> {
  const digest = createHash('sha256')
  for await (const piece of readInSteps(bytes)) digest.update(piece)
  return digest.digest('hex')
}

const copyStepBytes = 4 * 1024 * 1024

/** `Buffer.concat` of pieces that have `length` bytes together, in steps: 25 MiB take 25 ms. */
export async function concatInSteps(pieces: readonly Buffer[], length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let [end, restedAt] = [0, 0]
  for (const piece of pieces) {
    end += piece.copy(bytes, end)
    if (end - restedAt < copyStepBytes) continue
    restedAt = end
    await setImmediate()
  }
  return bytes
}
