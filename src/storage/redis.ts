import { hash } from 'node:crypto'
import { createClient } from '@redis/client'
import { withTimeout } from '../kernel/with-timeout.ts'

/** A Lua script with its `KEYS` and `ARGV`. */
export type RedisCall = { script: string; keys: string[]; args: string[] }

export type Redis = {
  /** Runs the script as one step. Rejects, and never hangs, while Redis is away. */
  evaluate(call: RedisCall): Promise<unknown>
  close(): void
}

type Client = ReturnType<typeof createRedisClient>
type Connection = { client: Client; isReady: Promise<unknown>; drop(): void }

export type RedisOptions = { url: string; silenceMsMax?: number }

// A Redis nearby answers in 1 ms; one that owes an answer for this long is as good as gone.
const silenceMsDefault = 500
export const connectMsMax = 1_000

/**
 * A connection that failed once, or that owes an answer, is thrown away, and the next call makes another: TCP alone
 * would wait for minutes on a host that is gone. So callers decide by their calls how often it is tried again.
 * Waits for the first connection; does not fail when there is none.
 */
export async function openRedis({ url, silenceMsMax = silenceMsDefault }: RedisOptions): Promise<Redis> {
  let connection: Connection | null = null
  const connect = (): Connection => {
    const made = connectTo(url, () => {
      if (connection === made) connection = null
    })
    return made
  }
  const evaluate = async (call: RedisCall): Promise<unknown> => {
    connection ??= connect()
    const { client, isReady, drop } = connection
    await withTimeout(silenceMsMax, isReady)
    try {
      return await withTimeout(silenceMsMax, run(client, call))
    } catch (error) {
      drop()
      throw error
    }
  }

  connection = connect()
  await connection.isReady.catch(() => undefined)
  return { evaluate, close: () => connection?.drop() }
}

/** @param onDrop called once the connection must not be used again. */
function connectTo(url: string, onDrop: () => void): Connection {
  const client = createRedisClient(url)
  const drop = () => {
    onDrop()
    client.destroy()
  }
  client.on('error', drop)
  // The client bounds how long TCP may take, but not how long the server may take to greet: twice, for both.
  const isReady = withTimeout(2 * connectMsMax, client.connect())
  isReady.catch(drop)
  return { client, isReady, drop }
}

/** Not connected yet; one that is lost is not opened again by itself. */
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
