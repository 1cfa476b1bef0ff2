import { Refusal } from '../../kernel/refusal.ts'
import { workerPool } from '../../workers/worker-pool.ts'

let program: Promise<Buffer> | null = null

/**
 * The script of Scalar's reference, a single file. The only small package that contains it is Scalar's Fastify plugin. So
 * the first request reads the script from that plugin, on a Fastify instance that does not listen. In a worker, because
 * loading the plugin takes half a second and 40 MB, which end with the worker.
 */
export async function scalarProgram(): Promise<Buffer> {
  program ??= fromPlugin()
  try {
    return await program
  } catch (error) {
    program = null
    throw error
  }
}

async function fromPlugin(): Promise<Buffer> {
  const reader = workerPool<null, Uint8Array>({
    entry: new URL('./scalar.worker.ts', import.meta.url),
    queueMax: 0,
    timeoutMs: 30_000,
    overLimit: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 30 }),
  })
  try {
    return Buffer.from(await reader.run(null))
  } finally {
    await reader.close()
  }
}
