import { created, noContent, ok } from '../../http/answer.ts'
import { revisionETag } from '../../http/cache/precondition.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { ruleFor } from '../../kernel/field-rules.ts'
import { toPagination } from '../../kernel/paging.ts'
import { meetingAccess as access, tag } from '../access.ts'
import { entriesBytesMax } from '../entries/entry.schema.ts'
import type { Meeting } from './meeting.rules.ts'
import {
  MeetingAnswer,
  MeetingChange,
  MeetingList,
  MeetingQuery,
  MeetingWithTranscript,
  NewMeeting,
  SettingsAnswer,
  SettingsChange,
} from './meeting.schema.ts'
import { type Meetings, refuseOrganization } from './meeting.service.ts'
import { listMeetings } from './meeting.store.ts'
import { meetingView, meetingWithTranscript } from './meeting.view.ts'

export function meetingRoutes(meetings: Meetings): Route[] {
  return [
    createRoute(meetings),
    ...readRoutes(meetings),
    ...updateRoutes(meetings),
    ...statusRoutes(meetings),
    deleteRoute(meetings),
  ]
}

function createRoute(meetings: Meetings): Route {
  return route({
    method: 'POST',
    path: '/assistant/v1/meetings',
    name: 'createMeeting',
    tag,
    summary: 'Create a meeting',
    description:
      'Only you can see the meeting. With a transcript it is active at once. Repeating the request with its `Idempotency-Key` after the meeting was deleted gives 404.',
    access,
    body: NewMeeting,
    bodyBytesMax: entriesBytesMax,
    answers: { 201: MeetingWithTranscript },
    refusals: ['QUOTA_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    rules: ({ body }) => [ruleFor(body.orgId, refuseOrganization)],
    handle: async ({ scope, user, body }) => {
      const { meeting, page } = await meetings.create(scope, user, body)
      const answer = created(`/assistant/v1/meetings/${meeting.id}`, meetingWithTranscript(meeting, page))
      return withEtag({ ...answer, subjectId: meeting.id }, meeting)
    },
  })
}

function readRoutes(meetings: Meetings): Route[] {
  return [
    route({
      method: 'GET',
      path: '/assistant/v1/meetings',
      name: 'listMeetings',
      tag,
      summary: 'List your meetings',
      description: 'Newest first, without transcripts.',
      access,
      query: MeetingQuery,
      answers: { 200: MeetingList },
      handle: async ({ scope, user, query: { page = 1, limit = 20, status, q, from, to } }) => {
        const search = {
          userId: user.id,
          status,
          q,
          ...readTimes({ from, to }),
        }
        const { items, total } = await listMeetings(scope, search, { page, limit })
        return ok({ meetings: items.map(meetingView), pagination: toPagination({ page, limit }, total) })
      },
    }),
    route({
      method: 'GET',
      path: '/assistant/v1/meetings/:meetingId',
      name: 'getMeeting',
      tag,
      summary: 'Get a meeting with its transcript',
      description:
        'Includes up to 10,000 entries or four million characters of the transcript. If `transcriptTruncated` is true, `GET .../transcript` returns the rest.',
      access,
      answers: { 200: MeetingWithTranscript },
      handle: async ({ scope, user, params }) => {
        const { meeting, page } = await meetings.get(scope, user, params.meetingId)
        return withEtag(ok(meetingWithTranscript(meeting, page)), meeting)
      },
    }),
  ]
}

function updateRoutes(meetings: Meetings): Route[] {
  return [
    route({
      method: 'PATCH',
      path: '/assistant/v1/meetings/:meetingId',
      name: 'updateMeeting',
      tag,
      summary: 'Update a meeting',
      description: 'Members that are absent stay unchanged.',
      access,
      body: MeetingChange,
      answers: { 200: MeetingAnswer },
      conditional: true,
      handle: async ({ scope, user, params, body, headers }) => {
        const target = { user, id: params.meetingId, ifMatch: headers['if-match'] }
        const meeting = await meetings.update(scope, target, body)
        return withEtag(ok(meetingView(meeting)), meeting)
      },
    }),
    route({
      method: 'PUT',
      path: '/assistant/v1/meetings/:meetingId/settings',
      name: 'setMeetingSettings',
      tag,
      summary: 'Update the settings of a meeting',
      description: 'Sets how the meeting is summarized, at any time. Members that are absent stay unchanged.',
      access,
      body: SettingsChange,
      answers: { 200: SettingsAnswer },
      conditional: true,
      handle: async ({ scope, user, params, body, headers }) => {
        const target = { user, id: params.meetingId, ifMatch: headers['if-match'] }
        const meeting = await meetings.updateSettings(scope, target, body)
        return withEtag(ok({ settings: meeting.settings }), meeting)
      },
    }),
  ]
}

const statusChanges = [
  ['start', 'startMeeting', 'Start a meeting', 'The first entry of a transcript also starts the meeting.'],
  [
    'end',
    'endMeeting',
    'End a meeting',
    'The meeting is completed. It takes no more live entries, but a transcript can still be imported.',
  ],
  [
    'cancel',
    'cancelMeeting',
    'Cancel a meeting',
    'This is final. The transcript so far is kept until the meeting is deleted.',
  ],
] as const

function statusRoutes(meetings: Meetings): Route[] {
  return statusChanges.map(([event, name, summary, description]) =>
    route({
      method: 'POST',
      path: `/assistant/v1/meetings/:meetingId/${event}`,
      name,
      tag,
      summary,
      description: `${description} Repeating the request changes nothing and gives the same answer.`,
      access,
      answers: { 200: MeetingAnswer },
      refusals: ['STATE_CONFLICT'],
      conditional: true,
      handle: async ({ scope, user, params, headers }) => {
        const target = { user, id: params.meetingId, ifMatch: headers['if-match'] }
        const meeting = await meetings.changeStatus(scope, target, event)
        return withEtag(ok(meetingView(meeting)), meeting)
      },
    }),
  )
}

function deleteRoute(meetings: Meetings): Route {
  return route({
    method: 'DELETE',
    path: '/assistant/v1/meetings/:meetingId',
    name: 'deleteMeeting',
    tag,
    summary: 'Delete a meeting',
    description:
      'Deletes the meeting, its transcript and everything made from it, at once and permanently. The audit log keeps only its id.',
    access,
    answers: { 204: null },
    conditional: true,
    handle: async ({ scope, user, params, headers }) => {
      await meetings.remove(scope, { user, id: params.meetingId, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}

/** Adds the ETag that a later change sends in `If-Match`. */
function withEtag<A extends { headers?: Record<string, string> }>(answer: A, meeting: Meeting): A {
  return { ...answer, headers: { ...answer.headers, etag: revisionETag(meeting) } }
}
