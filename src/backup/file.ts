import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '../storage/sync-folder.ts'
import { BadBackup, type Manifest, type Part, readParts } from './format.ts'

// A backup is a gzip file of two members (RFC 1952 section 2.2), so that `zcat` shows all of it. The first holds the
// lines. The second, whose bytes are fixed but for the hash, seals the first: gzip by itself misses changes in its
// header and in the last bits before its check sum.

// Rows of one table are much alike: level 3 gives files a tenth larger than the usual 6 in half the time.
const compressionLevel = 3
const partBytes = 64 * 1024

/** Writes a backup: beside its place first, moved there when it is whole and on the disk; readable by its owner alone. */
export async function writeBackup(path: string, lines: AsyncIterable<string>): Promise<{ bytes: number }> {
  const draft = `${path}.part`
  await rm(draft, { force: true })
  try {
    // `flush`: on the disk before it is closed, and it is closed before it gets its name.
    await write(createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), lines)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
  return { bytes: await bytesOf(path) }
}

async function write(to: NodeJS.WritableStream, lines: AsyncIterable<string>): Promise<void> {
  const seal = createHash('sha256')
  const sealing = new Transform({
    transform(chunk, _, done) {
      seal.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      done(null, sealMember(seal.digest('hex')))
    },
  })
  await pipeline(Readable.from(inParts(lines)), createGzip({ level: compressionLevel }), sealing, to)
}

export type Backup = { manifest: Manifest /** All parts, the manifest first. */; parts: AsyncIterable<Part> }

/** A backup, once all bytes of the file are known to be those that were written. Throws BadBackup otherwise. */
export async function readBackup(path: string): Promise<Backup> {
  const parts = readParts(await linesIn(path))
  const first = await parts.next()
  if (first.done || first.value.kind !== 'manifest') throw new BadBackup('It is empty.')
  const { value } = first
  const all = async function* () {
    yield value
    yield* parts
  }
  return { manifest: first.value.manifest, parts: all() }
}

async function linesIn(path: string): Promise<AsyncIterable<string>> {
  const bytes = await bytesOf(path)
  const body = { start: 0, end: bytes - sealBytes - 1 }
  if (body.end <= 0) throw new BadBackup('It is too short to be a backup.')
  const seal = createHash('sha256')
  for await (const chunk of createReadStream(path, body)) seal.update(chunk)
  const expected = sealMember(seal.digest('hex'))
  const found = Buffer.concat(await createReadStream(path, { start: bytes - sealBytes }).toArray())
  if (!found.equals(expected)) throw new BadBackup('It was changed or cut short after it was written, or is no backup.')
  return linesOf(createReadStream(path, body).pipe(createGunzip()).setEncoding('utf8'))
}

async function bytesOf(path: string): Promise<number> {
  const file = await stat(path).catch(() => null)
  if (!file?.isFile()) throw new BadBackup(`There is no file ${path}.`)
  return file.size
}

async function* inParts(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let part = ''
  for await (const line of lines) {
    part += `${line}\n`
    if (part.length < partBytes) continue
    yield part
    part = ''
  }
  yield part
}

/** Not `readline`, which also ends lines at U+2028. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = text.split('\n')
    lines[0] = rest + lines[0]
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') throw new BadBackup('Its last line is cut off.')
}

/** A gzip member with one stored block, the same bytes for the same hash on every platform. */
function sealMember(sha256: string): Buffer {
  const text = Buffer.from(`${JSON.stringify({ sha256 })}\n`)
  const head = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255) // deflate; no name, no time, no system
  const block = Buffer.from([1, 0, 0, 0, 0])
  block.writeUInt16LE(text.length, 1)
  block.writeUInt16LE(~text.length & 0xffff, 3)
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc32(text), 0)
  tail.writeUInt32LE(text.length, 4)
  return Buffer.concat([head, block, text, tail])
}

const sealBytes = sealMember('0'.repeat(64)).length
