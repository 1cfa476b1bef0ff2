import type { Access } from '../access/access.ts'
import { Problem } from '../problem.ts'
import { isBodyRequired, type Route } from '../route.ts'
import type { UploadForm } from '../uploads/upload.ts'
import { routeParameters } from './parameters.ts'
import { refusalExamples, refusalResponses, responseHeaders, routeRefusals, successResponses } from './responses.ts'
import { exampleValue, type Json, mapMembers, mediaType, schemaRef } from './schemas.ts'

export type DocumentInfo = {
  version: string
  title: string
  description: string
  tags: { name: string; description: string }[]
}

/** The OpenAPI 3.1 document, made from the same declarations as the server. `webhooks` are the requests that it sends. */
export function openApiDocument(
  routes: Route[],
  { version, title, description, tags }: DocumentInfo,
  webhooks: Json,
): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  const aliases = Map.groupBy(routes, ({ aliasOf }) => aliasOf)
  for (const route of routes.filter(({ aliasOf }) => aliasOf === undefined)) {
    const path = templatePath(route)
    const described = operation(route, aliases.get(route.name) ?? [], components)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described }
  }
  schemaRef(Problem, components)
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'This installation.' }],
    tags,
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes,
      headers: responseHeaders,
      examples: refusalExamples(new Set(routes.flatMap(routeRefusals))),
    },
  }
}

const securitySchemes = {
  adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key', description: 'An administrator’s key.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'A tenant’s API key, limited to the products on it.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` from the login response.',
  },
  consoleSession: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-atrium-console',
    description:
      'The cookie from signing in to the console; `atrium-console` over plain HTTP. It counts at the console alone.',
  },
  runnerToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `runnerToken` from the enrollment response. To enroll: the `enrollmentToken` of the runner.',
  },
  nodeToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `nodeToken` from the enrollment response. To enroll: the `enrollmentToken` of the server.',
  },
}

function securityRequirement(access: Access): Json[] {
  switch (access.kind) {
    case 'open':
      return access.knowsAdmins ? [{}, { adminKey: [] }] : []
    case 'admin':
      return [{ adminKey: [] }]
    case 'tenantKey':
      return access.isOptional ? [{ apiKey: [] }, {}] : [{ apiKey: [] }]
    case 'endUser':
      return access.isKeyRequired
        ? [{ apiKey: [], accessToken: [] }]
        : [{ accessToken: [] }, { apiKey: [], accessToken: [] }]
    case 'node':
      return [{ nodeToken: [] }]
    case 'runner':
      return [{ runnerToken: [] }]
    case 'browser':
      return access.isSignedIn ? [{ consoleSession: [] }] : []
    case 'browserAdmin':
      return [{ consoleSession: [] }]
  }
}

function templatePath({ path }: Route): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function operation(route: Route, aliases: Route[], components: Map<string, Json>): Json {
  const description = [route.description ?? '', aliasText(route, aliases)].filter((text) => text !== '').join(' ')
  const parameters = routeParameters(route, components)
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(route.isSensitive ? { 'x-sensitive': true } : {}),
    ...(aliases.length === 0 ? {} : { 'x-aliases': aliases.map(templatePath) }),
    security: securityRequirement(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined && route.upload === undefined
      ? {}
      : {
          requestBody: {
            required: route.upload !== undefined || isBodyRequired(route),
            content: {
              ...(route.upload === undefined ? {} : { 'multipart/form-data': formBody(route.upload, components) }),
              ...(route.body === undefined ? {} : { 'application/json': mediaType(route.body, components) }),
            },
          },
        }),
    ...(route.rawBody === undefined
      ? {}
      : {
          requestBody: {
            required: !route.rawBody.isOptional,
            content: mapMembers(route.rawBody.examples, (example) => ({ schema: { type: typeof example }, example })),
          },
        }),
    responses: { ...successResponses(route, components), ...refusalResponses([route, ...aliases]) },
  }
}

/** Names the other paths of an operation, and the product that they require. Empty if there are none. */
function aliasText(route: Route, aliases: Route[]): string {
  const paths = aliases.map((alias) => {
    const product = requiredProduct(alias.access)
    const requirement = product === requiredProduct(route.access) ? '' : `, with an API key that lists \`${product}\``
    return `\`${templatePath(alias)}\`${requirement}`
  })
  return paths.length === 0 ? '' : `Also served at ${paths.join(' and ')}.`
}

function requiredProduct(access: Access): string | null {
  return 'product' in access ? access.product : null
}

/** The documented file field and the text fields of a form. */
function formBody({ fileFields: [file], fields }: UploadForm, components: Map<string, Json>): Json {
  const { properties } = schemaRef(fields, components) as { properties: Json }
  const schema = {
    type: 'object',
    required: [file],
    properties: { [file]: { type: 'string', contentMediaType: 'application/octet-stream' }, ...properties },
  }
  const example = { [file]: '(the bytes of the file)', ...(exampleValue(fields) as Json) }
  return { schema, example }
}
