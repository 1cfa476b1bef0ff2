/** The size in an image's header, in stored pixels. `hasAlpha` is null where the header does not say. */
export type ImageHeader = { width: number; height: number; hasAlpha: boolean | null }

/** Enough for the profiles and thumbnails that precede the size in a JPEG. */
export const headerBytesMax = 1024 * 1024

/** Reads the header without decoding pixels. Null if the bytes are not such an image, or give no size within `headerBytesMax`. */
export function readImageHeader(mimeType: string, bytes: Buffer): ImageHeader | null {
  try {
    const header = readers[mimeType]?.(bytes) ?? null
    return header !== null && header.width > 0 && header.height > 0 ? header : null
  } catch {
    return null // it ends in the midst of its header
  }
}

const readers: Record<string, (bytes: Buffer) => ImageHeader | null> = {
  'image/png': png,
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), hasAlpha: null }),
  'image/jpeg': jpeg,
  'image/webp': webp,
  'image/avif': avif,
}

/** https://www.w3.org/TR/png-3/#11IHDR: the first chunk. */
function png(bytes: Buffer): ImageHeader | null {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  const colorType = bytes.readUInt8(25)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), hasAlpha: colorType === 4 || colorType === 6 }
}

/** ITU-T T.81 B.1.1: segments up to the first start of frame. */
function jpeg(bytes: Buffer): ImageHeader | null {
  let at = 2
  while (at < bytes.length) {
    if (bytes.readUInt8(at) !== 0xff) return null
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at++ // a fill byte
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), hasAlpha: false }
    if (marker === 0xd9 || marker === 0xda) return null
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webp(bytes: Buffer): ImageHeader | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return {
        width: bytes.readUIntLE(24, 3) + 1,
        height: bytes.readUIntLE(27, 3) + 1,
        hasAlpha: (bytes.readUInt8(20) & 0x10) !== 0,
      }
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1, hasAlpha: ((bits >> 28) & 1) === 1 }
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, hasAlpha: false }
    default:
      return null
  }
}

/** The largest of the image spatial extents (`ispe`, ISO/IEC 23008-12): an image of tiles has one for each tile, too. */
function avif(bytes: Buffer): ImageHeader | null {
  let [width, height, found] = [0, 0, 0]
  for (let at = bytes.indexOf('ispe'); at !== -1 && ++found <= 64; at = bytes.indexOf('ispe', at + 4)) {
    width = Math.max(width, bytes.readUInt32BE(at + 8))
    height = Math.max(height, bytes.readUInt32BE(at + 12))
  }
  return found === 0 ? null : { width, height, hasAlpha: null }
}

/** A part of an image. */
export type Crop = { left: number; top: number; width: number; height: number }

/** The largest part of an image with the proportions of `target`, as near to the focal point (0..100) as possible. */
export function cropAround(
  image: { width: number; height: number },
  focal: { x: number; y: number },
  target: { width: number; height: number },
): Crop {
  const scale = Math.min(image.width / target.width, image.height / target.height)
  const width = Math.max(1, Math.min(image.width, Math.round(target.width * scale)))
  const height = Math.max(1, Math.min(image.height, Math.round(target.height * scale)))
  const placed = (size: number, part: number, percent: number) =>
    Math.max(0, Math.min(size - part, Math.round((size * percent) / 100 - part / 2)))
  return { left: placed(image.width, width, focal.x), top: placed(image.height, height, focal.y), width, height }
}
