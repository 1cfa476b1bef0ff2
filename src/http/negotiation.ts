import { Refusal } from '../kernel/refusal.ts'
import { jsonSchema, type Route, rawMediaTypes } from './route.ts'

/** The media types a route can answer with. */
export function answerMediaTypes({ answers }: Pick<Route, 'answers'>): string[] {
  const types = Object.values(answers).flatMap((answer) =>
    answer === null ? [] : [...(jsonSchema(answer) === null ? [] : ['application/json']), ...rawMediaTypes(answer)],
  )
  return [...new Set(types.map((type) => (type as string).split(';')[0] as string))]
}

/** 406 when `Accept` (RFC 9110 section 12.5.1) excludes everything the route can answer with. */
export function refuseUnacceptable(accept: string | undefined, produced: string[]): void {
  if (accept === undefined || accept.trim() === '' || produced.length === 0) return
  const ranges = parseAccept(accept)
  if (produced.some((type) => isAcceptable(ranges, type))) return
  throw new Refusal('NOT_ACCEPTABLE', { detail: `This route can only answer with ${produced.join(', ')}.` })
}

/** The produced type that `Accept` prefers; the first one where it does not care. */
export function preferredMediaType(accept: string | undefined, produced: string[]): string {
  const ranges = parseAccept(accept ?? '*/*')
  const ranked = produced.map((type, index) => ({ type, index, quality: quality(ranges, type) }))
  ranked.sort((a, b) => b.quality - a.quality || a.index - b.index)
  return ranked[0]?.type ?? 'application/json'
}

type Range = { type: string; quality: number }

function parseAccept(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters
      .map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1])
      .find((q) => q !== undefined)
    return { type: type.trim(), quality: quality === undefined ? 1 : Number(quality) }
  })
}

/** The most specific range that covers the type decides. */
function quality(ranges: Range[], type: string): number {
  const family = `${type.split('/')[0]}/*`
  const range = [type, family, '*/*']
    .map((wanted) => ranges.find((candidate) => candidate.type === wanted))
    .find((found) => found !== undefined)
  return range?.quality ?? 0
}

/** A client that takes problems alone still gets JSON answers: some send only the error type. */
function isAcceptable(ranges: Range[], type: string): boolean {
  return quality(ranges, type) > 0 || (type === 'application/json' && quality(ranges, 'application/problem+json') > 0)
}
