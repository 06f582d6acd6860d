import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../http/problem-details.ts'

const mebibyte = 1024 * 1024

/** Bytes held at once of bodies whose signature is not yet checked. One of GitHub's largest payloads, 25 MiB, fits beside a few others. */
const unverifiedLimits = { total: 96 * mebibyte, perAddress: 32 * mebibyte } as const

/**
 * Bytes of such bodies that are hashed in a turn of the event loop, however many connections are sending. Node accepts one connection
 * in a turn, so long turns keep everybody else waiting to be accepted.
 */
const bytesPerTurn = 64 * 1024

/** `sha256=` and 64 hexadecimal digits, the form of `X-Hub-Signature-256`. */
const signatureForm = /^sha256=[0-9a-f]{64}$/

/** Whether a header can be a signature at all; looked at before a byte of the body is read. */
export function isSignature(header: unknown): header is string {
  return typeof header === 'string' && signatureForm.test(header)
}

/** Reads bodies while their signatures are computed, and holds no more than the limits of them all together. */
export class UnverifiedBodies {
  readonly #limits: { readonly total: number; readonly perAddress: number }
  readonly #perAddress = new Map<string, number>()
  #total = 0
  /** Hashed in this turn of the event loop. */
  #hashed = 0
  #turn: Promise<void> | undefined

  constructor(limits: { readonly total: number; readonly perAddress: number } = unverifiedLimits) {
    this.#limits = limits
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#total
  }

  /**
   * The body, once its signature is known to be right. Nothing of a refused body is kept.
   *
   * @throws {Problem} `too-large` over `limit` bytes, `unavailable` while too many bytes are held, `unauthorized` for a wrong signature.
   */
  async read(
    payload: AsyncIterable<Buffer>,
    options: { readonly address: string; readonly limit: number; readonly secret: string; readonly signature: string },
  ): Promise<Buffer> {
    const address = toNetwork(options.address)
    const hash = createHmac('sha256', options.secret)
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of payload) {
        size += chunk.length
        this.#hold(address, chunk.length)
        if (size > options.limit) throw new Problem('too-large')
        const isFull = this.#total > this.#limits.total || (this.#perAddress.get(address) ?? 0) > this.#limits.perAddress
        if (isFull) throw new Problem('unavailable', undefined, { headers: { 'Retry-After': '30' } })
        // The sender waits meanwhile: its socket is not read while its last chunk is not taken.
        while (this.#hashed >= bytesPerTurn) await this.#nextTurn()
        this.#hashed += chunk.length
        hash.update(chunk)
        chunks.push(chunk)
      }
      const expected = Buffer.from(`sha256=${hash.digest('hex')}`)
      if (!timingSafeEqual(expected, Buffer.from(options.signature))) throw new Problem('unauthorized')
      return Buffer.concat(chunks)
    } finally {
      this.#hold(address, -size)
    }
  }

  #nextTurn(): Promise<void> {
    this.#turn ??= nextTurn().then(() => {
      this.#hashed = 0
      this.#turn = undefined
    })
    return this.#turn
  }

  #hold(address: string, bytes: number): void {
    this.#total += bytes
    const held = (this.#perAddress.get(address) ?? 0) + bytes
    if (held === 0) this.#perAddress.delete(address)
    else this.#perAddress.set(address, held)
  }
}

/** An IPv6 customer has a /64. */
function toNetwork(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':')
}
