import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { documentReadings } from '../../test/harness/document-readings.ts'
import { hostileDocuments } from '../../test/harness/hostile-documents.ts'
import { linkingDocuments } from '../../test/harness/linking-documents.ts'
import { mutatedDocument } from '../../test/harness/mutated-documents.ts'
import { docxFile, wordParagraph } from '../../test/harness/office-files.ts'

const mutants = 100

const { shown, read } = documentReadings({ timeoutMs: 15_000 })

describe('a file that is made to do harm', () => {
  for (const { name, type, make, expected } of hostileDocuments.filter(({ isSlow }) => !isSlow))
    test(`${name} is read or fails, and the next file is read`, async () => {
      const result = await shown(type, make())
      const code = typeof result === 'string' ? result : 'READ'
      if (expected !== undefined) assert.equal(code, expected)
      assert.deepEqual(await shown('text', 'next'), ['next'])
    })

  test('that takes too long is TOO_MUCH', async (t) => {
    // Long enough for a new worker to start on a busy machine.
    const { shown } = documentReadings({ timeoutMs: 3000 }, t)
    const slow = hostileDocuments.filter(({ isSlow }) => isSlow)
    assert.ok(slow.length > 0)
    for (const { name, type, make } of slow) {
      assert.equal(await shown(type, make()), 'TOO_MUCH', name)
      assert.deepEqual(await shown('text', 'next'), ['next'])
    }
  })

  test('that fills the heap is TOO_MUCH', async (t) => {
    const { shown } = documentReadings({ heapMaxMb: 48 }, t)
    assert.equal(await shown('docx', docxFile(wordParagraph('a').repeat(100_000))), 'TOO_MUCH')
    assert.deepEqual(await shown('text', 'next'), ['next'])
  })
})

test(`${mutants} damaged files are read or fail, each with a code that says why`, async () => {
  const codes = new Set<string>()
  for (let seed = 1; seed <= mutants; seed++) {
    const { type, bytes } = mutatedDocument(seed)
    const result = await read(type, bytes)
    codes.add('failure' in result ? result.failure.code : 'READ')
    if ('extraction' in result)
      for (const { text } of result.extraction.blocks)
        assert.ok(text.trim() !== '' && text.isWellFormed(), `seed ${seed}`)
  }
  assert.ok(codes.has('READ') && codes.has('BROKEN'))
})

describe('a file that names other files and addresses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-links-'))
  after(() => rmSync(folder, { recursive: true }))
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end('secret of the network')
  })
  after(() => server.close())

  test('reads none of them', async (t) => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const opened: string[] = []
    let name = ''
    // Whoever opens a pipe waits for its other end. Only while somebody does can that be opened without waiting.
    const look = () => {
      try {
        closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
        opened.push(name)
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENXIO')
      }
    }
    const timer = setInterval(look, 50)
    t.after(() => clearInterval(timer))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret`
    for (const target of [pipe, `file://${pipe}`, `../../../../../../..${pipe}`, address])
      for (const linking of linkingDocuments(target)) {
        name = `${linking.name} to ${target}`
        const result = await shown(linking.type, linking.bytes)
        assert.ok(
          typeof result === 'string' || result.some((block) => block.includes('own text')),
          `${name}: ${result}`,
        )
        look()
      }
    assert.deepEqual(opened, [])
    assert.deepEqual(requests, [])
  })
})
