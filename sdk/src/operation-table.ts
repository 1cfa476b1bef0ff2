export type Operation = {
  id: string
  verb: string
  path: string
  acceptsToken: boolean
  isIdempotent: boolean
  hasBody: boolean
  /** The member of the answer with the entries of a list; null where the answer is no page. */
  list: string | null
  /** Of an operation with a body: the members of the input that belong to the address. */
  query: string[]
}

export type OperationTable = {
  operations: Map<string, Operation>
  /** The operation of each method, by group. */
  groups: Map<string, Map<string, Operation>>
}

/** What the first word of a method says of its operation: the verb, and the flags `i` (idempotent) and `b` (has a body). */
const conventions: Record<string, string> = {
  list: 'GET',
  get: 'GET',
  export: 'GET',
  create: 'POST ib',
  update: 'PATCH b',
  set: 'PUT b',
  delete: 'DELETE',
  remove: 'DELETE',
  revoke: 'DELETE',
}

export function conventionOf(method: string): { isList: boolean; verb: string; flags: string } {
  const [word = ''] = method.match(/^[a-z]+/) ?? []
  const [verb = '', flags = ''] = (conventions[word] ?? 'POST').split(' ')
  return { isList: word === 'list', verb, flags }
}

/** `orgs` of `/orgs/{orgId}`: the entries of a list have the name of its address. */
export function lastWord(path: string): string | undefined {
  return path.match(/(\w+)(\/\{\w+\})*$/)?.[1]
}

/**
 * A generated table. It says only what does not follow from the names, because most of the SDK's bytes are here.
 *
 *     bots:Bot /assistant/v1/bot             a group, the noun that `*` stands for, and how its addresses begin
 *     /runners/{} get*Runner delete*Runner   how an address goes on (`{}` is `{runnerId}` here), and its operations
 *     /{botId}/leave leave*:DELETE           an operation with another verb than its name says
 *
 * An operation is `method` or `method=operationId`; `*` and `*s` belong to the operationId alone. Behind it may stand `:` with a
 * verb and flags, which replace the usual ones; `[member]` of a list; and `?query` members of a request with a body. The flag `o`
 * is for an operation that takes no token. `-` says that there is no flag, and of a `list` method that its answer is no page.
 */
export function parseTable(text: string): OperationTable {
  const table: OperationTable = { operations: new Map(), groups: new Map() }
  let methods = new Map<string, Operation>()
  let [noun, base]: (string | undefined)[] = []
  for (const line of text.trim().split('\n')) {
    const [place = '', ...words] = line.split(' ')
    if (/^\w/.test(place)) {
      const [group = place, named] = place.split(':')
      methods = new Map()
      table.groups.set(group, methods)
      noun = named
      base = words[0]
      continue
    }
    const path = `${base}${place}`.replaceAll(/(\w+)s\/\{\}/g, '$1s/{$1Id}')
    for (const word of words) {
      const { method, ...operation } = parseOperation(word, path, noun)
      methods.set(method, operation)
      table.operations.set(operation.id, operation)
    }
  }
  return table
}

const grammar = /^([\w*]+)=?(\w*):?([A-Z]*)([a-z-]*)\[?(\w*)\]?\??(.*)/

function parseOperation(text: string, path: string, noun = ''): Operation & { method: string } {
  const [, name = '', id, verb, ownFlags, list, query = ''] = text.match(grammar) ?? []
  const method = name.replace(/\*s?/, '')
  const usual = conventionOf(method)
  const flags = ownFlags || usual.flags
  return {
    method,
    id: id || name.replace('*', noun),
    verb: verb || usual.verb,
    path,
    acceptsToken: !flags.includes('o'),
    isIdempotent: flags.includes('i'),
    hasBody: flags.includes('b'),
    list: list || (usual.isList && !flags.includes('-') && lastWord(path)) || null,
    query: query.split(','),
  }
}
