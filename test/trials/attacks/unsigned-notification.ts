import { ask } from '../../harness/client.ts'
import type { Attack } from './attack.ts'
import { manyMembersJson } from './hostile-json.ts'
import { describeAnswers, inboundConnection } from './inbound-connection.ts'

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:mail'

/** The channel takes mails of 25 MiB, but Amazon SNS never sends more than 1 MiB. */
export const unsignedNotification: Attack = {
  name: '25 MB of members to an SNS address, unsigned',
  run: async (target) => {
    const url = await inboundConnection(target, { scheme: 'sns', settings: { topicArns: [topicArn] } })
    const bytes = manyMembersJson(25_000_000, { Type: 'Notification', TopicArn: topicArn })
    const answers = []
    for (const type of ['text/plain', 'application/json'])
      answers.push(await ask({ url, method: 'POST', headers: { 'content-type': type }, bytes }))
    return describeAnswers(answers)
  },
}
