import assert from 'node:assert/strict'
import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { ask, countStatuses } from '../../harness/client.ts'
import type { Attack } from './attack.ts'
import { inboundConnection } from './inbound-connection.ts'

const callers = 20
const each = 501

/** Anybody may call the plain address and name the connection of somebody else there. */
export const silencedProvider: Attack = {
  name: '10,020 wrong signatures, then the provider',
  run: async (target) => {
    // Of their own in every round: where two tenants share both, nobody receives anything at the plain address.
    const [secret, account] = [randomBytes(24).toString('base64url'), String(randomInt(2 ** 40))]
    const deliver = deliveryTo(account)
    const path = await inboundConnection(target, { scheme: 'github', secret, account })
    const plain = `${target.base}/assistant/v1/webhooks/inbound/issue-tracker`
    const stranger = async (caller: number) => {
      const answers = []
      for (let at = 0; at < each; at++) answers.push(await deliver(plain, `${caller}-${at}`, 'wrong'))
      return answers
    }
    const refused = (await Promise.all(Array.from({ length: callers }, (_, caller) => stranger(caller)))).flat()
    const statuses = countStatuses(refused)
    for (const url of [plain, path]) {
      const { status, body } = await deliver(url, `of the provider at ${url}`, secret)
      assert.equal(status, 200, `the provider gets ${status} ${body?.code}`)
    }
    return `${Object.entries(statuses)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ')}; provider: 200`
  },
}

function deliveryTo(account: string) {
  return (url: string, id: string, key: string) => {
    const bytes = Buffer.from(
      JSON.stringify({ action: 'opened', installation: { id: Number(account) }, issue: { title: id } }),
    )
    const signature = createHmac('sha256', key).update(bytes).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${signature}`,
    }
    return ask({ url, method: 'POST', headers, bytes })
  }
}
