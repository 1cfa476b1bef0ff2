import type { Artifact, BotEvent, Claim, Command, Entry, Status } from './protocol.ts'

/** The platform refused a request. `code` is the error code of its answer. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string) {
    super(`The platform answered ${status} ${code}`)
    this.status = status
    this.code = code
  }
}

export type Lease = { botId: string; lease: number }
export type HeartbeatAnswer = { commands: Command[]; lost: string[] }

export type ServiceClient = {
  enroll(token: string, body: { runnerVersion: string; platforms: string[]; slots: number }): Promise<Enrolled>
  /** Null when there was no bot during the wait. */
  claim(platforms: string[], signal: AbortSignal): Promise<Claim | null>
  /** Answers as soon as there is something to do, or after a few seconds. */
  heartbeat(leases: (Lease & { status: Status })[], signal: AbortSignal): Promise<HeartbeatAnswer>
  events(body: Lease & { events: BotEvent[] }): Promise<void>
  entries(body: Lease & { seq: number; entries: Entry[] }): Promise<void>
  artifact(lease: Lease, artifact: Artifact): Promise<void>
}
export type Enrolled = { runnerToken: string; runner: { id: string; name: string } }

type Call = {
  method?: string
  path: string
  token?: string
  type?: string
  body: string | Uint8Array<ArrayBuffer>
  /** How long the platform may wait before it answers. */
  waitSeconds?: number
  signal?: AbortSignal
}

const timeoutMs = 10_000
const claimWaitSeconds = 25
/** Less than the 10 s in which the platform wants to hear of each bot. */
const heartbeatWaitSeconds = 5
/** No answer of the protocol is longer. */
const answerCharactersMax = 1_000_000

type Connection = { token: () => string; epoch: number }

/** Calls the platform; rejects with `Refused` for what it refuses, and with another error where it does not answer. */
export function serviceClient(base: string, { token, epoch }: Connection): ServiceClient {
  const call = async (it: Call): Promise<unknown> => {
    const limit = AbortSignal.timeout(timeoutMs + (it.waitSeconds ?? 0) * 1000)
    const response = await fetch(`${base}/assistant/v1/bot-runner${it.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${it.token ?? token()}`,
        'content-type': it.type ?? 'application/json',
      },
      body: it.body,
      signal: it.signal ? AbortSignal.any([limit, it.signal]) : limit,
      // A redirect would send the token to another host.
      redirect: 'error',
    })
    const text = await response.text()
    if (text.length > answerCharactersMax) throw new Error('The platform answered with too much')
    if (!response.ok) throw new Refused(response.status, errorCode(text))
    return response.status === 204 || text === '' ? null : JSON.parse(text)
  }
  const post = (path: string, body: object) => call({ path, body: JSON.stringify({ epoch, ...body }) })
  const poll = (path: string, body: object, { waitSeconds, signal }: { waitSeconds: number; signal: AbortSignal }) =>
    call({ path: `${path}?wait=${waitSeconds}`, body: JSON.stringify({ epoch, ...body }), waitSeconds, signal })
  return {
    enroll: async (enrollmentToken, body) =>
      parseEnrolled(await call({ path: '/enroll', token: enrollmentToken, body: JSON.stringify(body) })),
    claim: async (platforms, signal) =>
      parseClaim(await poll('/claim', { platforms }, { waitSeconds: claimWaitSeconds, signal })),
    heartbeat: async (leases, signal) => {
      const options = { waitSeconds: heartbeatWaitSeconds, signal }
      const answer = (await poll('/heartbeat', { leases }, options)) as Partial<HeartbeatAnswer> | null
      return { commands: answer?.commands ?? [], lost: answer?.lost ?? [] }
    },
    events: async (body) => void (await post('/events', body)),
    entries: async (body) => void (await post('/entries', body)),
    artifact: async ({ botId, lease }, { name, contentType, bytes }) => {
      const query = new URLSearchParams({ botId, lease: String(lease), name, epoch: String(epoch) })
      await call({ path: `/artifacts?${query}`, type: contentType, body: new Uint8Array(bytes) })
    },
  }
}

function errorCode(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code ?? '')
  } catch {
    return ''
  }
}

function parseEnrolled(answer: unknown): Enrolled {
  const { runnerToken, runner } = (answer ?? {}) as Partial<Enrolled>
  // The token is sent in a header.
  if (typeof runnerToken !== 'string' || !/^[\x21-\x7e]{1,256}$/.test(runnerToken) || !runner)
    throw new Error('The platform’s answer to the enrollment lacks required fields')
  return { runnerToken, runner }
}

type ClaimAnswer = {
  bot: { id: string; attempt: number; platform: string; displayName: string; consent: { message: string } }
  link: string
  lease: number
}

function parseClaim(answer: unknown): Claim | null {
  if (answer === null) return null
  const { bot, link, lease } = answer as ClaimAnswer
  if (!bot?.id || !URL.canParse(link) || !Number.isSafeInteger(lease) || !bot.consent?.message)
    throw new Error('The platform’s answer does not describe a bot')
  const { id, attempt, platform, displayName, consent } = bot
  return {
    bot: { id, attempt, platform: platform as Claim['bot']['platform'], displayName, consentMessage: consent.message },
    link,
    lease,
  }
}
