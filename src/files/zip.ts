import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A zip archive that is created file by file. */
interface ZipArchive {
  /** Adds a file. Paths have `/` and are relative. */
  readonly add: (path: string, content: string | Uint8Array) => void
  /**
   * Returns the archive, with files sorted by path, so that the order in which they were added does not matter.
   *
   * @throws {RangeError} if it exceeds the limits of zip archives without extensions: 65,535 files and 4 GiB.
   */
  readonly finish: () => Uint8Array
}

interface Entry {
  readonly name: Uint8Array
  readonly crc: number
  readonly size: number
  readonly packed: Uint8Array
  readonly isPacked: boolean
}

/** 1980-01-01 00:00, the earliest time of the format. Real times would make archives of the same files differ. */
const date = 0x0021
/** Version 2.0, created on Unix, whose permissions the external attributes have: a regular file, 0644. */
const version = { needed: 20, madeBy: 0x0314 }
const attributes = 0o100644 * 0x10000
/** File names are UTF-8. */
const flags = 0x0800
const deflated = 8

const maxEntries = 0xffff
const maxBytes = 0xffffffff

/**
 * Creates a zip archive in memory. The same files make the same bytes, with the same version of Node.js.
 *
 * Source: APPNOTE.TXT, ".ZIP File Format Specification", PKWARE.
 */
export function createZip(): ZipArchive {
  const entries = new Map<string, Entry>()
  return {
    add(path, content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      const packed = bytes.length === 0 ? bytes : deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION })
      const isPacked = packed.length < bytes.length
      const name = Buffer.from(path)
      entries.set(path, { name, crc: crc32(bytes), size: bytes.length, packed: isPacked ? packed : bytes, isPacked })
    },
    finish() {
      if (entries.size > maxEntries) throw new RangeError(`${entries.size} files`)
      const parts: Uint8Array[] = []
      const directory: Uint8Array[] = []
      let offset = 0
      for (const [, entry] of [...entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
        const header = toFields(entry)
        const local = Buffer.concat([toBytes(4, 0x04034b50), toBytes(2, version.needed), header, toBytes(2, 0), entry.name])
        parts.push(local, entry.packed)
        directory.push(
          ...[toBytes(4, 0x02014b50), toBytes(2, version.madeBy, version.needed), header],
          // No extra field, no comment, first disk, binary.
          ...[toBytes(2, 0, 0, 0, 0), toBytes(4, attributes, offset), entry.name],
        )
        offset += local.length + entry.packed.length
      }
      const listed = Buffer.concat(directory)
      if (offset + listed.length > maxBytes) throw new RangeError(`${offset} bytes`)
      const end = [
        toBytes(4, 0x06054b50),
        toBytes(2, 0, 0, entries.size, entries.size),
        toBytes(4, listed.length, offset),
        toBytes(2, 0),
      ]
      return Buffer.concat([...parts, listed, ...end])
    },
  }
}

/** The fields that the header of a file and its line in the directory have in common. */
function toFields({ name, crc, size, packed, isPacked }: Entry): Uint8Array {
  return Buffer.concat([
    toBytes(2, flags, isPacked ? deflated : 0, 0, date),
    toBytes(4, crc, packed.length, size),
    toBytes(2, name.length),
  ])
}

/** Numbers of some bytes each, little-endian. */
function toBytes(length: 2 | 4, ...values: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(length * values.length)
  for (const [at, value] of values.entries()) bytes.writeUIntLE(value, at * length, length)
  return bytes
}
