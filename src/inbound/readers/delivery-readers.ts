import { fieldText } from '../../http/uploads/buffered-form.ts'
import type { Json } from '../json.ts'
import type { ReceivedDelivery } from '../processing.ts'
import type { SchemeName } from '../scheme.ts'
import { readBotFramework, readGraph, readSlack } from './chats.ts'
import { readMailgun, readPostmark, readSendgrid, readSns } from './mails.ts'
import { ignored, type NormalizedDelivery } from './normalized-delivery.ts'
import { readFormFields, readJson } from './payload.ts'
import { readGithub, readJira, readLinear } from './trackers.ts'
import { readAttendee, readRecall, readVexa } from './vendor-bots.ts'
import { readZoom } from './zoom.ts'

export type DeliveryContent = Pick<ReceivedDelivery, 'scheme' | 'eventType' | 'body' | 'contentType'>

const readers: Record<SchemeName, (sent: DeliveryContent) => NormalizedDelivery | Promise<NormalizedDelivery>> = {
  'jira-hmac': (sent) => readJira(readJson(text(sent))),
  'jira-jwt': (sent) => readJira(readJson(text(sent))),
  linear: (sent) => readLinear(readJson(text(sent))),
  github: async (sent) => readGithub(await readPayload(sent), sent.eventType),
  // Commands and buttons are sent as forms.
  slack: (sent) =>
    isForm(sent) ? ignored('Nothing is done for commands and buttons.') : readSlack(readJson(text(sent))),
  'bot-framework': (sent) => readBotFramework(readJson(text(sent))),
  graph: (sent) => readGraph(readJson(text(sent))),
  sns: (sent) => readSns(sent),
  mailgun: (sent) => readMailgun(sent),
  postmark: (sent) => readPostmark(sent),
  sendgrid: (sent) => readSendgrid(sent),
  recall: (sent) => readRecall(readJson(text(sent))),
  attendee: (sent) => readAttendee(readJson(text(sent))),
  vexa: (sent) => readVexa(readJson(text(sent))),
  zoom: (sent) => readZoom(readJson(text(sent)), sent.eventType),
  'google-channel': ({ eventType }) =>
    // The first message only says that the channel is there.
    eventType === 'sync'
      ? ignored('The channel was made.')
      : { kind: 'integration.hint', provider: 'google', accountId: null },
}

/** Blocks the process for as long as it takes: see `readDelivery`. */
export async function readContent(sent: DeliveryContent): Promise<NormalizedDelivery> {
  return readers[sent.scheme](sent)
}

/** GitHub can also send a form with the JSON in `payload` (https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks). */
async function readPayload(sent: DeliveryContent): Promise<Json> {
  return readJson(isForm(sent) ? (fieldText(await readFormFields(sent), 'payload') ?? '') : text(sent))
}

function text({ body }: DeliveryContent): string {
  return body.toString('utf8')
}

function isForm({ contentType }: DeliveryContent): boolean {
  return contentType.startsWith('application/x-www-form-urlencoded')
}
