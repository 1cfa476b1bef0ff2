/** `cover`, `all`: the same of `ts_rank_cd`, and where all words must match. */
export type Figure = { name: string; ours: number; cover?: number; all?: number; target?: number | undefined }

const digits = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(3))

/** A table in Markdown. What misses its target is marked, and fails nothing. */
export function renderFigures(figures: Figure[]): string {
  const rows = figures.map(({ name, ours, cover, all, target }) => {
    const mark = target !== undefined && ours < target ? ' (missed)' : ''
    return `| ${name} | ${digits(ours)}${mark} | ${target === undefined ? '-' : target} | ${digits(cover)} | ${digits(all)} |`
  })
  return ['| measure | here | target | ts_rank_cd | all words |', '|---|---|---|---|---|', ...rows].join('\n')
}
