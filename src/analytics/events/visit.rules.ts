import { isId, newId } from '../../kernel/ids.ts'
import { storableText } from '../../kernel/storable-text.ts'
import type { Visit } from '../../kernel/visit.ts'
import type { Device, UserAgent } from './user-agent.rules.ts'
import type { VisitEvent, VisitEventType } from './visit-event.ts'
import type { VisitorHash } from './visitor-hash.rules.ts'

/** A visit as stored, without anything that identifies the visitor. */
export type VisitRecord = {
  id: string
  type: VisitEventType
  at: Date
  /** The UTC day of `at`. */
  day: string
  visits: number
  productId: string | null
  productSlug: string | null
  pageSlug: string | null
  docSlug: string | null
  downloadId: string | null
  versionId: string | null
  /** 32 hexadecimal digits. Null for robots and for visitors who opted out of tracking. */
  visitor: string | null
  isBot: boolean
  referrerHost: string | null
  utm: Record<string, string> | null
  device: Device
  agentFamily: string
}

/** A recorded visit that is not processed yet. */
export type RecordedVisit = { event: VisitEvent; visit: Visit; at: Date }

export type VisitContext = { agentOf(text: string): UserAgent; hashVisitor: VisitorHash | null; day: string }

const slugLengthMax = 256
const hostLengthMax = 253
const utmLengthMax = 100
const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']

/** Things that newsletters put there by mistake: a mail address or a license key. */
const personal = /@|\bATR(?:-[A-Z0-9]{5}){3}/i
const controls = /\p{Cc}/gu

/** Null for a prefetch, which nobody has seen. */
export function toVisitRecord(
  { event, visit, at }: RecordedVisit,
  { agentOf, hashVisitor, day }: VisitContext,
): VisitRecord | null {
  const { headers } = visit
  if (isPrefetch(headers)) return null
  const agentText = headerText(headers['user-agent'])
  const { device, family } = agentOf(agentText)
  const isBot = device === 'bot'
  const hashOf = isBot || isUntracked(headers) ? null : hashVisitor
  return {
    id: newId(at),
    type: event.type,
    at,
    day,
    visits: 1,
    productId: idOrNull(event.productId),
    productSlug: slugOrNull(event.productSlug),
    pageSlug: slugOrNull(event.pageSlug),
    docSlug: slugOrNull(event.docSlug),
    downloadId: idOrNull(event.downloadId),
    versionId: idOrNull(event.versionId),
    visitor: hashOf?.(`${visit.ip}\n${agentText}`) ?? null,
    isBot,
    referrerHost: referrerHost(headerText(headers['referer']), headerText(headers['host'])),
    utm: utmParameters(visit.url),
    device,
    agentFamily: family,
  }
}

type Headers = Visit['headers']

function isPrefetch(headers: Headers): boolean {
  // https://fetch.spec.whatwg.org/#sec-purpose-header, and its older names.
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && /prefetch|preview|prerender/i.test(headerText(purpose))
}

/** Do Not Track, and Global Privacy Control (https://w3c.github.io/gpc/). */
function isUntracked(headers: Headers): boolean {
  return headers['dnt'] === '1' || headers['sec-gpc'] === '1'
}

/** A fast path for nearly all referrers; a URL parser takes as long as the rest of the visit. Not for hosts that end in a number, which are addresses. */
const plainAddress = /^https?:\/\/(([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?::\d+)?)(?:[/?#]|$)/

/** Shorter than URLs may be, but longer than any real host name. */
const hostName = /^[\w.:[\]-]+$/

/** The host that the visitor came from; null for the own host. */
function referrerHost(referrer: string, ownHost: string): string | null {
  if (referrer === '') return null
  const plain = plainAddress.exec(referrer)
  if (plain !== null) return plain[1] === ownHost ? null : (plain[2] ?? '').slice(0, hostLengthMax)
  const url = URL.parse(referrer)
  if (url === null || !/^https?:$/.test(url.protocol) || url.host === ownHost.toLowerCase()) return null
  return hostName.test(url.hostname) ? url.hostname.slice(0, hostLengthMax) : null
}

function utmParameters(url: string): Record<string, string> | null {
  const start = url.indexOf('?')
  if (start === -1 || !url.includes('utm_', start)) return null
  const query = new URLSearchParams(url.slice(start + 1))
  const found = utmNames.flatMap((name) => {
    const value = storableText(query.get(name) ?? '', utmLengthMax)
      .replace(controls, '')
      .trim()
    return value === '' || personal.test(value) ? [] : [[name.slice('utm_'.length), value] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}

function headerText(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function idOrNull(id: string | undefined): string | null {
  return id !== undefined && isId(id) ? id : null
}

function slugOrNull(slug: string | undefined): string | null {
  return slug === undefined ? null : storableText(slug, slugLengthMax)
}
