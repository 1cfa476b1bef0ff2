import { closestMatch } from '../kernel/closest-match.ts'
import { settings } from './config.ts'

const shortNameMax = 7
const mistypedLettersMax = 2

/** A warning for each variable that looks like a misspelled setting, whose setting would silently keep its default. */
export function mistyped(environment: Record<string, string | undefined>): string[] {
  const variables = Object.values(settings).map(([variable]): string => variable)
  return Object.keys(environment).flatMap((name) => {
    // Short names are close to many words, and our settings are never lower case.
    if (variables.includes(name) || name.length <= shortNameMax || !/^[A-Z0-9_]+$/.test(name)) return []
    // The distance of words is at least the difference of their lengths. To compare all took some 10 ms of a start.
    const alike = variables.filter((variable) => Math.abs(variable.length - name.length) <= mistypedLettersMax)
    const near = closestMatch(name, alike)
    return near !== null && near.distance <= mistypedLettersMax
      ? [`${name} is not a setting. Did you mean ${near.word}?`]
      : []
  })
}
