/** An element with an id, or the whole SVG: its own elements, the named ones in it, and the targets of its `use`s. */
type Shown = { size: number; parts: Shown[]; targets: string[] }

/** Nesting of `use`s: more than any real file has, and less than browsers and our stack can bear. */
const chainMax = 500

/**
 * Counts the elements of an SVG after every `use` is expanded. A few lines that reference each other can expand to
 * billions of elements.
 */
export function elementCounter() {
  const named = new Map<string, Shown>()
  const whole: Shown = { size: 0, parts: [], targets: [] }
  /** For each open element, the named element (or the whole) that it belongs to. */
  const owners: Shown[] = []
  const sizes = new Map<Shown, number>()

  const elementCount = (shown: Shown, max: number, trail: Set<Shown>): number => {
    const known = sizes.get(shown)
    if (known !== undefined) return known
    if (trail.has(shown) || trail.size > chainMax) return Number.POSITIVE_INFINITY
    trail.add(shown)
    let size = shown.size
    for (const part of shown.parts) size += elementCount(part, max, trail)
    for (const target of shown.targets) {
      const next = named.get(target)
      if (next !== undefined) size += elementCount(next, max, trail)
      if (size > max) break
    }
    trail.delete(shown)
    sizes.set(shown, size)
    return size
  }

  return {
    begin: (id: string | null, target: string | null): void => {
      const around = owners.at(-1) ?? whole
      // A second element with the same id is never a target: it counts with its surroundings.
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
    /** Whether the expanded SVG has at most this many elements; false for one that references itself. */
    isWithin: (max: number): boolean => elementCount(whole, max, new Set()) <= max,
  }
}
