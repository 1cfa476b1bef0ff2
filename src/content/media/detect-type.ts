import type { fileTypeFromBuffer } from 'file-type'
import { type MediaType, svg, textTypes, types } from './media-type.rules.ts'

/** The number of leading bytes that decide the type. */
export const leadBytes = 8 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The type of a file by its first bytes; null for a type that is not accepted. The extension only decides among text
 * formats, and between an APK and another ZIP.
 */
export async function detectType(lead: Buffer, ending: string): Promise<MediaType | null> {
  const own = detectOwn(lead, ending)
  if (own !== undefined) return own === null ? null : (types[own] ?? null)
  const detected = await (await detector())(lead).catch(() => undefined)
  const known = detected === undefined ? undefined : types[baseMimeType(detected.mime)]
  if (known !== undefined) return known
  // A disk image has its signature at the end; its start can be anything, or the start of its compression format.
  if (ending === 'dmg' && !isText(lead)) return types['application/x-apple-diskimage'] ?? null
  // Text that the library recognises as another type is not accepted.
  if (detected !== undefined && detected.mime !== 'application/xml') return null
  return detectTextType(lead, ending)
}

/** A name in `types`; null for a refused type; undefined where the library detects better. */
function detectOwn(lead: Buffer, ending: string): string | null | undefined {
  // The library would read through the archive; the first bytes are enough here.
  if (lead.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return zipName(ending)
  if (lead.subarray(0, 4).equals(Buffer.from('PK\x05\x06'))) return 'application/zip'
  if (lead[0] === 0x1f && lead[1] === 0x8b) return 'application/gzip'
  // https://github.com/AppImage/AppImageSpec: "AI" and its version in the ninth byte of an ELF file.
  if (lead.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')))
    return ['AI\x01', 'AI\x02'].includes(lead.toString('latin1', 8, 11)) ? 'application/x-appimage' : null
  if (lead.toString('latin1', 0, 4) === 'xar!') return 'application/x-xar'
  return undefined
}

function zipName(ending: string): string {
  return ending === 'apk' ? 'application/vnd.android.package-archive' : 'application/zip'
}

function baseMimeType(mime: string): string {
  return mime.split(';')[0] as string
}

function detectTextType(lead: Buffer, ending: string): MediaType | null {
  if (lead.length === 0 || !isText(lead)) return null
  const text = lead
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart()
    .toLowerCase()
  if (/^(?:<\?xml|<!--|<!doctype svg|<svg)/.test(text) && /<svg[\s>/]/.test(text)) return svg
  if (ending === 'svg') return svg // cleaned, and refused where it is none
  // HTML or a script under another name: nothing would run it, and nobody needs it here.
  if (/^(?:<!doctype|<html|<head|<body|<script|<\?|#!|%!ps)/.test(text)) return null
  return ending === '' ? (textTypes['txt'] ?? null) : (textTypes[ending] ?? null)
}

/** Whether it is UTF-8 without control characters. The last character may be cut off. */
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

/** Loaded with the first upload, to keep the start fast. */
async function detector(): Promise<typeof fileTypeFromBuffer> {
  return (await import('file-type')).fileTypeFromBuffer
}
