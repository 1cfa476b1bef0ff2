import type { TSchema } from 'typebox'
import { ownerOnlyMark } from '../kernel/schemas.ts'
import type { Admitted } from './access/callers.ts'
import type { Answer } from './answer.ts'
import { jsonSchema, type Route } from './route.ts'

type Members = { [name: string]: TSchema }
type Parts = { properties?: Members; items?: TSchema; [ownerOnlyMark]?: true }

/**
 * Takes the members that only an OWNER may read (`OwnerOnly`) out of a route's answers to other administrators. Null if no
 * answer has such a member. Users of a tenant are not concerned: the secrets are their own.
 */
export function ownerOnlyFilter({ answers, access }: Route): ((answer: Answer, caller: Admitted) => Answer) | null {
  if ((access.kind !== 'admin' && access.kind !== 'browserAdmin') || access.role === 'OWNER') return null
  const schemas = new Map<number, TSchema>()
  for (const [status, declared] of Object.entries(answers)) {
    const schema = jsonSchema(declared)
    if (schema !== null && holdsSecret(schema)) schemas.set(Number(status), schema)
  }
  if (schemas.size === 0) return null
  return (answer, caller) => {
    const schema = schemas.get(answer.status)
    if (schema === undefined || caller.kind !== 'admin' || caller.admin.role === 'OWNER') return answer
    return { ...answer, body: withoutSecrets(answer.body, schema) }
  }
}

/** @param above the schemas that hold this one, since a schema may hold itself */
function holdsSecret(schema: Parts, above: Parts[] = []): boolean {
  if (schema[ownerOnlyMark]) return true
  if (above.includes(schema)) return false
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  return parts.some((part) => holdsSecret(part, [...above, schema]))
}

function withoutSecrets(value: unknown, schema: Parts): unknown {
  if (schema[ownerOnlyMark]) return null
  const { items, properties } = schema
  if (Array.isArray(value)) return items ? value.map((entry) => withoutSecrets(entry, items)) : value
  if (typeof value !== 'object' || value === null || !properties) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const part = properties[name]
      return [name, part ? withoutSecrets(member, part) : member]
    }),
  )
}
