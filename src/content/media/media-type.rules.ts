export const mediaKinds = ['image', 'video', 'audio', 'document', 'archive', 'binary'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** What a file is, by its bytes. */
export type MediaType = { mimeType: string; kind: MediaKind; ending: string }

const of =
  (kind: MediaKind) =>
  (mimeType: string, ending: string): MediaType => ({ mimeType, kind, ending })
const [image, video, audio, document, archive, binary] = mediaKinds.map(of) as [Make, Make, Make, Make, Make, Make]
type Make = (mimeType: string, ending: string) => MediaType

export const svg = image('image/svg+xml', 'svg')

/** Everything that is taken, by the name that `file-type` or our own look at the bytes gives it. */
export const types: Record<string, MediaType> = {
  'image/jpeg': image('image/jpeg', 'jpg'),
  'image/png': image('image/png', 'png'),
  'image/apng': image('image/png', 'png'),
  'image/webp': image('image/webp', 'webp'),
  'image/gif': image('image/gif', 'gif'),
  'image/avif': image('image/avif', 'avif'),
  'image/svg+xml': svg,
  'video/mp4': video('video/mp4', 'mp4'),
  'video/x-m4v': video('video/mp4', 'mp4'),
  'video/webm': video('video/webm', 'webm'),
  'audio/mpeg': audio('audio/mpeg', 'mp3'),
  'audio/wav': audio('audio/wav', 'wav'),
  'audio/ogg': audio('audio/ogg', 'ogg'),
  'audio/x-m4a': audio('audio/mp4', 'm4a'),
  'audio/mp4': audio('audio/mp4', 'm4a'),
  'application/pdf': document('application/pdf', 'pdf'),
  'application/zip': archive('application/zip', 'zip'),
  'application/gzip': archive('application/gzip', 'gz'),
  'application/x-msdownload': binary('application/octet-stream', 'exe'),
  'application/x-cfb': binary('application/octet-stream', 'msi'),
  'application/x-apple-diskimage': binary('application/octet-stream', 'dmg'),
  'application/x-xar': binary('application/octet-stream', 'pkg'),
  'application/x-deb': binary('application/octet-stream', 'deb'),
  'application/x-rpm': binary('application/octet-stream', 'rpm'),
  'application/x-appimage': binary('application/octet-stream', 'AppImage'),
  'application/vnd.android.package-archive': binary('application/octet-stream', 'apk'),
}

/** Text is told apart by its ending alone: it is always sent to be saved, and never sniffed. */
export const textTypes: Record<string, MediaType> = {
  txt: document('text/plain', 'txt'),
  md: document('text/markdown', 'md'),
  markdown: document('text/markdown', 'md'),
  csv: document('text/csv', 'csv'),
  json: document('application/json', 'json'),
}

/** Other endings of what is taken. */
const moreEndings: Record<string, MediaKind> = {
  jpeg: 'image',
  jpe: 'image',
  apng: 'image',
  m4v: 'video',
  oga: 'audio',
  opus: 'audio',
  tgz: 'archive',
}

const kindsByEnding: ReadonlyMap<string, MediaKind> = new Map([
  ...[...Object.values(types), ...Object.values(textTypes)].map(
    ({ ending, kind }) => [ending.toLowerCase(), kind] as const,
  ),
  ['markdown', 'document'] as const,
  ...Object.entries(moreEndings),
])

/**
 * Why the name or the sent type says something else than the bytes, or null. An ending must be known and of the same
 * kind; `.jpg` on a PNG is a slip and no lie. A sent type is judged where it is of a kind at all.
 */
export function mismatchOf(type: MediaType, ending: string, sentType: string): string | null {
  const family = familyOf(type.kind)
  if (ending !== '') {
    const named = kindsByEnding.get(ending)
    if (named === undefined || familyOf(named) !== family) return `it is ${type.mimeType}, and is called .${ending}`
  }
  const said = familyOfSent(sentType)
  return said === null || said === family ? null : `it is ${type.mimeType}, and was sent as ${sentType.slice(0, 60)}`
}

type Family = 'image' | 'av' | 'document' | 'download'

/** Video and audio share their containers, archives and programs their ways of being sent. */
function familyOf(kind: MediaKind): Family {
  if (kind === 'video' || kind === 'audio') return 'av'
  return kind === 'archive' || kind === 'binary' ? 'download' : kind
}

const sentFamilies: Record<string, Family | 'none'> = {
  'application/pdf': 'document',
  'application/json': 'document',
  'application/zip': 'download',
  'application/gzip': 'download',
  'application/x-gzip': 'download',
  'application/xhtml+xml': 'none',
  'application/javascript': 'none',
  'application/ecmascript': 'none',
  'application/x-httpd-php': 'none',
  'text/html': 'none',
  'text/javascript': 'none',
}

/** Null: it says nothing (`application/octet-stream`), or something that systems disagree about. */
function familyOfSent(sentType: string): Family | 'none' | null {
  if (Object.hasOwn(sentFamilies, sentType)) return sentFamilies[sentType] as Family
  const [top] = sentType.split('/')
  if (top === 'image') return 'image'
  if (top === 'video' || top === 'audio') return 'av'
  return top === 'text' ? 'document' : null
}

const mebibyte = 1024 * 1024
/** Cleaned in memory, as a tree of text. */
const svgBytesMax = 2 * mebibyte

export function bytesMaxOf(type: MediaType | null): number {
  if (type === svg) return svgBytesMax
  return type?.kind === 'image' ? 25 * mebibyte : 200 * mebibyte
}

/** Shown in place by a browser; everything else is saved. */
export function isShown({ kind, mimeType }: { kind: MediaKind; mimeType: string }): boolean {
  return kind === 'image' || kind === 'video' || kind === 'audio' || mimeType === 'application/pdf'
}
