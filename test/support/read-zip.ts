import { crc32, inflateRawSync } from 'node:zlib'

/** Reads the files of a zip archive by their lines in its directory, and checks each one. In the order of the directory. */
export function readZip(bytes: Uint8Array): ReadonlyMap<string, Buffer> {
  const zip = Buffer.from(bytes)
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06'))
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [method, crc, packedSize, size] = [
      zip.readUInt16LE(at + 10),
      ...[16, 20, 24].map((field) => zip.readUInt32LE(at + field)),
    ]
    const nameLength = zip.readUInt16LE(at + 28)
    const offset = zip.readUInt32LE(at + 42)
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
    const packed = zip.subarray(start, start + (packedSize ?? 0))
    const content = method === 8 ? inflateRawSync(packed) : packed
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (
      content.length !== size ||
      crc32(content) !== crc ||
      !zip
        .subarray(offset + 30)
        .subarray(0, nameLength)
        .equals(Buffer.from(name))
    )
      throw new Error(`The archive has another content of ${name}`)
    files.set(name, content)
    at += 46 + nameLength
  }
  if (at !== end) throw new Error('The directory of the archive has another length')
  return files
}
