import { isId, newId } from '../../kernel/ids.ts'
import { storableText } from '../../kernel/storable-text.ts'
import type { Visit } from '../../kernel/visit.ts'
import type { Agent, Device } from './agent.rules.ts'
import type { VisitEvent, VisitEventType } from './visit-event.ts'
import type { VisitorHash } from './visitor-hash.rules.ts'

/** A visit as it is written: without anything that says who it was. */
export type Fact = {
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
  /** 32 hexadecimal digits. Null: a robot, or somebody who asks not to be followed. */
  visitor: string | null
  isBot: boolean
  referrerHost: string | null
  utm: Record<string, string> | null
  device: Device
  agentFamily: string
}

/** A visit that nobody has looked at yet. */
export type Noted = { event: VisitEvent; visit: Visit; at: Date }

export type Reading = { agentOf(text: string): Agent; hashVisitor: VisitorHash | null; day: string }

const slugLengthMax = 256
const hostLengthMax = 253
const utmLengthMax = 100
const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']

/** What newsletters put there by mistake: an address of mail, or a license key. */
const personal = /@|\bATR(?:-[A-Z0-9]{5}){3}/i
const controls = /\p{Cc}/gu

/** Null for what a browser fetched ahead and nobody has seen. */
export function factOf({ event, visit, at }: Noted, { agentOf, hashVisitor, day }: Reading): Fact | null {
  const { headers } = visit
  if (isPrefetch(headers)) return null
  const agentText = textOf(headers['user-agent'])
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
    referrerHost: referrerHostOf(textOf(headers['referer']), textOf(headers['host'])),
    utm: utmOf(visit.url),
    device,
    agentFamily: family,
  }
}

type Headers = Visit['headers']

function isPrefetch(headers: Headers): boolean {
  // https://fetch.spec.whatwg.org/#sec-purpose-header, and its older names.
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz']
  return purpose !== undefined && /prefetch|preview|prerender/i.test(textOf(purpose))
}

/** Do Not Track, and Global Privacy Control (https://w3c.github.io/gpc/). */
function isUntracked(headers: Headers): boolean {
  return headers['dnt'] === '1' || headers['sec-gpc'] === '1'
}

/** Nearly all are so, and need no parser, which takes as long as the rest of the visit. Not what ends in a number: an address. */
const plainAddress = /^https?:\/\/(([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})(?::\d+)?)(?:[/?#]|$)/

/** Less than a URL may have: what no name or address has was made up. */
const hostName = /^[\w.:[\]-]+$/

/** Where the visitor came from; null for a link within the same host. */
function referrerHostOf(referrer: string, ownHost: string): string | null {
  if (referrer === '') return null
  const plain = plainAddress.exec(referrer)
  if (plain !== null) return plain[1] === ownHost ? null : (plain[2] ?? '').slice(0, hostLengthMax)
  const url = URL.parse(referrer)
  if (url === null || !/^https?:$/.test(url.protocol) || url.host === ownHost.toLowerCase()) return null
  return hostName.test(url.hostname) ? url.hostname.slice(0, hostLengthMax) : null
}

function utmOf(url: string): Record<string, string> | null {
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

function textOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function idOrNull(id: string | undefined): string | null {
  return id !== undefined && isId(id) ? id : null
}

function slugOrNull(slug: string | undefined): string | null {
  return slug === undefined ? null : storableText(slug, slugLengthMax)
}
