// Colours of tenants: any colour is taken, and moved until it can be read.

/** WCAG 2.2, 1.4.3, for text of normal size. */
export const contrastMin = 4.5

const step = 0.04

/** `#rgb` or `#rrggbb`; null for any other text. */
export function parseColour(text: string): number[] | null {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(text.trim()) ?? []
  const digits = long ?? short?.replaceAll(/./g, '$&$&')
  return digits ? [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) : null
}

function colourText(parts: number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(parts: number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 (the same) to 21 (black and white). Both are `#rrggbb`. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other]
    .map((text) => luminance(parseColour(text) ?? [0, 0, 0]))
    .sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** The colour itself if it can be read on the ground, else the nearest between it and black or white that can. */
export function readableColour(colour: string, ground: string): string {
  const parts = parseColour(colour) ?? [0, 0, 0]
  const end = contrast('#ffffff', ground) > contrast('#000000', ground) ? 255 : 0
  for (let share = 0; share < 1; share += step) {
    const moved = colourText(parts.map((part) => part + (end - part) * share))
    if (contrast(moved, ground) >= contrastMin) return moved
  }
  return colourText([end, end, end])
}
