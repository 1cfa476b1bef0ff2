import { DatabaseError } from 'pg'
import { serverAddress } from './server-address.ts'
import { isConnectionLost } from './sql-error.ts'

/** invalid_authorization_specification, invalid_password, invalid_catalog_name, insufficient_privilege */
const refusedCodes = new Set(['28000', '28P01', '3D000', '42501'])

/**
 * An error for the operator when the database server does not answer or refuses the connection. It names the address
 * without the password. Any other error is returned as it is.
 */
export function explainOpenFailure(url: string, cause: unknown): unknown {
  const address = serverAddress(url)
  if (isConnectionLost(cause)) {
    return new Error(`PostgreSQL does not answer at ${address}: ${String(cause)}`, { cause })
  }
  if (!(cause instanceof DatabaseError) || !refusedCodes.has(cause.code ?? '')) return cause
  return new Error(
    `PostgreSQL at ${address} refuses the connection: ${cause.message}. Check the user, the password and the ` +
      'database in DATABASE_URL. The database must exist, and the user must be allowed to create tables in it.',
    { cause },
  )
}
