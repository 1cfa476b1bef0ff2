import { exampleValue } from '../../http/openapi/schemas.ts'
import { closeCodes } from '../../http/sockets/close-codes.ts'
import { clientEnvelope, serverEnvelope } from '../../http/sockets/envelope.schema.ts'
import { clientFrames, serverFrames } from './live.schema.ts'

/** All frames by `type`, and who sends them. */
export const frames = {
  client: { ...clientEnvelope, ...clientFrames },
  server: { ...serverEnvelope, ...serverFrames },
}

const closes = Object.values(closeCodes).map(([code, meaning]) => `- ${code}: ${meaning}`)

/** The AsyncAPI 3.0 document of `/assistant/v1/ws`, made from the schemas that check its frames. */
export function createAsyncApi(version: string): object {
  const named = (sent: Record<string, object>) =>
    Object.entries(sent).map(([name, schema]) => [name, createMessage(name, schema)])
  const references = (sent: object) => Object.keys(sent).map((name) => ({ $ref: `#/channels/live/messages/${name}` }))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Atrium: meetings live',
      version,
      license: { name: 'MIT' },
      description: `Frames of the sub-protocol \`assistant.v1\`: JSON objects in text, at most 64 KiB and 20 a second. Close codes:\n\n${closes.join('\n')}`,
    },
    channels: {
      live: {
        address: '/assistant/v1/ws',
        messages: Object.fromEntries([...named(frames.client), ...named(frames.server)]),
      },
    },
    operations: {
      receive: { action: 'receive', channel: { $ref: '#/channels/live' }, messages: references(frames.client) },
      send: { action: 'send', channel: { $ref: '#/channels/live' }, messages: references(frames.server) },
    },
  }
}

function createMessage(name: string, schema: object): object {
  return { name, contentType: 'application/json', payload: schema, examples: [{ payload: exampleValue(schema) }] }
}
