import { open } from '../../http/access/access.ts'
import { noContent } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { tag } from '../access.ts'
import { Ingest } from '../runner-protocol/protocol.schema.ts'
import type { IngestEntries } from './ingest.service.ts'

const bodyBytesMax = 4 * 1024 * 1024

export function ingestRoute(ingest: IngestEntries): Route {
  return route({
    method: 'POST',
    path: '/assistant/v1/bot-ingest/entries',
    name: 'ingestBotEntries',
    tag,
    summary: 'Append what was said, for a bot of the provider `push`',
    description:
      'Send the `token` of the bot as `Authorization: Bearer ...`. An entry with a known `segmentId` replaces it. 409 `LEASE_LOST` after the bot has left.',
    access: open('the token of one bot, in the header, is the credential'),
    body: Ingest,
    bodyBytesMax,
    answers: { 204: null },
    refusals: ['RUNNER_TOKEN_MISSING', 'RUNNER_TOKEN_INVALID', 'LEASE_LOST', 'STATE_CONFLICT'],
    handle: async ({ body, headers }) => {
      await ingest(headers['authorization'], body)
      return noContent()
    },
  })
}
