import type { Activity } from '../../kernel/activity.ts'
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const count = (example: number, description?: string) =>
  Type.Integer({ examples: [example], ...(description === undefined ? {} : { description }) })

const activity = (description: string, example: Activity) =>
  StrictObject({ today: count(example.today), lastWeek: count(example.lastWeek) }, { description })

const ofTenant = { id: Id, tenantId: Id, tenantName: Type.String({ examples: ['Northwind'] }) }

const Overview = Type.Object(
  {
    counts: StrictObject({
      tenants: count(12),
      users: count(340),
      licenses: count(25),
      devices: count(410, 'Without revoked ones.'),
      openVpnSessions: count(96),
      vpnServers: count(3),
      offlineVpnServers: count(0, 'Whose agent has not reported for five minutes.'),
    }),
    activity: StrictObject(
      {
        newTenants: activity('Tenants that were created.', { today: 1, lastWeek: 3 }),
        newUsers: activity('Users that registered.', { today: 9, lastWeek: 51 }),
        newLicenses: activity('Licenses that were issued.', { today: 2, lastWeek: 8 }),
        apiCalls: activity('Requests of tenants. They show here about a minute later.', {
          today: 5210,
          lastWeek: 40_112,
        }),
        validations: activity('Licenses that were validated.', { today: 320, lastWeek: 2701 }),
        vpnConnections: activity('VPN sessions that were started.', { today: 88, lastWeek: 640 }),
      },
      { description: '`today`: since midnight UTC. `lastWeek`: the seven days before today, together.' },
    ),
    health: StrictObject({
      status: StringEnum(['ok', 'draining', 'unavailable'], { description: '`GET /health` has the details.' }),
      version: Type.String({ examples: ['0.1.0'] }),
    }),
    deadJobs: count(0, 'Jobs that have failed for good. `GET /v1/platform/admin/jobs?state=dead` lists them.'),
    failingEndpoints: StrictObject({
      total: count(1),
      endpoints: Type.Array(
        StrictObject({
          ...ofTenant,
          urlHint: Type.String({
            description: 'The host of the endpoint.',
            examples: ['https://hooks.northwind.example/...'],
          }),
          status: Type.String({ examples: ['ACTIVE'] }),
          failingSince: Timestamp,
        }),
        { description: 'Webhook endpoints whose last delivery failed, at most five, longest first.' },
      ),
    }),
    endingLicenses: StrictObject({
      total: count(1),
      licenses: Type.Array(
        StrictObject({
          ...ofTenant,
          product: Type.String({ examples: ['vault-vpn'] }),
          plan: Type.String({ examples: ['PRO'] }),
          expiresAt: Timestamp,
        }),
        { description: 'Licenses that end within two weeks, at most five, the first to end first.' },
      ),
    }),
    lastAuditEntries: Type.Array(
      StrictObject({
        id: Id,
        at: Timestamp,
        tenantId: Nullable(Id),
        actorLabel: Type.String({ examples: ['Ana, support'] }),
        action: Type.String({ examples: ['tenant.create'] }),
        targetType: Type.String({ examples: ['tenant'] }),
        targetId: Nullable(Type.String({ examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'] })),
        outcome: StringEnum(['ALLOWED', 'DENIED']),
      }),
      { description: 'The last ten, newest first.' },
    ),
  },
  { title: 'PlatformOverview' },
)

export const OverviewDetail = StrictObject({ overview: Overview })
