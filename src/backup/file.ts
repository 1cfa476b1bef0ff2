import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline as pipe, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { syncFolder } from '../storage/sync-folder.ts'
import { BadBackup, type Manifest, type Part, readParts } from './format.ts'
import { type BackupSeal, isSealedBy, readTrailer, type Trailer, trailerBytes, trailerBytesMax } from './trailer.ts'

// A backup is a gzip file of two members (RFC 1952 section 2.2), so that `zcat` shows all of it. The first holds the
// lines. The second is the trailer, which proves the first: gzip by itself misses changes in its header and in the last
// bits before its check sum.

// Rows of one table are much alike: level 3 gives files a tenth larger than the usual 6 in half the time.
const compressionLevel = 3
const partBytes = 64 * 1024

/**
 * Writes a backup: beside its place first, moved there when it is whole and on the disk; readable by its owner alone.
 * @param seal null: the operator who restores the file has to trust it without a proof
 */
export async function writeBackup(
  path: string,
  lines: AsyncIterable<string>,
  seal: BackupSeal | null,
): Promise<{ bytes: number }> {
  const draft = `${path}.part`
  await rm(draft, { force: true })
  try {
    // `flush`: on the disk before it is closed, and it is closed before it gets its name.
    await write(createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), lines, seal)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
  return { bytes: await bytesOf(path) }
}

async function write(to: NodeJS.WritableStream, lines: AsyncIterable<string>, seal: BackupSeal | null): Promise<void> {
  const hash = createHash('sha256')
  const addTrailer = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const sha256 = hash.digest('hex')
      done(null, trailerBytes({ sha256, hmac: seal?.hmac(sha256) ?? null }))
    },
  })
  await pipeline(Readable.from(inParts(lines)), createGzip({ level: compressionLevel }), addTrailer, to)
}

export type Backup = { manifest: Manifest /** All parts, the manifest first. */; parts: AsyncIterable<Part> }

/**
 * A backup, once all bytes of the file are known to be those that were written. Throws BadBackup otherwise. If the file
 * is exchanged after that, the parts end with BadBackup.
 * @param seal null: a file that anybody may have written is read, too
 */
export async function readBackup(path: string, seal: BackupSeal | null): Promise<Backup> {
  const whole = await readWhole(path)
  const parts = readParts(linesOf(unpacked(path, whole)))
  const first = await parts.next()
  if (first.done || first.value.kind !== 'manifest') throw new BadBackup('It is empty.')
  const { value } = first
  if (seal !== null) {
    // First, because under another key no seal fits.
    refuseOtherKey(value.manifest, seal.masterKeyCheck)
    refuseUnsealed(whole.trailer, seal)
  }
  const all = async function* () {
    yield value
    yield* parts
  }
  return { manifest: value.manifest, parts: all() }
}

/** Throws for a backup that was made with another master key than the one that `masterKeyCheck` stands for. */
export function refuseOtherKey(manifest: Manifest, masterKeyCheck: string): void {
  if (manifest.masterKeyCheck === masterKeyCheck) return
  throw new Error(
    'The master key here is not the one that the backup was made with. Give that one as MASTER_KEY, or put it into `master-key` in the data folder.',
  )
}

function refuseUnsealed(trailer: Trailer, seal: BackupSeal): void {
  if (isSealedBy(seal, trailer)) return
  throw new BadBackup(
    trailer.hmac === null
      ? 'It is not sealed, so anybody who could write the file may have changed it. If you trust it, add --unsealed.'
      : 'Its seal is wrong: somebody without the master key has changed it. Add --unsealed only if you know who did.',
  )
}

type WholeFile = { trailer: Trailer; bodyBytes: number }

/** Throws BadBackup unless the trailer has the hash of everything before it. */
async function readWhole(path: string): Promise<WholeFile> {
  const bytes = await bytesOf(path)
  const start = Math.max(0, bytes - trailerBytesMax)
  const found = readTrailer(Buffer.concat(await createReadStream(path, { start }).toArray()))
  const bodyBytes = bytes - (found?.length ?? 0)
  if (found === null || bodyBytes === 0 || (await hashOf(path, bodyBytes)) !== found.trailer.sha256) {
    throw new BadBackup('It was changed or cut short after it was written, or is no backup.')
  }
  return { trailer: found.trailer, bodyBytes }
}

async function hashOf(path: string, bodyBytes: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: bodyBytes - 1 })) hash.update(chunk)
  return hash.digest('hex')
}

function unpacked(path: string, whole: WholeFile): AsyncIterable<string> {
  // An error of the file ends the unpacking with that error, which its reader sees.
  return pipe(Readable.from(bodyOf(path, whole)), createGunzip(), () => undefined).setEncoding('utf8')
}

/** Hashed again, because the file could be exchanged after it was looked at. */
async function* bodyOf(path: string, { trailer, bodyBytes }: WholeFile): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: bodyBytes - 1 })) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== trailer.sha256) throw new BadBackup('It was changed while it was read.')
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
