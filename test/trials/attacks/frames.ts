import assert from 'node:assert/strict'
import { ask } from '../../harness/client.ts'
import type { Attack, AttackTarget } from './attack.ts'
import { attackWithSockets, describeSockets } from './attacker-sockets.ts'
import { manyMembersJson } from './hostile-json.ts'

const requestsMax = 1000 // of RATE_LIMIT_MAX
const frameBytes = 64_800

/** Users of the attacker's tenant. */
async function tokensOf({ base, customer }: AttackTarget, users: number): Promise<string[]> {
  const register = async (_: unknown, index: number) => {
    const body = { email: `ada-${index}@example.com`, password: 'plum-Kayak-73-otter' }
    const answer = await ask({ url: `${base}/v1/auth/register`, method: 'POST', headers: customer.headers, body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.accessToken as string
  }
  return Promise.all(Array.from({ length: users }, register))
}

export const manyFrames: Attack = {
  name: '1,500 frames of one user',
  run: async (target) => {
    const [token = ''] = await tokensOf(target, 1)
    const pings = (count: number) => Array<string>(count).fill(JSON.stringify({ type: 'ping' }))
    const bursts = [pings(38), pings(19), pings(18)]
    const seen = await attackWithSockets({ base: target.base, tokens: [token], socketsOfEach: 20, bursts })
    const headers = { authorization: `Bearer ${token}` }
    const next = await ask({ url: `${target.base}/assistant/v1/meetings`, headers })
    const shown = `${describeSockets(seen)}; the next request: ${next.status}`
    assert.equal(next.status, 429, shown)
    assert.ok((seen.frames['pong'] ?? 0) < requestsMax, shown)
    return shown
  },
}

const kinds = [
  // Just below the limit of members.
  manyMembersJson(24_000, { type: 'transcript.append' }),
  manyMembersJson(frameBytes, { type: 'transcript.append' }),
  Buffer.from(
    `{"type":"transcript.append","entries":[${Array(frameBytes / 3 - 20)
      .fill('{}')
      .join()}]}`,
  ),
  Buffer.from(
    `{"type":"join","meetingId":[${Array(frameBytes / 2 - 20)
      .fill('1')
      .join()}]}`,
  ),
  Buffer.from(JSON.stringify({ type: 'message', text: `${'\\u0041'.repeat(frameBytes / 7)}` })),
]

export const hostileFrames: Attack = {
  name: '40 sockets of hostile frames',
  run: async (target) => {
    const tokens = await tokensOf(target, 2)
    const frames = Array.from({ length: 200 }, (_, index) => kinds[index % kinds.length] as Buffer)
    const seen = await attackWithSockets({ base: target.base, tokens, socketsOfEach: 20, bursts: [frames] })
    const closed = Object.entries(seen.closes).reduce(
      (sum, [end, times]) => sum + (end.startsWith('4429') ? times : 0),
      0,
    )
    assert.equal(closed, 40, describeSockets(seen))
    return describeSockets(seen)
  },
}
