import type { ResolveRecords } from '../../mime/authenticity.ts'
import { hasMx, NameServersFailed, readTxt } from '../../mime/name-servers.ts'
import type { Transport } from '../configs/config.rules.ts'
import { type DkimKey, dkimRecord, holdsKey } from '../dkim/dkim.rules.ts'
import type { DnsRecord } from '../dkim/dns-record.ts'
import { failed, passed, type Step } from './verification.rules.ts'

export type DomainToCheck = {
  domain: string
  /** What the owner publishes to show that the domain is theirs. */
  ownership: string
  /** Newest first. */
  keys: readonly DkimKey[]
  transport: Transport
  /** The domain of the installation. */
  installation: string | null
}

type Checked = { steps: Step[]; seen: DkimKey[] }

/** What the zone of a domain says. Nothing in it makes a check fail with an error. */
export async function checkDomain(resolve: ResolveRecords, asked: DomainToCheck): Promise<Checked> {
  const seen: DkimKey[] = []
  const steps = await Promise.all([
    step('ownership', () => checkOwnership(resolve, asked)),
    step('spf', () => checkSpf(resolve, asked)),
    step('dkim', async () => {
      const { newest, found } = await findKeys(resolve, asked.keys)
      seen.push(...found)
      return newest
    }),
    step('dmarc', () => checkDmarc(resolve, asked.domain)),
    step('mx', () => checkMx(resolve, asked)),
  ])
  return { steps, seen }
}

async function step(name: Step['name'], check: () => Promise<Step>): Promise<Step> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof NameServersFailed) return failed(name, 'DNS_FAILED', { detail: error.message })
    throw error
  }
}

function ownershipRecord({ domain, ownership }: Pick<DomainToCheck, 'domain' | 'ownership'>): DnsRecord {
  return { type: 'TXT', name: `_atrium.${domain}`, value: `atrium-verification=${ownership}` }
}

export async function checkOwnership(
  resolve: ResolveRecords,
  asked: Pick<DomainToCheck, 'domain' | 'ownership'>,
): Promise<Step> {
  const record = ownershipRecord(asked)
  const found = await readTxt(resolve, record.name)
  if (found.some((text) => text.trim() === record.value)) return passed('ownership', { record })
  return failed('ownership', found.length === 0 ? 'NO_RECORD' : 'OTHER_RECORD', { record })
}

/** Which servers send for a tenant's own server only the tenant knows. */
async function checkSpf(resolve: ResolveRecords, { domain, transport, installation }: DomainToCheck): Promise<Step> {
  const isOurs = transport.kind === 'platform' && installation !== null
  const sender = isOurs ? `include:${installation}` : transport.host ? `a:${transport.host}` : 'mx'
  const record: DnsRecord = { type: 'TXT', name: domain, value: `v=spf1 ${sender} ~all` }
  const found = (await readTxt(resolve, domain)).filter((text) => /^v=spf1(?:\s|$)/i.test(text))
  const [spf, ...others] = found
  if (spf === undefined) return failed('spf', 'NO_RECORD', { record })
  // RFC 7208 section 4.5: with two records there is no result.
  if (others.length > 0) return failed('spf', 'SEVERAL_RECORDS', { record })
  const isIncluded = !isOurs || spf.toLowerCase().split(/\s+/).includes(sender)
  return isIncluded ? passed('spf') : failed('spf', 'OTHER_RECORD', { record, detail: `It does not name ${sender}.` })
}

async function findKeys(
  resolve: ResolveRecords,
  keys: readonly DkimKey[],
): Promise<{ newest: Step; found: DkimKey[] }> {
  const [first] = keys
  if (first === undefined)
    return { newest: failed('dkim', 'NO_KEY', { detail: 'Create one with POST /config/dkim.' }), found: [] }
  const published = await Promise.all(
    keys.map(async (key) => ({ key, texts: await readTxt(resolve, dkimRecord(key).name) })),
  )
  const found = published.filter(({ key, texts }) => texts.some((text) => holdsKey(text, key.publicKey)))
  const record = dkimRecord(first)
  const isFound = found.some(({ key }) => key === first)
  const cause = published[0]?.texts.length === 0 ? 'NO_RECORD' : 'OTHER_RECORD'
  return {
    newest: isFound ? passed('dkim', { record }) : failed('dkim', cause, { record }),
    found: found.map(({ key }) => key),
  }
}

/** At the domain itself or at one above it. */
async function checkDmarc(resolve: ResolveRecords, domain: string): Promise<Step> {
  const record: DnsRecord = { type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none' }
  const labels = domain.split('.')
  for (let at = 0; at <= Math.min(labels.length - 2, 5); at++) {
    const found = await readTxt(resolve, `_dmarc.${labels.slice(at).join('.')}`)
    if (found.some((text) => /^v=DMARC1\s{0,5};/i.test(text))) return passed('dmarc')
  }
  return failed('dmarc', 'NO_RECORD', { record })
}

async function checkMx(resolve: ResolveRecords, { domain, installation }: DomainToCheck): Promise<Step> {
  if (await hasMx(resolve, domain)) return passed('mx')
  const record: DnsRecord | null =
    installation === null ? null : { type: 'MX', name: domain, value: `10 ${installation}` }
  return failed('mx', 'NO_RECORD', { record, detail: 'Many servers refuse mail from a domain that takes none.' })
}
