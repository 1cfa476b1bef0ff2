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

/** A generated table: a line `group:`, then `method=operationId VERB /path flags list query` for each operation. */
export function parseTable(text: string): OperationTable {
  const table: OperationTable = { operations: new Map(), groups: new Map() }
  let methods = new Map<string, Operation>()
  for (const line of text.trim().split('\n')) {
    const [name = '', verb, path = '', flags = '', list = '-', query = ''] = line.split(' ')
    if (verb === undefined) {
      methods = new Map()
      table.groups.set(name.slice(0, -1), methods)
      continue
    }
    const [method = '', id = method] = name.split('=')
    const operation = {
      id,
      verb,
      path,
      acceptsToken: flags.includes('t'),
      isIdempotent: flags.includes('i'),
      hasBody: flags.includes('b'),
      list: list === '-' ? null : list,
      query: query.split(','),
    }
    methods.set(method, operation)
    table.operations.set(id, operation)
  }
  return table
}
