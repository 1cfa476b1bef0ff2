import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { exampleValue } from '../../src/http/openapi/schemas.ts'
import { closeCodes } from '../../src/http/sockets/close-codes.ts'
import { schemaCheck } from '../../src/http/validation.ts'
import { createAsyncApi, frames } from '../../src/meetings/live/asyncapi.ts'

const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

describe('the documents of the WebSocket', () => {
  test('name every frame that is spoken, every close code, and no others', () => {
    const [, ...sections] = text('docs/live.md').split('\n## ')
    const rows = (title: string, cell: RegExp) =>
      [...(sections.find((section) => section.startsWith(title)) ?? '').matchAll(cell)].map(([, name]) => name).sort()
    assert.deepEqual(rows('Frames of the client', /^\| `([\w.]+)` \|/gm), Object.keys(frames.client).sort())
    assert.deepEqual(rows('Frames of the server', /^\| `([\w.]+)` \|/gm), Object.keys(frames.server).sort())
    const codes = Object.values(closeCodes).map(([code]) => String(code))
    assert.deepEqual(rows('Limits and close codes', /^\| (\d{4}) \|/gm), codes.sort())
  })

  test('show examples that the schemas accept', async () => {
    for (const [name, schema] of Object.entries({ ...frames.client, ...frames.server })) {
      await assert.doesNotReject(schemaCheck(schema, 'frame')(exampleValue(schema)), name)
    }
  })

  test('are the committed ones', () => {
    const { info: _, ...committed } = JSON.parse(text('openapi/asyncapi.json'))
    const { info: __, ...made } = JSON.parse(JSON.stringify(createAsyncApi('any')))
    assert.deepEqual(committed, made)
  })
})
