import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { captionReader } from './captions.rules.ts'

const line = (key: string, text: string, isFinal = false) => ({ key, author: 'Ada', text, isFinal })

function reader() {
  let number = 0
  return captionReader(() => ++number)
}
const texts = (captions: { n: number; text: string; isFinal: boolean }[]) =>
  captions.map(({ n, text, isFinal }) => `${n} ${text}${isFinal ? '.' : ''}`)

describe('captions', () => {
  test('a line that grows is one entry, which keeps its number and the time of its first word', () => {
    const captions = reader()
    assert.deepEqual(texts(captions.read([line('a', 'we')], 100)), ['1 we'])
    assert.deepEqual(texts(captions.read([line('a', 'we ship')], 300)), ['1 we ship'])
    const [final] = captions.read([line('a', 'we ship', true)], 400)
    assert.deepEqual(final, { n: 1, speaker: 'Ada', text: 'we ship', atMs: 100, isFinal: true })
    assert.deepEqual(captions.read([line('a', 'we ship', true)], 9_000), [])
  })

  test('a line becomes final when it is gone, or has not changed for three seconds, once', () => {
    const captions = reader()
    captions.read([line('a', 'one'), line('b', 'two')], 0)
    assert.deepEqual(texts(captions.read([line('b', 'two')], 100)), ['1 one.'])
    assert.deepEqual(captions.read([line('b', 'two')], 2_999), [])
    assert.deepEqual(texts(captions.read([line('b', 'two')], 3_000)), ['2 two.'])
    assert.deepEqual(captions.read([line('b', 'two')], 3_250), [])
    assert.deepEqual(captions.read([], 4_000), [])
  })

  test('a final line that the page corrects is replaced', () => {
    const captions = reader()
    captions.read([line('a', 'won', true)], 0)
    assert.deepEqual(texts(captions.read([line('a', 'one', true)], 100)), ['1 one.'])
  })

  test('what stood there before the notice is never taken; what is added to it is', () => {
    const captions = reader()
    captions.skip([line('a', 'private')], 0)
    assert.deepEqual(captions.read([line('a', 'private')], 5_000), [])
    assert.deepEqual(captions.read([], 6_000), [])
  })

  test('at the end of a visit all drafts are final', () => {
    const captions = reader()
    captions.read([line('a', 'one', true), line('b', 'two')], 0)
    assert.deepEqual(texts(captions.finish()), ['2 two.'])
  })
})
