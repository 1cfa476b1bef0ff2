import { isDeepStrictEqual } from 'node:util'
import { conventionOf, lastWord, parseTable } from '../../sdk/src/operation-table.ts'
import type { Client } from './method-names.ts'
import type { Operation } from './operations.ts'

/** The operations of a client as `sdk/src/operation-table.ts` reads them. */
export function tableText(client: Client, groups: Map<string, Operation[]>): string {
  const lines = [...groups].flatMap(([group, operations]) => {
    const base = commonPath(operations.map(({ path }) => shortPath(path)))
    const noun = commonNoun(operations)
    const paths = [...Map.groupBy(operations, ({ path }) => shortPath(path))].map(
      ([path, members]) =>
        `${path.slice(base.length)} ${members.map((it) => operationText(it, noun, client)).join(' ')}`,
    )
    return [`${group}${noun && `:${noun}`} ${base}`, ...paths]
  })
  const text = `\n${lines.join('\n')}\n`
  assertReadable(text, [...groups.values()].flat(), client)
  return text
}

/** `/orgs/{}` for `/orgs/{orgId}`. */
function shortPath(path: string): string {
  return path.replaceAll(/\b(\w+)s\/\{\1Id\}/g, '$1s/{}')
}

function commonPath(addresses: string[]): string {
  const paths = addresses.map((address) => address.split('/'))
  const [first = []] = paths
  const end = first.findIndex((segment, index) => paths.some((path) => path[index] !== segment))
  return first.slice(0, end < 0 ? first.length : end).join('/')
}

/** What an operationId says more than its method, and where: `getBotPolicy` of `getPolicy` says `Bot` at 3. */
function ownWord({ id, method }: Operation): { word: string; at: number } | null {
  const length = id.length - method.length
  if (length <= 0) return null
  for (let at = 0; at <= method.length; at += 1) {
    const word = id.slice(at, at + length)
    if (/^[A-Z]/.test(word) && id === method.slice(0, at) + word + method.slice(at)) return { word, at }
  }
  return null
}

/** The word that most operations of a group have beyond their methods, in the singular. */
function commonNoun(operations: Operation[]): string {
  const words = operations.flatMap((operation) => ownWord(operation)?.word ?? [])
  const byCount = [...Map.groupBy(words, (word) => word)].sort(([, a], [, b]) => b.length - a.length)
  return byCount[0]?.[0] ?? ''
}

function operationText(operation: Operation, noun: string, client: Client): string {
  const { method, verb, path, body, list, parameters } = operation
  const convention = conventionOf(method)
  const flags = flagsOf(operation, client)
  const usualList = convention.isList ? lastWord(path) : null
  const isNoPage = convention.isList && list === null
  const ownFlags = isNoPage ? `${flags}-` : flags === convention.flags ? '' : flags || '-'
  const exceptions = `${verb === convention.verb ? '' : verb}${ownFlags}`
  const member = list === null || list === usualList ? '' : `[${list}]`
  const query = body === null ? [] : parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  return `${nameText(operation, noun)}${exceptions && `:${exceptions}`}${member}${query.length > 0 ? `?${query}` : ''}`
}

/** Only users have tokens, and none of them calls administration. */
function flagsOf({ acceptsToken, isIdempotent, body }: Operation, client: Client): string {
  return `${acceptsToken || client === 'admin' ? '' : 'o'}${isIdempotent ? 'i' : ''}${body === null ? '' : 'b'}`
}

function nameText(operation: Operation, noun: string): string {
  const { id, method } = operation
  const own = ownWord(operation)
  if (method === id) return id
  if (own === null || (own.word !== noun && own.word !== `${noun}s`)) return `${method}=${id}`
  return `${method.slice(0, own.at)}*${own.word.slice(noun.length)}${method.slice(own.at)}`
}

/** The table leaves out what follows from names: nothing must be lost by that. */
function assertReadable(text: string, operations: Operation[], client: Client): void {
  const { groups } = parseTable(text)
  for (const { id, group, method, verb, path, body, list, acceptsToken, isIdempotent, parameters } of operations) {
    const query =
      body === null ? [] : parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    const written = {
      id,
      verb,
      path,
      acceptsToken: acceptsToken || client === 'admin',
      isIdempotent,
      hasBody: body !== null,
      list,
      query: query.length > 0 ? query : [''],
    }
    const read = groups.get(group)?.get(method)
    if (!isDeepStrictEqual(read, written)) {
      throw new Error(`The SDK would read ${JSON.stringify(written)} as ${JSON.stringify(read)}`)
    }
  }
}
