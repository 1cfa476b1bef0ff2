import { hash } from 'node:crypto'
import { createClient } from '@redis/client'
import { withTimeout } from '../kernel/with-timeout.ts'

/** A Lua script with its `KEYS` and `ARGV`. */
export type RedisCall = { script: string; keys: string[]; args: string[] }

export type Redis = {
  /** Runs the script atomically. Rejects, and never hangs, while Redis is down. */
  evaluate(call: RedisCall): Promise<unknown>
  /** Rejects while Redis is down or does not answer in time. */
  ping(): Promise<void>
  close(): void
}

type Client = ReturnType<typeof createRedisClient>
type Connection = { client: Client; isReady: Promise<unknown>; drop(): void }

export type RedisOptions = { url: string; answerMsMax?: number }

// A Redis nearby answers in 1 ms. One that does not answer for this long counts as down.
const answerMsDefault = 500
export const connectMsMax = 1_000

/**
 * A connection that failed once, or did not answer in time, is dropped, and the next call opens another: TCP alone would
 * wait for minutes on a host that is gone. So the rate of calls decides how often it is tried again.
 * Waits for the first connection, but does not fail without one.
 */
export async function openRedis({ url, answerMsMax = answerMsDefault }: RedisOptions): Promise<Redis> {
  let connection: Connection | null = null
  const connect = (): Connection => {
    const made = connectTo(url, () => {
      if (connection === made) connection = null
    })
    return made
  }
  const ask = async <T>(question: (client: Client) => Promise<T>): Promise<T> => {
    connection ??= connect()
    const { client, isReady, drop } = connection
    await withTimeout(answerMsMax, isReady)
    try {
      return await withTimeout(answerMsMax, question(client))
    } catch (error) {
      drop()
      throw error
    }
  }

  connection = connect()
  await connection.isReady.catch(() => undefined)
  return {
    evaluate: (call) => ask((client) => run(client, call)),
    ping: async () => void (await ask((client) => client.ping())),
    close: () => connection?.drop(),
  }
}

/** @param onDrop called once the connection must not be used again. */
function connectTo(url: string, onDrop: () => void): Connection {
  const client = createRedisClient(url)
  const drop = () => {
    onDrop()
    client.destroy()
  }
  client.on('error', drop)
  // The client limits how long TCP may take, but not the server's greeting. Hence twice the time, for both.
  const isReady = withTimeout(2 * connectMsMax, client.connect())
  isReady.catch(drop)
  return { client, isReady, drop }
}

/** A client that is not connected yet, and does not reconnect by itself. */
export function createRedisClient(url: string) {
  return createClient({
    url,
    RESP: 2, // what every Redis and every proxy before one speaks
    socket: { connectTimeout: connectMsMax, reconnectStrategy: false },
  })
}

async function run(client: Client, { script, keys, args }: RedisCall): Promise<unknown> {
  const options = { keys, arguments: args }
  try {
    return await client.evalSha(hash('sha1', script), options)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return client.eval(script, options)
  }
}
