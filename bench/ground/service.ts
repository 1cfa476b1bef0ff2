import { randomBytes } from 'node:crypto'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { createSecrets } from '../../src/storage/secrets.ts'
import { type Program, startProgram } from '../program.ts'

/** A database that the service runs on, and how the service is told of it. */
export type Ground = { kind: 'postgres' | 'embedded'; url: string | null; dataFolder: string }

const masterKey = '0123456789abcdef'.repeat(4)
export const adminKey = `atradmin_${randomBytes(24).toString('base64url')}`
export const secrets = createSecrets(Buffer.from(masterKey, 'hex'))

/** The service as an operator starts it, all defaults but the limits that a load test would meet. */
export function startService(ground: Ground, environment: Record<string, string> = {}): Promise<Program> {
  return startProgram({
    args: ['scripts/node24.js', 'src/main.ts'],
    environment: { ...serviceEnvironment(ground), ...environment },
  })
}

export function serviceEnvironment({ url, dataFolder }: Ground): Record<string, string> {
  return {
    MASTER_KEY: masterKey,
    ADMIN_KEY: adminKey,
    DATA_DIR: dataFolder,
    ...(url === null ? {} : { DATABASE_URL: url }),
    RATE_LIMIT_MAX: '1000000000',
    RATE_LIMIT_AUTH_FAILURES: '1000000000',
    CONNECTIONS_PER_ADDRESS_MAX: '1000000',
    SOCKETS_PER_USER_MAX: '1000000',
    SOCKETS_PER_TENANT_MAX: '1000000',
  }
}

/** The same database without the service, which must not run where it is embedded. */
export function openGround({ url, dataFolder }: Ground): Promise<Database> {
  const warn = ({ err }: Record<string, unknown>, text: string) => console.error(`${text}: ${String(err)}`)
  return openDatabase({ databaseUrl: url, dataFolder, log: { warn } })
}
