import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Concurrent connections. `perAddress` does not apply behind a trusted proxy, where all connections share the proxy's address. */
const connectionLimits = { total: 2_048, perAddress: 512 } as const

/** Time for incomplete request bodies to arrive when the server stops. */
const graceMs = 1_000

/**
 * Rejects connections over the limits with 503, and closes connections when the server stops.
 *
 * Node.js alone closes idle connections only and waits for incomplete bodies without a limit.
 */
export class Connections {
  /** Open sockets, each with its current request. */
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
   * Closes idle connections at once, incomplete requests after a second, and everything else after `withinMs`. Complete requests get
   * their response in that time.
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
