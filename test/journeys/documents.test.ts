// Every command of the documents, as a reader would run it: after the README's tour, in a checkout, with the machine's own Node.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config/config.ts'
import { createPostgresDatabase } from '../harness/database.ts'
import { docBlock, docBlocks } from '../harness/doc-blocks.ts'
import { checkoutFolder, type DocShell, docShell, runInShell } from '../harness/doc-shell.ts'
import { freePort } from '../harness/free-port.ts'
import { picture } from '../harness/media.ts'
import { type Service, startService } from '../harness/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = globSync('docs/*.md', { cwd: root })
  .map((page) => page.replaceAll('\\', '/'))
  .sort()
const allBlocks = ['README.md', ...pages].flatMap(docBlocks)
const skip = process.env['ATRIUM_TEST_DATABASE'] !== 'postgres' && 'the documents are the same on either database'

/** What a page expects of its reader beyond the tour, and what it must show. */
type Page = {
  prepare?: (folder: string) => Promise<unknown>
  /** Run before the page's commands. */
  before?: string
  shows?: RegExp[]
}

const special: Record<string, Page> = {
  'docs/backup.md': {
    // The page's older backup; and the folder that cron enters.
    before:
      'mkdir -p "$ROOT/backups" "$ROOT/srv" && ln -s "$PWD" "$ROOT/srv/atrium"\nnpm run backup -- --unsealed "$ROOT/backups/old.backup"',
    shows: [/The master key opens all \d+ sealed values\./, /Restored a backup .* into PostgreSQL at /, /listens on/],
  },
  'docs/bots.md': {
    before: `ME=$(call "$BASE/v1/auth/me" -H "Authorization: Bearer $TOKEN" | field user.id)
      call "$BASE/admin/users/$ME" -X PATCH -H "X-Admin-Key: $ADMIN_KEY" -d '{"role": "ADMIN"}'`,
    shows: [
      /"status":"ended"/,
      /the booking page goes live on Tuesday/,
      /"sentenceCount":/,
      /"baseUrl":"https:\/\/eu-central-1.recall.ai"/,
      /^204$/m,
    ],
  },
  'docs/bundles.md': {
    before: 'STAGING=$BASE LIVE=$BASE STAGING_KEY=$ADMIN_KEY LIVE_KEY=$ADMIN_KEY',
    shows: [/create: 0, update: 0|keep: \d+/],
  },
  'docs/console-door.md': { shows: [/^OWNER$/m, /^1$/m, /^CONFIRMATION_REQUIRED$/m, /^VIEWER$/m, /#link=atrlink_/] },
  'docs/content.md': { shows: [/"slug":"welcome"/, /"url":/, /"publishAt":"2030-01-01T00:00:00\.000Z"/] },
  'docs/knowledge.md': {
    shows: [/"status":"ready"/, /Delivery takes three days\./, /"version":2,/, /"action":"created"/],
  },
  'docs/lost-admin-key.md': { shows: [/^[A-Za-z0-9+/]{32}$/m, /"name":"deployments"/] },
  'docs/media.md': {
    prepare: async (folder) => writeFile(join(folder, 'laptop.jpg'), await picture(64, 48, 'jpeg')),
    shows: [/"focalX":30/],
  },
  'docs/nodes.md': { shows: [/database {7}PostgreSQL at/, /as ADMIN_KEY says/] },
  'docs/observability.md': { shows: [/openVpnSessions: \d+/, /^TENANT$/m, /'NO_MAIL_SERVER'/] },
  'docs/search-and-ask.md': {
    shows: [
      /<mark>audit<\/mark>/,
      /"found":true,.*kept for 400 days/,
      /"found":false/,
      /^event: answer$/m,
      /"asks":\[/,
    ],
  },
  'docs/summaries.md': { shows: [/"personality":"challenger"/] },
  'docs/tasks.md': { shows: [/"status":"in_progress"/, /"total":1,/, /^1,Write the notes,in_progress/m] },
  'docs/tenants.md': { shows: [/([0-9a-f]{64}) {2}-\n.*"end":true.*"sha256":"\1"/] },
  'docs/usage.md': { shows: [/"granted":50/, /"limit":200/, /"percents":\[50,90,100\]/] },
  'docs/webhooks-outbound.md': { shows: [/"deliveries":\[/] },
}

describe('the commands of the documents', { skip }, () => {
  let shell: DocShell
  let service: Service
  let variables: string
  let receiver: ReturnType<typeof spawn>
  const environment: Record<string, string> = {}

  before(async () => {
    shell = await docShell()
    const folder = await checkoutFolder()
    service = await startService({ DATA_DIR: join(folder, 'data'), WEBHOOK_ALLOW_PRIVATE: 'true' })
    Object.assign(environment, {
      PATH: shell.path,
      HOME: folder,
      ROOT: folder,
      RECEIVER_PORT: String(await freePort()),
    })
    await writeFile(join(folder, 'receiver.mjs'), docBlock('docs/webhooks-outbound.md', 'js', '### Try it'))
    receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env: environment })
    await once(receiver.stdout ?? assert.fail(), 'data')
    variables = await tour(folder)
  })
  after(async () => {
    receiver?.kill('SIGKILL')
    await service?.stop('SIGKILL')
  })

  /** What the tour leaves in a shell, as commands that set it again. */
  async function tour(folder: string): Promise<string> {
    const script = `set -euo pipefail\n${docBlock('README.md', 'sh', '## A first tour')}\nset +x; echo; echo @@@; declare -p \
      BASE ADMIN_KEY SLUG TENANT API_KEY TOKEN DEVICE LICENSE MEETING ADA; declare -f call field`
    const env = { ...environment, BASE: service.base }
    const { code, stdout, stderr } = await runInShell('bash', script, { cwd: folder, env })
    assert.equal(code, 0, stderr)
    return stdout.split('@@@')[1] ?? ''
  }

  /** Places and servers of the documents' examples, in this test. */
  async function localized(commands: string, folder: string): Promise<string> {
    const database = commands.includes('db.example') ? await createPostgresDatabase() : ''
    return commands
      .replaceAll(/(?<=[\s=>"])\/(?=(?:backups|etc|opt|srv|var\/lib)\/)/g, `${folder}/`)
      .replaceAll(/postgres:\/\/[\w:]+@db\.example\/\w+/g, database)
      .replaceAll('https://atrium.example.com', service.base)
  }

  /** A checkout in which the service of this test has its data. */
  async function workplace(page: string): Promise<string> {
    const folder = await checkoutFolder()
    const data = join(environment['ROOT'] as string, 'data')
    for (const place of ['etc/sysctl.d', 'etc/systemd/system', 'opt', 'var/lib/atrium-agent']) {
      await mkdir(join(folder, place), { recursive: true })
    }
    if (page !== 'docs/lost-admin-key.md') await symlink(data, join(folder, 'data'))
    else {
      await mkdir(join(folder, 'data'))
      await cp(join(data, 'admin-key'), join(folder, 'data/admin-key'))
    }
    return folder
  }

  async function runPage(page: string): Promise<string> {
    const folder = await workplace(page)
    const { prepare, before: first = '' } = special[page] ?? {}
    await prepare?.(folder)
    const commands = docBlocks(page).filter(({ language }) => language === 'sh')
    const lines = [first, ...commands.map(({ text }) => text), ...cronCommands(page)].join('\n')
    const script = `set -euo pipefail\n${variables}\n${await localized(lines, folder)}`
    const outcome = await runInShell('bash', script, { cwd: folder, env: { ...environment, ROOT: folder } })
    assert.equal(outcome.code, 0, `${page}\n${outcome.stdout.slice(-2000)}\n${outcome.stderr.slice(-2000)}`)
    return outcome.stdout
  }

  // src/email/tour.test.ts runs it, beside a mailbox.
  const ranElsewhere = 'docs/email.md'
  const withCommands = pages.filter(
    (page) => page !== ranElsewhere && docBlocks(page).some(({ language }) => language === 'sh' || language === 'cron'),
  )
  // The last one erases the tenant of the tour.
  for (const page of [...withCommands.filter((it) => it !== 'docs/tenants.md'), 'docs/tenants.md'])
    test(`of ${page} run`, { timeout: 180_000 }, async () => {
      const said = await runPage(page)
      for (const pattern of special[page]?.shows ?? []) assert.match(said, pattern)
      if (page === 'docs/summaries.md') assertSummary(said)
    })
})

/** The commands of crontab lines: five fields, then a command in which a percent sign is escaped. */
function cronCommands(page: string): string[] {
  return docBlocks(page)
    .filter(({ language }) => language === 'cron')
    .map(({ text }) => text.replace(/^(?:\S+ ){5}/, '').replaceAll('\\%', '%'))
}

/** The page shows the answer of the tour's meeting. */
function assertSummary(said: string): void {
  const shown = JSON.parse(docBlock('docs/summaries.md', 'json'))
  const answered = JSON.parse(said.split('\n').find((line) => line.startsWith('{"meetingId"')) ?? '{}')
  assert.deepEqual({ ...answered, meetingId: shown.meetingId, generatedAt: shown.generatedAt }, shown)
}

test('every block of the documents says what it is, and commands are in blocks that are run', () => {
  const unnamed = allBlocks
    .filter(({ language }) => language === '')
    .map(({ file, text }) => `${file}: ${text.slice(0, 40)}`)
  assert.deepEqual(unnamed, [])
  const commands = /^(?:npm|npx|node|curl|openssl|docker|git|apt|systemctl) \S/m
  const hidden = allBlocks.filter(({ language, text }) => !['sh', 'cron'].includes(language) && commands.test(text))
  // A synopsis with words in place of values.
  assert.deepEqual(
    hidden.map(({ file }) => file),
    ['docs/vpn-operators.md'],
  )
})

test('the README links to every page', () => {
  const links = readFileSync(join(root, 'README.md'), 'utf8')
  assert.deepEqual(
    pages.filter((page) => !links.includes(`](${page})`)),
    [],
  )
})

test('every block of settings can be given to the service', () => {
  const blocks = allBlocks.filter(({ language }) => language === 'dotenv')
  assert.ok(blocks.length >= 3)
  for (const { file, text } of blocks) {
    const entries = text
      .trim()
      .split(/\n| (?=[A-Z_]+=)/)
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string])
    assert.doesNotThrow(() => readConfig(Object.fromEntries(entries)), file)
  }
})
