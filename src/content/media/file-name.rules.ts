const bytesMax = 200
// Names of devices on Windows, with whatever ending.
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i
// What shows a name otherwise than it is: directions, joiners, soft hyphens, byte order marks.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/** The ending in lower case, without the dot; '' where a dot has something else behind it (`notes v1.2`). */
export function endingOf(name: string): string {
  return /\.([a-z][a-z0-9]{0,9})$/i.exec(baseOf(name))?.[1]?.toLowerCase() ?? ''
}

/**
 * A name for the bytes that means the same on every system and in every header and address: no path, nothing
 * invisible, no leading or trailing dots, no device, 200 bytes at most, and the ending of what the file is.
 */
export function safeName(sent: string, ending: string): string {
  const base = baseOf(sent)
  const own = endingOf(base)
  const stem = (own === '' ? base : base.slice(0, -own.length - 1)).normalize('NFC')
  const cleaned = stem
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\s"'`<>:|?*%#&;,+=@$!^~(){}[\]/\\]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[.\-_]+|[.-]+$/g, '')
  const kept = shortened(cleaned, bytesMax - ending.length - 2)
  const name = reserved.test(kept) ? `_${kept}` : kept
  return `${name === '' ? 'file' : name}.${ending}`
}

/** What a person called it, to be shown again: without the path and what cannot be seen. */
export function shownName(sent: string): string {
  return shortened(baseOf(sent).toWellFormed().replace(invisible, '').trim(), 255) || 'file'
}

function baseOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
}

/** Cut between characters, not within one. */
function shortened(text: string, max: number): string {
  let size = 0
  let kept = ''
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > max) break
    kept += character
  }
  return kept.replace(/[.\- ]+$/, '')
}

/** `Content-Disposition` (RFC 6266): the name in ASCII for the old, and as it is (RFC 8187) for the rest. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_')
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${extended}`}`
}
