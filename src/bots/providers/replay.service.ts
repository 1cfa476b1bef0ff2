import { isId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings } from '../../meetings/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { deleteScript, insertScript } from './replay.store.ts'
import { sampleMeeting } from './sample-meeting.ts'
import type { Line, Script } from './script.ts'

const linesMax = 20_000

export type Replays = ReturnType<typeof replays>

/** What replays play. */
export function replays({ meetings }: { meetings: BotMeetings }) {
  /** The lines of a source: `sample`, a meeting that the user may read, or a file. Refuses with VALIDATION_ERROR and NOT_FOUND. */
  async function read(scope: TenantScope, user: { id: string }, source: string): Promise<Script> {
    const text = source.trim()
    if (text === 'sample') return sampleMeeting
    const entries = isId(text) ? await meetings.entriesOf(scope, user, text) : await readText(source)
    if (entries.length === 0) throw invalidField('/body/source', { code: 'minItems', message: 'contains no entries' })
    const lines = entries.slice(0, linesMax).map(({ speaker, text: words, offsetSeconds }): Line => {
      return { offsetMs: Math.round(offsetSeconds * 1000), speaker, text: words, kind: 'speech' }
    })
    return lines.sort((a, b) => a.offsetMs - b.offsetMs)
  }

  async function readText(source: string) {
    const text = source.replace(/^\ufeff/, '').trimStart()
    const format = text.startsWith('WEBVTT') ? 'vtt' : /^[{[]/.test(text) ? 'json' : 'srt'
    try {
      return await meetings.read({ bytes: Buffer.from(text), format })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'UNAVAILABLE') throw error
      const detail = error.options.errors?.[0]?.message ?? error.message
      throw invalidField('/body/source', {
        code: 'format',
        message: `must be sample, the id of a meeting, or a WebVTT, SRT or JSON file: ${detail}`,
      })
    }
  }

  const store = (tx: TenantScope, botId: string, script: Script) => insertScript(tx, botId, script)
  return { read, store, sample: sampleMeeting, forget: deleteScript }
}
