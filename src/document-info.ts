import type { DocumentInfo } from './http/openapi/openapi.ts'

/** The title, introduction and tags of the API reference. */
export function documentInfo(version: string): DocumentInfo {
  return {
    version,
    title: 'Atrium',
    description:
      'A multi-tenant platform service: several products behind one base address.\n\nErrors are `application/problem+json` with a stable `code` (see `/docs/errors`). Lists take `page` and `limit`. Times are ISO 8601 in UTC. Ids are UUIDv7; an unknown, a malformed and another tenant’s id all answer 404. A POST that creates or consumes takes an `Idempotency-Key`. Pages of other origins may call from a browser (CORS), unless the operator lists those that may; public reads all may.',
    tags: [
      { name: 'Utility', description: 'Home and health.' },
      { name: 'Products', description: 'The public catalog.' },
      { name: 'Product docs', description: 'The documentation of the products in the catalog.' },
      { name: 'Content', description: 'The public pages, homepage slots and content blocks.' },
      { name: 'Catalog administration', description: 'Products and everything that belongs to them.' },
      { name: 'Content administration', description: 'Pages, slots and blocks: drafts, revisions, publishing.' },
      { name: 'Media', description: 'Uploaded files.' },
      { name: 'Analytics', description: 'What was read and used, counted by day.' },
      { name: 'Tenants', description: 'Administration of tenants.' },
      { name: 'API keys', description: 'The keys of a tenant.' },
      { name: 'Administration', description: 'Admin keys, users, the audit log, and why a caller is refused.' },
      { name: 'Jobs', description: 'Work that is done later, seen by an administrator.' },
      { name: 'Users', description: 'Register, log in, and the own account.' },
      { name: 'Licenses', description: 'Plans, keys, validation and use.' },
      { name: 'Devices', description: 'WireGuard peers and their configuration.' },
      { name: 'VPN sessions', description: 'Connect and disconnect; each session takes one use of a license.' },
      { name: 'VPN servers', description: 'Where devices are placed.' },
      { name: 'VPN nodes', description: 'What the agent on a VPN server says and asks.' },
      { name: 'Meetings', description: 'Meetings, what was said in them, and what is made of it.' },
      { name: 'Inbound webhooks', description: 'What other services deliver: who may, what came, what became of it.' },
      { name: 'Webhooks', description: 'Events that are sent to a tenant, signed.' },
      { name: 'Documentation', description: 'This reference and what it is made from.' },
    ],
  }
}
