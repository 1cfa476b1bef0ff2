import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../test/harness/service.ts'
import { commandHelp } from './command-help.ts'
import { settings } from './config/config.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const scripts = {
  start: ['src/main.ts'],
  atrium: ['src/atrium.ts'],
  backup: ['src/backup.ts', 'backup'],
  restore: ['src/backup.ts', 'restore'],
  verify: ['src/backup.ts', 'verify'],
  'verify-audit': ['scripts/verify-audit.ts'],
}
type Outcome = { code: number; stdout: string; stderr: string }

/** In an empty data folder, in which nothing may be made. */
async function command(args: string[]): Promise<Outcome> {
  const folder = await temporaryFolder()
  const env = { PATH: process.env['PATH'], DATA_DIR: folder }
  const outcome = await new Promise<Outcome>((resolve) => {
    execFile(process.execPath, ['scripts/node24.js', ...args], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
  assert.deepEqual(readdirSync(folder), [])
  return outcome
}

describe('every command of an operator', () => {
  test('explains itself with --help, and does nothing', async () => {
    const outcomes = Object.entries(scripts).map(async ([name, script], index) => {
      const outcome = await command([...script, index % 2 === 0 ? '--help' : '-h'])
      assert.deepEqual(outcome, { code: 0, stdout: `${commandHelp[name as keyof typeof scripts]}\n`, stderr: '' })
    })
    await Promise.all(outcomes)
  })

  test('names only settings that exist, and says where to read more', () => {
    const known = Object.values(settings).map(([name]): string => name)
    for (const text of Object.values(commandHelp)) {
      const named = text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? []
      assert.deepEqual(
        named.filter((name) => !known.includes(name)),
        [],
      )
      assert.match(text, /docs\/[a-z-]+\.md/)
      for (const line of text.split('\n')) assert.ok(line.length <= 130, line)
    }
  })

  test('refuses arguments that it does not know, and points to its help', async () => {
    const cases: [args: string[], code: number, message: RegExp][] = [
      [['src/main.ts', '--port', '80'], 1, /There is no option --port: .*`npm start -- --help`/],
      [['src/backup.ts', 'backup'], 1, /^Name one file\. Run `npm run backup -- --help` to see how it is used\.$/m],
      [['src/backup.ts', 'restore', 'a', 'b'], 1, /^Name one file\..*restore -- --help/],
      [['src/backup.ts', 'verify', '--quick', 'a'], 1, /There is no option --quick\..*verify -- --help/],
      [['src/backup.ts', 'destroy'], 1, /^Name a command: backup, restore, verify\.$/m],
      [['src/atrium.ts'], 1, /^Name a command: open\. Run `npm run atrium -- --help`/],
      [['src/atrium.ts', 'open', '--fast'], 1, /'--fast'.*`npm run atrium -- --help`/],
      [['src/atrium.ts', 'open'], 1, /^There is no admin key: set ADMIN_KEY, or DATA_DIR/],
      [['scripts/verify-audit.ts', 'x'], 2, /A checkpoint is SEQ:HASH.*verify-audit -- --help/],
    ]
    const outcomes = cases.map(async ([args, code, message]) => {
      const outcome = await command(args)
      assert.equal(outcome.code, code, args.join(' '))
      assert.match(outcome.stderr, message)
    })
    await Promise.all(outcomes)
  })
})
