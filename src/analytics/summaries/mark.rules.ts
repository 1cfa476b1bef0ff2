import { hash } from 'node:crypto'
import type { Fact } from '../events/visit.rules.ts'
import { countedPlaces } from './place.rules.ts'

/** Half of a mark says where and half of it who: what stands for both is one XOR the other, 64 bits in two halves. */
type Mark = readonly [high: number, low: number]

/** @param visitor the hash of one, 32 hexadecimal digits. */
export function visitorMark(visitor: string): Mark {
  return [Number.parseInt(visitor.slice(0, 8), 16), Number.parseInt(visitor.slice(8, 16), 16)]
}

type Visited = Pick<Fact, 'productId' | 'pageSlug' | 'docSlug' | 'downloadId'> & { type: string }

/** The places where a visit leaves a mark; that of the thing itself is the last. Remembers what it was asked. */
export function placeMarks(): (visited: Visited) => Mark[] {
  const known = new Map<string, Mark>()
  return (visited) =>
    countedPlaces(visited).map(([dimension, key]) => {
      const name = `${visited.type} ${visited.productId ?? ''} ${dimension} ${key}`
      const mark = known.get(name) ?? visitorMark(hash('sha256', name))
      known.set(name, mark)
      return mark
    })
}
