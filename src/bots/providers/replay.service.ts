import { isId } from '../../kernel/ids.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import type { BotMeetings, NewEntry } from '../../meetings/index.ts'
import type { TenantScope } from '../../storage/scope.ts'
import { insertScript } from './replay.store.ts'
import { sampleMeeting } from './sample-meeting.ts'
import type { Line, Script } from './script.ts'

const linesMax = 20_000

export type Replays = ReturnType<typeof replays>

/** What replays play. */
export function replays({ meetings }: { meetings: BotMeetings }) {
  /** The lines of a source that is a file. Null: it names the sample, or a meeting. Refuses with VALIDATION_ERROR. */
  async function readFile(source: string): Promise<Script | null> {
    const text = source.trim()
    return text === 'sample' || isId(text) ? null : toScript(await readText(source))
  }

  /** `sample`, or what was said in a meeting that the user may read. Refuses with VALIDATION_ERROR and NOT_FOUND. */
  async function find(scope: TenantScope, user: { id: string }, source: string): Promise<Script> {
    const name = source.trim()
    return name === 'sample' ? sampleMeeting : toScript(await meetings.entriesOf(scope, user, name))
  }

  function toScript(entries: NewEntry[]): Script {
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
  return { readFile, find, store, sample: sampleMeeting }
}
