import { open } from '../../http/access/access.ts'
import { type Answer, secret, withHeaders } from '../../http/answer.ts'
import { htmlType, pageAnswer } from '../../http/page.ts'
import { type Route, route } from '../../http/route.ts'
import type { ProviderName } from '../../providers/provider.ts'
import { base, tag } from '../access.ts'
import { requireProvider } from '../apps/app.service.ts'
import { type BrowserFlow, flowCookieName } from './browser.service.ts'
import { CallbackParams, ConfirmationParams } from './connect.schema.ts'
import { confirmationPage, refusedPage, startPage } from './pages.ts'

const html = { rawTypes: [htmlType], description: 'A page for people.' } as const

function redirect(location: string, headers: Record<string, string> = {}): Answer<303, null> {
  return { status: 303, body: null, headers: { location, 'cache-control': 'no-store', ...headers } }
}

type Deps = {
  flow: BrowserFlow
  address: string | null
  /** The origin to which the form of the start page leads. */
  providerOrigin(provider: ProviderName): string
}

/** Opened by a browser that may be anybody's. */
export function browserRoutes({ flow, address, providerOrigin }: Deps): Route[] {
  const ticketAccess = open('the ticket in the address says who began')
  const form = 'application/x-www-form-urlencoded'
  // The button sends nothing that matters.
  const sentByButton = { continue: '' }
  return [
    route({
      method: 'GET',
      path: `${base}/start/:ticket`,
      name: 'showIntegrationStart',
      tag,
      summary: 'Show which permissions a connection requests',
      description: 'A page with a button that sends the POST. The GET changes nothing, because previews open links.',
      access: ticketAccess,
      answers: { 200: html },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params }) => {
        const beginning = await flow.show(platform, params.ticket)
        return secret(pageAnswer(startPage(beginning), `'self' ${providerOrigin(beginning.provider)}`))
      },
    }),
    route({
      method: 'POST',
      path: `${base}/start/:ticket`,
      name: 'startIntegration',
      tag,
      summary: 'Go to the provider',
      description: 'Sent by the button of that page. It works once, and a cookie ties the connection to this browser.',
      access: ticketAccess,
      rawBody: {
        examples: { [form]: sentByButton, 'multipart/form-data': sentByButton },
        bytesMax: 4096,
        isOptional: true,
      },
      answers: { 303: null },
      refusals: ['NOT_FOUND'],
      handle: async ({ platform, params }) => {
        const { location, cookie } = await flow.start(platform, params.ticket)
        return redirect(location, { 'set-cookie': cookie })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/:provider/callback`,
      name: 'receiveIntegrationAnswer',
      tag,
      summary: 'Receive the answer of a provider',
      description:
        'The redirect address of the OAuth app. The code is kept encrypted for three minutes, and only the confirmation of the user who began can exchange it. The browser is redirected at once, so that its address bar does not show the code.',
      access: open('the state in the address says which connection it belongs to'),
      query: CallbackParams,
      answers: { 303: null, 400: html },
      handle: async ({ platform, params, query, headers }) => {
        const provider = requireProvider(params.provider)
        const cookie = cookieValue(headers['cookie'], flowCookieName(address))
        const returned = await flow.returned(platform, { provider, query, cookie })
        if (returned.kind === 'redirect') return redirect(returned.location)
        return secret({ ...pageAnswer(refusedPage()), status: 400 as const })
      },
    }),
    route({
      method: 'GET',
      path: `${base}/confirmation`,
      name: 'showIntegrationConfirmation',
      tag,
      summary: 'Show a confirmation',
      description:
        'The last page if no `returnTo` was given. It shows the confirmation, which the user enters in your app.',
      access: open('it shows only what is in the address'),
      query: ConfirmationParams,
      answers: { 200: html },
      handle: async ({ query }) => withHeaders(pageAnswer(confirmationPage(query)), { 'cache-control': 'no-store' }),
    }),
  ]
}

function cookieValue(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (key.trim() === name) return value.trim()
  }
  return null
}
