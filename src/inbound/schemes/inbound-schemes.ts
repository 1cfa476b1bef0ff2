import type { Clock } from '../../kernel/clock.ts'
import type { Scheme, SchemeName } from '../scheme.ts'
import { botFramework, botMetadataUrl } from './bot-framework.ts'
import { github } from './github.ts'
import { googleChannel } from './google-channel.ts'
import { graph } from './graph.ts'
import { jiraHmac, jiraJwt } from './jira.ts'
import { linear } from './linear.ts'
import { mailgun } from './mailgun.ts'
import { openIdKeys } from './openid-keys.ts'
import { postmark } from './postmark.ts'
import type { ProviderDocuments } from './provider-documents.ts'
import type { SampleKeys } from './sample.ts'
import { sendgrid } from './sendgrid.ts'
import { signingCertificates } from './signing-certificates.ts'
import { slack } from './slack.ts'
import { sns } from './sns.ts'
import { attendee, recall, vexa } from './vendor-webhooks.ts'
import { zoom } from './zoom.ts'

type Deps = ProviderDocuments & {
  clock: Clock
  /** For tests: replaces keys that only the providers have. */
  sampleKeys?: SampleKeys
}

/** The schemes of all providers. Create them once per process: they cache the providers' keys. */
export function inboundSchemes(deps: Deps): Readonly<Record<SchemeName, Scheme>> {
  const keys = openIdKeys({ ...deps, url: botMetadataUrl })
  const certificates = signingCertificates(deps)
  const samples = deps.sampleKeys ?? {}
  return {
    'jira-hmac': jiraHmac,
    'jira-jwt': jiraJwt,
    linear,
    github,
    slack,
    'bot-framework': botFramework({ keys, sampleKey: samples.botFramework }),
    graph,
    sns: sns({ certificates, sampleKey: samples.sns }),
    mailgun,
    postmark,
    sendgrid: sendgrid({ sampleKey: samples.sendgrid }),
    recall,
    attendee,
    vexa,
    zoom,
    'google-channel': googleChannel,
  }
}
