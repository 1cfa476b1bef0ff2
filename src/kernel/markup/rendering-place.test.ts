import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanHtml, renderMarkdown } from './markup.ts'
import { rendering } from './rendering.ts'

/** The longest time for which nothing else ran. */
async function stallMsOf(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, performance.now(), false]
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  look()
  await work()
  isOver = true
  return longest
}

async function alone(work: () => unknown): Promise<number> {
  const began = performance.now()
  work()
  return performance.now() - began
}

const table = `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n${'|\n'.repeat(1000)}`

test('others are served while a text that is made to be slow is rendered', async () => {
  const slow = '# a\n'.repeat(20_000)
  const html = '<div>'.repeat(20_000)
  // Once before: so that no loading of modules is measured.
  await renderMarkdown('a')
  await cleanHtml('a'.repeat(5000))
  const cases: [work: () => Promise<unknown>, same: () => unknown][] = [
    [() => renderMarkdown(slow), () => rendering.markdown(slow)],
    [() => renderMarkdown(table), () => rendering.markdown(table)],
    [() => cleanHtml(html), () => rendering.html(html)],
  ]
  for (const [work, same] of cases) assert.ok((await stallMsOf(work)) < (await alone(same)) / 2)
})

test('a text becomes the same wherever it is rendered', async () => {
  for (const text of [table, `# One\n\ntwo **three** [four](/five)\n\n${'six '.repeat(2000)}`])
    assert.deepEqual(await renderMarkdown(text), rendering.markdown(text))
  const html = '<p onclick="x">a</p>'.repeat(500)
  assert.equal(await cleanHtml(html), rendering.html(html))
})
