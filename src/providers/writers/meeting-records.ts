import { escapeHtml } from '../../kernel/escape-html.ts'
import { listAt, textAt } from '../answer-fields.ts'
import { jsonRequest } from '../provider.ts'
import {
  type LookOutcome,
  type MeetingContent,
  type WriteContext,
  type Writer,
  type Written,
  writeOutcome,
} from './writer.ts'

const api = 'https://api.hubapi.com/crm/v3/objects'
/** HubSpot's own id of the association of a meeting with a contact. */
const meetingToContact = 200
const speakersMax = 20

/** The address of the meeting has the action's id, and can be searched for. Nothing is there: it is only a marker. */
const marker = (actionId: string) => `https://atrium.invalid/actions/${actionId}`

function written({ account }: WriteContext, object: unknown): Written | null {
  const externalId = textAt(object, 'id')
  const portal = encodeURIComponent(account.id ?? '')
  return externalId === null
    ? null
    : { externalId, externalUrl: `https://app.hubspot.com/contacts/${portal}/record/0-47/${externalId}` }
}

/** A meeting record at the contacts with the names of those who spoke. It makes no contact. */
export const hubspotMeeting: Writer<MeetingContent> = {
  lagSeconds: 30,
  write: async ({ title, summary, at, speakers }, context) => {
    const contacts = await contactsNamed(context, speakers)
    if (contacts === null) return { kind: 'unsent' }
    const body = {
      properties: {
        hs_timestamp: at.toISOString(),
        hs_meeting_title: title,
        hs_meeting_body: escapeHtml(summary).replaceAll('\n', '<br>'),
        hs_meeting_external_url: marker(context.action.id),
      },
      associations: contacts.map((id) => ({
        to: { id },
        types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: meetingToContact }],
      })),
    }
    const answer = await context.call((token) => jsonRequest(token, { method: 'POST', url: `${api}/meetings`, body }))
    return writeOutcome(answer, (object) => written(context, object))
  },
  look: async (context): Promise<LookOutcome> => {
    const value = marker(context.action.id)
    const filters = [{ propertyName: 'hs_meeting_external_url', operator: 'EQ', value }]
    const body = { filterGroups: [{ filters }], limit: 1 }
    const answer = await context.call((token) =>
      jsonRequest(token, { method: 'POST', url: `${api}/meetings/search`, body }),
    )
    if (answer.status >= 300) return { kind: 'unknown' }
    const found = written(context, listAt(answer.body, 'results')[0])
    return found === null ? { kind: 'absent' } : { kind: 'found', written: found }
  },
}

/** Those of whom there is exactly one of the name. Null: the search fails. */
async function contactsNamed({ call }: WriteContext, speakers: string[]): Promise<string[] | null> {
  const ids: string[] = []
  for (const speaker of speakers.slice(0, speakersMax)) {
    const [firstname, ...rest] = speaker.trim().split(/\s+/u)
    const lastname = rest.join(' ')
    if (firstname === undefined || lastname === '') continue
    const filters = Object.entries({ firstname, lastname }).map(([propertyName, value]) => ({
      propertyName,
      operator: 'EQ',
      value,
    }))
    const body = { filterGroups: [{ filters }], limit: 2 }
    const answer = await call((token) => jsonRequest(token, { method: 'POST', url: `${api}/contacts/search`, body }))
    if (answer.status >= 300) return null
    const [only, another] = listAt(answer.body, 'results')
    const id = textAt(only, 'id')
    if (id !== null && another === undefined) ids.push(id)
  }
  return ids
}
