import { isDeepStrictEqual } from 'node:util'
import { createPatch, type Operation } from 'rfc6902'

/** A JSON Patch (RFC 6902) that makes `to` of `from`. */
export function patchBetween(from: unknown, to: unknown): Operation[] {
  return createPatch(from, to, (a, b, place) =>
    Array.isArray(a) && Array.isArray(b) ? patchOfArrays(a, b, place.toString()) : undefined,
  )
}

/**
 * The package compares each entry with each other one and needs gigabytes for two lists of some thousand. Here entries
 * that are the same stand at the start and at the end, and what lies between is taken in pairs: linear, and enough for
 * sections, which are known by their ids.
 */
function patchOfArrays(from: unknown[], to: unknown[], place: string): Operation[] {
  const common = Math.min(from.length, to.length)
  let start = 0
  while (start < common && isSame(from[start], to[start])) start++
  let end = 0
  while (end < common - start && isSame(from.at(-1 - end), to.at(-1 - end))) end++
  const paired = common - end
  const between = (at: number) => patchBetween(from[at], to[at]).map((operation) => moved(operation, `${place}/${at}`))
  const operations = Array.from({ length: paired }, (_, at) => between(at)).flat()
  for (let at = from.length - end - 1; at >= paired; at--) operations.push({ op: 'remove', path: `${place}/${at}` })
  for (let at = paired; at < to.length - end; at++)
    operations.push({ op: 'add', path: `${place}/${at}`, value: to[at] })
  for (let at = to.length - end; at < to.length; at++) {
    const before = from[at - to.length + from.length]
    operations.push(...patchBetween(before, to[at]).map((operation) => moved(operation, `${place}/${at}`)))
  }
  return operations
}

function moved(operation: Operation, place: string): Operation {
  return { ...operation, path: place + operation.path }
}

function isSame(a: unknown, b: unknown): boolean {
  const id = idOf(a)
  return id === undefined ? isDeepStrictEqual(a, b) : id === idOf(b)
}

function idOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
}
