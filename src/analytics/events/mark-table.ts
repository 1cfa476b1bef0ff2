/** When marks were made: of 64 bits each, in milliseconds of their day. */
export type MarkTable = {
  /** -1 for a mark that was never made. */
  find(high: number, low: number): number
  /** What was made later stays. */
  make(high: number, low: number, ms: number): void
}

type MarkDraft = MarkTable & {
  /** Makes all that was made here in what is below. */
  keep(): void
}

const cellsAtFirst = 1024
const wordsEach = 3
const fullAt = 0.6

/** 20 to 40 bytes for each mark, where a Map of texts takes more than a hundred. Marks must be hashes: they are their own place. */
export function markTable(): MarkTable {
  let capacity = cellsAtFirst
  /** Of each cell: the two halves, and the time increased by one; 0 where the cell is free. */
  let cells = new Uint32Array(wordsEach * capacity)
  let size = 0

  const placeOf = (high: number, low: number): number => {
    for (let cell = low & (capacity - 1); ; cell = (cell + 1) & (capacity - 1)) {
      const place = cell * wordsEach
      if (cells[place + 2] === 0 || (cells[place] === high && cells[place + 1] === low)) return place
    }
  }
  const write = (high: number, low: number, time: number): void => {
    const place = placeOf(high, low)
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
    find: (high, low) => (cells[placeOf(high >>> 0, low >>> 0) + 2] as number) - 1,
    make: (high, low, ms) => {
      write(high >>> 0, low >>> 0, ms + 1)
      if (size > fullAt * capacity) grow()
    },
  }
}

/** A table as it would be with more marks, which are nowhere else until they are kept. */
export function draftOver(below: MarkTable): MarkDraft {
  const own = markTable()
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
