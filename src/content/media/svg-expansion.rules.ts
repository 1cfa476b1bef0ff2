/** An element with an id, or all of the drawing: its own elements, the named ones in it, and what its `use`s show. */
type Shown = { size: number; parts: Shown[]; targets: string[] }

/** Of `use`s that show what shows other parts: more than any drawing has, and less than browsers and our stack bear. */
const chainMax = 500

/**
 * How large a drawing becomes when each `use` shows its target: a few lines that show each other can be billions of
 * elements to whoever draws them.
 */
export function expansion() {
  const named = new Map<string, Shown>()
  const whole: Shown = { size: 0, parts: [], targets: [] }
  /** The named element, or the whole, that each open element belongs to. */
  const owners: Shown[] = []
  const sizes = new Map<Shown, number>()

  const sizeOf = (shown: Shown, max: number, trail: Set<Shown>): number => {
    const known = sizes.get(shown)
    if (known !== undefined) return known
    if (trail.has(shown) || trail.size > chainMax) return Number.POSITIVE_INFINITY
    trail.add(shown)
    let size = shown.size
    for (const part of shown.parts) size += sizeOf(part, max, trail)
    for (const target of shown.targets) {
      const next = named.get(target)
      if (next !== undefined) size += sizeOf(next, max, trail)
      if (size > max) break
    }
    trail.delete(shown)
    sizes.set(shown, size)
    return size
  }

  return {
    begin: (id: string | null, target: string | null): void => {
      const around = owners.at(-1) ?? whole
      // A second element of one id is nobody's target: it counts with what is around it.
      const own: Shown = id === null || named.has(id) ? around : { size: 0, parts: [], targets: [] }
      if (id !== null && own !== around) {
        named.set(id, own)
        around.parts.push(own)
      }
      owners.push(own)
      own.size++
      if (target !== null) own.targets.push(target)
    },
    end: (): void => void owners.pop(),
    /** Whether all of it is at most so many elements; what shows itself is not. */
    isWithin: (max: number): boolean => sizeOf(whole, max, new Set()) <= max,
  }
}
