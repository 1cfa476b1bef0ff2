import { isDeepStrictEqual } from 'node:util'
import { createPatch as createRfc6902Patch, type Operation } from 'rfc6902'

/** A JSON Patch (RFC 6902) that turns `from` into `to`. */
export function createPatch(from: unknown, to: unknown): Operation[] {
  return createRfc6902Patch(from, to, (a, b, place) =>
    Array.isArray(a) && Array.isArray(b) ? createArrayPatch(a, b, place.toString()) : undefined,
  )
}

/**
 * The package compares every entry with every other and needs gigabytes for two lists of some thousand entries. This skips
 * equal entries at both ends and compares the rest in pairs: linear, and good enough for sections, which have ids.
 */
function createArrayPatch(from: unknown[], to: unknown[], place: string): Operation[] {
  const common = Math.min(from.length, to.length)
  let start = 0
  while (start < common && isEqual(from[start], to[start])) start++
  let end = 0
  while (end < common - start && isEqual(from.at(-1 - end), to.at(-1 - end))) end++
  const paired = common - end
  const between = (at: number) =>
    createPatch(from[at], to[at]).map((operation) => atPointer(operation, `${place}/${at}`))
  const operations = Array.from({ length: paired }, (_, at) => between(at)).flat()
  for (let at = from.length - end - 1; at >= paired; at--) operations.push({ op: 'remove', path: `${place}/${at}` })
  for (let at = paired; at < to.length - end; at++)
    operations.push({ op: 'add', path: `${place}/${at}`, value: to[at] })
  for (let at = to.length - end; at < to.length; at++) {
    const before = from[at - to.length + from.length]
    operations.push(...createPatch(before, to[at]).map((operation) => atPointer(operation, `${place}/${at}`)))
  }
  return operations
}

function atPointer(operation: Operation, place: string): Operation {
  return { ...operation, path: place + operation.path }
}

function isEqual(a: unknown, b: unknown): boolean {
  const id = entryId(a)
  return id === undefined ? isDeepStrictEqual(a, b) : id === entryId(b)
}

function entryId(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined
}
