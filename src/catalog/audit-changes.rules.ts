import { differingFields } from '../kernel/differing-fields.ts'

/** Longer values would fill the audit log, so it says only that they changed. */
const shownLengthMax = 200

/** The members that differ, for the audit log. Members in `derived` follow from others and are left out. */
export function auditChanges(before: object, after: object, derived: readonly string[] = []): Record<string, unknown> {
  const was = new Map<string, unknown>(Object.entries(before))
  const is = new Map<string, unknown>(Object.entries(after))
  const names = differingFields(before, after).filter((name) => is.has(name) && !derived.includes(name))
  return Object.fromEntries(
    names.map((name) => {
      const pair = { from: was.get(name) ?? null, to: is.get(name) ?? null }
      return [name, JSON.stringify(pair).length > shownLengthMax ? 'changed' : pair]
    }),
  )
}
