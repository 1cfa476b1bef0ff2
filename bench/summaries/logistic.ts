/** `x`: 1 and the features. `y`: whether what is learnt holds. */
export type Sample = { x: number[]; y: 0 | 1 }

const rounds = 12
/** Keeps the matrix regular where a feature never occurs. */
const ridge = 1e-3

/** Logistic regression by Newton's method: a weight for each name. */
export function fitLogistic(samples: readonly Sample[], names: readonly string[]): Record<string, number> {
  const size = names.length
  let weights = new Array<number>(size).fill(0)
  for (let round = 0; round < rounds; round += 1) {
    const gradient = new Array<number>(size).fill(0)
    const curvature = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_, j) => (i === j ? ridge : 0)),
    )
    for (const { x, y } of samples) {
      const p = sigmoid(dot(weights, x))
      for (let i = 0; i < size; i += 1) {
        const xi = x[i] ?? 0
        gradient[i] = (gradient[i] ?? 0) + (y - p) * xi
        const row = curvature[i] as number[]
        for (let j = 0; j < size; j += 1) row[j] = (row[j] ?? 0) + p * (1 - p) * xi * (x[j] ?? 0)
      }
    }
    const step = solve(curvature, gradient)
    weights = weights.map((it, i) => it + (step[i] ?? 0))
  }
  return Object.fromEntries(names.map((name, i) => [name, Number((weights[i] ?? 0).toFixed(3))]))
}

/** The probability that a sample with y = 1 is ranked above one with y = 0. `weights` in the order of `x`. */
export function areaUnderCurve(samples: readonly Sample[], weights: readonly number[]): number {
  const ranked = samples.map(({ x, y }) => ({ score: dot(weights, x), y })).sort((a, b) => a.score - b.score)
  let [ranks, hits] = [0, 0]
  for (const [i, { y }] of ranked.entries()) {
    ranks += y * (i + 1)
    hits += y
  }
  return (ranks - (hits * (hits + 1)) / 2) / (hits * (ranked.length - hits))
}

const sigmoid = (it: number) => 1 / (1 + Math.exp(-it))
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, it, i) => sum + it * (b[i] ?? 0), 0)

/** Gauss-Jordan elimination with pivoting. */
function solve(matrix: readonly number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  for (let at = 0; at < rows.length; at += 1) {
    let pivot = at
    for (let i = at + 1; i < rows.length; i += 1)
      if (Math.abs(rows[i]?.[at] ?? 0) > Math.abs(rows[pivot]?.[at] ?? 0)) pivot = i
    const [found, here] = [rows[pivot] as number[], rows[at] as number[]]
    rows[pivot] = here
    rows[at] = found
    for (const [i, row] of rows.entries()) {
      if (i === at) continue
      const factor = (row[at] ?? 0) / (found[at] ?? 1)
      for (let j = at; j < row.length; j += 1) row[j] = (row[j] ?? 0) - factor * (found[j] ?? 0)
    }
  }
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1))
}
