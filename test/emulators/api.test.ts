import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { receiver } from '../harness/receiver.ts'
import type { ProviderName } from './emulator.ts'
import { type Emulators, startEmulators } from './emulators.ts'

// What the APIs document about writing once, searching, paging, syncing and webhooks.

let emulators: Emulators
before(async () => {
  emulators = await startEmulators()
})
after(() => emulators.close())

type Body = Record<string, unknown>
type Options = { method?: string; json?: unknown; headers?: Record<string, string>; body?: string }
type Ask = (path: string, options?: Options) => Promise<{ status: number; body: Body; text: string }>

async function api(provider: ProviderName, scopes: string[]): Promise<Ask> {
  const token = await emulators.accessToken(provider, scopes)
  return async (path, { method, json, headers = {}, body } = {}) => {
    const content = body ?? (json === undefined ? undefined : JSON.stringify(json))
    const response = await fetch(`${emulators.origin}/${path}`, {
      method: method ?? (content === undefined ? 'GET' : 'POST'),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(content !== undefined && { body: content }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, text, body: isJson ? JSON.parse(text) : {} }
  }
}

const list = (body: Body, name: string) => body[name] as Body[]

test('slack: a message keeps its metadata, and the history shows it only to whoever may read', async () => {
  const ask = await api('slack', ['chat:write', 'channels:history'])
  const metadata = { event_type: 'atrium_action', event_payload: { id: 'a1' } }
  const posted = await ask('slack.com/api/chat.postMessage', {
    json: { channel: 'C0GENERAL', text: 'Hello', metadata },
  })
  assert.equal(posted.body['ok'], true)
  const history = 'slack.com/api/conversations.history?channel=C0GENERAL&include_all_metadata=true'
  assert.deepEqual(list((await ask(history)).body, 'messages')[0]?.['metadata'], metadata)
  const blind = await api('slack', ['chat:write'])
  assert.equal((await blind(history)).body['error'], 'missing_scope')
})

test('github: an issue is found by its text after the lag of the index; two identical requests make two', async () => {
  const ask = await api('github', ['repo', 'admin:repo_hook'])
  emulators.control('github', 'setSearchLag', { seconds: 60 })
  const at = 'api.github.com/repos/example/website/issues'
  const first = await ask(at, { json: { title: 'One', body: 'marker-1' } })
  await ask(at, { json: { title: 'One', body: 'marker-1' } })
  const search = 'api.github.com/search/issues?q=%22marker-1%22+repo:example/website'
  assert.equal((await ask(search)).body['total_count'], 0)
  emulators.clock.advance(61)
  assert.equal((await ask(search)).body['total_count'], 2)
  const closed = await ask(`${at}/${first.body['number']}`, { method: 'PATCH', json: { state: 'closed' } })
  assert.equal(closed.body['state'], 'closed')
})

test('github: a webhook is signed with its secret and keeps its id when it is sent again', async (t) => {
  const hearing = await receiver()
  t.after(() => hearing.close())
  const ask = await api('github', ['repo', 'admin:repo_hook'])
  const hook = { events: ['issues'], config: { url: hearing.url, secret: 'hush' } }
  await ask('api.github.com/repos/example/app/hooks', { json: hook })
  emulators.control('github', 'createIssue', { repository: 'example/app', title: 'From a person' })
  await emulators.deliveries.settle()
  const [sent] = emulators.deliveries.sent().slice(-1)
  await emulators.deliveries.send(sent?.id ?? 0)
  const [one, two] = hearing.heard
  const expected = createHmac('sha256', 'hush')
    .update(one?.body ?? '')
    .digest('hex')
  assert.equal(one?.headers['x-hub-signature-256'], `sha256=${expected}`)
  assert.equal(one?.headers['x-github-delivery'], two?.headers['x-github-delivery'])
})

test('jira: an issue is created with a property, found by it, moved and kept within its workflow', async () => {
  const ask = await api('atlassian', ['read:jira-work', 'write:jira-work'])
  emulators.control('atlassian', 'setSearchLag', { seconds: 0 })
  const at = 'api.atlassian.com/ex/jira/1324a887/rest/api/3'
  const fields = { project: { id: '10000' }, summary: 'One', issuetype: { id: '10001' } }
  const properties = [{ key: 'atrium', value: { action: 'a1' } }]
  const made = await ask(`${at}/issue`, { json: { fields, properties } })
  assert.equal(made.status, 201)
  const jql = encodeURIComponent('issue.property[atrium].action = "a1"')
  assert.equal(list((await ask(`${at}/search/jql?jql=${jql}`)).body, 'issues')[0]?.['key'], made.body['key'])
  const moved = await ask(`${at}/issue/${made.body['key']}/transitions`, { json: { transition: { id: '31' } } })
  assert.equal(moved.status, 204)
  const refused = await ask(`${at}/issue`, { json: { fields: { project: { id: '10000' } } } })
  assert.equal(refused.status, 400)
})

test('linear: an issue is created once with an id of the caller', async () => {
  const ask = await api('linear', ['read', 'write'])
  const query = 'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id identifier } } }'
  const input = {
    id: '6b0d0f58-9a5a-4a0e-8f0e-0a4a6f1f2c3d',
    teamId: '4f2c9d53-7e0c-4b5b-9a7e-3c1b6f0e8d11',
    title: 'One',
  }
  const create = () => ask('api.linear.app/graphql', { json: { query, variables: { input } } })
  assert.equal((await create()).status, 200)
  const again = await create()
  assert.match(JSON.stringify(again.body), /already exists/)
  assert.equal((emulators.control('linear', 'issues') as unknown[]).length, 1)
})

test('notion: a page takes a hundred blocks at once, and is found by its title after the lag', async () => {
  const ask = await api('notion', [])
  const headers = { 'notion-version': '2025-09-03' }
  const [parent] = emulators.control('notion', 'pages') as { id: string }[]
  const paragraph = { type: 'paragraph', paragraph: { rich_text: [{ type: 'text', text: { content: 'Text' } }] } }
  const properties = { title: [{ text: { content: 'Weekly' } }] }
  const page = (count: number) => ({
    parent: { page_id: parent?.id },
    properties,
    children: Array(count).fill(paragraph),
  })
  assert.equal((await ask('api.notion.com/v1/pages', { headers, json: page(101) })).status, 400)
  const made = await ask('api.notion.com/v1/pages', { headers, json: page(100) })
  const children = await ask(`api.notion.com/v1/blocks/${made.body['id']}/children`, { headers })
  assert.equal(list(children.body, 'results').length, 100)
  const search = async () =>
    list((await ask('api.notion.com/v1/search', { headers, json: { query: 'Weekly' } })).body, 'results').length
  assert.equal(await search(), 0)
  emulators.clock.advance(11)
  assert.equal(await search(), 1)
})

test('drive: a document refuses an id of ours, and is found by its properties', async () => {
  const ask = await api('google', ['https://www.googleapis.com/auth/drive.file'])
  const upload = (metadata: Body) =>
    ask('www.googleapis.com/upload/drive/v3/files?uploadType=multipart', {
      headers: { 'content-type': 'multipart/related; boundary=b' },
      body: `--b\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Text</p>\r\n--b--`,
    })
  const document = { name: 'Weekly', mimeType: 'application/vnd.google-apps.document', appProperties: { atrium: 'a1' } }
  const ids = (await ask('www.googleapis.com/drive/v3/files/generateIds?count=1')).body['ids'] as string[]
  assert.equal((await upload({ ...document, id: ids[0] })).status, 400)
  const made = await upload(document)
  emulators.clock.advance(6)
  const q = encodeURIComponent("appProperties has { key='atrium' and value='a1' } and trashed = false")
  const found = await ask(`www.googleapis.com/drive/v3/files?q=${q}`)
  assert.deepEqual(
    list(found.body, 'files').map(({ id }) => id),
    [made.body['id']],
  )
})

test('hubspot: a meeting stands at contacts that exist, and is found after the lag', async () => {
  const ask = await api('hubspot', ['crm.objects.contacts.read', 'crm.objects.contacts.write'])
  const [contact] = emulators.control('hubspot', 'contacts') as { id: string }[]
  const meeting = (id: string) => ({
    properties: { hs_timestamp: '2026-11-23T10:00:00Z', hs_meeting_title: 'Weekly' },
    associations: [{ to: { id }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 200 }] }],
  })
  const at = 'api.hubapi.com/crm/v3/objects/meetings'
  assert.equal((await ask(at, { json: meeting('999') })).status, 400)
  assert.equal((await ask(at, { json: meeting(contact?.id ?? '') })).status, 201)
  const filters = [{ propertyName: 'hs_meeting_title', operator: 'EQ', value: 'Weekly' }]
  const search = async () => (await ask(`${at}/search`, { json: { filterGroups: [{ filters }] } })).body['total']
  assert.equal(await search(), 0)
  emulators.clock.advance(11)
  assert.equal(await search(), 1)
})

test('google calendar: a sync token brings what changed, single occurrences too, until it is too old', async () => {
  const ask = await api('google', ['https://www.googleapis.com/auth/calendar.events.readonly'])
  const start = '2027-01-04T10:00:00Z'
  const end = '2027-01-04T10:30:00Z'
  emulators.control('google', 'createEvent', { id: 'weekly', start, end, series: { everyDays: 7, count: 3 } })
  const at = 'www.googleapis.com/calendar/v3/calendars/primary/events?singleEvents=true'
  const first = await ask(`${at}&timeMin=2027-01-01T00:00:00Z&timeMax=2027-01-12T00:00:00Z`)
  assert.deepEqual(
    list(first.body, 'items').map(({ id }) => id),
    ['weekly_20270104T100000Z', 'weekly_20270111T100000Z'],
  )
  emulators.control('google', 'cancelOccurrence', { id: 'weekly', originalStart: '2027-01-11T10:00:00Z' })
  const next = await ask(`${at}&syncToken=${first.body['nextSyncToken']}`)
  assert.deepEqual(
    list(next.body, 'items').map(({ status }) => status),
    ['confirmed', 'cancelled', 'confirmed'],
  )
  assert.equal((await ask(`${at}&syncToken=${next.body['nextSyncToken']}&timeMin=${start}`)).status, 400)
  emulators.control('google', 'expireSyncTokens')
  assert.equal((await ask(`${at}&syncToken=${next.body['nextSyncToken']}`)).status, 410)
})

test('google calendar: a channel tells of changes with the token of the app, until it ends', async (t) => {
  const hearing = await receiver()
  t.after(() => hearing.close())
  const ask = await api('google', ['https://www.googleapis.com/auth/calendar.events.readonly'])
  const at = 'www.googleapis.com/calendar/v3/calendars/primary/events/watch'
  const channel = { id: 'channel-1', type: 'web_hook', address: hearing.url, token: 'hush', params: { ttl: '3600' } }
  assert.equal((await ask(at, { json: channel })).status, 200)
  emulators.control('google', 'createEvent', { id: 'told' })
  await emulators.deliveries.settle()
  emulators.clock.advance(3_601)
  emulators.control('google', 'cancelEvent', { id: 'told' })
  await emulators.deliveries.settle()
  const told = hearing.heard.map(({ headers }) => [headers['x-goog-resource-state'], headers['x-goog-channel-token']])
  assert.deepEqual(told, [
    ['sync', 'hush'],
    ['exists', 'hush'],
  ])
})

test('graph calendar: a delta names what left the window, page by page', async () => {
  const ask = await api('microsoft', ['Calendars.Read'])
  for (const day of [4, 5, 6])
    emulators.control('microsoft', 'createEvent', {
      id: `day${day}`,
      start: `2027-01-0${day}T10:00:00Z`,
      end: `2027-01-0${day}T11:00:00Z`,
    })
  const at =
    'graph.microsoft.com/v1.0/me/calendarView/delta?startDateTime=2027-01-01T00:00:00Z&endDateTime=2027-01-08T00:00:00Z'
  const headers = { prefer: 'odata.maxpagesize=2' }
  const first = await ask(at, { headers })
  assert.equal(list(first.body, 'value').length, 2)
  const follow = (link: unknown) => ask(String(link).replace('https://', ''), { headers })
  const second = await follow(first.body['@odata.nextLink'])
  assert.equal(list(second.body, 'value').length, 1)
  emulators.control('microsoft', 'editEvent', {
    id: 'day5',
    start: '2027-02-05T10:00:00Z',
    end: '2027-02-05T11:00:00Z',
  })
  emulators.control('microsoft', 'cancelEvent', { id: 'day4' })
  const later = await follow(second.body['@odata.deltaLink'])
  assert.deepEqual(
    list(later.body, 'value').map((it) => [it['id'], '@removed' in it]),
    [
      ['day4', true],
      ['day5', true],
    ],
  )
})

test('teams: a transcript is found by the join address; a channel is read with its own scope alone', async () => {
  const ask = await api('microsoft', ['OnlineMeetings.Read', 'OnlineMeetingTranscript.Read.All', 'ChannelMessage.Send'])
  const { joinWebUrl } = emulators.control('microsoft', 'holdMeeting', { subject: 'Weekly' }) as { joinWebUrl: string }
  const filter = encodeURIComponent(`JoinWebUrl eq '${joinWebUrl}'`)
  const [meeting] = list((await ask(`graph.microsoft.com/v1.0/me/onlineMeetings?$filter=${filter}`)).body, 'value')
  const at = `graph.microsoft.com/v1.0/me/onlineMeetings/${meeting?.['id']}/transcripts`
  const [transcript] = list((await ask(at)).body, 'value')
  assert.match((await ask(`${at}/${transcript?.['id']}/content`)).text, /^WEBVTT/)
  const channel =
    'graph.microsoft.com/v1.0/teams/02bd9fd6-8f93-4758-87c3-1fb73740a315/channels/19:general@thread.tacv2/messages'
  assert.equal((await ask(channel, { json: { body: { content: 'Hello' } } })).status, 201)
  assert.equal((await ask(channel)).status, 403)
})

test('zoom: an address that fails the challenge hears nothing; a recording is listed by day and downloaded with a token for it alone', async (t) => {
  const hearing = await receiver()
  t.after(() => hearing.close())
  const ask = await api('zoom', [
    'cloud_recording:read:list_user_recordings',
    'cloud_recording:read:list_recording_files',
  ])
  const { isValid } = (await emulators.control('zoom', 'setEventsUrl', { url: hearing.url, secret: 'hush' })) as {
    isValid: boolean
  }
  assert.equal(isValid, false, 'the receiver does not answer the challenge')
  emulators.control('zoom', 'recordMeeting', { topic: 'Weekly', start: '2027-01-04T10:00:00Z' })
  await emulators.deliveries.settle()
  assert.equal(hearing.heard.length, 1)
  const { body } = await ask('api.zoom.us/v2/users/me/recordings?from=2027-01-04&to=2027-01-04')
  const meeting = list(body, 'meetings')[0]
  const files = meeting?.['recording_files'] as { file_type: string; download_url: string }[]
  const download = files.find((file) => file.file_type === 'TRANSCRIPT')?.download_url.replace('https://', '') ?? ''
  assert.equal((await ask(download)).status, 401, 'the access token is for the API')
  const uuid = encodeURIComponent(String(meeting?.['uuid']))
  const detail = await ask(`api.zoom.us/v2/meetings/${uuid}/recordings?include_fields=download_access_token&ttl=60`)
  const { download_access_token: token } = detail.body as { download_access_token: string }
  const content = await fetch(`${emulators.origin}/${download}`, { headers: { authorization: `Bearer ${token}` } })
  assert.match(await content.text(), /^WEBVTT/)
})
