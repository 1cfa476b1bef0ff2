import { buildSchema, graphql } from 'graphql'
import { jsonOf } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { linearOauth } from './linear-oauth.ts'

const organization = { id: '9cfb482a-81e3-4154-b5b9-2c805e70a02d', name: 'Example', urlKey: 'example' }

const schema = buildSchema(`
  type Query { viewer: User! organization: Organization! }
  type User { id: ID! name: String! email: String! displayName: String! }
  type Organization { id: ID! name: String! urlKey: String! }
`)

export function linearEmulator(world: World): Emulator {
  return {
    name: 'linear',
    oauth: linearOauth,
    routes: {
      'POST api.linear.app/graphql': async (call) => {
        const grant = world.grantOf(call)
        if (grant === null) return refusal(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated')
        const { query, variables } = jsonOf(call)
        const { person } = grant
        const viewer = { id: person.id, name: person.name, email: person.email, displayName: person.name }
        const result = await graphql({
          schema,
          source: String(query ?? ''),
          rootValue: { viewer, organization },
          variableValues: (variables ?? {}) as Record<string, unknown>,
        })
        const isRefused = result.errors !== undefined && result.data === undefined
        return { status: isRefused ? 400 : 200, body: result }
      },
    },
    controls: {},
  }
}

function refusal(status: number, code: string, message: string) {
  return { status, body: { errors: [{ message, extensions: { code, type: code.toLowerCase() } }] } }
}
