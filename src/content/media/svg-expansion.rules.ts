/** The elements with ids below which a `use` stands, and what it shows. */
type Shown = { size: number; targets: string[] }

/**
 * How large a drawing becomes when each `use` shows its target: a few lines that show each other can be billions of
 * elements to whoever draws them.
 */
export function expansion() {
  const named = new Map<string, Shown>()
  const whole: Shown = { size: 0, targets: [] }
  const open: (Shown | null)[] = []

  const sizeOf = (shown: Shown, max: number, trail: Set<Shown>): number => {
    if (trail.has(shown)) return Number.POSITIVE_INFINITY
    trail.add(shown)
    let size = shown.size
    for (const target of shown.targets) {
      const next = named.get(target)
      if (next !== undefined) size += known(next, max, trail)
      if (size > max) break
    }
    trail.delete(shown)
    return size
  }
  const sizes = new Map<Shown, number>()
  const known = (shown: Shown, max: number, trail: Set<Shown>): number => {
    const size = sizes.get(shown) ?? sizeOf(shown, max, trail)
    sizes.set(shown, size)
    return size
  }

  return {
    begin: (id: string | null, target: string | null): void => {
      const own = id === null || named.has(id) ? null : { size: 0, targets: [] }
      if (id !== null && own !== null) named.set(id, own)
      open.push(own)
      for (const shown of [whole, ...open]) {
        if (shown === null) continue
        shown.size++
        if (target !== null) shown.targets.push(target)
      }
    },
    end: (): void => void open.pop(),
    /** Whether all of it is at most so many elements; what shows itself is not. */
    isWithin: (max: number): boolean => sizeOf(whole, max, new Set()) <= max,
  }
}
