import { admin } from '../../http/access/access.ts'
import { created, noContent, ok, secret } from '../../http/answer.ts'
import { type Mount, mount } from '../../http/mounts.ts'
import { type Route, route } from '../../http/route.ts'
import { Id, isoOrNull, Nullable, SingleLine, StrictObject, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type PlatformScope, scopeToTenant } from '../../storage/scope.ts'
import { botAdminAccess as access, botBase, tag } from '../access.ts'
import type { Enrolling, Runners } from './runner.service.ts'
import type { Runner } from './runner.store.ts'

const RunnerAnswer = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['office'] }),
    isShared: Type.Boolean({
      description: 'Whether it belongs to the platform and runs bots of all tenants.',
      examples: [false],
    }),
    isEnrolled: Type.Boolean({ examples: [true] }),
    platforms: Type.Array(Type.String({ examples: ['jitsi'] })),
    slots: Type.Integer({ examples: [4] }),
    version: Nullable(Type.String({ examples: ['1.0.0'] })),
    liveBots: Type.Integer({ examples: [1] }),
    lastSeenAt: Nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'BotRunner', additionalProperties: false },
)
const EnrollingAnswer = StrictObject({
  runner: RunnerAnswer,
  enrollmentToken: Type.String({
    description: 'Shown once. Valid for one enrollment within 15 minutes.',
    examples: ['atrenroll_...'],
  }),
  expiresAt: Timestamp,
})
const NewRunner = StrictObject({ name: SingleLine({ lettersMax: 100, example: 'office' }) })

/** @param platformTenant the tenant to which the platform's own runners belong */
export function runnerRoutes({
  runners,
  platformTenant,
}: {
  runners: Runners
  platformTenant(): Promise<string>
}): Route[] {
  const routes = (isShared: boolean) => [...readRoutes(runners), ...changeRoutes(runners, isShared)]
  return [...routes(false), ...mount(routes(true), [platformMount(platformTenant)])]
}

/** `/admin/bot/runners`: those for all tenants. */
function platformMount(platformTenant: () => Promise<string>): Mount {
  return {
    isAlias: false,
    path: (path) => path.replace(botBase, '/admin/bot'),
    operationName: (name) => name.replace(/^[a-z]+/, '$&Shared'),
    summary: (summary) => `${summary} (for all tenants)`,
    access: ({ method }) => admin(method === 'GET' ? 'VIEWER' : 'OWNER'),
    adaptInput: async (input) => ({
      ...input,
      scope: scopeToTenant(input['platform'] as PlatformScope, await platformTenant()),
    }),
  }
}

function readRoutes(runners: Runners): Route[] {
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/bot/runners',
      name: 'listBotRunners',
      tag,
      summary: 'List the programs that run bots',
      access,
      answers: { 200: StrictObject({ runners: Type.Array(RunnerAnswer) }) },
      handle: async ({ scope }) => ok({ runners: (await runners.list(scope)).map(runnerView) }),
    }),
    route({
      method: 'GET',
      path: '/assistant/v1/bot/runners/:runnerId',
      name: 'getBotRunner',
      tag,
      summary: 'Show a program that runs bots',
      access,
      answers: { 200: StrictObject({ runner: RunnerAnswer }) },
      handle: async ({ scope, params }) => ok({ runner: runnerView(await runners.get(scope, params.runnerId)) }),
    }),
  ]
}

function changeRoutes(runners: Runners, isShared: boolean): Route[] {
  return [
    route({
      method: 'POST',
      path: '/assistant/v1/bot/runners',
      name: 'createBotRunner',
      tag,
      summary: 'Add a program that runs bots',
      description: 'Start the program with the token: `npm run runner -- --url URL --token TOKEN`.',
      access,
      body: NewRunner,
      answers: { 201: EnrollingAnswer },
      refusals: ['QUOTA_EXCEEDED'],
      idempotent: true,
      handle: async ({ scope, body }) => enrolling(await runners.create(scope, { name: body.name, isShared })),
    }),
    route({
      method: 'POST',
      path: '/assistant/v1/bot/runners/:runnerId/enrollment-token',
      name: 'createBotRunnerEnrollmentToken',
      tag,
      summary: 'Create another enrollment token for a runner',
      access,
      answers: { 201: EnrollingAnswer },
      idempotent: true,
      handle: async ({ scope, params }) => enrolling(await runners.renewEnrollment(scope, params.runnerId)),
    }),
    route({
      method: 'DELETE',
      path: '/assistant/v1/bot/runners/:runnerId',
      name: 'deleteBotRunner',
      tag,
      summary: 'Remove a program that runs bots',
      description: 'Its token stops working at once. Its bots are given to other runners.',
      access,
      answers: { 204: null },
      handle: async ({ scope, params }) => {
        await runners.remove(scope, params.runnerId)
        return noContent()
      },
    }),
  ]
}

function enrolling({ runner, enrollmentToken, expiresAt }: Enrolling) {
  const answer = { runner: runnerView(runner), enrollmentToken, expiresAt: expiresAt.toISOString() }
  return secret(created(`/assistant/v1/bot/runners/${runner.id}`, answer))
}

function runnerView({ lastSeenAt, createdAt, ...runner }: Runner) {
  return { ...runner, lastSeenAt: isoOrNull(lastSeenAt), createdAt: createdAt.toISOString() }
}
