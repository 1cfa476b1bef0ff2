import type { Static } from 'typebox'
import {
  Id,
  isoOrNull,
  Nullable,
  PageQuery,
  PaginationSchema,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { FeatureWord, ProviderWord } from '../providers/provider.schema.ts'
import {
  type FeatureSettings,
  featureStatuses,
  type Integration,
  integrationStatuses,
  ownerOf,
} from './integration.rules.ts'

const Text = (example: string) => Type.String({ examples: [example] })

const Settings = Type.Unsafe<FeatureSettings>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 5,
  description:
    'By feature: `post`, `tasks` and `export` have `target` and `when`, `calendar` has `calendarIds` and `when`, `import` has `fileIds` and `collectionId`, `crm` has `when`. With `when: manual` nothing is written automatically.',
  examples: [{ target: { repository: 'octocat/hello-world' }, when: 'accepted' }],
})

const FeatureAnswer = StrictObject({
  name: FeatureWord,
  status: StringEnum(featureStatuses, {
    description:
      '`scope_missing`: the user did not allow its scopes. `admin_consent`: an administrator of the directory has to allow them.',
  }),
  settings: Settings,
})

export const IntegrationAnswer = Type.Object(
  {
    id: Id,
    provider: ProviderWord,
    ownerKind: StringEnum(['user', 'org'] as const),
    orgId: Nullable(Id, 'The organization whose integration it is. Null: the user’s own.'),
    account: Nullable(
      StrictObject({ id: Text('583231'), name: Text('octocat') }),
      'The account at the provider. Null until it is known.',
    ),
    choices: Type.Array(StrictObject({ id: Text('1324a887-45db-1bf4-1e99-ef0ff456d421'), name: Text('example') }), {
      description: 'The sites to choose one from while the status is `choosing`.',
    }),
    features: Type.Array(FeatureAnswer),
    status: StringEnum(integrationStatuses, {
      description:
        '`pending`: nobody has confirmed yet. `reauth_required`: the provider no longer accepts our access; connect again with `integrationId`.',
    }),
    cause: Nullable(Text('GRANT_DEAD'), 'Why it is not active.'),
    health: StrictObject({
      lastUsedAt: Nullable(Timestamp),
      lastSuccessAt: Nullable(Timestamp),
      failures: Type.Integer({ description: 'Failed calls since the last success.', examples: [0] }),
      nextTryAt: Nullable(Timestamp, 'The provider asked us to wait until then.'),
    }),
    app: StringEnum(['own', 'platform'] as const, { description: 'Whose OAuth app it was connected with.' }),
    connectedBy: Nullable(Id, 'Null: the user was removed.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Type.Integer({ examples: [1] }),
  },
  { title: 'Integration', additionalProperties: false },
)
export const IntegrationDetail = StrictObject({ integration: IntegrationAnswer })
export const IntegrationList = StrictObject({
  integrations: Type.Array(IntegrationAnswer),
  pagination: PaginationSchema,
})
export const IntegrationQuery = StrictObject({
  ...PageQuery,
  orgId: Type.Optional({ ...Id, description: 'The integrations of this organization. Absent: your own.' }),
  provider: Type.Optional(ProviderWord),
})

export const IntegrationChange = StrictObject({
  features: Type.Array(
    StrictObject({
      name: FeatureWord,
      status: Type.Optional(StringEnum(['on', 'off'] as const)),
      settings: Type.Optional(Settings),
    }),
    { minItems: 1, maxItems: 9, description: 'Settings are replaced as a whole.' },
  ),
})
export type IntegrationChange = Static<typeof IntegrationChange>

export const AccountChoice = StrictObject({
  accountId: Type.String({ minLength: 1, maxLength: 200, examples: ['1324a887-45db-1bf4-1e99-ef0ff456d421'] }),
})

export const CheckAnswer = StrictObject({
  integration: IntegrationAnswer,
  result: StrictObject({
    ok: Type.Boolean({ examples: [true] }),
    cause: Nullable(Text('PROVIDER_UNAVAILABLE')),
  }),
})

export function integrationView(integration: Integration): Static<typeof IntegrationAnswer> {
  const { accountId, accountName, lastUsedAt, lastSuccessAt, failures, nextTryAt } = integration
  return {
    id: integration.id,
    provider: integration.provider,
    ownerKind: ownerOf(integration),
    orgId: integration.orgId,
    account: accountId === null ? null : { id: accountId, name: accountName ?? accountId },
    choices: integration.status === 'choosing' ? (integration.choices ?? []) : [],
    features: integration.features,
    status: integration.status,
    cause: integration.cause,
    health: {
      lastUsedAt: isoOrNull(lastUsedAt),
      lastSuccessAt: isoOrNull(lastSuccessAt),
      failures,
      nextTryAt: isoOrNull(nextTryAt),
    },
    app: integration.app,
    connectedBy: integration.connectedBy,
    createdAt: integration.createdAt.toISOString(),
    updatedAt: integration.updatedAt.toISOString(),
    revision: integration.revision,
  }
}
