import { ask } from '../../harness/client.ts'
import type { Attack } from './attack.ts'
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
      JSON.stringify({ MessageID: 'a-large-mail', TextBody: 'A long line.\n'.repeat(1_500_000) }),
    )
    const answers = []
    for (const bytes of [hostile, large]) answers.push(await ask({ url, method: 'POST', headers, bytes }))
    return describeAnswers(answers)
  },
}
