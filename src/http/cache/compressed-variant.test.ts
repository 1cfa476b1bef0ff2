import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compressedVariants } from './compressed-variant.ts'
import { encode } from './content-coding.ts'
import type { CachedResponse } from './response-cache.ts'

const prepared = (): CachedResponse => ({
  ...{ status: 200, coded: {}, isWorthCoding: true, validUntilMs: Number.POSITIVE_INFINITY, heldBytes: 0 },
  plain: { tag: '"a"', headers: { etag: '"a"' }, body: Buffer.from('the same words again and again; '.repeat(100)) },
})

test('an answer that could not be coded once is sent as it is, and is coded for the next who asks', async () => {
  let failures = 1
  const grown: number[] = []
  const formFor = compressedVariants({ grown: (_, bytes) => void grown.push(bytes) }, async (coding, bytes) => {
    if (failures-- > 0) throw new Error('out of memory')
    return encode(coding, bytes)
  })
  const answer = prepared()
  const together = await Promise.all([formFor(answer, 'br'), formFor(answer, 'br')])
  assert.deepEqual(together, [answer.plain, answer.plain])
  assert.deepEqual(grown, [])
  const next = await formFor(answer, 'br')
  assert.deepEqual([next.headers['content-encoding'], next.tag, grown], ['br', '"a-br"', [next.body.length]])
  assert.equal(await formFor(answer, 'br'), next)
})
