import { once } from '../../kernel/once.ts'
import type { ResolveRecords } from '../../mime/authenticity.ts'

const timeoutMs = 5000

const nameServers = once(() => {
  const { Resolver } = process.getBuiltinModule('node:dns/promises')
  return new Resolver({ timeout: timeoutMs, tries: 2 })
})

/** Asks the name servers of this machine. */
export const resolveByDns: ResolveRecords = (name, type) => nameServers().resolve(name, type) as Promise<string[]>
