import { brokenRules, isAboutFields, joinRefusals } from '../kernel/field-rules.ts'
import { explainedFaultsMax, type FieldError } from '../kernel/refusal.ts'
import type { Route } from './route.ts'

/** `value` is what was read of it; undefined if it was refused. */
type Part = { sent: unknown; value: unknown; faults: FieldError[] }

/**
 * A refusal of fields with what else is wrong by the rules of the route, so that nobody mends a request field by field.
 * Rules run only for requests that are refused anyway. Other errors stay as they are.
 */
export async function withBrokenRules(
  { rules }: Route,
  error: unknown,
  input: () => Record<string, unknown>,
): Promise<unknown> {
  if (rules === undefined || !isAboutFields(error)) return error
  if ((error.options.errors ?? []).length >= explainedFaultsMax) return error
  try {
    return joinRefusals([error, ...(await brokenRules(await rules(input())))])
  } catch {
    return error // What the rules need, such as the tenant, may be gone. The request is refused as it is.
  }
}

/**
 * The members of a part that fit its schema, for the rules. Others are undefined, and a faulty object in a list is null, so
 * that places stay right.
 */
export function fittingPart(source: 'query' | 'body', { sent, value, faults }: Part): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {}
  const fitting: Record<string, unknown> = { ...sent }
  for (const { path } of faults) {
    const [, from, token = '', index = ''] = path.split('/')
    if (from !== source) continue
    if (token === '') return {}
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const entries = fitting[name]
    const place = Number(index)
    if (index !== '' && Array.isArray(entries) && entries.some(isObjectOrNull))
      fitting[name] = entries.with(place, null)
    else if (Object.hasOwn(fitting, name)) fitting[name] = undefined
  }
  return fitting
}

function isObjectOrNull(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value)
}
