import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type EmbeddingRequest = { model: string; input: string[] }
type Behaviour = (reply: ServerResponse, request: EmbeddingRequest) => void | Promise<void>

export type EmbeddingServer = {
  baseUrl: string
  /** The texts of all requests. */
  texts: string[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

/** Words of one line mean the same. Other words are told apart by their letters. */
const meanings = ['car automobile vehicle', 'dog hound puppy', 'delayed postponed late', 'house building home']
const numbers = 64

/** A direction that depends on the meanings of a text's words. */
export function embedding(text: string): number[] {
  const vector = new Array<number>(numbers).fill(0)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    const meaning = meanings.findIndex((words) => words.split(' ').includes(word))
    const place = meaning === -1 ? meanings.length + (letters(word) % (numbers - meanings.length)) : meaning
    vector[place] = (vector[place] ?? 0) + (meaning === -1 ? 0.2 : 1)
  }
  return vector.map((number) => number - 0.01)
}

const letters = (word: string) => [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7)

export const answer = (reply: ServerResponse, body: string | object, status = 200) =>
  void reply
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

/** As an endpoint should answer. */
export const embeds: Behaviour = (reply, { input }) =>
  answer(reply, { data: input.map((text, index) => ({ index, embedding: embedding(text) })) })

/** An endpoint for embeddings over real HTTP. Tests set its behaviour. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  let behaviour = embeds
  const texts: string[] = []
  const server = createServer(async (message, reply) => {
    reply.on('error', () => undefined)
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk as Buffer)
    const request: EmbeddingRequest = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    texts.push(...request.input)
    await behaviour(reply, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    texts,
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
