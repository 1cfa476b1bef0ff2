/** Longer texts would fill the audit log: of them it says that they changed. */
const shownLengthMax = 200

/** What of a record is otherwise than before, for the audit log. Members in `derived` follow from others. */
export function changesOf<Terms extends object>(
  { before, after }: { before: Terms; after: Terms },
  derived: readonly (keyof Terms & string)[],
): Record<string, unknown> {
  const names = Object.keys(after) as (keyof Terms & string)[]
  return Object.fromEntries(
    names
      .filter((name) => !derived.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => {
        const pair = { from: before[name] ?? null, to: after[name] ?? null }
        return [name, JSON.stringify(pair).length > shownLengthMax ? 'changed' : pair]
      }),
  )
}
