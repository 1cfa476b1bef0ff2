/** A compact map from 64-bit marks to times, in milliseconds of their day. */
export type SeenVisitorSet = {
  /** -1 for an unknown mark. */
  find(high: number, low: number): number
  /** Keeps the later of two times. */
  make(high: number, low: number, ms: number): void
}

type MarkDraft = SeenVisitorSet & {
  /** Copies everything into the base set. */
  keep(): void
}

const cellsAtFirst = 1024
const wordsEach = 3
const fullAt = 0.6

/** 20 to 40 bytes per mark, where a Map of strings needs more than a hundred. Marks must be hashes, because they are used as hash values directly. */
export function seenVisitorSet(): SeenVisitorSet {
  let capacity = cellsAtFirst
  /** For each cell: the two halves, and the time plus one; 0 for a free cell. */
  let cells = new Uint32Array(wordsEach * capacity)
  let size = 0

  const slotIndex = (high: number, low: number): number => {
    for (let cell = low & (capacity - 1); ; cell = (cell + 1) & (capacity - 1)) {
      const place = cell * wordsEach
      if (cells[place + 2] === 0 || (cells[place] === high && cells[place + 1] === low)) return place
    }
  }
  const write = (high: number, low: number, time: number): void => {
    const place = slotIndex(high, low)
    const known = cells[place + 2] as number
    if (known === 0) {
      cells[place] = high
      cells[place + 1] = low
      size += 1
    }
    if (time > known) cells[place + 2] = time
  }
  const grow = (): void => {
    const old = cells
    capacity *= 2
    cells = new Uint32Array(wordsEach * capacity)
    size = 0
    for (let place = 0; place < old.length; place += wordsEach) {
      const time = old[place + 2] as number
      if (time !== 0) write(old[place] as number, old[place + 1] as number, time)
    }
  }

  return {
    find: (high, low) => (cells[slotIndex(high >>> 0, low >>> 0) + 2] as number) - 1,
    make: (high, low, ms) => {
      write(high >>> 0, low >>> 0, ms + 1)
      if (size > fullAt * capacity) grow()
    },
  }
}

/** A layer of new marks over a base set, which changes only when the layer is kept. */
export function seenVisitorDraft(below: SeenVisitorSet): MarkDraft {
  const own = seenVisitorSet()
  const made: number[] = []
  return {
    find: (high, low) => Math.max(own.find(high, low), below.find(high, low)),
    make: (high, low, ms) => {
      own.make(high, low, ms)
      made.push(high, low, ms)
    },
    keep: () => {
      for (let at = 0; at < made.length; at += wordsEach)
        below.make(made[at] as number, made[at + 1] as number, made[at + 2] as number)
    },
  }
}
