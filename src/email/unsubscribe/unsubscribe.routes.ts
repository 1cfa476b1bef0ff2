import { open } from '../../http/access/access.ts'
import { raw } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { notFound } from '../../kernel/refusal.ts'
import type { Subscriptions } from '../subscriptions.ts'

const mediaType = 'text/html; charset=utf-8'
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  // The address holds the token.
  'referrer-policy': 'no-referrer',
}

/** The field that mail programs send. */
const oneClick = { 'List-Unsubscribe': 'One-Click' }

export function unsubscribeRoutes(subscriptions: () => Subscriptions): Route[] {
  const common = {
    path: '/assistant/v1/email/unsubscribe/:token',
    tag: 'Mail',
    access: open('the token in the mail says whose mails end'),
    answers: { 200: { rawTypes: [mediaType], description: 'A page for people.' } },
  } as const
  return [
    route({
      ...common,
      refusals: ['NOT_FOUND'],
      method: 'GET',
      name: 'showUnsubscribe',
      summary: 'Ask whether to end the mails',
      description: 'Changes nothing, because mail scanners open links. The page has a button, which sends the POST.',
      handle: async ({ platform, params: { token } }) => {
        if (!(await subscriptions().isKnown(platform, token))) throw notFound()
        const button = '<form method="post"><button>Stop these mails</button></form>'
        return raw(mediaType, page('Do you want to stop these mails?', button), headers)
      },
    }),
    route({
      ...common,
      refusals: ['NOT_FOUND'],
      method: 'POST',
      name: 'unsubscribe',
      summary: 'End the mails',
      description: 'One click in a mail program (RFC 8058), or the button of the page. Repeating it changes nothing.',
      rawBody: {
        examples: { 'application/x-www-form-urlencoded': oneClick, 'multipart/form-data': oneClick },
        bytesMax: 4096,
        isOptional: true,
      },
      handle: async ({ platform, params: { token } }) => {
        if (!(await subscriptions().unsubscribe(platform, token))) throw notFound()
        return raw(mediaType, page('You will get no more of these mails.', ''), headers)
      },
    }),
  ]
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body><h1>${title}</h1>${body}</body>
</html>
`
}
