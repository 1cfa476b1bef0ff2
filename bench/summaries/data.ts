import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TranscriptEntry } from '../../src/summarizer/summary.ts'

/** `summary`: what a person wrote about the whole meeting. `answers`: what people answered to questions about its parts. */
export type Meeting = { name: string; transcript: TranscriptEntry[]; summary: string; answers: string[] }

type QmSum = {
  meeting_transcripts: { speaker: string; content: string }[]
  general_query_list: { answer: string }[]
  specific_query_list: { answer: string }[]
}

/** The meetings of QMSum's validation split; null where the folder has none. */
export function readValidation(folder: string): Meeting[] | null {
  const place = join(folder, 'qmsum-val')
  if (!existsSync(place)) return null
  const names = readdirSync(place).filter((name) => name.endsWith('.json'))
  return inOrder(names.map((name) => toMeeting(name, readFileSync(join(place, name), 'utf8'))))
}

/** The meetings of its training split, from the packed file; null where the folder has none. */
export function readTraining(folder: string): Meeting[] | null {
  const file = join(folder, 'qmsum-train.tar.gz')
  if (!existsSync(file)) return null
  const files = unpack(gunzipSync(readFileSync(file)))
  return inOrder(files.filter(({ name }) => name.endsWith('.json')).map(({ name, text }) => toMeeting(name, text)))
}

const inOrder = (meetings: Meeting[]) => meetings.sort((a, b) => (a.name < b.name ? -1 : 1))

function toMeeting(path: string, text: string): Meeting {
  const { meeting_transcripts, general_query_list, specific_query_list } = JSON.parse(text) as QmSum
  return {
    name: path.split('/').at(-1)?.replace('.json', '') ?? path,
    transcript: meeting_transcripts.map(({ speaker, content }) => ({ speaker, text: content, timestamp: '' })),
    summary: general_query_list[0]?.answer ?? '',
    answers: specific_query_list.map(({ answer }) => answer),
  }
}

const blockBytes = 512

/** The files of a tar archive (POSIX ustar): a block with name and octal size before the blocks of each. */
function unpack(archive: Buffer): { name: string; text: string }[] {
  const files: { name: string; text: string }[] = []
  const field = (from: number, length: number) =>
    archive.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '')
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(field(at + 124, 12), 8)
    const body = at + blockBytes
    files.push({ name: field(at, 100), text: archive.toString('utf8', body, body + size) })
    at = body + Math.ceil(size / blockBytes) * blockBytes
  }
  return files
}
