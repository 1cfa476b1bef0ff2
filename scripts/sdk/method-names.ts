// How operations become methods: `listLicenses` of the tag Licenses is `licenses.list`. The generator says where a name is
// taken twice; then the operation gets one of its own here.

export type Client = 'app' | 'admin'

type Group = {
  group: string
  /** Left out of the operation's name, the first that it contains. */
  nouns: string[]
}

/** Of a tag; where the tag serves both clients, they share its row. */
const groups: Record<string, Group> = {
  Utility: { group: 'system', nouns: [] },
  Jobs: { group: 'jobs', nouns: ['Jobs', 'Job'] },
  'Content administration': { group: 'content', nouns: [] },
  Products: { group: 'catalog', nouns: [] },
  'Product docs': { group: 'catalog', nouns: [] },
  'Catalog administration': { group: 'catalog', nouns: [] },
  Content: { group: 'content', nouns: ['Public'] },
  Media: { group: 'media', nouns: ['Media'] },
  Analytics: { group: 'analytics', nouns: ['Analytics'] },
  Tenants: { group: 'tenants', nouns: ['Tenants', 'Tenant'] },
  'API keys': { group: 'apiKeys', nouns: ['ApiKeys', 'ApiKey'] },
  Users: { group: 'auth', nouns: [] },
  'Inbound webhooks': { group: 'inbound', nouns: ['Tenant'] },
  Licenses: { group: 'licenses', nouns: ['Licenses', 'License'] },
  Devices: { group: 'devices', nouns: ['TenantDevices', 'TenantDevice', 'Devices', 'Device'] },
  'VPN sessions': { group: 'vpn', nouns: ['Tenant'] },
  'VPN servers': { group: 'vpn', nouns: [] },
  Usage: { group: 'usage', nouns: ['Usage'] },
  Organizations: { group: 'organizations', nouns: ['Orgs', 'TenantOrg', 'Org'] },
  Meetings: { group: 'meetings', nouns: ['Meetings', 'Meeting'] },
  Tasks: { group: 'tasks', nouns: ['OrgTasks', 'OrgTask', 'Task'] },
  Collections: { group: 'collections', nouns: ['Collections', 'Collection'] },
  Documents: { group: 'documents', nouns: ['Documents', 'Document'] },
  'Search and ask': { group: 'search', nouns: ['Org'] },
  'E-mail': { group: 'email', nouns: ['TenantReceivedMails', 'TenantReceivedMail', 'ReceivedMails', 'Email'] },
  Bots: { group: 'bots', nouns: ['Bots', 'Bot'] },
  Integrations: { group: 'integrations', nouns: ['Integrations', 'Integration'] },
  Webhooks: { group: 'webhooks', nouns: ['TenantWebhook', 'Webhook'] },
}

/** Administration and Console are tags of several nouns. */
const groupsByNoun: [noun: RegExp, group: Group][] = [
  [/AdminKeys?$/, { group: 'adminKeys', nouns: ['AdminKeys', 'AdminKey'] }],
  [/AuditLogs?$/, { group: 'audit', nouns: ['AuditLogs', 'AuditLog'] }],
  [/Users?$/, { group: 'users', nouns: ['Users', 'User'] }],
  [/Mails?$/, { group: 'mails', nouns: ['Mails', 'Mail'] }],
  [/BrowserSessions?$/, { group: 'browserSessions', nouns: ['BrowserSessions', 'BrowserSession'] }],
  [/SignInLinks?$/, { group: 'signInLinks', nouns: ['SignInLinks', 'SignInLink'] }],
]

const ownNames: Record<string, string> = {
  retryJobs: 'retryAll',
  listTenantOrgs: 'listOfTenant',
  addTenantOrgMember: 'addMember',
  listOwnTasks: 'listOwn',
  listTenantsByUsage: 'listTenants',
  proposeMeetingTasks: 'propose',
}

/** Operations that no client calls, each with who does. */
const callers: [operation: RegExp, caller: string][] = [
  [/^(docs|sdk|console)(?=[A-Z]|$)|^openapi$|^asyncapi$/, 'read by browsers and tools'],
  [/^(home|metrics|sitemap|robots|getLlmsTxt)$/, 'read by browsers, monitors and search engines'],
  [/^receive/, 'called by other services'],
  [/^(showUnsubscribe|unsubscribe|readTaskCalendar)$/, 'called by mail and calendar programs'],
  [
    /^(getNodeEnrollment|enrollNode|listNodePeers|acknowledgePeers|reportPeers)$/,
    'called by the agent of a VPN server',
  ],
  [/^(signIn|signOut|getOwnSession|confirmSession)$/, 'called by the console, with its cookie'],
  [
    /^(enrollBotRunner|claimBot|sendBotHeartbeat|reportBot(Events|Entries|Artifact))$/,
    'called by the runners of bots, with a token of their own',
  ],
  [/^show(IntegrationStart|IntegrationConfirmation)$/, 'pages that browsers open'],
  [/^connectLive$/, 'a WebSocket: docs/live.md'],
]

/** Who calls an operation instead of the SDK; undefined for those of the SDK. */
export function otherCaller(operationId: string): string | undefined {
  return callers.find(([operation]) => operation.test(operationId))?.[1]
}

/** The group and the name of an operation's method. */
export function methodName(operationId: string, tag: string): { group: string; name: string } {
  const named = groupsByNoun.find(([noun]) => noun.test(operationId))?.[1]
  const { group, nouns } = (['Administration', 'Console'].includes(tag) && named) ||
    groups[tag] || { group: 'system', nouns: [] }
  const noun = nouns.find((word) => operationId.includes(word))
  return { group, name: ownNames[operationId] ?? (noun ? operationId.replace(noun, '') : operationId) }
}
