import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/harness/any-character.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { type NewEntry, oneLine, parseTimestamp, speakerLengthMax, textLengthMax } from '../../entries/entry.rules.ts'
import { readJsonEntries } from './json.rules.ts'
import { readSrt } from './srt.rules.ts'
import { textLine } from './text.rules.ts'
import { readVtt, vttCue, vttHead } from './vtt.rules.ts'

const brief = (entries: Iterable<NewEntry>) =>
  [...entries].map(({ offsetSeconds, speaker, text }) => [offsetSeconds, speaker, text])
const refusalOf = (work: () => Iterable<NewEntry>): string => {
  try {
    ;[...work()]
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.code, 'VALIDATION_ERROR')
    return error.message
  }
  throw new Error('nothing was refused')
}

describe('reading WebVTT', () => {
  test('voices, comments, styles, settings, identifiers, times without hours and overlaps follow the standard', () => {
    const file = [
      'WEBVTT - Weekly planning',
      'Kind: captions',
      '',
      'NOTE made by hand',
      'over 00:00 --> two lines',
      '',
      'STYLE',
      '::cue(v[voice="Ada"]) { color: red }',
      '',
      'REGION',
      'id:fred',
      '',
      'intro',
      '00:01.500 --> 00:04.000 align:start position:0%',
      '<v Ada Lovelace>Good <i>morning</i>,',
      'everybody &amp; welcome&hellip; Caf&eacute;&nbsp;M&uuml;ller &unknown;</v>',
      '',
      '00:00:03.000 --> 00:00:09.000',
      '<v.loud Ben &lt;CTO&gt;>Hello.</v><v Ada Lovelace>Hi <00:00:04.000><c.yellow>Ben</c>&#33;',
      '00:00:10.000 --> 00:00:11.000',
      'no empty line before this one, a < b and 3 --> 4',
      '',
      '01:02:03.004 --> 01:02:04.000',
      '',
      '101:00.000 --> 102:00.000',
    ].join('\n')
    assert.throws(() => [...readVtt(file)], /line 25 has no times/)
    const good = file.split('\n').slice(0, -1).join('\n')
    const expected = [
      [1.5, 'Ada Lovelace', 'Good morning, everybody & welcome… Café Müller &unknown;'],
      [3, 'Ben <CTO>', 'Hello.'],
      [3, 'Ada Lovelace', 'Hi Ben!'],
      [10, 'Unknown speaker', 'no empty line before this one, a < b and 3 --> 4'],
    ]
    for (const lineEnd of ['\n', '\r\n', '\r'])
      assert.deepEqual(brief(readVtt(`\ufeff${good.replaceAll('\n', lineEnd)}`)), expected)
  })

  test('a file that cannot be read is refused with the number of the line', () => {
    const cases: [file: string, message: RegExp][] = [
      ['', /line 1 is not WEBVTT/],
      ['WEBVTTX\n\n00:01.000 --> 00:02.000\nHi', /line 1 is not WEBVTT/],
      ['WEBVTT\n\n00:01 --> soon\nHi', /line 3 has no times/],
      ['WEBVTT\r\n\r\nid\r\n00:61.000 --> 00:62.000\r\nHi', /line 4 has no times/],
      [`WEBVTT\n\n00:01.000 --> 00:02.000\n${'x'.repeat(100_001)}`, /line 4 makes a cue longer/],
      ['\n'.repeat(1_000_001).replace('\n', 'WEBVTT\n'), /line 1000001 is beyond the maximum/],
      ['WEBVTT\n\n100:00:00.000 --> 100:00:01.000\nHi', /line 3 is more than 100 hours/],
    ]
    for (const [file, message] of cases)
      assert.match(
        refusalOf(() => readVtt(file)),
        message,
      )
  })
})

describe('reading SRT', () => {
  test('numbers, commas, tags and a name before the text are understood', () => {
    const file =
      '1\r\n00:00:01,000 --> 00:00:02,500\r\nAda Lovelace: <b>We</b> begin.\r\n\r\n2\r\n00:01:02,003 --> 00:01:04,000 X1:10\r\n- at 10:30 we stop\r\nnow\r\n'
    assert.deepEqual(brief(readSrt(file)), [
      [1, 'Ada Lovelace', 'We begin.'],
      [62.003, 'Unknown speaker', '- at 10:30 we stop now'],
    ])
  })

  test('several people in one cue keep their own words: a line each, with names or dashes', () => {
    const said = (...lines: string[]) => brief(readSrt(`1\n00:00:01,000 --> 00:00:04,000\n${lines.join('\n')}\n`))
    const two = [
      [1, 'Ann', 'Shall we ship it on Friday?'],
      [1, 'Ben', 'Yes.'],
    ]
    assert.deepEqual(said('Ann: Shall we ship', 'it on Friday?', 'Ben: Yes.'), two)
    assert.deepEqual(said('- Ann: Shall we ship', 'it on Friday?', '- Ben: Yes.'), two)
    assert.deepEqual(said('- Ann: <i>Shall we ship it on Friday?</i>', '-Ben: Yes.'), two)
    assert.deepEqual(said('- Shall we?', '- Yes.'), [
      [1, 'Unknown speaker', 'Shall we?'],
      [1, 'Unknown speaker', 'Yes.'],
    ])
    assert.deepEqual(said('for the cake', 'Milk: two litres'), [
      [1, 'Unknown speaker', 'for the cake Milk: two litres'],
    ])
    assert.deepEqual(said('- 5 degrees', 'outside'), [[1, 'Unknown speaker', '- 5 degrees outside']])
  })

  test('text after an empty line belongs to the cue, and the empty line between two cues may be missing', () => {
    const file = [
      '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Ada: We begin.\n\nWith the budget.\n\n42\n\n',
      '2\n00:00:03,000 --> 00:00:04,000\nBen: Yes.\n3\n00:00:05,000 --> 00:00:06,000\nBen: No.\n\n',
      '00:00:07,000 --> 00:00:08,000\n{sic} a --> b\n1999\n',
    ].join('')
    assert.deepEqual(brief(readSrt(file)), [
      [1, 'Ada', 'We begin. With the budget. 42'],
      [3, 'Ben', 'Yes.'],
      [5, 'Ben', 'No.'],
      [7, 'Unknown speaker', '{sic} a --> b 1999'],
    ])
    for (const times of ['00:00:61,000 --> 00:00:62,000', 'soon --> later'])
      for (const number of ['2\n', ''])
        assert.match(
          refusalOf(() => readSrt(`1\n00:00:01,000 --> 00:00:02,000\nHi\n\n${number}${times}\nBye\n`)),
          /line [56] has no times/,
        )
  })

  test('a name before the text has few words and a capital; a time of day or a clause is no name', () => {
    const cue = (text: string) => brief(readSrt(`1\n00:00:01,000 --> 00:00:02,000\n${text}`))[0]?.slice(1)
    assert.deepEqual(cue('Dr. Ada K. Lovelace (Ops): yes'), ['Dr. Ada K. Lovelace (Ops)', 'yes'])
    assert.deepEqual(cue('田中: はい'), ['田中', 'はい'])
    for (const text of [
      'we said: yes',
      'At 10:30 we stop',
      'One two three four five six seven: yes',
      `${'A'.repeat(61)}: yes`,
      'Ada:',
      ': yes',
      'https://example.com',
    ])
      assert.deepEqual(cue(text), ['Unknown speaker', text])
  })
})

describe('reading JSON', () => {
  const shapes: [vendor: string, file: unknown][] = [
    ['this service', { entries: [{ speaker: 'Ada', text: 'Hi there', timestamp: '00:01:02.500', seq: 7 }] }],
    [
      'a meeting of this service',
      { id: 'x', transcript: [{ speaker: 'Ada', text: 'Hi there', timestamp: '00:01:02.500' }] },
    ],
    ['Fathom', { transcript: [{ speaker: { display_name: 'Ada' }, text: 'Hi there', timestamp: '00:01:02.5' }] }],
    [
      'Attendee',
      [{ speaker_name: 'Ada', timestamp_ms: 62_500, duration_ms: 9, transcription: { transcript: 'Hi there' } }],
    ],
    [
      'Recall',
      [
        {
          participant: { name: 'Ada' },
          words: [{ text: 'Hi', start_timestamp: { relative: 62.5 } }, { text: 'there' }],
        },
      ],
    ],
    ['Recall before 2025', [{ speaker: 'Ada', words: [{ text: 'Hi', start_timestamp: 62.5 }, { text: 'there' }] }]],
    [
      'Fireflies',
      {
        data: { transcript: { sentences: [{ index: 0, speaker_name: 'Ada', text: 'Hi there', start_time: '62.5' }] } },
      },
    ],
    ['Teams', { entries: [{ text: 'Hi there', speakerDisplayName: 'Ada', startOffset: '00:01:02.5000000' }] }],
    ['AssemblyAI', { utterances: [{ speaker: 'Ada', text: 'Hi there', start: 62_500, end: 63_000 }] }],
    ['Deepgram', { results: { utterances: [{ speaker: 'Ada', transcript: 'Hi there', start: 62.5 }] } }],
    ['Vexa', { segments: [{ segment_id: 's1', speaker: 'Ada', text: 'Hi there', start: 62.5 }] }],
    ['Whisper', { text: 'Hi there', segments: [{ id: 0, speaker: 'Ada', text: ' Hi there', start: 62.5, end: 63 }] }],
  ]
  for (const [vendor, file] of shapes)
    test(`of ${vendor}`, () => {
      assert.deepEqual(brief(readJsonEntries(file)), [[62.5, 'Ada', 'Hi there']])
    })

  test('of Deepgram and AssemblyAI with single words only: split by speaker and pause, channels merged by time', () => {
    const word = (speaker: number | undefined, text: string, start: number) => ({
      word: text.toLowerCase(),
      punctuated_word: text,
      start,
      end: start + 0.3,
      ...(speaker === undefined ? {} : { speaker }),
    })
    const deepgram = (...channels: object[][]) => ({
      results: { channels: channels.map((words) => ({ alternatives: [{ transcript: 'x', words }] })) },
    })
    const words = [word(0, 'Hi', 1), word(0, 'there.', 1.4), word(1, 'Hello.', 2), word(1, 'Later.', 4)]
    assert.deepEqual(brief(readJsonEntries(deepgram(words))), [
      [1, 'Speaker 0', 'Hi there.'],
      [2, 'Speaker 1', 'Hello.'],
      [4, 'Speaker 1', 'Later.'],
    ])
    assert.deepEqual(brief(readJsonEntries(deepgram([word(undefined, 'Two.', 2)], [word(undefined, 'One.', 1)]))), [
      [1, 'Speaker 1', 'One.'],
      [2, 'Speaker 0', 'Two.'],
    ])
    const spoken = [
      { text: 'Hi', start: 62_500, end: 62_800, speaker: null },
      { text: 'there', start: 62_900, end: 63_000, speaker: null },
    ]
    assert.deepEqual(brief(readJsonEntries({ utterances: null, words: spoken })), [
      [62.5, 'Unknown speaker', 'Hi there'],
    ])
    for (const broken of [[5], [{ word: 'x' }], [{ word: 'x', start: 2, end: 1 }], [{ start: 1, end: 2 }]])
      assert.match(
        refusalOf(() => readJsonEntries(deepgram([word(0, 'Hi', 1), ...(broken as object[])]))),
        /word 2 has no text, or no start before its end/,
      )
  })

  test('numbered and lettered speakers get readable names, segments keep their ids, silence is left out', () => {
    const utterance = (speaker: unknown) => ({ utterances: [{ speaker, text: 'Hi', start: 0 }] })
    assert.equal([...readJsonEntries(utterance('A'))][0]?.speaker, 'Speaker A')
    assert.equal([...readJsonEntries(utterance(0))][0]?.speaker, 'Speaker 0')
    assert.equal([...readJsonEntries(utterance(null))][0]?.speaker, 'Unknown speaker')
    const segments = [
      { segment_id: 's1', text: ' ', start: 0 },
      { segment_id: 's2', text: 'Hi', start: 1 },
    ]
    assert.deepEqual(
      [...readJsonEntries({ segments })].map(({ segmentId }) => segmentId),
      ['s2'],
    )
  })

  test('an entry that cannot be read is refused with its number', () => {
    const entry = { speaker: 'Ada', text: 'Hi', timestamp: '00:00:01' }
    const cases: [file: unknown, message: RegExp][] = [
      [null, /known format: Atrium or Fathom, /],
      [{ entries: [] }, /known format/],
      [{ __proto__: null, entries: 'x' }, /known format/],
      [[entry, 5], /entry 2 is not an object/],
      [[entry, { ...entry, text: 5 }], /entry 2 has no text/],
      [[entry, { ...entry, timestamp: '100:00:00' }], /entry 2 has no time/],
      [[entry, { ...entry, timestamp: -1 }], /entry 2 has no time/],
    ]
    for (const [file, message] of cases)
      assert.match(
        refusalOf(() => readJsonEntries(file)),
        message,
      )
  })
})

const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      'WEBVTT',
      '\n',
      '\n\n',
      '\r',
      '-->',
      ' --> ',
      '00:00:01.000',
      '<v ',
      '>',
      '<',
      '</v>',
      '&',
      '&amp;',
      '&#x110000;',
    ),
    fc.constantFrom('NOTE ', 'STYLE', 'Ada: ', '\u2028', '\ufeff', '😀', '00:00:01,000 --> 00:00:02,000\n'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  ),
  { maxLength: 60 },
)

describe('any file', () => {
  const isGood = ({ speaker, text, offsetSeconds }: NewEntry) =>
    /\S/.test(speaker) &&
    Array.from(speaker).length <= speakerLengthMax &&
    /\S/.test(text) &&
    text.length <= textLengthMax &&
    offsetSeconds >= 0 &&
    offsetSeconds < 360_000
  const isReadOrRefused = (work: () => Iterable<NewEntry>): boolean => {
    try {
      return [...work()].every(isGood)
    } catch (error) {
      return error instanceof Refusal && error.code === 'VALIDATION_ERROR'
    }
  }

  test('gives entries within the limits or is refused as invalid', () => {
    fc.assert(
      fc.property(hostile, fc.jsonValue(), (parts, value) => {
        const text = parts.join('')
        return (
          isReadOrRefused(() => readVtt(`WEBVTT\n\n${text}`)) &&
          isReadOrRefused(() => readVtt(text)) &&
          isReadOrRefused(() => readSrt(text)) &&
          isReadOrRefused(() => readJsonEntries(value)) &&
          isReadOrRefused(() => readJsonEntries({ entries: [value, { text, timestamp: text }] }))
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('of a megabyte is read in seconds at the worst: no cost grows with the square of the length', () => {
    const head = '\n\n00:00:01.000 --> 00:00:02.000\n'
    const cueChars = 90_000
    const worst = [
      '<',
      '<v',
      '<v Ada>',
      '&',
      '&#1',
      ' ',
      'a:',
      '-->',
      '\r',
      '<a <b >',
      'Ada ',
      '00:00:01.000 --> 00:00:02.000\nHi\n\n',
      '00:00:01.000 --> ',
      'NOTE\n',
    ]
    for (const part of worst) {
      const cue = head + part.repeat(Math.ceil(cueChars / part.length))
      const text = `WEBVTT${cue.repeat(11)}`
      const startedMs = performance.now()
      isReadOrRefused(() => readVtt(text))
      isReadOrRefused(() => readSrt(text))
      const tookMs = performance.now() - startedMs
      // A twentieth of this on an idle core; with a square in it hours.
      assert.ok(tookMs < 10_000, `${JSON.stringify(part)} took ${tookMs} ms`)
    }
  })

  test('speech longer than an entry is split between words and between whole characters', () => {
    const long = `${'word '.repeat(5000)}end`
    const pieces = [...readJsonEntries([{ speaker: 'Ada', text: long, timestamp: '00:00:01', segmentId: 'a' }])]
    assert.equal(pieces.map(({ text }) => text).join(' '), long)
    assert.ok(pieces.length === 3 && pieces.every(({ segmentId }) => segmentId === null))
    const faces = [...readJsonEntries([{ speaker: 'Ada', text: `x${'😀'.repeat(6000)}`, timestamp: '00:00' }])]
    assert.ok(faces.length === 2 && faces.every(({ text }) => text.isWellFormed()))
  })
})

describe('writing files', () => {
  const spoken = fc.record({
    speaker: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }).filter((text) => /\S/.test(text)),
    text: fc
      .array(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          fc.constantFrom('-->', '<v Eve>', '</v>', '\n\n', '\r\n', '&amp;', '&lt;', 'NOTE'),
        ),
      )
      .map((parts) => parts.join(' '))
      .filter((text) => /\S/.test(text)),
    offsetSeconds: fc.integer({ min: 0, max: 359_999_999 }).map((ms) => ms / 1000),
    segmentId: fc.constant(null),
  })

  test('written WebVTT is read back word for word: no text breaks out of its cue', () => {
    fc.assert(
      fc.property(fc.array(spoken, { maxLength: 10 }), (entries) => {
        const file = vttHead + entries.map((entry, i) => vttCue(entry, entries[i + 1]?.offsetSeconds ?? null)).join('')
        const expected = entries.map(({ speaker, text, offsetSeconds }) => [
          offsetSeconds,
          oneLine(speaker),
          oneLine(text),
        ])
        assert.deepEqual(brief(readVtt(file)), expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('a cue lasts as long as its words take, or until the next one', () => {
    const entry = { speaker: 'Ada', text: 'one two three four five', offsetSeconds: 359_999, segmentId: null }
    assert.equal(vttCue(entry, null), '\n99:59:59.000 --> 100:00:01.000\n<v Ada>one two three four five\n')
    const first = { ...entry, offsetSeconds: parseTimestamp('00:00:01.500') }
    assert.match(vttCue(first, 2), /00:00:01\.500 --> 00:00:02\.000/)
    assert.match(vttCue(first, 1), /00:00:01\.500 --> 00:00:03\.500/)
  })

  test('an entry is one line of plain text', () => {
    const entry = { speaker: 'Ada\nEve', text: 'a\r\nb\u2028c', offsetSeconds: 61.9, segmentId: null }
    assert.equal(textLine(entry), '[00:01:01] Ada Eve: a b c\n')
  })
})
