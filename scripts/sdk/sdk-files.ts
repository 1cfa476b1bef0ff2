import type { Client } from './method-names.ts'
import { type OpenApiDocument, type Operation, readOperations } from './operations.ts'
import { comment, memberText, type Schema, typeText } from './schema-types.ts'
import { tableText } from './table-text.ts'

const head = '// Generated from openapi/api.json by `npm run generate`.\n'

/** The generated files of the SDK, and the table of its methods for docs/sdk.md. */
export function sdkFiles(
  document: object,
  errorCodes: string[],
): { files: [file: string, text: string][]; table: string } {
  const api = document as OpenApiDocument
  const operations = readOperations(api)
  const files: [string, string][] = [
    [
      'sdk/src/generated/error-codes.ts',
      `${head}\nexport type ApiErrorCode =\n${errorCodes.map((code) => `  | '${code}'`).join('\n')}\n`,
    ],
    ['sdk/src/generated/schemas.ts', schemasFile(api)],
    ['sdk/src/generated/operations.ts', operationsFile(operations, api)],
    ['sdk/src/generated/groups.ts', groupsFile(operations)],
    ...(['app', 'admin'] as const).map((client): [string, string] => [
      `sdk/src/generated/${client}-table.ts`,
      tableFile(client, operations),
    ]),
  ]
  return { files, table: methodTable(operations) }
}

function schemasFile({ components }: OpenApiDocument): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeText(schema)}\n`,
  )
  return `${head}\n${types.join('\n')}`
}

function operationsFile(operations: Operation[], api: OpenApiDocument): string {
  const body = operations.map((operation) => operationText(operation, api)).join('\n')
  const names = Object.keys(api.components.schemas).filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  return `${head}import type {
${names.map((name) => `  ${name},`).join('\n')}
} from './schemas.ts'

/** What each operation takes and answers, by its \`operationId\`. */
export interface Operations {
${body}
}
`
}

function groupsFile(operations: Operation[]): string {
  const groups = (['app', 'admin'] as const).map((client) => groupsText(client, operations)).join('\n')
  return `${head}import type { Method } from '../method.ts'\n\n${groups}`
}

function operationText(operation: Operation, api: OpenApiDocument): string {
  const indent = '      '
  const members = [...parameterMembers(operation, indent), ...bodyMembers(operation, api, indent)]
  const input = members.length === 0 ? '{}' : `{\n${members.join('\n')}\n    }`
  const item = operation.list === null ? '' : `\n    list: '${operation.list}'`
  return `  ${operation.id}: {\n    input: ${input}\n    output: ${outputText(operation)}${item}\n  }`
}

function parameterMembers({ parameters }: Operation, indent: string): string[] {
  return parameters
    .filter(({ name }) => name !== 'Idempotency-Key')
    .map(({ name, required, schema }) =>
      memberText({ name: name === 'If-Match' ? 'ifMatch' : name, schema, isRequired: required === true, indent }),
    )
}

/** A body that is an object gives its members; any other is the member `body`. */
function bodyMembers({ body }: Operation, { components }: OpenApiDocument, indent: string): string[] {
  if (body === null) return []
  const form = body['multipart/form-data']?.schema
  const json = body['application/json']?.schema
  const schema = named(form ?? json, components.schemas)
  const properties = Object.entries(schema?.properties ?? {})
  if (properties.length === 0) return [`${indent}body: string | Blob | Record<string, unknown>`]
  const required = new Set(form && json ? [] : schema?.required)
  const texts =
    form && json ? { ...named(json, components.schemas)?.properties, ...schema?.properties } : schema?.properties
  return Object.entries(texts ?? {}).map(([name, member]) =>
    memberText({ name, schema: member, isRequired: required.has(name), indent }),
  )
}

function named(schema: Schema | undefined, schemas: Record<string, Schema>): Schema | undefined {
  return schema?.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema
}

function outputText({ answers }: Operation): string {
  const types = answers.flatMap((content) => {
    const all = Object.entries(content)
    if (all.length === 0) return ['undefined']
    // The reply to `askOrg` is also a stream, which only who asks for it gets.
    return all.filter(([type]) => type !== 'text/event-stream').map(([type, { schema }]) => answerText(type, schema))
  })
  return [...new Set(types)].join(' | ') || 'unknown'
}

function answerText(type: string, schema: Schema | undefined): string {
  if (type.startsWith('application/json')) return schema ? typeText(schema, '    ') : 'unknown'
  return /^(text\/|application\/(xml|x-subrip))/.test(type) ? 'string' : 'Blob'
}

function ofClient(client: Client, operations: Operation[]): Map<string, Operation[]> {
  return Map.groupBy(
    operations.filter((operation) => operation.client === client),
    ({ group }) => group,
  )
}

function groupsText(client: Client, operations: Operation[]): string {
  const groups = [...ofClient(client, operations)].map(([group, members]) => {
    const methods = members.map(
      ({ id, method, summary, verb, path }) =>
        `${comment(`${summary}. \`${verb} ${path}\``, '    ')}    ${method}: Method<'${id}'>`,
    )
    return `  ${group}: {\n${methods.join('\n')}\n  }`
  })
  const ids = operations.filter((operation) => operation.client === client).map(({ id }) => `  | '${id}'`)
  const prefix = client === 'app' ? 'App' : 'Admin'
  return `export interface ${prefix}Groups {\n${groups.join('\n')}\n}\n\nexport type ${prefix}OperationId =\n${ids.join('\n')}\n`
}

function tableFile(client: Client, operations: Operation[]): string {
  return `${head}\nexport const ${client}Table = \`${tableText(client, ofClient(client, operations))}\`\n`
}

function methodTable(operations: Operation[]): string {
  const rows = (['app', 'admin'] as const).flatMap((client) =>
    [...ofClient(client, operations)]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([group, members]) => {
        const methods = members.map(({ method }) => `\`${method}\``).join(', ')
        return `| \`${client === 'app' ? '.' : './admin'}\` | \`${group}\` | ${methods} |`
      }),
  )
  return `| entry | group | methods |\n|---|---|---|\n${rows.join('\n')}`
}
