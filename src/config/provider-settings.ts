import type { MeetingHosts } from '../kernel/meeting-links.ts'
import { integer, list, optional, pairs, type Read, type Settings, text, url, word } from './readers.ts'

/** The services of others that are asked, and that may ask. */
export const providerSettings = {
  googleClientIds: [
    'GOOGLE_CLIENT_IDS',
    list([], 'OAuth client ids', (entry) => /^[\x21-\x2b\x2d-\x7e]{1,255}$/.test(entry)),
    'Client ids of the apps that sign in with Google. Without it nobody can sign in with Google.',
  ],
  googleJwksUrl: [
    'GOOGLE_JWKS_URL',
    text(
      'https://www.googleapis.com/oauth2/v3/certs',
      'an address that starts with https:// or http://',
      /^https?:\/\/[^\s/]+\S*$/,
    ),
    'Address of the keys that sign Google’s ID tokens.',
  ],
  llmBaseUrl: [
    'LLM_BASE_URL',
    url(['https:', 'http:']),
    'An endpoint with OpenAI’s chat completions protocol, such as `https://api.openai.com/v1`. It writes the summaries of meetings. Without it nothing leaves the installation.',
  ],
  llmApiKey: [
    'LLM_API_KEY',
    optional('1 to 1000 printable ASCII characters without spaces', (value) => /^[\x21-\x7e]{1,1000}$/.test(value)),
    'Key for that endpoint, if it needs one.',
  ],
  llmModel: [
    'LLM_MODEL',
    optional('the name of a model', (value) => /^[\x21-\x7e]{1,200}$/.test(value)),
    'Name of the model; required with `LLM_BASE_URL`.',
  ],
  llmTimeoutSeconds: [
    'LLM_TIMEOUT_SECONDS',
    integer(20, 1, 300),
    'How long a complete answer of the model may take. After that the local engine writes the summary.',
  ],
  llmInputTokens: [
    'LLM_INPUT_TOKENS',
    integer(24_000, 1000, 2_000_000),
    'Tokens of a transcript that are sent to the model. A longer transcript is shortened evenly over the meeting.',
  ],
  llmTokensPerDay: [
    'LLM_TOKENS_PER_DAY',
    integer(1_000_000, 0, 1_000_000_000_000),
    'Tokens, in and out, that one tenant may use in a day (UTC). After that the local engine writes.',
  ],
  embeddingsBaseUrl: [
    'EMBEDDINGS_BASE_URL',
    url(['https:', 'http:']),
    'An endpoint with OpenAI’s embeddings protocol, such as `https://api.openai.com/v1`. With it, search and ask also compare meanings: the texts of documents and of organizations’ transcripts, and questions, are sent there.',
  ],
  embeddingsApiKey: [
    'EMBEDDINGS_API_KEY',
    optional('1 to 1000 printable ASCII characters without spaces', (value) => /^[\x21-\x7e]{1,1000}$/.test(value)),
    'Key for that endpoint, if it needs one.',
  ],
  embeddingsModel: [
    'EMBEDDINGS_MODEL',
    optional('the name of a model', (value) => /^[\x21-\x7e]{1,200}$/.test(value)),
    'Name of the model; required with `EMBEDDINGS_BASE_URL`. After a change all vectors are computed again.',
  ],
  usageDefaultPlan: [
    'USAGE_DEFAULT_PLAN',
    optional('TRIAL, STARTER, PRO or ENTERPRISE', (value) => /^(TRIAL|STARTER|PRO|ENTERPRISE)$/.test(value)),
    'Plan whose usage limits apply to tenants that never had a license for `assistant-ai`. Without it they have no limits.',
  ],
  botMeetingHosts: [
    'BOT_MEETING_HOSTS',
    pairs(
      'pairs of `host=platform` (zoom, meet, teams, jitsi or page)',
      /^([a-z0-9.-]{1,253}(?::\d{1,5})?)=(zoom|meet|teams|jitsi|page)$/,
    ) as Read<MeetingHosts>,
    'Further hosts where bots may join meetings, besides the public ones of Zoom, Google Meet, Teams and Jitsi: `meet.example.org=jitsi`. `page` is a meeting page of your own. Only these hosts may use plain HTTP.',
  ],
  inboundSecrets: [
    'INBOUND_SECRETS',
    pairs('pairs of `scheme=secret` with secrets of 8 characters or more', /^([a-z-]+)=(.{8,8192})$/),
    'Secrets of the providers of inbound webhooks, for an installation with one tenant. For `bot-framework` it is the application id, for `sns` the topics, separated by spaces. Providers then deliver to the addresses without a connection id.',
  ],
  inboundTenant: [
    'INBOUND_TENANT',
    optional('the slug or the id of a tenant', (value) => /^[a-z0-9-]{1,64}$/.test(value)),
    'Tenant that receives the deliveries of `INBOUND_SECRETS`. Without it, the only tenant besides the built-in one.',
  ],
  oauthApps: [
    'OAUTH_APPS',
    optional('a path', (value) => /^[^\0]+$/.test(value)),
    'Path of a JSON file with the OAuth apps of the providers that users may connect: `{"github": {"clientId": "...", "clientSecret": "..."}}`. A provider that is not in it is not configured.',
  ],
  providerEndpoints: [
    'PROVIDER_ENDPOINTS',
    pairs(
      'pairs of `provider=address`, with https:// (plain HTTP on loopback alone)',
      /^([a-z]+)=(https?:\/\/[^\s,?#]+)$/,
    ),
    'Sends the requests for a provider to another address: `https://HOST/PATH` goes to `ADDRESS/HOST/PATH`. For emulators and proxies.',
  ],
  botVendorEndpoints: [
    'BOT_VENDOR_ENDPOINTS',
    pairs(
      'pairs of `vendor=address`, with https:// (plain HTTP on loopback alone)',
      /^([a-z]+)=(https?:\/\/[^\s,?#]+)$/,
    ),
    'Sends the requests for a vendor of bots (`recall`, `attendee`, `vexa`) to another address: `https://HOST/PATH` goes to `ADDRESS/HOST/PATH`. For emulators and proxies.',
  ],
  webhookAllowPrivate: [
    'WEBHOOK_ALLOW_PRIVATE',
    word('false', ['true', 'false']),
    'Only for development: allows tenants to receive events over plain HTTP, at any port, and inside your own network.',
  ],
} as const satisfies Settings
