// Deliveries as GitHub and Slack sign them, about 2 kB each, with copies and bad signatures among them.
import { createHmac } from 'node:crypto'

/** Where deliveries go, and how they are signed there. */
export type Target = { path: string; scheme: 'github' | 'slack'; secret: string }

export type Signed = {
  target: Target
  headers: Record<string, string>
  body: Buffer
  kind: 'new' | 'copy' | 'forged'
}

type Sending = { targets: readonly Target[]; name: string; now: Date }

const bodyBytes = 2048
/** Copies name one that was sent a little before, while another connection may still wait for its answer. */
const copyDistance = 13
/** Deliveries about one issue or thread: they are processed one after another. */
const perEntity = 3

/** Delivery number `n` of the round called `name`: 2 % are forged, 10 % are copies, the rest is new. */
export function createDelivery(n: number, { targets, name, now }: Sending): Signed {
  const isForged = n % 50 === 49
  const isCopy = n % 10 === 5 && n >= copyDistance
  const original = isCopy ? n - copyDistance : n
  const target = targets[original % targets.length] as Target
  const { headers, body } =
    target.scheme === 'github' ? github(original, name, targets) : slack(original, name, targets)
  return {
    target,
    body,
    headers: { ...headers, ...signature({ target, body, now, isForged }) },
    kind: isForged ? 'forged' : isCopy ? 'copy' : 'new',
  }
}

/** How many of the first `count` are stored. */
export function newAmong(count: number): number {
  return Array.from({ length: count }, (_, n) => n).filter((n) => n % 50 !== 49 && !(n % 10 === 5 && n >= copyDistance))
    .length
}

function github(n: number, name: string, targets: readonly Target[]) {
  const number = entityNumber(n, targets)
  const issue = {
    id: number,
    number,
    title: `The footer of ${name} overlaps the form`,
    state: 'open',
    state_reason: null,
    html_url: `https://github.com/acme/${name}/issues/${number}`,
    updated_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
    assignee: { login: 'hubot', id: 480938 },
    labels: [{ id: 208045946, name: 'bug' }],
  }
  // Another repository each round: its issues are new ones.
  const repository = { id: Number.parseInt(name.slice(0, 8), 16), name, full_name: `acme/${name}` }
  const payload = { action: 'edited', issue, repository, sender: { login: 'octocat', id: 1 } }
  const headers = { 'x-github-event': 'issues', 'x-github-delivery': `${name}-${n}`, 'x-github-hook-id': '1' }
  return { headers, body: padded((text) => ({ ...payload, issue: { ...issue, body: text } })) }
}

function slack(n: number, name: string, targets: readonly Target[]) {
  const seconds = 1_760_000_000 + n
  const event = {
    type: 'app_mention',
    user: 'U0BENCH',
    text: '<@U0BOT> When is the release?',
    channel: `C${name.toUpperCase()}`,
    thread_ts: `${entityNumber(n, targets)}.000100`,
    ts: `${seconds}.000100`,
  }
  const payload = { type: 'event_callback', event_id: `Ev${name}${n}`, event_time: seconds, team_id: 'T0BENCH' }
  const body = padded((text) => ({ ...payload, event: { ...event, blocks: [{ type: 'rich_text', text }] } }))
  return { headers: {}, body }
}

function entityNumber(n: number, { length }: readonly Target[]): number {
  return 1 + Math.floor(n / (perEntity * length)) * length + (n % length)
}

function padded(payloadWith: (text: string) => object): Buffer {
  const bare = JSON.stringify(payloadWith(''))
  return Buffer.from(JSON.stringify(payloadWith('On small screens. '.repeat(200).slice(0, bodyBytes - bare.length))))
}

type Signing = { target: Target; body: Buffer; now: Date; isForged: boolean }

function signature({ target, body, now, isForged }: Signing): Record<string, string> {
  const hmac = createHmac('sha256', isForged ? `${target.secret}?` : target.secret)
  if (target.scheme === 'github') return { 'x-hub-signature-256': `sha256=${hmac.update(body).digest('hex')}` }
  const seconds = String(Math.floor(now.getTime() / 1000))
  const hex = hmac.update(`v0:${seconds}:`).update(body).digest('hex')
  return { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${hex}` }
}
