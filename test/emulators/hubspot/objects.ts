import { type Call, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { searchIndex } from '../lag.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'

type CrmObject = {
  id: string
  type: 'contacts' | 'meetings'
  properties: Record<string, string>
  /** Ids of the contacts of a meeting. */
  contacts: string[]
  createdAt: Date
  updatedAt: Date
}

type Filter = { propertyName: string; operator: string; value?: string; values?: string[] }

const refusal = (status: number, category: string, message: string): Reply => ({
  status,
  body: { status: 'error', message, category, correlationId: `emulator-${status}` },
})
const missing = refusal(404, 'OBJECT_NOT_FOUND', 'resource not found')

/** https://developers.hubspot.com/docs/api-reference/crm-meetings-v3/guide. A search finds objects some seconds after they were written. */
export function hubspotObjects(world: World, api: ReturnType<typeof secured>): { routes: Routes; controls: Controls } {
  const objects = new Map<string, CrmObject>()
  const index = searchIndex(world.clock, 10)

  function create(type: CrmObject['type'], properties: Record<string, string>, contacts: string[] = []): CrmObject {
    const now = world.clock.now()
    const object = { id: String(50_000 + world.next()), type, properties, contacts, createdAt: now, updatedAt: now }
    objects.set(object.id, object)
    return object
  }

  create('contacts', { email: 'ben@example.com', firstname: 'Ben', lastname: 'Example' })
  create('contacts', { email: 'cleo@customer.example', firstname: 'Cleo', lastname: 'Customer' })

  const find = (type: CrmObject['type'], { params }: Call) => {
    const object = objects.get(params['id'] ?? '')
    return object?.type === type ? object : null
  }

  const search = (type: CrmObject['type']) => (call: Call) => {
    const {
      filterGroups = [],
      after,
      limit,
      properties,
    } = jsonOf(call) as {
      filterGroups?: { filters: Filter[] }[]
      after?: string
      limit?: number
      properties?: string[]
    }
    const found = [...objects.values()].filter(
      (object) =>
        object.type === type &&
        index.isIndexed(object.createdAt) &&
        (filterGroups.length === 0 ||
          filterGroups.some(({ filters }) => filters.every((filter) => matches(object, filter)))),
    )
    const { page, next } = pageOf(found, after ?? null, pageSize(String(limit ?? 10), { usual: 10, max: 200 }))
    const results = page.map((object) => shown(object, properties))
    return ok({ total: found.length, results, ...(next !== null && { paging: { next: { after: next } } }) })
  }

  const contactScopes = ['crm.objects.contacts.read', 'crm.objects.contacts.write']
  const writing = ['crm.objects.contacts.write']
  return {
    routes: {
      'POST api.hubapi.com/crm/v3/objects/contacts/search': api(contactScopes, search('contacts')),
      'GET api.hubapi.com/crm/v3/objects/contacts/:id': api(contactScopes, (call) => {
        const contact = find('contacts', call)
        return contact === null ? missing : ok(shown(contact))
      }),
      'POST api.hubapi.com/crm/v3/objects/meetings/search': api(contactScopes, search('meetings')),
      'POST api.hubapi.com/crm/v3/objects/meetings': api(writing, (call) => {
        const { properties = {}, associations = [] } = jsonOf(call) as {
          properties?: Record<string, string>
          associations?: { to: { id: string | number } }[]
        }
        if (properties['hs_timestamp'] === undefined)
          return refusal(400, 'VALIDATION_ERROR', 'Some required properties were not set: hs_timestamp')
        const contacts = associations.map(({ to }) => String(to.id))
        const unknown = contacts.find((id) => objects.get(id)?.type !== 'contacts')
        if (unknown !== undefined) return refusal(400, 'VALIDATION_ERROR', `No contact with ID ${unknown} exists.`)
        return { status: 201, body: shown(create('meetings', properties, contacts)) }
      }),
      'GET api.hubapi.com/crm/v3/objects/meetings/:id': api(contactScopes, (call) => {
        const meeting = find('meetings', call)
        return meeting === null ? missing : ok(shown(meeting))
      }),
      'PATCH api.hubapi.com/crm/v3/objects/meetings/:id': api(writing, (call) => {
        const meeting = find('meetings', call)
        if (meeting === null) return missing
        Object.assign(meeting.properties, jsonOf(call)['properties'])
        meeting.updatedAt = world.clock.now()
        return ok(shown(meeting))
      }),
      'PUT api.hubapi.com/crm/v4/objects/meetings/:id/associations/default/contacts/:contact': api(writing, (call) => {
        const meeting = find('meetings', call)
        const contact = call.params['contact'] ?? ''
        if (meeting === null || objects.get(contact)?.type !== 'contacts') return missing
        if (!meeting.contacts.includes(contact)) meeting.contacts.push(contact)
        return ok({ status: 'COMPLETE', results: [] })
      }),
    },
    controls: {
      contacts: () => [...objects.values()].filter(({ type }) => type === 'contacts').map((it) => shown(it)),
      meetings: () => [...objects.values()].filter(({ type }) => type === 'meetings').map((it) => shown(it)),
      createContact: (input) => shown(create('contacts', input as Record<string, string>)),
      setSearchLag: ({ seconds }) => {
        index.lagSeconds = Number(seconds)
      },
    },
  }
}

function matches({ properties }: CrmObject, { propertyName, operator, value = '', values = [] }: Filter): boolean {
  const held = properties[propertyName]
  const wanted = value.toLowerCase()
  if (operator === 'HAS_PROPERTY') return held !== undefined
  if (held === undefined) return false
  if (operator === 'EQ') return held.toLowerCase() === wanted
  if (operator === 'IN') return values.map((it) => it.toLowerCase()).includes(held.toLowerCase())
  if (operator === 'CONTAINS_TOKEN') return held.toLowerCase().includes(wanted.replaceAll('*', ''))
  return false
}

function shown(object: CrmObject, wanted?: string[]) {
  const named = Object.entries(object.properties).filter(([name]) => wanted === undefined || wanted.includes(name))
  return {
    id: object.id,
    properties: { ...Object.fromEntries(named), hs_object_id: object.id },
    createdAt: object.createdAt.toISOString(),
    updatedAt: object.updatedAt.toISOString(),
    archived: false,
    ...(object.contacts.length > 0 && {
      associations: { contacts: { results: object.contacts.map((id) => ({ id, type: 'meeting_event_to_contact' })) } },
    }),
  }
}
