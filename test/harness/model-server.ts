import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The parts of a request to the model that tests read. */
export type ModelRequest = {
  path: string
  authorization: string | undefined
  instructions: string
  prompt: string
  responseFormat: string | undefined
}

export type Behaviour = (reply: ServerResponse, request: ModelRequest) => void | Promise<void>

export type ModelServer = {
  baseUrl: string
  requests: ModelRequest[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** An endpoint for chat completions over real HTTP. Tests set its behaviour. */
export async function startModelServer(): Promise<ModelServer> {
  let behaviour: Behaviour = (reply) => void reply.writeHead(500).end()
  const requests: ModelRequest[] = []
  const server = createServer(async (message, reply) => {
    reply.on('error', () => undefined)
    const request = await readRequest(message)
    requests.push(request)
    await behaviour(reply, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    behave: (next) => {
      behaviour = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readRequest(message: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
  const messageContent = (role: string) =>
    (body.messages ?? []).find((it: { role: string; content: string }) => it.role === role)?.content ?? ''
  return {
    path: message.url ?? '',
    authorization: message.headers.authorization,
    instructions: messageContent('system'),
    prompt: messageContent('user'),
    responseFormat: body.response_format?.type,
  }
}

/** Answers with a complete, well-formed completion with this content. */
export function completes(content: unknown, overrides: { finishReason?: string; tokens?: number } = {}): Behaviour {
  const { finishReason = 'stop', tokens = 1200 } = overrides
  return (reply) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    reply.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'completion-1',
        object: 'chat.completion',
        created: 1_700_000_000,
        model: 'test-model',
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
        usage: { prompt_tokens: tokens - 200, completion_tokens: 200, total_tokens: tokens },
      }),
    )
  }
}
