import { open } from '../../http/access/access.ts'
import { hasConsoleCookie } from '../../http/access/door.ts'
import { isTrustworthy } from '../../http/access/page-origin.ts'
import { type Answer, raw } from '../../http/answer.ts'
import { consolePagePolicy } from '../../http/headers.ts'
import { htmlType, page, pageAnswer } from '../../http/page.ts'
import { type Route, route } from '../../http/route.ts'
import { readServedFile } from '../../http/served-file.ts'
import { notFound } from '../../kernel/refusal.ts'

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
const yearSeconds = 31_536_000

/** The pages of the console. They hold nothing secret: what they show is asked for at `/console/api`, by session. */
export function consolePageRoutes(): Route[] {
  const shared = {
    method: 'GET',
    tag: 'Utility',
    access: open('the pages of the console hold nothing secret'),
    limit: 'none',
  } as const
  return [
    route({
      ...shared,
      path: '/console',
      name: 'consolePage',
      summary: 'Open the console',
      answers: { 200: { rawTypes: [htmlType], description: 'The page. It signs in by itself or asks for a key.' } },
      usesOrigin: true,
      handle: ({ origin, headers }) => shell(origin, headers.cookie),
    }),
    route({
      ...shared,
      path: '/console/assets/:name',
      name: 'consoleAsset',
      summary: 'Get a file of the console',
      answers: {
        200: { rawTypes: [types['js'] as string, types['css'] as string, 'image/svg+xml'], description: 'The file.' },
      },
      refusals: ['NOT_FOUND'],
      handle: async ({ params: { name }, headers }) => asset(name, headers['accept-encoding'] ?? ''),
    }),
    route({
      ...shared,
      path: '/console/:screen',
      wildcard: true,
      name: 'consoleScreen',
      summary: 'Open a screen of the console',
      description: 'The same page as `/console`: it shows the screen that its address names.',
      answers: { 200: { rawTypes: [htmlType], description: 'The page.' } },
      usesOrigin: true,
      handle: ({ origin, headers }) => shell(origin, headers.cookie),
    }),
  ]
}

/**
 * @param origin over plain HTTP from another machine browsers ignore the opener policy, and complain about it.
 * @param cookies whether there is one of a session, good or not, decides only how much the browser fetches at once.
 */
async function shell(origin: string | null, cookies: string | undefined): Promise<Answer<200, string>> {
  const name = hasConsoleCookie(cookies) ? 'signed-in' : 'index'
  const html = await readServedFile(`console/${name}.html`)
  if (html === null) return pageAnswer(notBuiltPage)
  return raw(htmlType, html.toString(), {
    'content-security-policy': consolePagePolicy,
    vary: 'cookie',
    ...(isTrustworthy(origin ?? '') ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
  })
}

/** The name contains a hash of the content, so the answer to it never changes. Compressed once, by the build. */
async function asset(name: string, accepted: string): Promise<Answer<200, Buffer>> {
  const type = types[/^\w[\w.-]*\.(js|css|svg)$/.exec(name)?.[1] ?? '']
  if (type === undefined) throw notFound()
  const [suffix, encoding] = /\bbr\b/.test(accepted)
    ? ['.br', 'br']
    : /\bgzip\b/.test(accepted)
      ? ['.gz', 'gzip']
      : ['']
  const file = await readServedFile(`console/assets/${name}${suffix}`)
  if (file === null) throw notFound()
  return raw(type, file, {
    'cache-control': `public, max-age=${yearSeconds}, immutable`,
    vary: 'accept-encoding',
    ...(encoding ? { 'content-encoding': encoding } : {}),
  })
}

const notBuiltPage = page(
  'The console is not built',
  `<h1>The console is not built</h1>
<p>Its packages were left out when Atrium was installed. In the folder of Atrium, run</p>
<pre>npm ci
npm start</pre>
<p>The API works without it: see <a href="/docs">the reference</a>.</p>`,
)
