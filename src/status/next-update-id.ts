/** Bytes of randomness that one id takes. */
export const updateIdRandomBytes = 10

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether a text has the form of an update id: a lower-case UUID of version 7. */
export function isUpdateId(text: string): boolean {
  return pattern.test(text)
}

/**
 * Makes a UUIDv7 from a time and random bytes, greater than the previous one of the same maker.
 *
 * Where the clock stands still or was set back, the id is the previous one plus one, so that the order of ids stays the order of
 * their making (RFC 9562, section 6.2).
 *
 * @param timeMs Milliseconds since 1970.
 * @param random At least `updateIdRandomBytes` bytes.
 */
export function nextUpdateId(previous: string | undefined, timeMs: number, random: Uint8Array): string {
  const time = Math.floor(timeMs).toString(16).padStart(12, '0')
  const bits = [...random.subarray(0, updateIdRandomBytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (bits.length < 2 * updateIdRandomBytes) throw new Error(`Cannot make an id: expected ${updateIdRandomBytes} random bytes`)
  const id = format(BigInt(`0x${time}`), BigInt(`0x${bits}`) & randomMask)
  if (previous === undefined || id > previous) return id
  const hex = previous.replaceAll('-', '')
  const [previousTime, previousRandom] = [BigInt(`0x${hex.slice(0, 12)}`), toRandom(hex)]
  return previousRandom < randomMask ? format(previousTime, previousRandom + 1n) : format(previousTime + 1n, 0n)
}

/** 12 bits after the version and 62 after the variant. */
const randomMask = (1n << 74n) - 1n

function toRandom(hex: string): bigint {
  return (BigInt(`0x${hex.slice(13, 16)}`) << 62n) | (BigInt(`0x${hex.slice(16)}`) & ((1n << 62n) - 1n))
}

function format(time: bigint, random: bigint): string {
  const high = (random >> 62n).toString(16).padStart(3, '0')
  const low = ((random & ((1n << 62n) - 1n)) | (1n << 63n)).toString(16).padStart(16, '0')
  const start = time.toString(16).padStart(12, '0')
  return `${start.slice(0, 8)}-${start.slice(8)}-7${high}-${low.slice(0, 4)}-${low.slice(4)}`
}
