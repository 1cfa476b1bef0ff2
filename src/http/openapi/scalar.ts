import { fastify } from 'fastify'

const address = '/docs/js/scalar.js'

let program: Promise<Buffer> | null = null

/**
 * The script of Scalar's reference: one file that needs no other. Its plugin for Fastify is the one small package that
 * carries it, so the plugin is asked for it, at the first request, on a server that listens nowhere.
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
