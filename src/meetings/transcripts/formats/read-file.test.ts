import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../../kernel/refusal.ts'
import { entriesMax } from '../../entries/entry.rules.ts'
import { type ImportFormat, parseEntries, type TranscriptFile } from './parse-file.ts'
import { readFile } from './read-file.ts'

const fileOf = (format: ImportFormat, text: string): TranscriptFile => ({ bytes: Buffer.from(text), format })
const entry = (n: number) => ({ speaker: 'Ada', text: `Übung ${n} 🙂`, timestamp: '00:00:01.250', segmentId: `s${n}` })
const jsonOf = (entries: object[]) => fileOf('json', JSON.stringify({ entries }))
const cue = (n: number) => `${n}\n00:00:01,000 --> 00:00:02,000\nAda: Point ${n} of the plan.\n`
const many = (count: number, make: (n: number) => unknown) => Array.from({ length: count }, (_, n) => make(n))

describe('a large file', () => {
  const files: [ImportFormat, TranscriptFile][] = [
    ['json', jsonOf(many(5000, entry) as object[])],
    ['srt', fileOf('srt', many(5000, cue).join('\n'))],
    ['vtt', fileOf('vtt', `WEBVTT\n\n${many(5000, cue).join('\n').replaceAll(',', '.')}`)],
  ]
  for (const [format, file] of files) {
    test(`is read in a worker with the same result as a short one (${format})`, async () => {
      assert.ok(file.bytes.length > 128 * 1024)
      const read = await readFile(file)
      assert.equal(read.length, 5000)
      assert.deepEqual(read, [...parseEntries(file)])
    })
  }

  test('does not block other work while it is read', async () => {
    const big = jsonOf(many(100_000, entry) as object[])
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    const reading = readFile(big).finally(() => {
      isDone = true
    })
    count()
    assert.equal((await reading).length, 100_000)
    // One for each portion alone would be 200; while the worker parses there are thousands.
    assert.ok(turns > 1000, `${turns} turns`)
  })

  test('with a fault is refused with its line, like a short one', async () => {
    const faulty = jsonOf([...(many(5000, entry) as object[]), { ...entry(1), text: 7 }])
    await assert.rejects(readFile(faulty), (error) => {
      assert.ok(error instanceof Refusal)
      assert.deepEqual([error.code, error.options.errors?.[0]?.path], ['VALIDATION_ERROR', '/body'])
      assert.match(error.options.errors?.[0]?.message ?? '', /entry 5001 has no text/)
      return true
    })
    const cut = fileOf('json', JSON.stringify(many(5000, entry)).slice(0, -1))
    await assert.rejects(readFile(cut), (error) => error instanceof Refusal && error.code === 'MALFORMED_JSON')
    const blank = fileOf('vtt', `WEBVTT\n\n${' \n'.repeat(100_000)}`)
    await assert.rejects(readFile(blank), (error) => error instanceof Refusal && error.code === 'VALIDATION_ERROR')
  })

  test('with too many entries is read only as far as needed to see that', async () => {
    const short = many(entriesMax + 5000, () => '{"text":"a","timestamp":"00:00:01"}').join()
    const read = await readFile(fileOf('json', `[${short}]`))
    assert.equal(read.length, entriesMax + 1)
  })
})
