import { ask } from '../../harness/client.ts'
import { followedMeeting } from '../../harness/live-meeting.ts'
import type { Attack, AttackTarget } from './attack.ts'
import { manyMembersJson } from './hostile-json.ts'
import { describeAnswers } from './inbound-connection.ts'

const rounds = 5

export const manyMembers: Attack = {
  name: '400,000 unknown names in a transcript',
  run: (target) => appendMembers(target, () => ({})),
}

/** The key makes the service read the whole body once more, for its fingerprint. */
export const manyMembersWithKey: Attack = {
  name: '400,000 unknown names in a transcript, with Idempotency-Key',
  run: (target) => appendMembers(target, (round) => ({ 'idempotency-key': `round-${round}` })),
}

async function appendMembers({ base, admin }: AttackTarget, headersOf: (round: number) => Record<string, string>) {
  const { id, token } = await followedMeeting({ base, admin })
  const url = `${base}/assistant/v1/meetings/${id}/transcript`
  const credential = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const bytes = manyMembersJson(4_000_000)
  const answers = []
  for (let round = 0; round < rounds; round++)
    answers.push(await ask({ url, method: 'POST', headers: { ...credential, ...headersOf(round) }, bytes }))
  return describeAnswers(answers)
}
