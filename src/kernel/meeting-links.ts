import { storableText } from './storable-text.ts'

/** `page`: our own meeting page, or another host of `BOT_MEETING_HOSTS`. */
export const meetingPlatforms = ['zoom', 'meet', 'teams', 'jitsi', 'page'] as const
export type MeetingPlatform = (typeof meetingPlatforms)[number]

/** Hosts of the operator, with or without a port, beside those that everybody knows. */
export type MeetingHosts = ReadonlyMap<string, MeetingPlatform>

export type MeetingLink = {
  /** Null: a web address, but of no host that we know. */
  platform: MeetingPlatform | null
  /** Equal for all links to the same room. Null like the platform. */
  roomId: string | null
  /** Whole, to join with. A secret: it may contain a passcode. */
  url: string
  /** The same without passcodes, to be shown. */
  shownUrl: string
}

export const meetingUrlLengthMax = 2048

type Room = { id: string }
type PlatformRow = {
  platform: MeetingPlatform
  isHost(host: string): boolean
  /** Null: a page of the host that is not a meeting. */
  room(url: URL): Room | null
}

const isBelow = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

const platforms: PlatformRow[] = [
  {
    platform: 'zoom',
    isHost: (host) => ['zoom.us', 'zoomgov.com', 'zoom.com'].some((domain) => isBelow(host, domain)),
    room: ({ pathname }) => {
      // /j/ID, /w/ID, /wc/ID/join and /wc/join/ID are the same meeting; /my/NAME is a personal room.
      const number = /^\/(?:j|w|s|wc|wc\/join)\/(\d{9,12})(?:\/|$)/.exec(pathname)?.[1]
      const personal = /^\/my\/([A-Za-z0-9.]{1,64})\/?$/.exec(pathname)?.[1]
      return number ? { id: number } : personal ? { id: `my/${personal.toLowerCase()}` } : null
    },
  },
  {
    platform: 'meet',
    isHost: (host) => host === 'meet.google.com',
    room: ({ pathname }) => {
      const code = /^\/([a-z]{3}-[a-z]{4}-[a-z]{3}|lookup\/[a-z0-9-]{1,64})\/?$/i.exec(pathname)?.[1]
      return code ? { id: code.toLowerCase() } : null
    },
  },
  {
    platform: 'teams',
    isHost: (host) => ['teams.microsoft.com', 'teams.live.com', 'teams.microsoft.us'].includes(host),
    room: ({ pathname }) => {
      const number = /^\/meet\/(\d{9,20})\/?$/.exec(pathname)?.[1]
      const thread = /^\/l\/meetup-join\/([^/]{10,300})\//.exec(pathname)?.[1]
      return number ? { id: number } : thread ? { id: decoded(thread) } : null
    },
  },
  {
    platform: 'jitsi',
    isHost: (host) => ['meet.jit.si', '8x8.vc'].includes(host),
    room: jitsiRoom,
  },
]

/** Names of query members that let somebody in, on any host. */
const passcodeNames = ['pwd', 'p', 'passcode', 'password', 'pin', 'tk', 'token', 'jwt', 'key', 'secret']

/**
 * Reads a link to a meeting. Null: no web address with TLS. Plain HTTP is for the operator's hosts alone.
 */
export function readMeetingLink(text: string, hosts: MeetingHosts): MeetingLink | null {
  const url = parsed(text)
  if (url === null) return null
  const own = hosts.get(url.host) ?? hosts.get(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && own !== undefined)) return null
  const row = own === undefined ? platforms.find(({ isHost }) => isHost(url.hostname)) : undefined
  const platform = own ?? row?.platform ?? null
  const room = own === undefined ? (row?.room(url) ?? null) : ownRoom(own, url)
  const shownUrl = withoutPasscodes(url)
  if (platform === null || room === null) return { platform: null, roomId: null, url: url.href, shownUrl }
  return { platform, roomId: room.id, url: url.href, shownUrl }
}

function ownRoom(platform: MeetingPlatform, url: URL): Room | null {
  if (platform === 'page') return { id: withoutPasscodes(url).slice(url.protocol.length + 2) }
  if (platform === 'jitsi') return jitsiRoom(url)
  return platforms.find((row) => row.platform === platform)?.room(url) ?? null
}

/** Names of rooms are compared without case, and each server has its own. */
function jitsiRoom({ host, pathname }: URL): Room | null {
  const room = decoded(pathname)
    .replace(/^\/|\/$/g, '')
    .toLowerCase()
  return room === '' || room.startsWith('static/') ? null : { id: `${host}/${room}` }
}

function parsed(text: string): URL | null {
  if (text.length > meetingUrlLengthMax || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' && url.href.length <= meetingUrlLengthMax ? url : null
}

function withoutPasscodes(url: URL): string {
  const shown = new URL(url)
  // Members after # may be passcodes, too, and no room needs them.
  shown.hash = ''
  for (const name of [...shown.searchParams.keys()])
    if (passcodeNames.includes(name.toLowerCase())) shown.searchParams.delete(name)
  return shown.href
}

/** As far as it can be stored: %00 cannot. */
function decoded(text: string): string {
  try {
    return storableText(decodeURIComponent(text), meetingUrlLengthMax)
  } catch {
    return text
  }
}
