import { createHmac, timingSafeEqual } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toNetwork } from '../../http/callers.ts'
import { Problem } from '../../http/problem-details.ts'

const mebibyte = 1024 * 1024

/** Memory limits for bodies with unverified signatures. GitHub's largest payloads have 25 MiB, so a few fit at the same time. */
const unverifiedLimits = { total: 96 * mebibyte, perAddress: 32 * mebibyte } as const

/** Bytes hashed per turn of the event loop, over all connections. Node accepts one connection per turn, so long turns delay other clients. */
const bytesPerTurn = 64 * 1024

/** `sha256=` and 64 hexadecimal digits, the form of `X-Hub-Signature-256`. */
const signatureForm = /^sha256=[0-9a-f]{64}$/

/** Whether a header has the format of a signature. Checked before the body is read. */
export function isSignature(header: unknown): header is string {
  return typeof header === 'string' && signatureForm.test(header)
}

/** Reads bodies while computing their signatures, within limits for their total memory. */
export class UnverifiedBodies {
  readonly #limits: { readonly total: number; readonly perAddress: number }
  readonly #perAddress = new Map<string, number>()
  #total = 0
  /** Bytes hashed in this turn of the event loop. */
  #hashed = 0
  #turn: Promise<void> | undefined

  constructor(limits: { readonly total: number; readonly perAddress: number } = unverifiedLimits) {
    this.#limits = limits
  }

  /** Bytes currently in memory. */
  get bytes(): number {
    return this.#total
  }

  /**
   * Reads a body and verifies its signature.
   *
   * @throws {Problem} `too-large` over `limit` bytes, `unavailable` over the memory limits, `unauthorized` for a wrong signature.
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
        // This also slows down the sender, because the socket is not read meanwhile.
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
