import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentReadings } from '../../test/harness/document-readings.ts'
import { hostileDocuments } from '../../test/harness/hostile-documents.ts'
import { pdfFile, pdfLines } from '../../test/harness/pdf-file.ts'

const slow = hostileDocuments.find(({ isSlow }) => isSlow)
const slowFile = () => {
  assert.ok(slow)
  return { type: slow.type, bytes: Buffer.from(slow.make()) }
}
const short = { type: 'text' as const, bytes: Buffer.from('a') }

test('others are served while a document is read', async (t) => {
  const { reader } = documentReadings({}, t)
  await reader.read({ type: 'pdf', bytes: pdfFile([[]]) })
  let turns = 0
  let isOver = false
  const look = () => {
    turns++
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const bytes = pdfFile(Array.from({ length: 200 }, () => pdfLines(Array.from({ length: 40 }, () => 'Some words.'))))
  const result = await reader.read({ type: 'pdf', bytes })
  isOver = true
  assert.ok('extraction' in result)
  // Read here, it would leave others a turn before it and one behind it.
  assert.ok(turns > 20)
})

test('a reading that is given up ends with its reason, and the next document is read', async (t) => {
  const { reader } = documentReadings({}, t)
  const controller = new AbortController()
  const reading = reader.read({ ...slowFile(), signal: controller.signal })
  const waiting = reader.read({ ...short, signal: controller.signal })
  controller.abort(new Error('erased'))
  await assert.rejects(reading, /erased/)
  await assert.rejects(waiting, /erased/)
  assert.ok('extraction' in (await reader.read(short)))
})

test('documents that find no place in the queue are refused at once, and those in it are read', async (t) => {
  const { reader } = documentReadings({ queueMax: 1 }, t)
  const readings = [reader.read(short), reader.read(short)]
  await assert.rejects(reader.read(short), { code: 'UNAVAILABLE' })
  for (const reading of readings) assert.ok('extraction' in (await reading))
})

test('closing refuses the document that is read, those that wait and those that come later', async (t) => {
  const { reader } = documentReadings({}, t)
  const refused = [slowFile(), short].map((file) => assert.rejects(reader.read(file), { code: 'UNAVAILABLE' }))
  await reader.close()
  await Promise.all(refused)
  await assert.rejects(reader.read(short), { code: 'UNAVAILABLE' })
})

test('what the caller throws while it is told of a page is its own error, and no failure of the document', async (t) => {
  const { reader } = documentReadings({}, t)
  const onPage = () => {
    throw new Error('a fault')
  }
  await assert.rejects(reader.read({ type: 'pdf', bytes: pdfFile([pdfLines(['a'])]), onPage }), /a fault/)
  assert.ok('extraction' in (await reader.read(short)))
})

test('a large document comes back whole and in order', async (t) => {
  const { read } = documentReadings({}, t)
  const lines = Array.from({ length: 50_000 }, (_, n) => `Paragraph ${n} has some words.`)
  const result = await read('text', lines.join('\n\n'))
  assert.ok('extraction' in result)
  assert.deepEqual(
    result.extraction.blocks.map(({ text }) => text),
    lines,
  )
})
