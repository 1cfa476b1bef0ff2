import { once } from '../kernel/once.ts'
import type { ResolveRecords } from './authenticity.ts'

/** Name servers did not answer: nothing is known of the record. */
export class NameServersFailed extends Error {}

/** The TXT records of a name, each as one text. Rejects with NameServersFailed. */
export async function readTxt(resolve: ResolveRecords, name: string): Promise<string[]> {
  const found = await read(resolve, name, 'TXT')
  return found.map((record) => (Array.isArray(record) ? record.join('') : String(record)))
}

/** Rejects with NameServersFailed. */
export async function hasMx(resolve: ResolveRecords, domain: string): Promise<boolean> {
  return (await read(resolve, domain, 'MX')).length > 0
}

async function read(resolve: ResolveRecords, name: string, type: string): Promise<readonly unknown[]> {
  try {
    return await resolve(name, type)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw new NameServersFailed(`The name servers of ${name} did not answer.`)
  }
}

const timeoutMs = 5000

const ofThisMachine = once(() => {
  const { Resolver } = process.getBuiltinModule('node:dns/promises')
  return new Resolver({ timeout: timeoutMs, tries: 2 })
})

/** Asks the name servers of this machine. */
export const resolveByDns: ResolveRecords = (name, type) => ofThisMachine().resolve(name, type) as Promise<string[]>
