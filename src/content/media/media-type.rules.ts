export const mediaKinds = ['image', 'video', 'audio', 'document', 'archive', 'binary'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** The type of a file, detected from its bytes. */
export type MediaType = { mimeType: string; kind: MediaKind; ending: string }

const of =
  (kind: MediaKind) =>
  (mimeType: string, ending: string): MediaType => ({ mimeType, kind, ending })
const [image, video, audio, document, archive, binary] = mediaKinds.map(of) as [Make, Make, Make, Make, Make, Make]
type Make = (mimeType: string, ending: string) => MediaType

export const svg = image('image/svg+xml', 'svg')

/** All accepted types, by the name that `file-type` or our own detection gives them. */
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

/** Text formats differ only by their extension. They are always served as a download, never sniffed. */
export const textTypes: Record<string, MediaType> = {
  txt: document('text/plain', 'txt'),
  md: document('text/markdown', 'md'),
  markdown: document('text/markdown', 'md'),
  csv: document('text/csv', 'csv'),
  json: document('application/json', 'json'),
}

/** What an upload may be, for the message to a client that sends something else. */
export const acceptedMimeTypes = [
  ...new Set([...Object.values(types), ...Object.values(textTypes)].map(({ mimeType }) => mimeType)),
].join(', ')

/** Other extensions of accepted types. */
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
 * Why the file name or the sent type contradicts the bytes; null if it does not. The extension must be known and of the
 * same kind; `.jpg` on a PNG is accepted as a slip. A sent type counts only if it names a kind.
 */
export function typeMismatch(type: MediaType, ending: string, sentType: string): string | null {
  const family = kindFamily(type.kind)
  if (ending !== '') {
    const named = kindsByEnding.get(ending)
    if (named === undefined || kindFamily(named) !== family) return `it is ${type.mimeType}, and is called .${ending}`
  }
  const said = sentTypeFamily(sentType)
  return said === null || said === family ? null : `it is ${type.mimeType}, and was sent as ${sentType.slice(0, 60)}`
}

type Family = 'image' | 'av' | 'document' | 'download'

/** Video and audio share containers; archives and programs share media types. */
function kindFamily(kind: MediaKind): Family {
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

/** Null for a type that says nothing (`application/octet-stream`) or that systems disagree about. */
function sentTypeFamily(sentType: string): Family | 'none' | null {
  if (Object.hasOwn(sentFamilies, sentType)) return sentFamilies[sentType] as Family
  const [top] = sentType.split('/')
  if (top === 'image') return 'image'
  if (top === 'video' || top === 'audio') return 'av'
  return top === 'text' ? 'document' : null
}

const mebibyte = 1024 * 1024
/** An SVG is cleaned in memory. */
const svgBytesMax = 2 * mebibyte

export function sizeLimit(type: MediaType | null): number {
  if (type === svg) return svgBytesMax
  return type?.kind === 'image' ? 25 * mebibyte : 200 * mebibyte
}

/** Whether browsers show it in place; everything else is saved. */
export function isShownInline({ kind, mimeType }: { kind: MediaKind; mimeType: string }): boolean {
  return kind === 'image' || kind === 'video' || kind === 'audio' || mimeType === 'application/pdf'
}
