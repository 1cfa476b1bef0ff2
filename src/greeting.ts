import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import type { BlobPlace } from './storage/blobs/blobs.ts'
import { serverAddress } from './storage/server-address.ts'

/** `kept`: in the data folder. A new one is shown, this once. */
export type AdminKey = { value: string; from: 'environment' | 'kept' | 'new' }

export type Start = {
  version: string
  /** Where the server listens, as it says itself. */
  address: string
  config: Pick<Config, 'host' | 'databaseUrl' | 'redisUrl' | 'publicUrl'>
  dataFolder: string
  adminKey: AdminKey
  blobPlace: BlobPlace
  /** Opens the console signed in, once. Null: a person makes one with `npm run atrium -- open`. */
  signInLink: string | null
}

/** What an operator reads after the start: where everything is. No password is shown. */
export function greeting(start: Start, interfaces = networkInterfaces()): string {
  const { version, address, config, adminKey } = start
  const rows: [name: string, values: string[]][] = [
    ['console', [start.signInLink ?? 'npm run atrium -- open']],
    ['API reference', [`${address}/docs`]],
    ['addresses', [...reachableAddresses(address, config.host, interfaces), ...publicAddress(config.publicUrl)]],
    ['database', [databasePlace(start)]],
    ['Redis', [redisPlace(config)]],
    ['files', [filesPlace(start.blobPlace)]],
    ['admin key', adminKeyPlace(adminKey, join(start.dataFolder, 'admin-key'))],
  ]
  const column = ' '.repeat(17)
  const lines = rows.map(([name, values]) => `  ${name.padEnd(15)}${values.join(`\n${column}`)}`)
  return `${[`Atrium ${version} listens on ${address}`, ...lines].join('\n')}\n`
}

/** A server on all addresses of a machine says so itself by one of them, which helps nobody on another machine. */
function reachableAddresses(address: string, host: string, interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [address]
  const { port } = new URL(address)
  const isShown = ({ family, scopeid }: NetworkInterfaceInfo) => family === 'IPv4' || (host === '::' && scopeid === 0)
  return Object.values(interfaces)
    .flatMap((known) => known ?? [])
    .filter(isShown)
    .map(({ family, address: ip }) => `http://${family === 'IPv6' ? `[${ip}]` : ip}${port === '' ? '' : `:${port}`}`)
}

function publicAddress(publicUrl: string | null): string[] {
  return publicUrl === null ? [] : [`${publicUrl} (PUBLIC_URL)`]
}

function databasePlace({ config: { databaseUrl }, dataFolder }: Start): string {
  return databaseUrl === null ? `embedded, in ${dataFolder}` : `PostgreSQL at ${serverAddress(databaseUrl)}`
}

function redisPlace({ redisUrl, databaseUrl }: Start['config']): string {
  if (redisUrl !== null) return `at ${serverAddress(redisUrl)}`
  return databaseUrl === null ? 'none' : 'none: each node counts rate limits for itself'
}

function filesPlace(place: BlobPlace): string {
  return place.kind === 'folder' ? `in ${place.folder}` : `in the bucket ${place.bucket} at ${place.endpoint}`
}

function adminKeyPlace({ value, from }: AdminKey, file: string): string[] {
  switch (from) {
    case 'new':
      return [value, `made now, shown this once, kept in ${file}`]
    case 'kept':
      return [`in ${file}`]
    case 'environment':
      return ['as ADMIN_KEY says']
  }
}
