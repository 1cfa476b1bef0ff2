import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BadSvg, cleanSvg } from './svg-clean.ts'

const svg = (body: string) => `<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`
const named = (count: number, target: (index: number) => number) =>
  Array.from({ length: count }, (_, i) => `<g id="a${i}"><use href="#a${target(i)}"/></g>`).join('')

test('a chain of parts that show each other is refused before it fills the stack, from either end', () => {
  for (const next of [(i: number) => i + 1, (i: number) => i - 1])
    assert.throws(() => cleanSvg(svg(named(20_000, next))), BadSvg)
})

test('parts that show each other are taken while all that is shown is little', () => {
  assert.ok(cleanSvg(svg(named(20, (i) => i + 1))))
  assert.ok(cleanSvg(svg(`<symbol id="s"><path d="M0 0"/></symbol>${'<use href="#s"/>'.repeat(20_000)}`)))
})

test('what a named part holds counts for each who shows the part around it', () => {
  const parts = `<g id="outer"><g id="inner">${'<g/>'.repeat(1_000)}</g></g>`
  assert.ok(cleanSvg(svg(`${parts}${'<use href="#outer"/>'.repeat(90)}`)))
  assert.throws(() => cleanSvg(svg(`${parts}${'<use href="#outer"/>'.repeat(110)}`)), /too many times/)
  assert.throws(() => cleanSvg(svg('<g id="a"><g id="b"><use href="#a"/></g></g>')), /too many times/)
})
