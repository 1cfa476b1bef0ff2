import { fastify } from 'fastify'

const address = '/docs/js/scalar.js'

let program: Promise<Buffer> | null = null

/**
 * The script of Scalar's reference, a single file. The only small package that contains it is Scalar's Fastify plugin. So
 * the first request reads the script from that plugin, on a Fastify instance that does not listen.
 */
export function scalarProgram(): Promise<Buffer> {
  program ??= fromPlugin()
  return program
}

async function fromPlugin(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, rawPayload } = await server.inject(address)
  await server.close()
  if (statusCode !== 200) throw new Error(`Scalar's plugin answers ${statusCode} to ${address}.`)
  return rawPayload
}
