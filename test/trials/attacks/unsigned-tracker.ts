import { ask } from '../../harness/client.ts'
import type { Attack } from './attack.ts'
import { manyMembersJson } from './hostile-json.ts'
import { describeAnswers } from './inbound-connection.ts'

/** Nobody is asked who sends this, and every scheme of the channel looks for its account in it. */
export const unsignedTracker: Attack = {
  name: '1 MiB of members to the plain tracker address',
  run: async ({ base }) => {
    const url = `${base}/assistant/v1/webhooks/inbound/issue-tracker`
    const headers = { 'content-type': 'application/json' }
    const bytes = manyMembersJson(1024 * 1024 - 10)
    const answers = []
    for (let round = 0; round < 10; round++) answers.push(await ask({ url, method: 'POST', headers, bytes }))
    return describeAnswers(answers)
  },
}
