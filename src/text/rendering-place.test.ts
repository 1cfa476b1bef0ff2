import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanHtml, renderMarkdown } from './markup.ts'
import { renderers } from './rendering.ts'

/** How often others had their turn before it was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  const look = () => {
    turns++
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return turns
}

const table = `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n${'|\n'.repeat(1000)}`

test('others are served while a text that is made to be slow is rendered', async () => {
  const slow = '# a\n'.repeat(20_000)
  const html = '<div>'.repeat(20_000)
  // Once before: so that no loading of modules is measured.
  await renderMarkdown('a')
  await cleanHtml('a'.repeat(5000))
  const works = [() => renderMarkdown(slow), () => renderMarkdown(table), () => cleanHtml(html)]
  // Rendered here, each would leave others one turn before it and one behind it.
  for (const work of works) assert.ok((await turnsDuring(work)) > 10)
})

test('others are served between short texts, however many one request brings', async () => {
  await renderMarkdown('a')
  const many = async () => {
    for (let text = 0; text < 50; text++) await renderMarkdown('# a')
  }
  assert.ok((await turnsDuring(many)) >= 50)
})

test('a text becomes the same wherever it is rendered', async () => {
  for (const text of [table, `# One\n\ntwo **three** [four](/five)\n\n${'six '.repeat(2000)}`])
    assert.deepEqual(await renderMarkdown(text), renderers.markdown(text))
  const html = '<p onclick="x">a</p>'.repeat(500)
  assert.equal(await cleanHtml(html), renderers.html(html))
})
