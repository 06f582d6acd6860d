import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy. */
interface Proxy {
  readonly port: number
  close(): Promise<void>
}

/**
 * Passes each connection to one of the ports in turn, and to the next one if a connection is refused, like a load balancer. A connection
 * that breaks later breaks for the client too.
 */
export async function startBalancer(ports: readonly number[]): Promise<Proxy> {
  let turn = 0
  return await startProxy((client) => {
    turn += 1
    const order = ports.map((_, index) => ports[(turn + index) % ports.length])
    const tryNext = () => {
      const port = order.shift()
      if (port === undefined || client.destroyed) return client.destroy()
      const upstream = connect(port, '127.0.0.1')
      upstream.once('error', tryNext)
      upstream.once('connect', () => {
        upstream.off('error', tryNext)
        join(client, upstream)
      })
      return undefined
    }
    tryNext()
  })
}

/** A proxy for PostgreSQL on a Unix socket. */
export interface SlowProxy extends Proxy {
  /** Delay of everything that clients send, in milliseconds. */
  delayMs: number
  /** Makes a share of the open connections half-open: they stay open, and nothing arrives any more. Default: in both directions. */
  stall(share: number, options?: { readonly onlyAnswers?: boolean }): void
  /** Delivers what half-open connections hold back, as a network that recovers does. */
  resume(): void
  /** Resets a share of the open connections. */
  reset(share: number): void
}

/** A connection of a client to the server. `held` is absent while data passes. */
interface Link {
  readonly client: Socket
  readonly upstream: Socket
  held: { readonly up: Buffer[]; readonly down: Buffer[]; readonly onlyAnswers: boolean } | undefined
}

/** Delays each message to a server on a Unix socket: each query, because a client sends one and waits for its result. */
export async function startSlowProxy(path: string): Promise<SlowProxy> {
  const links = new Set<Link>()
  const some = (share: number) => [...links].filter(() => Math.random() < share)
  const slow = {
    delayMs: 0,
    stall(share: number, { onlyAnswers = false } = {}) {
      for (const link of some(share)) link.held ??= { up: [], down: [], onlyAnswers }
    },
    resume() {
      for (const link of links) {
        const { up = [], down = [] } = link.held ?? {}
        link.held = undefined
        for (const chunk of up) if (link.upstream.writable) link.upstream.write(chunk)
        for (const chunk of down) if (link.client.writable) link.client.write(chunk)
      }
    },
    reset(share: number) {
      for (const { client, upstream } of some(share)) {
        client.resetAndDestroy()
        upstream.destroy()
      }
    },
  }
  const proxy = await startProxy((client) => {
    const upstream = connect(path)
    const link: Link = { client, upstream, held: undefined }
    links.add(link)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        links.delete(link)
        // The other end of a half-open connection does not learn that it has ended.
        if (!link.held) other.destroy()
      })
    }
    const pass = (chunk: Buffer, to: Socket, held: Buffer[] | undefined) => {
      if (held) held.push(chunk)
      else if (to.writable) to.write(chunk)
    }
    upstream.on('data', (chunk: Buffer) => pass(chunk, client, link.held?.down))
    let sending: Promise<unknown> = Promise.resolve()
    client.on('data', (chunk: Buffer) => {
      const dueAt = performance.now() + slow.delayMs
      sending = sending
        .then(() => sleep(Math.max(0, dueAt - performance.now())))
        .then(() => pass(chunk, upstream, link.held?.onlyAnswers ? undefined : link.held?.up))
    })
    client.on('end', () => {
      sending = sending.then(() => link.held ?? upstream.end())
    })
  })
  const { port } = proxy
  const close = async () => {
    for (const { upstream } of links) upstream.destroy()
    await proxy.close()
  }
  return Object.assign(slow, { port, close })
}

function join(client: Socket, upstream: Socket): void {
  for (const socket of [client, upstream]) {
    const other = socket === client ? upstream : client
    socket.setNoDelay(true)
    socket.on('error', () => other.destroy())
    socket.on('close', () => other.destroy())
  }
  upstream.pipe(client)
  client.pipe(upstream)
}

async function startProxy(accept: (client: Socket) => void): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => undefined)
    client.on('close', () => sockets.delete(client))
    accept(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A free TCP port of this machine. */
export async function findFreePort(): Promise<number> {
  const { port, close } = await startProxy((client) => client.destroy())
  await close()
  return port
}
