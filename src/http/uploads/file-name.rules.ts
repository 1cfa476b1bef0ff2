const bytesMax = 200
// Device names on Windows, with any extension.
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)/i
// Characters that change how a name looks: direction marks, joiners, soft hyphens, byte order marks.
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu

/** The extension in lower case, without the dot; '' if the text after the dot is not an extension (`notes v1.2`). */
export function fileExtension(name: string): string {
  return /\.([a-z][a-z0-9]{0,9})$/i.exec(baseName(name))?.[1]?.toLowerCase() ?? ''
}

/**
 * A file name that is safe on every system and in every header and URL: no path, no invisible characters, no leading or
 * trailing dots, no device name, at most 200 bytes, with the extension of the file's real type.
 */
export function safeFileName(sent: string, ending: string): string {
  const base = baseName(sent)
  const own = fileExtension(base)
  const stem = (own === '' ? base : base.slice(0, -own.length - 1)).normalize('NFC')
  const cleaned = stem
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[\s"'`<>:|?*%#&;,+=@$!^~(){}[\]/\\]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[.\-_]+/, '')
    .replace(/(?<![.-])[.-]+$/, '')
  const kept = truncate(cleaned, bytesMax - ending.length - 2)
  const name = reserved.test(kept) ? `_${kept}` : kept
  return `${name === '' ? 'file' : name}.${ending}`
}

/** The name as the user gave it, for display: without the path and invisible characters. */
export function displayName(sent: string): string {
  return truncate(baseName(sent).toWellFormed().replace(invisible, '').trim(), 255) || 'file'
}

function baseName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
}

/** Cuts between characters, never within one. */
function truncate(text: string, max: number): string {
  let size = 0
  let kept = ''
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > max) break
    kept += character
  }
  return kept.replace(/(?<![.\- ])[.\- ]+$/, '')
}

/** `Content-Disposition` (RFC 6266), with the name in ASCII for old clients and in full (RFC 8187) for the others. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_')
  const extended = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${extended}`}`
}
