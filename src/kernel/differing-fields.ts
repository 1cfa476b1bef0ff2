/** The names of the members that differ between two objects, at any depth. Values with the same JSON are equal. */
export function differingFields(before: object, after: object): string[] {
  const was = new Map(Object.entries(before))
  const is = new Map(Object.entries(after))
  const names = new Set([...was.keys(), ...is.keys()])
  return [...names].filter((name) => canonicalJson(was.get(name)) !== canonicalJson(is.get(name)))
}

/** JSON with sorted members: a database need not keep their order. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
