import type { Entry, ZipFile } from 'yauzl'
import { ExtractionError } from './extraction.ts'
import { isOleContainer } from './signatures.ts'

const entriesMax = 2_000
const unpackedBytesMax = 200 * 1024 * 1024
/** Unpacked to packed, of the whole file. XML of documents has 5 to 30, what is made to fill memory up to 1,032. */
const ratioMax = 200
/** Of one part. XML of this size is far more than 5 million characters. */
const partBytesMax = 64 * 1024 * 1024

export type Archive = {
  names: ReadonlySet<string>
  /** Null for a part that is not there. Throws TOO_MUCH or BROKEN where the directory lied about it. */
  read(name: string): Promise<Buffer | null>
}

/** The names in the directory of a ZIP file, at most 2,001; null if it cannot be read. Unpacks nothing. */
export async function listZipNames(bytes: Uint8Array): Promise<string[] | null> {
  try {
    const { entries } = await readDirectory(bytes)
    return entries.map(({ fileName }) => fileName)
  } catch {
    return null
  }
}

/**
 * A Word or PowerPoint file, whose directory is checked before anything of it is unpacked. Throws TOO_MUCH, BROKEN, and
 * ENCRYPTED also for the envelope of a file with a password.
 */
export async function openOffice(bytes: Uint8Array): Promise<Archive> {
  if (isOleContainer(bytes)) throw new ExtractionError('ENCRYPTED', 'The file needs a password.')
  const { zip, entries } = await readDirectory(bytes).catch(() => {
    throw broken()
  })
  refuseTooMuch(entries, bytes.length)
  if (entries.some((entry) => entry.isEncrypted())) throw new ExtractionError('ENCRYPTED', 'The file needs a password.')
  // Where a name occurs twice, every reader takes another one: the first is taken here, and no other program reads it again.
  const byName = new Map<string, Entry>()
  for (const entry of entries) if (!byName.has(entry.fileName)) byName.set(entry.fileName, entry)
  return {
    names: new Set(byName.keys()),
    read: async (name) => {
      const entry = byName.get(name)
      return entry === undefined ? null : await unpack(zip, entry)
    },
  }
}

async function readDirectory(bytes: Uint8Array): Promise<{ zip: ZipFile; entries: Entry[] }> {
  const { fromBufferPromise } = await import('yauzl')
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    entries.push(entry)
    if (entries.length > entriesMax) break
  }
  return { zip, entries }
}

function refuseTooMuch(entries: Entry[], fileBytes: number): void {
  if (entries.length > entriesMax)
    throw new ExtractionError('TOO_MUCH', `The file packs more than ${entriesMax} files.`)
  const unpackedBytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  const isTooMuch = unpackedBytes > unpackedBytesMax || unpackedBytes > ratioMax * fileBytes
  const isPartTooMuch = entries.some(
    ({ fileName, uncompressedSize }) => isXml(fileName) && uncompressedSize > partBytesMax,
  )
  if (isTooMuch || isPartTooMuch) throw new ExtractionError('TOO_MUCH', 'The file is too large when it is unpacked.')
}

function isXml(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name)
}

/** Ends at the size that the directory states, so a lying one unpacks no more. */
async function unpack(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > partBytesMax) throw new ExtractionError('TOO_MUCH', 'A part of the file is too large.')
  const chunks: Buffer[] = []
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
  } catch {
    throw broken()
  }
  return Buffer.concat(chunks)
}

function broken(): ExtractionError {
  return new ExtractionError('BROKEN', 'The file is not a whole ZIP file.')
}
