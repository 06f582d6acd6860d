import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Most connections at once: of the whole server, and of one address where no proxy is trusted, which would be that address for all. */
const connectionLimits = { total: 2_048, perAddress: 512 } as const

/** A body that is being received when the server stops has this long to arrive. */
const graceMs = 1_000

/**
 * The connections of a server: refuses those over the limits with 503, and ends them when the server stops.
 *
 * Node itself closes connections without a request only, and waits for a body that never comes.
 */
export class Connections {
  /** Each with its request, while one is under way. */
  readonly #requests = new Map<Socket, IncomingMessage | undefined>()
  readonly #perAddress = new Map<string, number>()
  #isClosing = false

  constructor(
    server: Server,
    {
      limits = connectionLimits,
      isBehindProxy,
      refuse,
    }: {
      readonly limits?: { readonly total: number; readonly perAddress: number }
      readonly isBehindProxy: boolean
      readonly refuse: (socket: Socket) => void
    },
  ) {
    server.on('connection', (socket: Socket) => {
      const address = isBehindProxy ? '' : (socket.remoteAddress ?? '')
      const ofAddress = (this.#perAddress.get(address) ?? 0) + 1
      const isOver = this.#requests.size >= limits.total || (!isBehindProxy && ofAddress > limits.perAddress)
      this.#requests.set(socket, undefined)
      this.#perAddress.set(address, ofAddress)
      socket.once('close', () => {
        this.#requests.delete(socket)
        const left = (this.#perAddress.get(address) ?? 1) - 1
        if (left === 0) this.#perAddress.delete(address)
        else this.#perAddress.set(address, left)
      })
      if (isOver || this.#isClosing) refuse(socket)
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request
      this.#requests.set(socket, request)
      if (this.#isClosing) response.setHeader('Connection', 'close')
      response.once('close', () => {
        if (this.#requests.has(socket)) this.#requests.set(socket, undefined)
        if (this.#isClosing) socket.destroySoon()
      })
    })
  }

  get size(): number {
    return this.#requests.size
  }

  /**
   * Closes what has no request at once, what is still sending one after a second, and everything after `withinMs`. Responses to requests
   * that have arrived are finished until then.
   */
  close(withinMs: number): void {
    this.#isClosing = true
    this.#destroy((request) => !request)
    setTimeout(() => this.#destroy((request) => !request?.complete), Math.min(graceMs, withinMs)).unref()
    setTimeout(() => this.#destroy(() => true), withinMs).unref()
  }

  #destroy(isUnwanted: (request: IncomingMessage | undefined) => boolean): void {
    for (const [socket, request] of this.#requests) if (isUnwanted(request)) socket.destroy()
  }
}
