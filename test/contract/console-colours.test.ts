import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { contrast, contrastMin, readableColour } from '../../console/src/parts/readable-colour.ts'
import { seededRandom } from '../harness/seeded-random.ts'

const css = readFileSync(fileURLToPath(new URL('../../console/src/shell/tokens.css', import.meta.url)), 'utf8')

/** The colours of `:root`, and of the dark theme over them. */
function coloursOf(selector: string): Record<string, string> {
  const [, block = ''] = css.split(`${selector} {`)
  const declarations = block.slice(0, block.indexOf('}')).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)
  return Object.fromEntries([...declarations].map(([, name = '', colour = '']) => [name, colour]))
}

const grounds = ['page', 'surface', 'raised']
/** Text, what it stands on, and the least contrast: 4.5 for text, 3 for borders of controls and for the focus. */
const pairs: [colour: string, grounds: string[], atLeast: number][] = [
  ['text', [...grounds, 'accent-soft'], 4.5],
  ['dim', grounds, 4.5],
  ['accent', [...grounds, 'accent-soft'], 4.5],
  ['good', ['surface', 'good-soft'], 4.5],
  ['bad', ['surface', 'bad-soft'], 4.5],
  ['line-strong', grounds, 3],
  ['focus', grounds, 3],
]

test('every text of the console can be read on what it stands on, in both themes', () => {
  const light = coloursOf(':root')
  const themes = { light, dark: { ...light, ...coloursOf(':root[data-mantine-color-scheme="dark"]') } }
  for (const [theme, colours] of Object.entries(themes))
    for (const [name, on, atLeast] of pairs)
      for (const ground of on) {
        const [colour, behind] = [colours[name], colours[ground]]
        assert.ok(colour && behind, `${name} and ${ground} are colours of the ${theme} theme`)
        const found = contrast(colour, behind)
        assert.ok(found >= atLeast, `${theme}: ${name} on ${ground} has ${found.toFixed(2)} of ${atLeast}`)
      }
})

test('200 colours of tenants can be read in both themes, and are kept where they can be', () => {
  const random = seededRandom(1)
  let kept = 0
  for (let n = 0; n < 200; n += 1) {
    const colour = `#${Math.floor(random.fraction() * 0x1000000)
      .toString(16)
      .padStart(6, '0')}`
    for (const ground of ['#ffffff', '#1d2027']) {
      const shown = readableColour(colour, ground)
      assert.ok(contrast(shown, ground) >= contrastMin, `${colour} as ${shown} on ${ground}`)
      assert.ok(contrast(readableColour(ground, shown), shown) >= contrastMin, `text on a button of ${shown}`)
      if (contrast(colour, ground) < contrastMin) continue
      assert.equal(shown, colour)
      kept += 1
    }
  }
  assert.ok(kept > 100 && kept < 300, `${kept}`)
})

test('the contrast is that of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})
