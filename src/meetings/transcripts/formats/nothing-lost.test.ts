import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../../kernel/refusal.ts'
import { type NewEntry, oneLine } from '../../entries/entry.rules.ts'
import { entryView } from '../../entries/entry.schema.ts'
import { cueTime } from './cue-writing.rules.ts'
import { readJsonEntries } from './json.rules.ts'
import { readSrt, srtCue } from './srt.rules.ts'
import { readVtt, vttCue, vttHead } from './vtt.rules.ts'

const brief = (entries: Iterable<NewEntry>) =>
  [...entries].map(({ offsetSeconds, speaker, text }) => [offsetSeconds, speaker, text])

/** The entries, or the message of the refusal. */
function readOrRefused(work: () => Iterable<NewEntry>): NewEntry[] | string {
  try {
    return [...work()]
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'VALIDATION_ERROR', String(error))
    return error.message
  }
}

type Written = { source: string; shown: string }
type WrittenCue = { ms: number; lengthMs: number; name: string; lines: Written[] }

const same = (text: string): Written => ({ source: text, shown: text })
const plainWord = fc
  .constantFrom(
    'a',
    '->',
    '=>',
    '→',
    '--',
    '-',
    '>',
    'x',
    'NOTE',
    'STYLE',
    'REGION',
    '10:30',
    '00:01',
    '42',
    'Zoë',
    '😀',
  )
  .map(same)
const vttWord = fc.oneof(
  plainWord,
  fc.constantFrom(
    { source: '&amp;', shown: '&' },
    { source: '&lt;b&gt;', shown: '<b>' },
    { source: '<i>lean</i>', shown: 'lean' },
    { source: '<c.loud.big>out</c>', shown: 'out' },
    { source: '<lang en-GB>tea</lang>', shown: 'tea' },
    { source: '<ruby>漢<rt>kan</rt></ruby>', shown: '漢kan' },
    { source: '<00:00:04.000>late', shown: 'late' },
  ),
)
const lineOf = (word: fc.Arbitrary<Written>) =>
  fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => ({
    source: words.map(({ source }) => source).join(' '),
    shown: words.map(({ shown }) => shown).join(' '),
  }))
const cueOf = (line: fc.Arbitrary<Written>) =>
  fc.record({
    ms: fc.integer({ min: 0, max: 359_000_000 }),
    lengthMs: fc.integer({ min: 1, max: 100_000 }),
    name: fc.constantFrom('Ada Lovelace', 'Ben', '田中', 'Zoë B.'),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  })
const expectedOf = ({ ms, name, lines }: WrittenCue) => [
  ms / 1000,
  name,
  oneLine(lines.map(({ shown }) => shown).join(' ')),
]
const timesOf = ({ ms, lengthMs }: WrittenCue, separator: '.' | ',') =>
  `${cueTime(ms / 1000, separator)} --> ${cueTime((ms + lengthMs) / 1000, separator)}`

const vttCues = fc.array(
  fc.record({
    cue: cueOf(fc.oneof({ weight: 6, arbitrary: lineOf(vttWord) }, fc.constant({ source: '  ', shown: '' }))),
    before: fc.constantFrom('', 'NOTE a comment\nof 2 -> 3 lines\n\n', 'NOTE\n\n'),
    identifier: fc.constantFrom('', '7\n', 'NOTE\n', 'STYLE\n', 'Ada -> Ben\n', '00:01 - 00:02\n'),
    settings: fc.constantFrom('', ' align:start position:0%', '\tline:5,end'),
  }),
  { minLength: 1, maxLength: 8 },
)

const srtCues = fc.array(
  fc.record({
    cue: cueOf(fc.oneof({ weight: 6, arbitrary: lineOf(plainWord) }, fc.constant(same('')))),
    coordinates: fc.constantFrom('', '  X1:10 X2:20 Y1:0 Y2:50'),
  }),
  { minLength: 1, maxLength: 8 },
)

describe('every cue of a valid file is an entry', () => {
  test('of WebVTT', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('WEBVTT', 'WEBVTT - 1 -> 2\nKind: captions', 'WEBVTT\n\nSTYLE\n::cue(b) {\n  color: red\n}'),
        vttCues,
        (head, cues) => {
          const blocks = cues.map(({ cue, before, identifier, settings }) => {
            const lines = cue.lines.map(({ source }) => source).join('\n')
            return `${before}${identifier}${timesOf(cue, '.')}${settings}\n<v ${cue.name}>${lines}\n`
          })
          const expected = cues.map(({ cue }) => expectedOf(cue)).filter(([, , text]) => text !== '')
          assert.deepEqual(brief(readVtt(`${head}\n\n${blocks.join('\n')}`)), expected)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('of SRT', () => {
    fc.assert(
      fc.property(srtCues, fc.boolean(), (cues, isNumbered) => {
        const blocks = cues.map(({ cue, coordinates }, index) => {
          const lines = cue.lines.map(({ source }) => source).join('\n')
          return `${isNumbered ? `${index + 1}\n` : ''}${timesOf(cue, ',')}${coordinates}\n${cue.name}: hm ${lines}\n`
        })
        const expected = cues.map(({ cue }) => expectedOf({ ...cue, lines: [same('hm'), ...cue.lines] }))
        assert.deepEqual(brief(readSrt(blocks.join('\n'))), expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('of JSON, also with the milliseconds that a timestamp does not show', () => {
    fc.assert(
      fc.property(fc.array(cueOf(lineOf(plainWord)), { minLength: 1 }), (cues) => {
        const entries = cues.map((cue, index): NewEntry => {
          const [offsetSeconds, speaker, text] = expectedOf(cue) as [number, string, string]
          return { offsetSeconds, speaker, text, segmentId: `s${index}` }
        })
        const file = entries.map((entry, index) => entryView({ ...entry, seq: index, changedSeq: index }))
        assert.deepEqual([...readJsonEntries({ entries: file })], entries)
      }),
    )
  })
})

// Every kind of line that a cue, a comment or a slip of the pen can have. Each word of speech is another one.
const lineKinds = {
  empty: '',
  spaces: '  ',
  number: '7',
  times: '00:00:01.000 --> 00:00:02.000',
  otherArrow: '00:00:01.000 -> 00:00:02.000',
  htmlArrow: '00:00:01.000 --&gt; 00:00:02.000',
  badTimes: '00:00:61.000 --> 00:00:62.000',
  timesAndWords: '00:00:01.000 --> 00:00:02.000 %',
  comment: 'NOTE',
  words: '%',
  name: 'Ada: %',
  voice: '<v Ada>%',
  angles: 'press <% -> %> and <Enter %>',
  dialogue: '- %',
  override: '{\\an8}%',
}
type LineKind = keyof typeof lineKinds
const anyLines = fc.array(fc.constantFrom(...(Object.keys(lineKinds) as LineKind[])), { maxLength: 14 })

function numbered(kinds: readonly LineKind[]): string[] {
  let count = 0
  return kinds.map((kind) => lineKinds[kind].replaceAll('%', () => `w${++count}w`))
}

function lostWords(lines: readonly string[], entries: readonly NewEntry[]): string[] {
  const kept = entries.map(({ speaker, text }) => `${speaker} ${text}`).join(' ')
  return lines.flatMap((line) => line.match(/w\d+w/g) ?? []).filter((word) => !kept.includes(word))
}

describe('no word vanishes: it is read, or the file is refused with a line', () => {
  const isLine = (message: string) => /line \d+ /.test(message)

  test('of WebVTT, but for comments and the identifiers of cues', () => {
    fc.assert(
      fc.property(anyLines, (kinds) => {
        const lines = numbered(kinds)
        const read = readOrRefused(() => readVtt(`WEBVTT\n\n${lines.join('\n')}`))
        if (typeof read === 'string') return isLine(read)
        const spoken = lines.filter((_, index) => kinds[index + 1] !== 'times' && !isComment(kinds, index))
        return lostWords(spoken, read).length === 0
      }),
      { numRuns: 5000 },
    )
  })

  /** A comment ends at an empty line or at times. */
  function isComment(kinds: readonly LineKind[], index: number): boolean {
    const before = kinds.slice(0, index + 1)
    const start = Math.max(before.lastIndexOf('empty'), before.lastIndexOf('times')) + 1
    return before.slice(start).find((kind) => kind !== 'spaces') === 'comment'
  }

  test('of SRT', () => {
    fc.assert(
      fc.property(anyLines, (kinds) => {
        const lines = numbered(kinds)
        const read = readOrRefused(() => readSrt(lines.join('\n')))
        return typeof read === 'string' ? isLine(read) : lostWords(lines, read).length === 0
      }),
      { numRuns: 5000 },
    )
  })

  const cue = '00:00:01.000 --> 00:00:02.000'
  const refused: [what: string, read: () => Iterable<NewEntry>, message: RegExp][] = [
    ['another arrow', () => readVtt(`WEBVTT\n\n${cue}\nHi\n\n00:03.000 -> 00:04.000\nBye`), /line 6 has no times/],
    ['another arrow alone', () => readVtt('WEBVTT\n\n00:03.000 -> 00:04.000\nBye'), /line 3 has no times/],
    [
      'another arrow below an identifier',
      () => readVtt('WEBVTT\n\n2\n00:03.000 → 00:04.000\nBye'),
      /line 4 has no times/,
    ],
    ['words without times', () => readVtt(`WEBVTT\n\n${cue}\nHi\n\nand more\nwords`), /line 6 is outside of a cue/],
    ['words above the identifier', () => readVtt(`WEBVTT\n\nlost\nid\n${cue}\nHi`), /line 3 is outside of a cue/],
    ['words behind the times', () => readVtt(`WEBVTT\n\n${cue} Hi there\n`), /line 3 has words after the times/],
    [
      'SRT with another arrow',
      () => readSrt(`1\n${cue}\nHi\n\n2\n00:00:03,000 -> 00:00:04,000\nBye`),
      /line 6 has no times/,
    ],
    ['SRT with words above the times', () => readSrt(`Hello\n1\n${cue}\nHi`), /line 1 is above the first times/],
    ['SRT with two numbers above the times', () => readSrt(`42\n1\n${cue}\nHi`), /line 1 is above the first times/],
    ['a long name', () => readVtt(`WEBVTT\n\n${cue}\n<v ${'x'.repeat(201)}>Hi`), /line 3 .* more than 200 characters/],
    [
      'JSON with one id for two entries',
      () =>
        readJsonEntries([
          { speaker: 'Ada', text: 'One', timestamp: '00:00:01', segmentId: 'a' },
          { speaker: 'Ada', text: 'Two', timestamp: '00:00:02', segmentId: 'a' },
        ]),
      /entry 2 has the segment id of entry 1 and other words/,
    ],
    [
      'JSON with a broken name',
      () => readJsonEntries([{ speaker: {}, text: 'x', timestamp: '00:01' }]),
      /entry 1 has a/,
    ],
    [
      'a channel without words',
      () =>
        readJsonEntries({
          results: {
            channels: [
              { alternatives: [{ transcript: 'Hi', words: [{ word: 'Hi', start: 1, end: 2 }] }] },
              { alternatives: [{ transcript: 'Lost', words: [] }] },
            ],
          },
        }),
      /channel 2 has a text but no words/,
    ],
  ]
  for (const [what, read, message] of refused)
    test(`${what} is refused with its place`, () => {
      assert.match(String(readOrRefused(read)), message)
    })

  test('a number is text where it is not the number of a cue', () => {
    const file = `1\n${cue}\nAda: How many?\n42\n${cue}\nBen: 43\n\n3\n${cue}\nAda: No.\n4\n${cue}\nBen: So?`
    assert.deepEqual(
      brief(readSrt(file)).map(([, ...words]) => words.join(': ')),
      ['Ada: How many? 42', 'Ben: 43', 'Ada: No.', 'Ben: So?'],
    )
  })
})

test('what is written as SRT or WebVTT is read back with all its words, at the same millisecond', () => {
  const text = fc.oneof(
    lineOf(vttWord).map(({ source }) => source),
    fc.constantFrom('{\\an8}', '&#60;b>', '<font color=red>'),
  )
  const said = fc.record({
    speaker: fc.constantFrom('Ada Lovelace', 'Ben', '田中'),
    text,
    offsetSeconds: fc.integer({ min: 0, max: 359_999_999 }).map((ms) => ms / 1000),
    segmentId: fc.constant(null),
  })
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 6 }), (entries) => {
      const next = (index: number) => entries[index + 1]?.offsetSeconds ?? null
      const expected = brief(entries.map((entry) => ({ ...entry, text: oneLine(entry.text) })))
      const srt = entries.map((entry, index) => srtCue(entry, index + 1, next(index))).join('')
      assert.deepEqual(brief(readSrt(srt)), expected)
      const vtt = vttHead + entries.map((entry, index) => vttCue(entry, next(index))).join('')
      assert.deepEqual(brief(readVtt(vtt)), expected)
    }),
    { numRuns: 1000 },
  )
  const entry = { speaker: 'Ada', text: 'A & B < C', offsetSeconds: 1.5, segmentId: null }
  assert.equal(srtCue(entry, 3, null), '3\n00:00:01,500 --> 00:00:03,500\nAda: A & B < C\n\n')
})
