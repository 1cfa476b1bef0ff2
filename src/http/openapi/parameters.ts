import type { TSchema } from 'typebox'
import { pathParamNames, type Route } from '../route.ts'
import { type Json, schemaRef } from './schemas.ts'

/** The parameters of a route's path, query and headers. */
export function routeParameters(route: Route, components: Map<string, Json>): Json[] {
  const { properties = {}, required = [] } = (route.query ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return [
    ...pathParamNames(route.path).map((name) =>
      requiredParameter({ name, in: 'path', schema: route.params?.[name] ?? idParameter, components }),
    ),
    ...Object.entries(properties).map(([name, schema]) => {
      const parameter = { name, in: 'query', schema, components }
      return required.includes(name) ? requiredParameter(parameter) : optionalParameter(parameter)
    }),
    ...(route.idempotent ? [idempotencyParameter] : []),
    ...(route.conditional ? [ifMatchParameter] : []),
  ]
}

type Parameter = { name: string; in: string; schema: TSchema; components: Map<string, Json> }

function requiredParameter({ name, in: place, schema, components }: Parameter): Json {
  const description = descriptionOf(schema)
  return {
    name,
    in: place,
    required: true,
    schema: schemaRef(schema, components),
    ...(description === '' ? {} : { description }),
  }
}

/**
 * Its example is part of the description: the reference's try-it and its curl commands send every example value, so the
 * example of a filter would hide all entries, and the example of `If-Match` would be refused with 412.
 */
function optionalParameter({ name, in: place, schema, components }: Parameter): Json {
  const { examples, ...rest } = schemaRef(schema, components) as Json & { examples?: unknown[] }
  const text = [descriptionOf(schema), exampleText(rest, examples?.[0])].filter((part) => part !== '').join(' ')
  return { name, in: place, required: false, schema: rest, ...(text === '' ? {} : { description: text }) }
}

/** Empty if there is no example, or if it says nothing that the schema does not: one of the allowed words, true or false. */
function exampleText({ enum: words, type }: Json, example: unknown): string {
  return example === undefined || words !== undefined || type === 'boolean' ? '' : `Example: \`${example}\`.`
}

function descriptionOf(schema: TSchema): string {
  return (schema as { description?: string }).description ?? ''
}

const idParameter = { type: 'string', format: 'uuid', examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] } as TSchema

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own that identifies this request, such as `order-8f14e45f`. A repeat within 24 hours gets the first response again, and nothing is done twice. Use another one for every other request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag that you read, with its quotation marks. If somebody changed it since, the request is refused with 412.',
  schema: { type: 'string', maxLength: 1000 },
}
