import { graphql } from 'graphql'
import { jsonOf } from '../call.ts'
import type { Emulator, World } from '../emulator.ts'
import { linearIssues } from './issues.ts'
import { linearOauth } from './linear-oauth.ts'
import { linearSchema } from './schema.ts'

export function linearEmulator(world: World): Emulator {
  const linear = linearIssues(world)
  const { queries, mutations, controls } = linear
  return {
    name: 'linear',
    oauth: linearOauth,
    routes: {
      'POST api.linear.app/graphql': async (call) => {
        const grant = world.grantOf(call)
        if (grant === null) return refusal(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated')
        const { query, variables } = jsonOf(call)
        const source = String(query ?? '')
        const isWriting = /^\s*mutation\b/.test(source)
        if (isWriting && !grant.scopes.some((scope) => scope === 'write' || scope === 'issues:create'))
          return refusal(403, 'FORBIDDEN', 'Invalid scope: `write` required')
        // https://linear.app/developers/webhooks: only workspace admins, or apps with the scope `admin`.
        if (/\bwebhooks?(Create|Delete)?\b/.test(source) && !linear.mayHaveWebhooks(grant))
          return refusal(403, 'FORBIDDEN', 'You need to be an admin to manage webhooks')
        const { person } = grant
        const viewer = { id: person.id, name: person.name, email: person.email, displayName: person.name }
        const result = await graphql({
          schema: linearSchema,
          source,
          rootValue: { viewer, ...queries, ...mutations },
          variableValues: (variables ?? {}) as Record<string, unknown>,
        })
        if (result.errors === undefined) return { status: 200, body: result }
        const errors = result.errors.map((error) => ({
          ...error.toJSON(),
          extensions: { code: 'INPUT_ERROR', type: 'invalid input' },
        }))
        return { status: result.data == null ? 400 : 200, body: { data: result.data ?? null, errors } }
      },
    },
    controls,
  }
}

function refusal(status: number, code: string, message: string) {
  return { status, body: { errors: [{ message, extensions: { code, type: code.toLowerCase() } }] } }
}
