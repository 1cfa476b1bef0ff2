import { enrollingRunner, runner } from '../../http/access/access.ts'
import { noContent, ok, secret } from '../../http/answer.ts'
import { type RawBody, type Route, route } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { botView } from '../bots/bot.view.ts'
import {
  ArtifactQuery,
  Claim,
  Claimed,
  ClaimQuery,
  EntryReport,
  EventReport,
  Heartbeat,
  HeartbeatAnswer,
  RunnerEnrolled,
  RunnerEnrollment,
} from './protocol.schema.ts'
import type { RunnerProtocol } from './protocol.service.ts'

const tag = 'Bot runners'
const artifactBytesMax = 2 * 1024 * 1024
/** 200 entries of 10,000 letters, escaped. */
const reportBytesMax = 4 * 1024 * 1024

export function protocolRoutes({ protocol, clock }: { protocol: RunnerProtocol; clock: Clock }): Route[] {
  return [enrollRoute(protocol), ...workRoutes({ protocol, clock }), ...reportRoutes(protocol)]
}

function enrollRoute(protocol: RunnerProtocol): Route {
  return route({
    method: 'POST',
    path: '/assistant/v1/bot-runner/enroll',
    name: 'enrollBotRunner',
    tag,
    summary: 'Enroll as a runner',
    description:
      'Takes the one-time token of `/assistant/v1/bot/runners`. The token of a program that enrolled earlier stops working.',
    access: enrollingRunner(),
    body: RunnerEnrollment,
    answers: { 200: RunnerEnrolled },
    handle: async ({ platform, runner: { runnerId, runnerName, ...rest }, body }) => {
      const runnerToken = await protocol.enroll(platform, { runnerId, runnerName, ...rest }, body)
      return secret(ok({ runnerToken, runner: { id: runnerId, name: runnerName } }))
    },
  })
}

function workRoutes({ protocol, clock }: { protocol: RunnerProtocol; clock: Clock }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/assistant/v1/bot-runner/claim',
      name: 'claimBot',
      tag,
      summary: 'Take the next bot',
      description:
        'At once, or as soon as there is one; 204 if there is none within `wait` seconds. Oldest first, tenants in turn.',
      access: runner(),
      query: ClaimQuery,
      body: Claim,
      answers: { 200: Claimed, 204: null },
      refusals: ['NODE_SUPERSEDED'],
      longPoll: true,
      handle: async ({ platform, runner: who, query, body, signal }) => {
        const claimed = await protocol.claim(platform, who, { ...body, wait: query.wait ?? 0, signal })
        if (claimed === null) return noContent()
        return secret(ok({ ...claimed, bot: botView(claimed.bot, clock.now()) }))
      },
    }),
    route({
      method: 'POST',
      path: '/assistant/v1/bot-runner/heartbeat',
      name: 'sendBotHeartbeat',
      tag,
      summary: 'Keep leases, and get commands',
      description:
        'Every 10 seconds: a lease ends 45 seconds after the last call for it. With `wait` the answer comes as soon as there is something to do. A command is repeated until the event `command_done` names it.',
      access: runner(),
      query: ClaimQuery,
      body: Heartbeat,
      answers: { 200: HeartbeatAnswer },
      refusals: ['NODE_SUPERSEDED'],
      longPoll: true,
      handle: async ({ platform, runner: who, query, body, signal }) =>
        ok(await protocol.heartbeat(platform, who, { ...body, wait: query.wait ?? 0, signal })),
    }),
  ]
}

function reportRoutes(protocol: RunnerProtocol): Route[] {
  return [
    route({
      method: 'POST',
      path: '/assistant/v1/bot-runner/events',
      name: 'reportBotEvents',
      tag,
      summary: 'Report what happened to a bot',
      description:
        'Events whose `seq` was reported before have no effect. A status that is not allowed is kept as an event and has no effect.',
      access: runner(),
      body: EventReport,
      answers: { 204: null },
      refusals: ['NODE_SUPERSEDED', 'LEASE_LOST'],
      handle: async ({ platform, runner: who, body }) => {
        await protocol.events(platform, who, body)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: '/assistant/v1/bot-runner/entries',
      name: 'reportBotEntries',
      tag,
      summary: 'Report what was said',
      description:
        'Segment ids are `<bot>:<attempt>:<n>`; an entry with a known id replaces it. A repeated `seq` has no effect. Nothing is kept before the event `notice`.',
      access: runner(),
      body: EntryReport,
      bodyBytesMax: reportBytesMax,
      answers: { 204: null },
      refusals: ['NODE_SUPERSEDED', 'LEASE_LOST', 'STATE_CONFLICT'],
      handle: async ({ platform, runner: who, body }) => {
        await protocol.entries(platform, who, body)
        return noContent()
      },
    }),
    route({
      method: 'POST',
      path: '/assistant/v1/bot-runner/artifacts',
      name: 'reportBotArtifact',
      tag,
      summary: 'Report what the page showed when something failed',
      access: runner(),
      query: ArtifactQuery,
      rawBody: {
        examples: { 'image/png': '(the bytes of a picture)', 'application/json': '{"controls":["Join"]}' },
        bytesMax: artifactBytesMax,
      },
      answers: { 204: null },
      refusals: ['NODE_SUPERSEDED', 'LEASE_LOST'],
      handle: async ({ platform, runner: who, query, raw }) => {
        const { contentType, bytes } = raw as RawBody
        await protocol.artifact(platform, who, { ...query, mediaType: contentType, bytes })
        return noContent()
      },
    }),
  ]
}
