import type { ResolveRecords } from '../../mime/authenticity.ts'

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
