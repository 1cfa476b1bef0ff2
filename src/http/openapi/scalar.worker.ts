import { fastify } from 'fastify'
import { answerInWorker } from '../../workers/answer-in-worker.ts'

const address = '/docs/js/scalar.js'

answerInWorker(async () => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, rawPayload } = await server.inject(address)
  await server.close()
  if (statusCode !== 200) throw new Error(`Scalar's plugin answers ${statusCode} to ${address}.`)
  return rawPayload
})
