import { open } from '../../http/access/access.ts'
import { ok, raw } from '../../http/answer.ts'
import { pageSecurityPolicy } from '../../http/headers.ts'
import { scalarProgram } from '../../http/openapi/scalar.ts'
import { htmlType, pageAnswer } from '../../http/page.ts'
import { type Route, route } from '../../http/route.ts'
import { Type } from '../../kernel/type.ts'
import { errorsPage, referencePage, startScript } from './pages.ts'

const script = 'text/javascript; charset=utf-8'
const withScripts = { 'content-security-policy': pageSecurityPolicy }

export type ReferenceDeps = {
  openApi: () => object
  /** Describes the WebSocket. */
  asyncApi: () => object
}

/** The API reference: Scalar on our own page with our own start script. Nothing is loaded from other hosts. */
export function referenceRoutes({ openApi, asyncApi }: ReferenceDeps): Route[] {
  // Not counted: a client that was refused for too many requests must be able to read why.
  const asset = { method: 'GET', tag: 'Documentation', access: open('documentation is public'), limit: 'none' } as const
  return [
    route({
      ...asset,
      path: '/docs',
      name: 'docs',
      summary: 'Open the API reference',
      answers: { 200: { rawTypes: [htmlType], description: 'The interactive reference.' } },
      cache: { maxAgeSeconds: 0, isConstant: true },
      handle: async () => raw(htmlType, referencePage, withScripts),
    }),
    route({
      ...asset,
      path: '/docs/errors',
      name: 'docsErrors',
      summary: 'Open the list of error codes',
      answers: {
        200: {
          rawTypes: [htmlType],
          description: 'An index and one section for each code. The `type` of a problem links to it.',
        },
      },
      cache: { maxAgeSeconds: 0, isConstant: true },
      handle: async () => pageAnswer(errorsPage()),
    }),
    route({
      ...asset,
      path: '/docs/start.js',
      name: 'docsStart',
      summary: 'Get the start script of the reference page',
      answers: { 200: { rawTypes: [script], description: 'JavaScript.' } },
      cache: { maxAgeSeconds: 0, isConstant: true },
      handle: async () => raw(script, startScript),
    }),
    route({
      ...asset,
      path: '/docs/scalar.js',
      name: 'docsScalar',
      summary: 'Get the program of the reference page',
      answers: { 200: { rawTypes: [script], description: 'JavaScript.' } },
      cache: { maxAgeSeconds: 3600, isConstant: true },
      handle: async () => raw(script, await scalarProgram()),
    }),
    route({
      ...asset,
      path: '/openapi.json',
      name: 'openapi',
      summary: 'Get the OpenAPI 3.1 document of this service',
      answers: {
        200: Type.Object(
          {},
          { additionalProperties: true, description: 'An OpenAPI 3.1 document.', examples: [{ openapi: '3.1.0' }] },
        ),
      },
      cache: { maxAgeSeconds: 0, isConstant: true },
      handle: async () => ok(openApi()),
    }),
    route({
      ...asset,
      path: '/asyncapi.json',
      name: 'asyncapi',
      summary: 'Get the AsyncAPI 3.0 document of the WebSocket',
      answers: {
        200: Type.Object(
          {},
          { additionalProperties: true, description: 'An AsyncAPI 3.0 document.', examples: [{ asyncapi: '3.0.0' }] },
        ),
      },
      cache: { maxAgeSeconds: 0, isConstant: true },
      handle: async () => ok(asyncApi()),
    }),
  ]
}
