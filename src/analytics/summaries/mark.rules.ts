import { hash } from 'node:crypto'
import type { VisitRecord } from '../events/visit.rules.ts'
import { uniqueDimensions } from './dimension.rules.ts'

/** A mark combines place and visitor: the XOR of two 64-bit hashes, stored in two halves. */
type Mark = readonly [high: number, low: number]

/** @param visitor a visitor hash of 32 hexadecimal digits. */
export function visitorMark(visitor: string): Mark {
  return [Number.parseInt(visitor.slice(0, 8), 16), Number.parseInt(visitor.slice(8, 16), 16)]
}

type Visited = Pick<VisitRecord, 'productId' | 'pageSlug' | 'docSlug' | 'downloadId'> & { type: string }

/** The marks of a visit's dimensions; the last one is the visited thing itself. Caches results. */
export function dimensionMarks(): (visited: Visited) => Mark[] {
  const known = new Map<string, Mark>()
  return (visited) =>
    uniqueDimensions(visited).map(([dimension, key]) => {
      const name = `${visited.type} ${visited.productId ?? ''} ${dimension} ${key}`
      const mark = known.get(name) ?? visitorMark(hash('sha256', name))
      known.set(name, mark)
      return mark
    })
}
