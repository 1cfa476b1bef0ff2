import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path/posix'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', ...globSync(['docs/*.md', 'docs/decisions/*.md'], { cwd: root })].map((page) =>
  page.replaceAll('\\', '/'),
)

/**
 * What newcomers, operators and developers ask; the page and the heading under which the answer is; and words that the answer has.
 * A page that is renamed or rewritten must still answer.
 */
const questions: [howDoI: string, page: string, heading: string, answer: RegExp][] = [
  ['start the service', 'README.md', 'Atrium', /npm ci && npm start/],
  ['install only what the service needs', 'README.md', 'Atrium', /--omit=dev/],
  ['create a tenant and an API key', 'README.md', 'A first tour', /admin\/tenants\/\$TENANT\/api-keys/],
  ['change a setting', 'docs/configuration.md', 'Configuration', /\| `PORT` \|/],
  ['use my own PostgreSQL', 'docs/nodes.md', 'PostgreSQL and several nodes', /DATABASE_URL=postgres:/],
  ['run several nodes', 'docs/nodes.md', 'Several nodes', /same `MASTER_KEY`/],
  ['put a load balancer before the nodes', 'docs/operations.md', 'Balancers', /by `\/health`/],
  ['see whether the service is well', 'docs/operations.md', 'What /health shows', /`checks`/],
  ['back up', 'docs/backup.md', 'Backup and restore', /npm run backup -- /],
  ['restore a backup', 'docs/backup.md', 'Restore', /The target must be empty/],
  [
    'move from the embedded database to PostgreSQL',
    'docs/backup.md',
    'From the embedded database to PostgreSQL',
    /npm run restore/,
  ],
  ['upgrade to a new version', 'docs/upgrades.md', 'Upgrade', /Stop all nodes/],
  ['go back to the old version', 'docs/upgrades.md', 'Go back to the old version', /Restore the backup/],
  ['get an admin key when mine is lost', 'docs/lost-admin-key.md', 'The key is in the data folder', /remove the file/],
  ['give a colleague an admin key', 'docs/audit.md', 'Admin keys', /\/v1\/platform\/admin\/keys/],
  ['sign in to the console', 'docs/console-door.md', 'Sign in', /\/console\/session/],
  ['monitor the service with Prometheus', 'docs/observability.md', 'Metrics', /scrape_configs/],
  ['find anything by its id', 'docs/observability.md', 'Overview, search and settings', /admin\/search/],
  ['let the service send mail', 'docs/mail.md', 'Set it up', /SMTP_URL=/],
  ['rotate an API key', 'docs/tenants.md', 'Rotate an API key', /rotate/],
  ['erase a customer', 'docs/tenants.md', 'Erase a tenant', /\/erase"/],
  ['see who changed what', 'docs/audit.md', 'Read and export', /GET \/admin\/audit-logs/],
  ['set up a VPN server', 'docs/vpn-operators.md', '2. Register the server', /enrollment-token/],
  ['import a transcript', 'docs/meetings.md', 'Adding entries', /transcript\/import/],
  ['move a task on the board', 'docs/tasks.md', 'The first steps', /tasks\/\$TASK\/move/],
  ['send a bot to a meeting', 'docs/bots.md', 'The first steps', /"provider": "replay"/],
  ['add a document', 'docs/knowledge.md', 'The first steps', /-F file=@terms\.md/],
  ['ask about documents', 'docs/search-and-ask.md', 'Ask', /orgs\/:orgId\/ask/],
  ['get a summary', 'docs/summaries.md', 'Summaries of meetings', /summary\?mode=short/],
  ['let a language model write summaries', 'docs/summaries.md', 'With a language model', /`LLM_BASE_URL`/],
  ['follow a meeting live', 'docs/live.md', 'Try it', /new WebSocket/],
  ['receive events at my own address', 'docs/webhooks-outbound.md', 'Try it', /eventTypes/],
  ['check that an event is genuine', 'docs/webhooks-outbound.md', 'Verify the signature', /timingSafeEqual/],
  ['receive webhooks of GitHub or Slack', 'docs/webhooks-inbound.md', 'Set up a connection', /"scheme": "github"/],
  ['publish a page', 'docs/content.md', 'A page', /"slug": "welcome"/],
  ['keep uploaded files in a bucket', 'docs/media.md', 'Storage', /S3_BUCKET/],
  ['find out what an error code means', 'docs/errors.md', 'Error codes', /`RATE_LIMITED`/],
  ['raise a rate limit', 'docs/limits.md', 'Rate limits', /requestsPerWindow/],
  ['give a customer more of something', 'docs/usage.md', 'Set limits as an operator', /"grant": 50/],
  ['be notified before a limit is reached', 'docs/usage.md', 'Be notified', /usage\/thresholds|usage \/thresholds/],
  ['open the console', 'docs/console.md', 'Sign in', /npm run atrium -- open/],
  ['call the service from TypeScript', 'docs/sdk.md', 'Install it', /npm install .*atrium\.tgz/],
  ['run one test', 'docs/start-here.md', 'Run one test', /npm test -- pglite/],
  ['add a route', 'docs/start-here.md', 'Add a route', /route\(\{/],
]

const linksMax = 2

const text = (page: string) => readFileSync(join(root, page), 'utf8')
/** Headings and links, without what only looks like them in blocks of code. */
const prose = (page: string) => text(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
const headings = (page: string) => [...prose(page).matchAll(/^(#+) (.+)$/gm)].map(([, , title = '']) => title)

type Link = { page: string; target: string; anchor: string }

function links(page: string): Link[] {
  return [...prose(page).matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)]
    .map(([, address = '']) => address)
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = '', anchor = ''] = address.split('#')
      return { page, target: path === '' ? page : normalize(join(page, '..', path)), anchor }
    })
}

/** How many links a reader follows from the README. */
function distances(): Map<string, number> {
  const found = new Map([['README.md', 0]])
  for (const [page, distance] of found) {
    for (const { target } of pages.includes(page) ? links(page) : []) {
      if (!found.has(target)) found.set(target, distance + 1)
    }
  }
  return found
}

/** As GitHub makes it. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** The text under a heading, with its smaller headings. */
function section(page: string, title: string): string {
  const whole = text(page)
  const lines = whole.split('\n')
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === title)
  assert.ok(start >= 0, `${page} has no heading "${title}"; it has ${headings(page).join(', ')}`)
  const level = (lines[start] as string).indexOf(' ')
  let isCode = false
  const end = lines.findIndex((line, index) => {
    if (/^ *```/.test(line)) isCode = !isCode
    return index > start && !isCode && /^#+ /.test(line) && line.indexOf(' ') <= level
  })
  return lines.slice(start, end === -1 ? undefined : end).join('\n')
}

describe('the documents', () => {
  const reached = distances()

  for (const [howDoI, page, heading, answer] of questions)
    test(`say how to ${howDoI}, within two links from the README`, () => {
      assert.ok((reached.get(page) ?? Number.POSITIVE_INFINITY) <= linksMax, page)
      assert.match(section(page, heading), answer)
    })

  test('are all within two links from the README', () => {
    const far = pages.filter((page) => !page.includes('/decisions/') && (reached.get(page) ?? 99) > linksMax)
    assert.deepEqual(far, [])
  })

  test('have no link that leads nowhere', () => {
    const all = pages.flatMap(links)
    assert.ok(all.length > 100)
    const broken = all.filter(({ target, anchor }) => {
      if (!existsSync(join(root, target))) return true
      if (anchor === '' || statSync(join(root, target)).isDirectory()) return false
      return !headings(target).map(slug).includes(anchor)
    })
    assert.deepEqual(broken, [])
  })
})
