import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Audit } from '../../identity/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Id, Nullable, SingleLine, StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import type { OrganizationMembers } from '../../organizations/index.ts'
import { type TenantScope, transaction } from '../../storage/scope.ts'
import { botAccess as access, tag } from '../access.ts'
import { providers } from '../bot.rules.ts'
import { calendarChoices } from './policy.rules.ts'
import { findPolicy, type Policy, writePolicy } from './policy.store.ts'

const members = {
  orgId: Type.Optional(Nullable(Id, 'Whose policy it is. Null or absent: your own.')),
  calendar: StringEnum(calendarChoices, {
    description: 'To which meetings of a calendar a bot is sent: none, those you organize, those you accepted, or all.',
  }),
  minimumParticipants: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 0, examples: [2] })),
  excludeWords: Type.Optional(
    Type.Array(SingleLine({ lettersMax: 60, example: 'private' }), {
      maxItems: 50,
      description: 'No bot is sent to meetings with one of these words in the title.',
    }),
  ),
  provider: Type.Optional(Nullable(StringEnum(providers), 'Who sends the bots. Null: the first that is set up.')),
}
const PolicyBody = StrictObject(members)
const PolicyAnswer = StrictObject({
  policy: StrictObject({
    orgId: Nullable(Id),
    calendar: members.calendar,
    minimumParticipants: Type.Integer({ examples: [2] }),
    excludeWords: Type.Array(Type.String({ examples: ['private'] })),
    provider: Nullable(StringEnum(providers)),
  }),
})
const PolicyQuery = StrictObject({ orgId: Type.Optional(Id) })

const unset: Policy = { orgId: null, calendar: 'none', minimumParticipants: 0, excludeWords: [], provider: null }

type Parts = { clock: Clock; audit: Audit; members: OrganizationMembers }

export function policyRoutes({ clock, audit, members: organizations }: Parts): Route[] {
  const requireOrg = (
    scope: TenantScope,
    user: { id: string },
    { orgId, least }: { orgId: string | null; least: 'admin' | 'viewer' },
  ) => (orgId === null ? null : organizations.get(scope, user, { orgId, least }))
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/bot/policies',
      name: 'getBotPolicy',
      tag,
      summary: 'Show to which meetings of a calendar bots are sent',
      access,
      query: PolicyQuery,
      answers: { 200: PolicyAnswer },
      handle: async ({ scope, user, query: { orgId = null } }) => {
        await requireOrg(scope, user, { orgId, least: 'viewer' })
        return ok({ policy: (await findPolicy(scope, orgId ?? user.id)) ?? { ...unset, orgId } })
      },
    }),
    route({
      method: 'PUT',
      path: '/assistant/v1/bot/policies',
      name: 'setBotPolicy',
      tag,
      summary: 'Set to which meetings of a calendar bots are sent',
      description:
        'Your own policy, or as an administrator of an organization the policy for its calendars. Without a policy no bot is sent.',
      access,
      body: PolicyBody,
      answers: { 200: PolicyAnswer },
      refusals: ['NOT_FOUND', 'INSUFFICIENT_ROLE'],
      handle: async ({ scope, user, body }) => {
        const { orgId = null, calendar, minimumParticipants = 0, excludeWords = [], provider = null } = body
        const policy: Policy = {
          orgId,
          calendar,
          minimumParticipants,
          excludeWords: excludeWords.map((word) => word.trim()),
          provider,
        }
        await transaction(scope, async (tx) => {
          await requireOrg(tx, user, { orgId, least: 'admin' })
          await writePolicy(tx, { ownerId: orgId ?? user.id, policy, now: clock.now() })
          const target = orgId === null ? { type: 'user', id: user.id } : { type: 'org', id: orgId }
          await audit(tx, { action: 'bot.policy', target, changes: { calendar, provider } })
        })
        return ok({ policy })
      },
    }),
  ]
}
