import assert from 'node:assert/strict'

export type Exposition = {
  /** The value of the one sample with exactly these labels; undefined where there is none. */
  value(name: string, labels?: Record<string, string>): number | undefined
  samples: { name: string; labels: Record<string, string>; value: number }[]
  types: Map<string, string>
}

const labelsPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y
const samplePattern = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.+)\})? (\S+)$/s

/** Reads the text format of Prometheus 0.0.4 as strictly as its description is written; every fault fails the test. */
export function readExposition(text: string): Exposition {
  assert.ok(text.endsWith('\n'), 'the last line ends like every other')
  const types = new Map<string, string>()
  const helps = new Set<string>()
  const samples: Exposition['samples'] = []
  let family = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (word === 'HELP') {
      assert.ok(!helps.has(name), `HELP of ${name} stands twice`)
      helps.add(name)
      family = name
    } else if (word === 'TYPE') {
      assert.ok(!types.has(name), `TYPE of ${name} stands twice`)
      assert.equal(name, family, 'TYPE follows its HELP')
      assert.match(rest, /^(counter|gauge|histogram)$/)
      types.set(name, rest)
    } else {
      const sample = readSample(line)
      const isOfHistogram = types.get(family) === 'histogram'
      const names = isOfHistogram ? ['_bucket', '_sum', '_count'].map((end) => family + end) : [family]
      assert.ok(names.includes(sample.name), `${sample.name} stands under ${family}`)
      samples.push(sample)
    }
  }
  const keys = samples.map(({ name, labels }) => keyOf(name, labels))
  assert.equal(new Set(keys).size, keys.length, 'no sample stands twice')
  const values = new Map(samples.map(({ name, labels, value }) => [keyOf(name, labels), value]))
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, samples)
  return { samples, types, value: (name, labels = {}) => values.get(keyOf(name, labels)) }
}

function readSample(line: string): Exposition['samples'][number] {
  const [, name = '', inside = '', number = ''] = samplePattern.exec(line) ?? assert.fail(`no valid line: ${line}`)
  const labels: Record<string, string> = {}
  labelsPattern.lastIndex = 0
  for (let at = 0; at < inside.length; at = labelsPattern.lastIndex) {
    const [, label = '', value = ''] = labelsPattern.exec(inside) ?? assert.fail(`no valid labels: ${line}`)
    assert.ok(!Object.hasOwn(labels, label), `${label} stands twice: ${line}`)
    labels[label] = value.replace(/\\(.)/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped))
  }
  assert.match(number, /^(?:[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|\+Inf|-Inf|NaN)$/i, line)
  return { name, labels, value: number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number) }
}

function keyOf(name: string, labels: Record<string, string>): string {
  return JSON.stringify([name, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))])
}

/** Buckets ascend and hold what those before them hold; the last is infinite and holds all. */
function checkHistogram(name: string, samples: Exposition['samples']): void {
  const own = samples.filter((sample) => sample.name.startsWith(`${name}_`))
  const sets = Map.groupBy(own, ({ labels: { le: _, ...labels } }) => keyOf(name, labels))
  for (const [key, set] of sets) {
    const buckets = set.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) =>
      labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']),
    )
    assert.deepEqual(
      bounds,
      [...bounds].sort((a, b) => a - b),
      `the bounds of ${key} ascend`,
    )
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, key)
    const counts = buckets.map(({ value }) => value)
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
      `the buckets of ${key} add up`,
    )
    const ofName = (ending: string) => set.find((sample) => sample.name === name + ending)?.value ?? Number.NaN
    assert.equal(counts.at(-1), ofName('_count'), key)
    assert.ok(ofName('_sum') >= 0, key)
  }
}
