import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../../harness/client.ts'
import type { Attack, AttackTarget } from './attack.ts'
import { manyMembersJson } from './hostile-json.ts'
import { describeAnswers, inboundConnection } from './inbound-connection.ts'

const secret = 'correct horse battery staple'

/** Somebody who has an account knows the password of his own connection. */
export const mailAsJson: Attack = {
  name: '25 MB of members as a mail of Postmark, with the right password',
  run: async (target) => {
    const url = await inboundConnection(target, { scheme: 'postmark', secret })
    const authorization = `Basic ${Buffer.from(`postmark:${secret}`).toString('base64')}`
    const headers = { 'content-type': 'application/json', authorization }
    const hostile = manyMembersJson(25_000_000, { MessageID: 'a-hostile-mail' })
    const large = Buffer.from(
      JSON.stringify({
        MessageID: 'a-large-mail',
        From: 'ada@example.com',
        TextBody: 'A long line.\n'.repeat(1_500_000),
      }),
    )
    const answers = []
    for (const bytes of [hostile, large]) answers.push(await ask({ url, method: 'POST', headers, bytes }))
    return `${describeAnswers(answers)}, then ${await outcomeOf(target, answers.at(-1)?.body.deliveryId)}`
  },
}

/** What became of the mail that was accepted. */
async function outcomeOf({ base, admin, customer }: AttackTarget, deliveryId: string): Promise<string> {
  const url = `${base}/admin/tenants/${customer.tenantId}/webhooks/deliveries/${deliveryId}`
  for (;;) {
    const { body } = await ask({ url, headers: admin })
    const status = body.delivery?.status
    if (status !== 'received' && status !== 'retrying') return `${status} ${body.delivery?.cause ?? ''}`.trim()
    await delay(100)
  }
}
