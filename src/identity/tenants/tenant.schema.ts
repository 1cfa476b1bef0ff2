import type { Static } from 'typebox'
import {
  Id,
  Nullable,
  PageQuery,
  PaginationSchema,
  SingleLine,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { tenantStatuses } from './tenant.rules.ts'

const Name = SingleLine({ lettersMax: 120, example: 'Acme Networks' })
const Email = Type.String({
  minLength: 3,
  maxLength: 320,
  description: 'Stored trimmed and in lower case.',
  examples: ['ops@acme.example'],
})

const Slug = Type.String({
  minLength: 1,
  maxLength: 63,
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  description: 'Lower-case letters, digits and inner hyphens. Unique, and never changes.',
  examples: ['acme'],
})

/** Only https, no user info, and no character that could end an attribute in a page that contains it. */
const HttpsUrl = (example: string) =>
  Nullable(
    Type.String({
      maxLength: 2048,
      pattern: '^https://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][^\\s\\p{Cc}<>"\'`\\\\]*)?$',
      examples: [example],
    }),
    'An https URL.',
  )

/** A name shown in pages and in the From line of e-mails: no markup and no line break. */
const ShownName = (example: string) =>
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 120,
      pattern: '^[^\\p{Cc}<>\\s](?:[^\\p{Cc}<>]*[^\\p{Cc}<>\\s])?$',
      examples: [example],
    }),
  )

const Limit = (description: string, example: number) =>
  Nullable(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [example] }),
    `${description} Null: no limit.`,
  )

const limits = {
  maxUsers: Limit('The number of users.', 1000),
  maxApiKeys: Limit('The number of active API keys.', 20),
  maxDevices: Limit('The number of VPN devices that are not revoked.', 1000),
  maxDevicesPerUser: Limit('The same per user.', 5),
  maxActiveSessions: Limit('The number of open VPN sessions.', 100),
  maxMeetings: Limit('The number of meetings.', 1000),
  maxOrgs: Limit('The number of organizations.', 100),
  maxOrgMembers: Limit('The number of members of each organization.', 50),
  maxTasks: Limit('The number of tasks of each organization.', 10_000),
  maxDocuments: Limit('The number of documents, without those that could not be read.', 1000),
  maxIntegrations: Limit('The number of integrations with other services.', 1000),
  maxLiveBots: Limit('Bots that are scheduled, on their way or in meetings.', 1000),
  maxMailsPerDay: Limit('Mails of conversations that are sent in a day (UTC).', 1000),
  maxStorageBytes: Limit(
    'The bytes of stored mails and documents, as they were received, and of their texts.',
    1_073_741_824,
  ),
  requestsPerWindow: Nullable(
    // The same range as RATE_LIMIT_MAX, which it replaces for this tenant.
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, examples: [5000] }),
    'Requests per caller in a rate limit window. Null: the default of the server.',
  ),
}

const whitelabel = {
  displayName: ShownName('Acme VPN'),
  logoUrl: HttpsUrl('https://cdn.acme.example/logo.svg'),
  faviconUrl: HttpsUrl('https://cdn.acme.example/favicon.png'),
  primaryColor: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#0057b8'] })),
  supportEmail: Nullable(Type.String({ minLength: 3, maxLength: 320, examples: ['help@acme.example'] })),
  supportUrl: HttpsUrl('https://help.acme.example'),
  customDomain: Nullable(
    Type.String({
      maxLength: 253,
      pattern: '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$',
      description: 'A host name in lower case.',
      examples: ['vpn.acme.example'],
    }),
  ),
  emailFromName: ShownName('Acme Support'),
}

const LimitsInput = Type.Partial(Type.Object(limits), {
  additionalProperties: false,
  description:
    'Absent members keep their value, which for a new tenant is the default of the installation. A null member removes the limit.',
})
const WhitelabelInput = Type.Partial(Type.Object(whitelabel), {
  additionalProperties: false,
  description: 'Absent members keep their value. Null clears them.',
})

const Products = Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['vault-vpn'] }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Slugs of the products that the users of the tenant may use, with an API key or without one.',
})
const ProductsInput = Nullable(
  Products,
  'Slugs of the products that the users of the tenant may use. Absent in a new tenant, or null: the products of its API keys; each new key adds its own. A list replaces that: then new keys add nothing.',
)

export const NewTenant = StrictObject({
  name: Name,
  slug: Slug,
  contactEmail: Email,
  limits: Type.Optional(Nullable(LimitsInput)),
  products: Type.Optional(ProductsInput),
  whitelabelConfig: Type.Optional(Nullable(WhitelabelInput)),
})
export type NewTenant = Static<typeof NewTenant>

export const TenantChange = StrictObject({
  name: Type.Optional(Name),
  contactEmail: Type.Optional(Email),
  status: Type.Optional(
    StringEnum(tenantStatuses, {
      description: 'SUSPENDED: keys and users of the tenant are refused from the next request on.',
    }),
  ),
  limits: Type.Optional(Nullable(LimitsInput)),
  products: Type.Optional(ProductsInput),
  whitelabelConfig: Type.Optional(Nullable(WhitelabelInput)),
})

export const TenantQuery = StrictObject({
  ...PageQuery,
  status: Type.Optional(StringEnum(tenantStatuses)),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'A part of the name or slug. Upper and lower case are equal.',
      examples: ['acme'],
    }),
  ),
})

export const Confirmation = StrictObject({
  confirm: Type.String({ maxLength: 63, description: 'The slug of the tenant, as confirmation.', examples: ['acme'] }),
})

export const TenantView = Type.Object(
  {
    id: Id,
    name: Type.String({ examples: ['Acme Networks'] }),
    slug: Type.String({ examples: ['acme'] }),
    contactEmail: Type.String({ examples: ['ops@acme.example'] }),
    status: StringEnum(tenantStatuses),
    apiKey: Nullable(
      Type.String({ examples: ['atr_Ab3d...'] }),
      'The start of the newest active API key. Null if there is none.',
    ),
    limits: StrictObject(limits),
    products: Products,
    whitelabelConfig: Nullable(StrictObject(whitelabel), 'Null if no member is set.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Tenant' },
)
export type TenantView = Static<typeof TenantView>

export const TenantDetail = StrictObject({ tenant: TenantView })
export const TenantList = StrictObject({ tenants: Type.Array(TenantView), pagination: PaginationSchema })
