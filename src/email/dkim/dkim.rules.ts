import type { SealedColumn } from '../../storage/sealed-column.ts'
import type { DnsRecord } from './dns-record.ts'

/** A key that signs mails of a domain. */
export type DkimKey = {
  ownerId: string
  selector: string
  domain: string
  privateKeySealed: Buffer
  /** DER in base64. */
  publicKey: string
  /** When its record was found. Null: it signs nothing yet. */
  seenAt: Date | null
  createdAt: Date
}

export function dkimRecord({
  selector,
  domain,
  publicKey,
}: Pick<DkimKey, 'selector' | 'domain' | 'publicKey'>): DnsRecord {
  return { type: 'TXT', name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}` }
}

/** Whether a TXT record (RFC 6376 section 3.6.1) holds this key. */
export function holdsKey(record: string, publicKey: string): boolean {
  const tags = record.split(';').map((tag) => tag.trim())
  return tags.some((tag) => tag.startsWith('p=') && tag.slice(2).replace(/\s+/g, '') === publicKey)
}

export function addressDomain(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** Binds a sealed key to its row. */
export function keyContext({ tenantId, ownerId, selector }: { tenantId: string; ownerId: string; selector: string }) {
  return `email-dkim:${tenantId}:${ownerId}:${selector}`
}

export const sealedDkimKeys: SealedColumn = {
  table: 'email_dkim_keys',
  column: 'private_key_sealed',
  owner: ['tenant_id', 'owner_id', 'selector'],
  context: ([tenantId = '', ownerId = '', selector = '']) => keyContext({ tenantId, ownerId, selector }),
}
