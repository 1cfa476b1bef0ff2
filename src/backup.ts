import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dump } from './backup/dump.ts'
import { readBackup, refuseOtherKey, writeBackup } from './backup/file.ts'
import { BadBackup, type Manifest, type Part, type Tally } from './backup/format.ts'
import { load, migrationsOf, settle } from './backup/load.ts'
import { openAll } from './backup/sealed.ts'
import { type Session, scratchSession } from './backup/session.ts'
import { fillTarget, openSource } from './backup/source.ts'
import { type BackupSeal, createBackupSeal } from './backup/trailer.ts'
import { helpHint, printsHelp } from './command-help.ts'
import { type Config, readConfig, settings } from './config/config.ts'
import { systemClock } from './kernel/clock.ts'
import { sealedColumns } from './sealed-columns.ts'
import { readKeyFile } from './storage/key-file.ts'
import { readMigrations } from './storage/migrations.ts'
import { createSecrets, type Secrets } from './storage/secrets.ts'
import { serverAddress } from './storage/server-address.ts'
import { explained } from './system-fault.ts'
import { tellNodesAnew } from './vault/index.ts'

// npm run backup -- FILE, npm run restore -- FILE, npm run verify -- FILE: see docs/backup.md.

/** @property isSealed false: the operator trusts the file without a proof (`--unsealed`) */
type Place = { config: Config; dataFolder: string; file: string; isSealed: boolean }

const commands = { backup, restore, verify }

const noMasterKey =
  'There is no master key. Give the one of the installation as MASTER_KEY, or put it into `master-key` in the data folder.'

async function backup({ config, dataFolder, file, isSealed }: Place): Promise<string[]> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const { session, pausedMs } = await openSource({
    databaseUrl: config.databaseUrl,
    dataFolder,
    adminKey: () => adminKeyOf(config, dataFolder),
  })
  try {
    const seal = sealWith(await secretsIn(config, dataFolder), isSealed)
    const { bytes } = await writeBackup(file, dump(session, { version, createdAt: systemClock.now(), seal }), seal)
    return [
      `Wrote ${file}, ${megabytes(bytes)} MB, from ${whereOf(config, dataFolder)}.`,
      ...(pausedMs === null
        ? []
        : [`The service went on meanwhile; its database paused for ${Math.ceil(pausedMs)} ms.`]),
      `The master key is not in it. Keep ${config.masterKey === null ? join(dataFolder, 'master-key') : 'MASTER_KEY'} in another place: without it a restored service does not start.`,
    ]
  } finally {
    await session.close()
  }
}

async function restore({ config, dataFolder, file, isSealed }: Place): Promise<string[]> {
  const secrets = await secretsIn(config, dataFolder)
  const { manifest, parts } = await readBackup(file, sealWith(secrets, isSealed))
  const migrations = await readMigrations()
  const migrationsOfBackup = migrationsOf(manifest, migrations)
  // Also for a file that is trusted without a seal: no service starts on a database of another key.
  if (secrets === null) throw new Error(noMasterKey)
  refuseOtherKey(manifest, secrets.check)
  const target = { databaseUrl: config.databaseUrl, dataFolder }
  await fillTarget(target, migrationsOfBackup, async (session, isPrepared) => {
    await load(session, { parts, migrations, isPrepared, afterwards: [tellNodesAnew] })
    await settle(session)
  })
  return [`Restored ${aboutOf(manifest)} into ${whereOf(config, dataFolder)}. All rows were counted and hashed again.`]
}

async function verify({ config, dataFolder, file, isSealed }: Place): Promise<string[]> {
  const secrets = await secretsIn(config, dataFolder)
  const { manifest, parts } = await readBackup(file, sealWith(secrets, isSealed))
  const migrations = await readMigrations()
  const migrationsOfBackup = migrationsOf(manifest, migrations)
  if (secrets !== null) refuseOtherKey(manifest, secrets.check)
  const session = await scratchSession(migrationsOfBackup)
  try {
    const tables: Record<string, Tally> = {}
    await load(session, { parts: noting(parts, tables), migrations, isPrepared: true })
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
    return [
      `${file} is whole: ${aboutOf(manifest)}, ${Object.keys(tables).length} tables, ${rows} rows.`,
      'It was restored into a database that is gone again; all rows were counted and hashed there.',
      secrets === null
        ? 'Sealed values were not checked: there is no master key here.'
        : `The master key opens all ${await openedIn(session, secrets)} sealed values.`,
      isSealed ? 'Its seal was made with the same key.' : 'Whether anybody has changed it was not checked.',
    ]
  } finally {
    await session.close()
  }
}

async function openedIn(session: Session, secrets: Secrets): Promise<number> {
  const { opened, unopened } = await openAll(session, sealedColumns, secrets)
  if (unopened.length === 0) return opened
  const places = unopened.map(({ column, rows }) => `${rows} of ${column}`).join(', ')
  throw new BadBackup(`The master key does not open: ${places}. They were damaged before the backup was made.`)
}

async function* noting(parts: AsyncIterable<Part>, tables: Record<string, Tally>): AsyncGenerator<Part> {
  for await (const part of parts) {
    if (part.kind === 'end') Object.assign(tables, part.tables)
    yield part
  }
}

function sealWith(secrets: Secrets | null, isSealed: boolean): BackupSeal | null {
  if (!isSealed) return null
  if (secrets === null)
    throw new Error(`${noMasterKey} Backups are sealed with it. To do without the seal, add --unsealed.`)
  return createBackupSeal(secrets)
}

async function secretsIn(config: Config, dataFolder: string): Promise<Secrets | null> {
  const key = config.masterKey ?? (await readKeyFile(join(dataFolder, 'master-key'), settings.masterKey[1]))
  return key === null ? null : createSecrets(Buffer.from(key, 'hex'))
}

async function adminKeyOf(config: Config, dataFolder: string): Promise<string> {
  const key = config.adminKey ?? (await readKeyFile(join(dataFolder, 'admin-key'), settings.adminKey[1]))
  if (key !== null) return key
  throw new Error(
    'A running service uses the data folder. Set ADMIN_KEY to its admin key, so that it makes a snapshot.',
  )
}

function whereOf({ databaseUrl }: Config, dataFolder: string): string {
  if (databaseUrl === null) return `the embedded database in ${dataFolder}`
  return `PostgreSQL at ${serverAddress(databaseUrl)}`
}

function aboutOf({ createdAt, version, database }: Manifest): string {
  return `a backup of ${database === 'pglite' ? 'an embedded database' : 'PostgreSQL'} from ${createdAt}, version ${version}`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function isCommand(word: string): word is keyof typeof commands {
  return Object.hasOwn(commands, word)
}

async function run([command = '', ...rest]: string[]): Promise<void> {
  if (!isCommand(command)) throw new Error(`Name a command: ${Object.keys(commands).join(', ')}.`)
  if (printsHelp(command, rest)) return
  const [file, ...others] = rest.filter((word) => word !== '--unsealed')
  const unknown = [file, ...others].find((word) => word?.startsWith('-'))
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}. ${helpHint(command)}`)
  if (file === undefined || others.length > 0) throw new Error(`Name one file. ${helpHint(command)}`)
  const config = readConfig(process.env)
  const lines = await commands[command]({
    config,
    dataFolder: resolve(config.dataFolder),
    // npm runs scripts in the project's folder, but a path is relative to the operator's working directory.
    file: resolve(process.env['INIT_CWD'] ?? '.', file),
    isSealed: !rest.includes('--unsealed'),
  })
  process.stdout.write(`${lines.join('\n')}\n`)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const message = explained(error)
  process.stderr.write(`${error instanceof BadBackup ? `Not a good backup. ${message}` : message}\n`)
  process.exitCode = 1
}
