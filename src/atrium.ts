import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { helpHint, printsHelp } from './command-help.ts'
import { type Config, readConfig, settings } from './config/config.ts'
import { announcedAddress } from './storage/address-file.ts'
import { readKeyFile } from './storage/key-file.ts'

// npm run atrium -- open [--url ADDRESS]: prints a link that opens the console signed in. See docs/console-door.md.

const patienceMs = 10_000

async function open(config: Config, url: string | undefined): Promise<string[]> {
  const dataFolder = resolve(config.dataFolder)
  const base = url ?? (await announcedAddress(dataFolder)) ?? configuredAddress(config)
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol))
    throw new Error(`${base} is no address of a service. ${helpHint('atrium')}`)
  const { url: link, expiresAt } = await createLink(base, await readAdminKey(config, dataFolder))
  // As seen from here: a proxy may have changed the name on the way.
  const shown = new URL(`/console${new URL(link).hash}`, base)
  return [shown.href, `Works once, until ${expiresAt}.`]
}

/** Where the settings say that the service listens, for a service with PostgreSQL, which announces no address. */
function configuredAddress({ host, port }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

async function readAdminKey(config: Config, dataFolder: string): Promise<string> {
  const key = config.adminKey ?? (await readKeyFile(join(dataFolder, 'admin-key'), settings.adminKey[1]))
  if (key !== null) return key
  throw new Error(`There is no admin key: set ADMIN_KEY, or DATA_DIR to the folder that holds it (not ${dataFolder}).`)
}

async function createLink(base: string, adminKey: string): Promise<{ url: string; expiresAt: string }> {
  const answer = await fetch(new URL('/v1/platform/admin/sign-in-links', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-admin-key': adminKey },
    body: JSON.stringify({ role: 'OWNER' }),
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  }).catch((error: unknown) => {
    throw new Error(`No service answers at ${base}. Start it with \`npm start\`, or name its address with --url.`, {
      cause: error,
    })
  })
  const body = (await answer.json().catch(() => ({}))) as Answer
  if (answer.status === 201 && body.signInLink) return body.signInLink
  if (answer.status === 401)
    throw new Error(`The service at ${base} has another admin key. Set ADMIN_KEY, or DATA_DIR to its data folder.`)
  throw new Error(`The service at ${base} answered ${answer.status}${body.detail ? `: ${body.detail}` : ''}`)
}

type Answer = { signInLink?: { url: string; expiresAt: string }; detail?: string }

async function main(args: string[]): Promise<void> {
  if (printsHelp('atrium', args)) return
  const { values, positionals } = parseArgs({ args, options: { url: { type: 'string' } }, allowPositionals: true })
  if (positionals.length !== 1 || positionals[0] !== 'open')
    throw new Error(`Name a command: open. ${helpHint('atrium')}`)
  for (const line of await open(readConfig(process.env), values.url)) process.stdout.write(`${line}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isUnknownOption = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true
  const { message } = error as Error
  process.stderr.write(`${isUnknownOption ? `${message}. ${helpHint('atrium')}` : message}\n`)
  process.exitCode = 1
}
