import type { DocumentInfo } from './http/openapi/openapi.ts'

/** The title, introduction and tags of the API reference. */
export function documentInfo(version: string): DocumentInfo {
  return {
    version,
    title: 'Atrium',
    description:
      'A multi-tenant platform service: several products behind one base URL.\n\nErrors are `application/problem+json` with a stable `code` (see `/docs/errors`); `errors` names every wrong field, the first twenty of many. Lists take `page` and `limit`. Paths have no slash at their end: with one, the answer is a redirect (308) to the path without it. Times are ISO 8601 in UTC. Ids are UUIDv7. An unknown id, a malformed id and an id of another tenant all answer 404. An operation with several paths is described once, and `x-aliases` lists the others. A POST that creates or consumes something takes an `Idempotency-Key`. Meetings are followed live over a WebSocket, which `/asyncapi.json` describes. Web pages of any origin may call the API (CORS), unless the operator restricts the origins; public reads are always allowed. Pages of the console, signed in with a cookie, use the operations of administrators (`X-Admin-Key`) also below `/console/api`, where only the cookie counts; operations with `x-sensitive` must be confirmed there first.',
    tags: [
      { name: 'Utility', description: 'The home page and health checks.' },
      { name: 'Products', description: 'The public catalog.' },
      { name: 'Product docs', description: 'The documentation of the products in the catalog.' },
      { name: 'Content', description: 'The public pages, homepage slots and content blocks.' },
      { name: 'Catalog administration', description: 'Manage products and everything that belongs to them.' },
      { name: 'Content administration', description: 'Pages, slots and blocks: drafts, revisions, publishing.' },
      { name: 'Media', description: 'Uploaded files.' },
      { name: 'Analytics', description: 'Views, downloads and usage, counted by day.' },
      { name: 'Tenants', description: 'Manage tenants.' },
      { name: 'API keys', description: 'Manage the API keys of a tenant.' },
      { name: 'Administration', description: 'Admin keys, users, the audit log, and access checks.' },
      { name: 'Console', description: 'How administrators sign in to the console with a browser.' },
      { name: 'Jobs', description: 'Background jobs: their state, and retries.' },
      { name: 'Users', description: 'Registration, login, and the user’s own account.' },
      { name: 'Licenses', description: 'License plans, license keys, validation and use.' },
      { name: 'Usage', description: 'What tenants use, the limits of it, and when they are told.' },
      { name: 'Devices', description: 'WireGuard peers and their configuration.' },
      { name: 'VPN sessions', description: 'Connect and disconnect; each session takes one use of a license.' },
      { name: 'VPN servers', description: 'The servers that devices connect to.' },
      { name: 'VPN nodes', description: 'Used by the agent on a VPN server.' },
      { name: 'Meetings', description: 'Meetings with their transcripts and summaries.' },
      {
        name: 'Inbound webhooks',
        description: 'Webhooks from other services: connections, received deliveries and their results.',
      },
      {
        name: 'Integrations',
        description: 'Connections to other services on behalf of users and organizations, and what is done with them.',
      },
      { name: 'Webhooks', description: 'Signed events that are sent to a tenant’s endpoints.' },
      { name: 'Documentation', description: 'This reference and the OpenAPI document.' },
    ],
  }
}
