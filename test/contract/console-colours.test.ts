import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const css = readFileSync(fileURLToPath(new URL('../../console/src/shell/tokens.css', import.meta.url)), 'utf8')

/** The colours of `:root`, and of the dark theme over them. */
function coloursOf(selector: string): Record<string, string> {
  const [, block = ''] = css.split(`${selector} {`)
  const declarations = block.slice(0, block.indexOf('}')).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)
  return Object.fromEntries([...declarations].map(([, name = '', colour = '']) => [name, colour]))
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
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
