import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compressedVariants } from './compressed-variant.ts'
import { compress } from './content-coding.ts'
import type { CachedResponse } from './response-cache.ts'

const prepared = (): CachedResponse => ({
  status: 200,
  compressed: {},
  isCompressible: true,
  validUntilMs: Number.POSITIVE_INFINITY,
  countedBytes: 0,
  uncompressed: {
    tag: '"a"',
    headers: { etag: '"a"' },
    body: Buffer.from('the same words again and again; '.repeat(100)),
  },
})

test('an answer that could not be coded once is sent as it is, and is coded for the next who asks', async () => {
  let failures = 1
  const added: number[] = []
  const formFor = compressedVariants({ addVariant: (_, bytes) => void added.push(bytes) }, async (coding, bytes) => {
    if (failures-- > 0) throw new Error('out of memory')
    return compress(coding, bytes)
  })
  const answer = prepared()
  const together = await Promise.all([formFor(answer, 'br'), formFor(answer, 'br')])
  assert.deepEqual(together, [answer.uncompressed, answer.uncompressed])
  assert.deepEqual(added, [])
  const next = await formFor(answer, 'br')
  assert.deepEqual([next.headers['content-encoding'], next.tag, added], ['br', '"a-br"', [next.body.length]])
  assert.equal(await formFor(answer, 'br'), next)
})
