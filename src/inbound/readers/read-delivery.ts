import { fieldOf } from '../form-fields.ts'
import type { Json } from '../json.ts'
import type { Received } from '../processing.ts'
import type { SchemeName } from '../scheme.ts'
import { readBotFramework, readGraph, readSlack } from './chats.ts'
import { readMailgun, readPostmark, readSendgrid, readSns } from './mails.ts'
import { ignored, type NormalForm } from './normal-form.ts'
import { formOf, readJson } from './payload.ts'
import { readGithub, readJira, readLinear } from './trackers.ts'

export type Sent = Pick<Received, 'scheme' | 'eventType' | 'body' | 'contentType'>

const readers: Record<SchemeName, (sent: Sent) => NormalForm> = {
  'jira-hmac': (sent) => readJira(jsonOf(sent)),
  'jira-jwt': (sent) => readJira(jsonOf(sent)),
  linear: (sent) => readLinear(jsonOf(sent)),
  github: (sent) => readGithub(jsonOf(sent), sent.eventType),
  // Commands and buttons come as forms.
  slack: (sent) => (isForm(sent) ? ignored('Nothing follows from commands and buttons.') : readSlack(jsonOf(sent))),
  'bot-framework': (sent) => readBotFramework(jsonOf(sent)),
  graph: (sent) => readGraph(jsonOf(sent)),
  sns: (sent) => readSns(sent),
  mailgun: (sent) => readMailgun(sent),
  postmark: (sent) => readPostmark(sent),
  sendgrid: (sent) => readSendgrid(sent),
}

/** What a delivery says. Throws Unprocessable, and nothing else, for what cannot be read. */
export function readDelivery(sent: Sent): NormalForm {
  return readers[sent.scheme](sent)
}

/** GitHub can also send a form with the JSON in `payload` (https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks). */
function jsonOf(sent: Sent): Json {
  if (!isForm(sent)) return readJson(sent.body.toString('utf8'))
  return readJson(fieldOf(formOf(sent), 'payload') ?? '')
}

function isForm({ contentType }: Sent): boolean {
  return contentType.startsWith('application/x-www-form-urlencoded')
}
