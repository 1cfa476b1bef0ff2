// npm run verify-audit [-- SEQ:HASH]: follows the hash chain of the audit log, on the database that the service would use.
// With SEQ:HASH, the head that an earlier verification told, the log also has to be one that continues it.
import { join, resolve } from 'node:path'
import { helpHint, printsHelp } from '../src/command-help.ts'
import { type Config, readConfig, settings } from '../src/config/config.ts'
import { type Verification, verifyAudit } from '../src/identity/audit/audit-verification.service.ts'
import { systemCaller } from '../src/kernel/caller.ts'
import { type Database, openDatabase } from '../src/storage/database.ts'
import { FolderInUse } from '../src/storage/folder-lock.ts'
import { confirmMasterKey } from '../src/storage/installation.store.ts'
import { readKeyFile } from '../src/storage/key-file.ts'
import { mintPlatformScope } from '../src/storage/mint.ts'
import { databaseFolder, isDatabase } from '../src/storage/pglite.ts'
import { createSecrets } from '../src/storage/secrets.ts'

const log = {
  warn: (fields: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
}

function readCheckpoint(text: string | undefined) {
  if (text === undefined) return undefined
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined) {
    throw new Error(`A checkpoint is SEQ:HASH, as a verification prints it. ${helpHint('verify-audit')}`)
  }
  return { seq: Number(seq), hash }
}

/** Makes nothing: no folder, no database and no key that was not there. */
async function readMasterKey(config: Config, dataFolder: string): Promise<string> {
  const key = config.masterKey ?? (await readKeyFile(join(dataFolder, 'master-key'), settings.masterKey[1]))
  if (key !== null) return key
  throw new Error(
    `There is no master key: set MASTER_KEY, or DATA_DIR to the folder that holds it (not ${dataFolder}).`,
  )
}

async function open(config: Config, dataFolder: string): Promise<Database> {
  const { databaseUrl, databasePoolMax } = config
  if (databaseUrl === null && !(await isDatabase(databaseFolder(dataFolder))))
    throw new Error(`There is no embedded database in ${dataFolder}: set DATA_DIR or DATABASE_URL as for the service.`)
  try {
    return await openDatabase({ databaseUrl, dataFolder, poolMax: databasePoolMax, log })
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new Error(
      'The embedded database is in use by a running service, which alone may read it. Let the service verify the log ' +
        'itself, with POST /v1/platform/admin/audit/verify, or stop it first.',
      { cause: error },
    )
  }
}

function tell({ ok, checked, redacted, unsealed, firstBadSeq, firstBadId, reason, head }: Verification): void {
  const counts = `${checked} sealed entries (${redacted} redacted), ${unsealed} not sealed yet`
  const place = firstBadSeq === null ? '' : ` at place ${firstBadSeq}`
  const entry = firstBadId === null ? '' : ` (entry ${firstBadId})`
  const lines = ok
    ? [`The audit log is as it was written: ${counts}.`]
    : [`The audit log is NOT as it was written: ${reason}${place}${entry}, after ${counts}.`]
  if (head !== null) lines.push(`Head: ${head.seq}:${head.hash}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

async function main(): Promise<boolean> {
  const config = readConfig(process.env)
  const dataFolder = resolve(config.dataFolder)
  const checkpoint = readCheckpoint(process.argv[2])
  const secrets = createSecrets(Buffer.from(await readMasterKey(config, dataFolder), 'hex'))
  const database = await open(config, dataFolder)
  try {
    const platform = mintPlatformScope(database.handle, systemCaller)
    await confirmMasterKey(platform, secrets.check, new Date())
    const key = secrets.derive('audit-chain')
    const result = await verifyAudit(platform, { key, ...(checkpoint === undefined ? {} : { checkpoint }) })
    tell(result)
    return result.ok
  } finally {
    await database.close()
  }
}

try {
  if (!printsHelp('verify-audit', process.argv.slice(2))) process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`The audit log was not verified.\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
