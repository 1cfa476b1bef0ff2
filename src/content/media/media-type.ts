import type { fileTypeFromBuffer } from 'file-type'
import { type MediaType, svg, textTypes, types } from './media-type.rules.ts'

/** So many bytes of a file's start decide what it is. */
export const leadBytes = 8 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * What a file is by its first bytes, or null where it is nothing that is taken. The name decides only among kinds of
 * text, and tells an APK from any other ZIP.
 */
export async function typeOf(lead: Buffer, ending: string): Promise<MediaType | null> {
  const own = ownLook(lead, ending)
  if (own !== undefined) return own === null ? null : (types[own] ?? null)
  const detected = await (await detector())(lead).catch(() => undefined)
  const known = detected === undefined ? undefined : types[base(detected.mime)]
  if (known !== undefined) return known
  // The mark of a disk image stands at its end; its start is any bytes, or those of what it is packed with.
  if (ending === 'dmg' && !isText(lead)) return types['application/x-apple-diskimage'] ?? null
  // Text that the library knows as something else is nothing of ours.
  if (detected !== undefined && detected.mime !== 'application/xml') return null
  return textTypeOf(lead, ending)
}

/** A name in `types`, null for what is refused, undefined for what the library tells better. */
function ownLook(lead: Buffer, ending: string): string | null | undefined {
  // The library would walk through an archive; to us its first bytes are enough.
  if (lead.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return zipOf(ending)
  if (lead.subarray(0, 4).equals(Buffer.from('PK\x05\x06'))) return 'application/zip'
  if (lead[0] === 0x1f && lead[1] === 0x8b) return 'application/gzip'
  // https://github.com/AppImage/AppImageSpec: "AI" and its version in the ninth byte of an ELF file.
  if (lead.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')))
    return ['AI\x01', 'AI\x02'].includes(lead.toString('latin1', 8, 11)) ? 'application/x-appimage' : null
  if (lead.toString('latin1', 0, 4) === 'xar!') return 'application/x-xar'
  return undefined
}

function zipOf(ending: string): string {
  return ending === 'apk' ? 'application/vnd.android.package-archive' : 'application/zip'
}

function base(mime: string): string {
  return mime.split(';')[0] as string
}

function textTypeOf(lead: Buffer, ending: string): MediaType | null {
  if (lead.length === 0 || !isText(lead)) return null
  const text = lead
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart()
    .toLowerCase()
  if (/^(?:<\?xml|<!--|<!doctype svg|<svg)/.test(text) && /<svg[\s>/]/.test(text)) return svg
  if (ending === 'svg') return svg // cleaned, and refused where it is none
  // A page or a script by another name: nothing would run it, and nobody needs it here.
  if (/^(?:<!doctype|<html|<head|<body|<script|<\?|#!|%!ps)/.test(text)) return null
  return ending === '' ? (textTypes['txt'] ?? null) : (textTypes[ending] ?? null)
}

/** UTF-8 without control characters, but for a character that the end of the lead cuts through. */
function isText(lead: Buffer): boolean {
  for (let cut = 0; cut <= 3; cut++) {
    try {
      const text = utf8.decode(lead.subarray(0, lead.length - cut))
      return !/(?![\t\n\v\f\r])\p{Cc}/u.test(text)
    } catch {
      if (lead.length < leadBytes) return false
    }
  }
  return false
}

/** Loaded at the first upload: a start needs none of it. */
async function detector(): Promise<typeof fileTypeFromBuffer> {
  return (await import('file-type')).fileTypeFromBuffer
}
