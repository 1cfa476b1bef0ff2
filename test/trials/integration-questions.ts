import { setTimeout as delay } from 'node:timers/promises'
import { signedActivity } from '../harness/bot-keys.ts'
import { type answerEffects, teamId } from '../harness/integration-effects.ts'
import type { IntegrationNodes } from '../harness/integration-nodes.ts'
import { jsonPayload } from '../harness/payloads.ts'
import { appId } from '../harness/signing-providers.ts'

const question = 'What is the budget of the venue?'

/** People ask in Slack and in Teams, and all members of the organization may read what the answer quotes. */
export type Questions = {
  /** Gives what tells this question from others in its chat. `onKnown` is told it before anybody can answer. */
  ask(kind: keyof typeof answerEffects, number: number, onKnown: (mark: string) => void): Promise<string>
}

export async function askingChats(lab: IntegrationNodes): Promise<Questions> {
  const { orgId } = lab
  const connections = '/assistant/v1/webhooks/connections'
  const secret = 'signing-secret-of-the-slack-app'
  const made = async (body: object): Promise<string> => {
    const answer = await lab.own('POST', connections, { name: 'Chat', orgId, ...body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.connection.path
  }
  const slackPath = await made({ scheme: 'slack', secret })
  const teamsPath = await made({ scheme: 'bot-framework', settings: { appId } })
  lab.emulators.control('slack', 'setEventsUrl', { url: `https://atrium.example.com${slackPath}`, secret })
  await planVenue(lab)

  const askInSlack = () => (lab.emulators.control('slack', 'mention', { text: question }) as { ts: string }).ts

  async function askInTeams(kind: 'teamsChat' | 'teamsChannel', mark: string): Promise<void> {
    const activity = jsonPayload('teams-message')
    activity.id = mark
    activity.text = `<at>Atrium</at> ${question}`
    activity.timestamp = new Date().toISOString()
    const chat = { conversationType: 'groupChat', id: `19:${mark}@thread.v2` }
    const thread = { id: `19:general@thread.tacv2;messageid=${mark}` }
    activity.conversation = { ...activity.conversation, ...(kind === 'teamsChat' ? chat : thread) }
    activity.channelData.team = { aadGroupId: teamId }
    const status = await lab.deliver(teamsPath, signedActivity(activity))
    if (status >= 300) throw new Error(`Teams was answered with ${status}.`)
  }

  return {
    ask: async (kind, number, onKnown) => {
      // Teams numbers messages by milliseconds.
      const mark = kind === 'slack' ? askInSlack() : String(1_782_900_000_000 + number)
      onKnown(mark)
      if (kind !== 'slack') await askInTeams(kind, mark)
      return mark
    },
  }
}

/** The only meeting that may be quoted. Waits until what was said there is found. */
async function planVenue(lab: IntegrationNodes): Promise<void> {
  const meeting = await lab.own('POST', '/assistant/v1/meetings', { title: 'Planning' })
  const url = `/assistant/v1/meetings/${meeting.body.id}`
  const text = 'We decided that the budget of the venue is 4000 euros.'
  await lab.own('POST', `${url}/transcript`, { entries: [{ speaker: 'Ada', text, timestamp: '00:00:01' }] })
  const shared = await lab.own('PATCH', url, { orgId: lab.orgId, visibility: 'org' })
  if (shared.status !== 200) throw new Error(JSON.stringify(shared.body))
  for (;;) {
    const found = await lab.own('GET', `/assistant/v1/orgs/${lab.orgId}/search?q=budget+of+the+venue`)
    if (found.status === 200 && JSON.stringify(found.body).includes('4000')) return
    if (found.status !== 200) throw new Error(JSON.stringify(found.body))
    await delay(1000)
  }
}
