import { editDistance } from '../kernel/closest-match.ts'

const similarMax = 3

/** Whether a filter, an event type or a prefix such as `license.*`, matches an event type. */
export function matchesType(filter: string, type: string): boolean {
  return filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : filter === type
}

/** Why a filter is refused, to continue the path of its field. Null if it matches an event type. */
export function filterProblem(filter: string, types: readonly string[]): string | null {
  if (types.some((type) => matchesType(filter, type))) return null
  const similar = similarFilters(filter, types).map((candidate) => `\`${candidate}\``)
  const near = similar.length === 0 ? '' : ` Near it: ${similar.join(', ')}.`
  return `matches no event type: ${JSON.stringify(filter)}.${near} GET /v1/webhooks/event-types lists all.`
}

/** What was probably meant, best first: filters with the most words in common, then those with the fewest changed letters. */
function similarFilters(filter: string, types: readonly string[]): string[] {
  const words = filterWords(filter)
  return [...prefixes(types), ...types]
    .map((candidate) => ({
      candidate,
      common: filterWords(candidate).filter((word) => words.some((asked) => isNear(asked, word))).length,
      distance: editDistance(filter, candidate),
    }))
    .filter(({ candidate, common }) => common > 0 || isNear(filter, candidate))
    .sort((a, b) => b.common - a.common || a.distance - b.distance)
    .slice(0, similarMax)
    .map(({ candidate }) => candidate)
}

/** At most a quarter of the letters differ. */
function isNear(asked: string, word: string): boolean {
  return editDistance(asked, word) <= word.length / 4
}

function filterWords(filter: string): string[] {
  return filter
    .toLowerCase()
    .split('.')
    .filter((word) => word !== '*')
}

/** `license.issued` -> `license.*` */
function prefixes(types: readonly string[]): Set<string> {
  return new Set(
    types.flatMap((type) => {
      const words = type.split('.')
      return words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`)
    }),
  )
}
