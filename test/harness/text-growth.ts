/** What uses a regular expression: a text goes in, and only the time that it takes is of interest. */
export type Feed = (text: string) => unknown

export type RepeatedText = { prefix: string; pump: string; suffix: string }

/** Short ones first, so that exponential growth is seen before it takes minutes. */
const lengths = [12, 16, 20, 24, 1024]
/** Above this, the growth is measured. Quadratic growth takes several times as much for the longest text, linear a tenth. */
const suspiciousMs = 0.3
const looks = 4
const factor = 8
/** Linear growth is 8, quadratic growth 64. */
const ratioMax = 24
// Beside other processes the first runs may be of code that is not compiled yet.
const attempts = 10
/** Of those that take long, the slowest. */
const measuredMax = 2

/**
 * The first text whose time grows faster than its length, as `pump` is repeated; null if there is none. A first look takes
 * the time of day, which can only suspect too many. What counts is the processor time of this thread, which does not pass
 * while others have the processor, and the shortest of some runs, because chance can only make a run longer.
 */
export function findSuperlinear(feed: Feed, texts: Iterable<RepeatedText>): (RepeatedText & { ratio: number }) | null {
  for (const { text, length } of suspiciousTexts(feed, texts)) {
    const ratio = growthRatio(feed, text, length)
    if (ratio > ratioMax) return { ...text, ratio: Math.round(ratio) }
  }
  return null
}

function suspiciousTexts(feed: Feed, texts: Iterable<RepeatedText>): { text: RepeatedText; length: number }[] {
  const found: { text: RepeatedText; length: number; ms: number }[] = []
  for (const text of texts) {
    for (const length of lengths) {
      const ms = shortestMs(feed, repeated(text, length))
      if (ms <= suspiciousMs) continue
      found.push({ text, length, ms })
      break
    }
  }
  return found.toSorted((a, b) => a.length - b.length || b.ms - a.ms).slice(0, measuredMax)
}

/** Of several runs, unless one is short enough. */
function shortestMs(feed: Feed, text: string): number {
  let shortest = Number.POSITIVE_INFINITY
  for (let look = 0; look < looks && shortest > suspiciousMs; look++) {
    const startedAt = performance.now()
    feed(text)
    shortest = Math.min(shortest, performance.now() - startedAt)
  }
  return shortest
}

/** How much longer a text of eight times the length takes; of a short one that already takes long, twice. */
function growthRatio(feed: Feed, text: RepeatedText, length: number): number {
  const isShort = length < 100
  const long = repeated(text, isShort ? length : length * factor)
  const short = repeated(text, isShort ? length / 2 : length)
  return durationRatio({ long: () => feed(long), short: () => feed(short) }, ratioMax)
}

/**
 * How much longer the long run takes than the short one, in processor time of this thread. The shortest of some attempts
 * counts, because chance can only make a run longer; there are no more attempts once the ratio is at most `enough`.
 */
export function durationRatio({ long, short }: { long: () => unknown; short: () => unknown }, enough: number): number {
  let longMs = Number.POSITIVE_INFINITY
  let shortMs = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts; attempt++) {
    longMs = Math.min(longMs, processorMs(long))
    shortMs = Math.min(shortMs, processorMs(short))
    if (longMs / shortMs <= enough) break
  }
  return longMs / shortMs
}

/** The clock of a thread counts in steps of some milliseconds. */
const measurableMs = 25

function processorMs(run: () => unknown): number {
  for (let runs = 1; ; runs *= 4) {
    const before = process.threadCpuUsage()
    for (let done = 0; done < runs; done++) run()
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1000
    if (ms >= measurableMs) return ms / runs
  }
}

function repeated({ prefix, pump, suffix }: RepeatedText, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
}
