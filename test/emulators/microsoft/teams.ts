import { type Call, jsonOf, ok, type Reply, type Routes } from '../call.ts'
import type { Controls, World } from '../emulator.ts'
import { pageOf, pageSize } from '../paging.ts'
import type { secured } from '../secured.ts'
import { graphError } from './graph-error.ts'
import type { Notify } from './subscriptions.ts'

type Message = {
  id: string
  teamId: string
  channelId: string
  /** What it answers; null: nothing. */
  replyToId: string | null
  body: unknown
  from: string
  createdAt: Date
}
type Transcript = { id: string; text: string; createdAt: Date }
type OnlineMeeting = {
  id: string
  subject: string
  joinUrl: string
  start: string
  end: string
  transcripts: Transcript[]
}

const base = 'graph.microsoft.com/v1.0'
/** Who signs in unless a test says otherwise. */
const organizerId = '87d349ed-44d7-43e1-9a83-5f2406dee5bd'
const teamId = '02bd9fd6-8f93-4758-87c3-1fb73740a315'

/**
 * https://learn.microsoft.com/graph/api/chatmessage-post: nothing makes a message only once, and reading the channel needs a scope
 * of its own. https://learn.microsoft.com/graph/api/onlinemeeting-list-transcripts.
 */
export function teams(
  world: World,
  api: ReturnType<typeof secured>,
  notify: Notify,
): { routes: Routes; controls: Controls } {
  const messages: Message[] = []
  const meetings = new Map<string, OnlineMeeting>()
  const missing = graphError(404, 'NotFound', 'The resource could not be found.')
  const inMeeting = (id: string | undefined) => meetings.get(id ?? '')
  const reading = ['OnlineMeetings.Read', 'OnlineMeetings.ReadWrite']
  const transcripts = ['OnlineMeetingTranscript.Read.All']

  function add(call: Call, from: string, replyToId: string | null): Reply {
    const { team = '', channel = '', chat = '' } = call.params
    const message = {
      id: String(world.clock.now().getTime() * 1000 + world.next()),
      teamId: team,
      channelId: channel || chat,
      replyToId,
      body: jsonOf(call)['body'],
      from,
      createdAt: world.clock.now(),
    }
    messages.push(message)
    return { status: 201, body: shownMessage(message) }
  }

  function list({ params, query }: Call, replyToId: string | null): Reply {
    const { team = '', channel = '', chat = '' } = params
    const found = messages
      .filter((it) => it.teamId === team && it.channelId === (channel || chat) && it.replyToId === replyToId)
      .reverse()
    const { page } = pageOf(found, null, pageSize(query.get('$top'), { usual: 20, max: 50 }))
    return ok({ value: page.map(shownMessage) })
  }

  const chats = `${base}/chats/:chat/messages`
  const replies = `${base}/teams/:team/channels/:channel/messages/:message/replies`
  return {
    routes: {
      [`GET ${base}/me/joinedTeams`]: api(['Team.ReadBasic.All'], () =>
        ok({ value: [{ id: teamId, displayName: 'Example' }] }),
      ),
      [`POST ${base}/teams/:team/channels/:channel/messages`]: api(['ChannelMessage.Send'], (call, { person }) => {
        return call.params['team'] === teamId ? add(call, person.name, null) : missing
      }),
      [`POST ${replies}`]: api(['ChannelMessage.Send'], (call, { person }) =>
        call.params['team'] === teamId ? add(call, person.name, call.params['message'] ?? '') : missing,
      ),
      [`GET ${replies}`]: api(['ChannelMessage.Read.All'], (call) => list(call, call.params['message'] ?? '')),
      [`POST ${chats}`]: api(['Chat.ReadWrite', 'ChatMessage.Send'], (call, { person }) =>
        add(call, person.name, null),
      ),
      [`GET ${chats}`]: api(['Chat.ReadWrite', 'Chat.Read'], (call) => list(call, null)),
      [`GET ${base}/teams/:team/channels/:channel/messages`]: api(['ChannelMessage.Read.All'], (call) =>
        list(call, null),
      ),
      [`GET ${base}/me/onlineMeetings`]: api(reading, ({ query }) => {
        const url = /^JoinWebUrl eq '(.*)'$/i.exec(query.get('$filter') ?? '')?.[1]
        if (url === undefined) return graphError(400, 'InvalidArgument', 'Filter expression expected - JoinWebUrl eq')
        return ok({ value: [...meetings.values()].filter(({ joinUrl }) => joinUrl === url).map(shownMeeting) })
      }),
      [`GET ${base}/users/:user/onlineMeetings/getAllTranscripts(:arguments)`]: api(
        reading,
        ({ params }, { person }) => {
          const { user, arguments: text = '' } = params
          const [, from = '', until = ''] = /startDateTime=([^,]+),endDateTime=([^,]+)$/.exec(text) ?? []
          if (user !== person.id || !text.includes(`meetingOrganizerUserId='${user}'`)) return missing
          const all = [...meetings.values()].flatMap((meeting) =>
            meeting.transcripts.map((it) => shownTranscript(meeting, it)),
          )
          return ok({ value: all.filter((it) => it.createdDateTime >= from && it.createdDateTime <= until) })
        },
      ),
      [`GET ${base}/me/onlineMeetings/:id`]: api(reading, ({ params }) => {
        const meeting = inMeeting(params['id'])
        return meeting === undefined ? missing : ok(shownMeeting(meeting))
      }),
      [`GET ${base}/me/onlineMeetings/:id/transcripts`]: api(transcripts, ({ params }) => {
        const meeting = inMeeting(params['id'])
        return meeting === undefined
          ? missing
          : ok({ value: meeting.transcripts.map((it) => shownTranscript(meeting, it)) })
      }),
      [`GET ${base}/me/onlineMeetings/:id/transcripts/:transcript/content`]: api(transcripts, ({ params }) => {
        const transcript = inMeeting(params['id'])?.transcripts.find(({ id }) => id === params['transcript'])
        return transcript === undefined
          ? missing
          : { status: 200, headers: { 'content-type': 'text/vtt' }, body: transcript.text }
      }),
    },
    controls: {
      messages: () => messages.map(shownMessage),
      /** A meeting was held in Teams and transcribed: `{subject, joinUrl, start, end, vtt}`. */
      holdMeeting: ({ subject = 'Meeting', joinUrl, start, end, vtt }) => {
        const id = `MSo${world.next()}`
        const url = String(joinUrl ?? `https://teams.microsoft.com/l/meetup-join/${id}`)
        const text = String(vtt ?? 'WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Ada Example>Good morning.</v>\n')
        const times = {
          start: String(start ?? world.clock.now().toISOString()),
          end: String(end ?? world.clock.now().toISOString()),
        }
        const meeting = {
          id,
          subject: String(subject),
          joinUrl: url,
          ...times,
          transcripts: [{ id: `MSt${world.next()}`, text, createdAt: new Date(times.start) }],
        }
        meetings.set(id, meeting)
        notify(`users/${organizerId}/onlineMeetings/getAllTranscripts`, 'created', id)
        return shownMeeting(meeting)
      },
    },
  }
}

function shownMessage({ id, teamId, channelId, replyToId, body, from, createdAt }: Message) {
  return {
    id,
    replyToId,
    messageType: 'message',
    createdDateTime: createdAt.toISOString(),
    channelIdentity: { teamId, channelId },
    from: { user: { displayName: from } },
    body,
    webUrl: `https://teams.microsoft.com/l/message/${encodeURIComponent(channelId)}/${id}`,
  }
}

function shownMeeting({ id, subject, joinUrl, start, end }: OnlineMeeting) {
  return { id, subject, joinWebUrl: joinUrl, startDateTime: start, endDateTime: end }
}

function shownTranscript(meeting: OnlineMeeting, { id, createdAt }: Transcript) {
  const url = `https://${base}/me/onlineMeetings/${meeting.id}/transcripts/${id}/content`
  return {
    id,
    meetingId: meeting.id,
    createdDateTime: createdAt.toISOString(),
    endDateTime: meeting.end,
    transcriptContentUrl: url,
  }
}
