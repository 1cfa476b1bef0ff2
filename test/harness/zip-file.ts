import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name: string
  content: string | Uint8Array
  /** What the directory says of the unpacked size. Default: the truth. */
  statedBytes?: number
  isEncrypted?: boolean
}

/** A ZIP file (APPNOTE 6.3.3) with deflated entries. `comment` stands at its end. */
export function zipFile(entries: ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.content as Uint8Array)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x800 | (entry.isEncrypted ? 1 : 0), 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(entry.statedBytes ?? content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, name]))
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, central, Buffer.from('PK\x05\x06'), end])
}
