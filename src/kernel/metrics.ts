/** The names of a metric and of its labels. A counter's name ends in `_total`. */
type Description = { name: string; help: string; labels?: readonly string[] }
type Kind = 'counter' | 'gauge' | 'histogram'
type Format = 'prometheus' | 'openmetrics'

export type Sample = { labels?: readonly string[]; value: number }
export type Counter = { add(amount?: number): void }
export type Histogram = { observe(value: number): void }
/** Returns the metric of a set of label values, created at its first use. */
export type Labelled<M> = (...labels: string[]) => M

export type Metrics = {
  counter(about: Description): Labelled<Counter>
  /** @param about.bounds upper bounds of the buckets, ascending, without infinity. */
  histogram(about: Description & { bounds: readonly number[] }): Labelled<Histogram>
  /** Values that are read at each scrape. If that fails, the metric has no samples and the scrape continues. */
  sampled(about: Description & { kind: 'gauge' | 'counter' }, read: () => Sample[] | Promise<Sample[]>): void
  /** Everything, in the text format of Prometheus (0.0.4) or of OpenMetrics (1.0). */
  text(format: Format): Promise<string>
}

/** The lines of one metric without its HELP and TYPE. */
type Lines = (format: Format) => string[] | Promise<string[]>

/** All metrics of a process. The callers must limit the number of label values; nothing here does. */
export function metricsRegistry(): Metrics {
  const families = new Map<string, { about: Description; kind: Kind; lines: Lines }>()

  const add = (about: Description, kind: Kind, lines: Lines): void => {
    if (families.has(about.name)) throw new Error(`A metric named ${about.name} exists already.`)
    if (kind === 'counter' && !about.name.endsWith('_total')) throw new Error(`${about.name} must end in _total.`)
    families.set(about.name, { about, kind, lines })
  }

  return {
    counter: (about) => {
      const { of, all } = byLabels(about, () => counter())
      add(about, 'counter', () => all().map(({ labels, metric }) => line(about.name, labels, metric.value())))
      return of
    },
    histogram: (about) => {
      const { of, all } = byLabels(about, () => histogram(about.bounds))
      add(about, 'histogram', (format) =>
        all().flatMap(({ labels, metric }) => histogramLines({ about, labels, format }, metric)),
      )
      return of
    },
    sampled: (about, read) => {
      add(about, about.kind, async () =>
        (await read()).map(({ labels = [], value }) => line(about.name, labelText(about.labels ?? [], labels), value)),
      )
    },
    text: async (format) => {
      const texts = await Promise.all([...families.values()].map((family) => familyText(family, format)))
      return texts.join('') + (format === 'openmetrics' ? '# EOF\n' : '')
    },
  }
}

type Branch<M> = { metric: M | null; next: Map<string, Branch<M>> }

function byLabels<M>({ labels: names = [] }: Description, make: () => M) {
  const made: { labels: string; metric: M }[] = []
  const root: Branch<M> = { metric: null, next: new Map() }
  // A tree of label values: requests count themselves, and building the text of the labels takes ten times as long.
  const of: Labelled<M> = (...values) => {
    let branch = root
    for (const value of values) {
      const next = branch.next.get(value) ?? { metric: null, next: new Map() }
      branch.next.set(value, next)
      branch = next
    }
    if (branch.metric === null) {
      branch.metric = make()
      made.push({ labels: labelText(names, values), metric: branch.metric })
    }
    return branch.metric
  }
  return { of, all: () => made }
}

function counter() {
  let value = 0
  return {
    add: (amount = 1) => {
      value += amount
    },
    value: () => value,
  }
}

function histogram(bounds: readonly number[]) {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe: (value: number) => {
      let index = 0
      while (index < bounds.length && value > (bounds[index] as number)) index++
      counts[index] = (counts[index] as number) + 1
      sum += value
    },
    read: () => ({ bounds, counts, sum }),
  }
}

function histogramLines(
  { about, labels, format }: { about: Description; labels: string; format: Format },
  { read }: ReturnType<typeof histogram>,
): string[] {
  const { bounds, counts, sum } = read()
  let count = 0
  const buckets = [...counts].map((inBucket, index) => {
    count += inBucket
    const within = `le="${boundText(bounds[index] ?? Number.POSITIVE_INFINITY, format)}"`
    return line(`${about.name}_bucket`, labels === '' ? `{${within}}` : `${labels.slice(0, -1)},${within}}`, count)
  })
  return [...buckets, line(`${about.name}_sum`, labels, sum), line(`${about.name}_count`, labels, count)]
}

async function familyText(
  { about, kind, lines }: { about: Description; kind: Kind; lines: Lines },
  format: Format,
): Promise<string> {
  // OpenMetrics names a counter without the ending of its one sample.
  const name = format === 'openmetrics' && kind === 'counter' ? about.name.replace(/_total$/, '') : about.name
  const texts = await Promise.resolve(format)
    .then(lines)
    .catch(() => [])
  const help = about.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${texts.join('')}`
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels} ${numberText(value)}\n`
}

function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length !== values.length) throw new Error(`${values.length} values for the labels ${names.join(', ')}.`)
  return names.length === 0 ? '' : `{${names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join()}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}

/** OpenMetrics writes bounds as floating point, so that two programs name one bucket alike. */
function boundText(bound: number, format: Format): string {
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : numberText(bound)
}
