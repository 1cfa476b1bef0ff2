import { created, noContent, ok } from '../../http/answer.ts'
import { withETag } from '../../http/cache/precondition.ts'
import { readTimes } from '../../http/period-query.ts'
import { type Route, route } from '../../http/route.ts'
import { toPagination } from '../../kernel/paging.ts'
import { meetingAccess as access, tag } from '../access.ts'
import { entriesBytesMax } from '../entries/entry.schema.ts'
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
import type { Meetings } from './meeting.service.ts'
import { listMeetings } from './meeting.store.ts'
import { meetingView, meetingWithTranscript } from './meeting.view.ts'
import { requireOwnMeeting } from './meeting-access.ts'

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
      'Only you can see the meeting, unless you share it with an organization. With a transcript it is active at once. Repeating the request with its `Idempotency-Key` after the meeting was deleted gives 404.',
    access,
    body: NewMeeting,
    bodyBytesMax: entriesBytesMax,
    answers: { 201: MeetingWithTranscript },
    refusals: ['QUOTA_EXCEEDED', 'USAGE_EXCEEDED', 'NOT_FOUND'],
    idempotent: true,
    // Another member may own the meeting since.
    authorizeRepeat: async ({ scope, user, subjectId }) =>
      subjectId !== null && requireOwnMeeting(scope, user, subjectId),
    rules: ({ scope, user, body }) => [
      () => meetings.checkSharing(scope, { user, id: null }, body),
      () => meetings.checkPlace(body),
    ],
    handle: async ({ scope, user, body }) => {
      const { meeting, page, usage } = await meetings.create(scope, user, body)
      const answer = created(`/assistant/v1/meetings/${meeting.id}`, meetingWithTranscript(meeting, page))
      return withETag({ ...answer, subjectId: meeting.id, usage }, meeting)
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
      description: 'Newest first, without transcripts. With `scope` also those that others share with you.',
      access,
      query: MeetingQuery,
      answers: { 200: MeetingList },
      handle: async ({ scope, user, query }) => {
        const { page = 1, limit = 20, scope: which, orgId, status, q, from, to } = query
        const search = {
          userId: user.id,
          ...(which === undefined ? {} : { which }),
          orgId,
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
        return withETag(ok(meetingWithTranscript(meeting, page)), meeting)
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
      description:
        'Members that are absent stay unchanged. Needs `write`; only the owner changes `ttl_days` and with whom the meeting is shared.',
      access,
      body: MeetingChange,
      answers: { 200: MeetingAnswer },
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT'],
      conditional: true,
      rules: ({ scope, user, params, body }) => [
        () => meetings.checkSharing(scope, { user, id: params.meetingId }, body),
        () => meetings.checkPlace(body),
      ],
      handle: async ({ scope, user, params, body, headers }) => {
        const target = { user, id: params.meetingId, ifMatch: headers['if-match'] }
        const meeting = await meetings.update(scope, target, body)
        return withETag(ok(meetingView(meeting)), meeting)
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
      refusals: ['INSUFFICIENT_ROLE'],
      conditional: true,
      handle: async ({ scope, user, params, body, headers }) => {
        const target = { user, id: params.meetingId, ifMatch: headers['if-match'] }
        const meeting = await meetings.updateSettings(scope, target, body)
        return withETag(ok({ settings: meeting.settings }), meeting)
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
      refusals: ['INSUFFICIENT_ROLE', 'STATE_CONFLICT', ...(event === 'start' ? (['USAGE_EXCEEDED'] as const) : [])],
      conditional: true,
      handle: async ({ scope, user, params, headers }) => {
        const target = { user, id: params.meetingId, ifMatch: headers['if-match'] }
        const { meeting, usage } = await meetings.changeStatus(scope, target, event)
        return withETag({ ...ok(meetingView(meeting)), usage }, meeting)
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
    refusals: ['INSUFFICIENT_ROLE'],
    conditional: true,
    handle: async ({ scope, user, params, headers }) => {
      await meetings.remove(scope, { user, id: params.meetingId, ifMatch: headers['if-match'] })
      return noContent()
    },
  })
}
