import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy. */
export interface Proxy {
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
}

/** Delays each message to a server on a Unix socket: each query, because a client sends one and waits for its result. */
export async function startSlowProxy(path: string): Promise<SlowProxy> {
  const slow = { delayMs: 0 }
  const proxy = await startProxy((client) => {
    const upstream = connect(path)
    join(client, upstream, { isDelayed: true })
    let sending: Promise<unknown> = Promise.resolve()
    client.on('data', (chunk: Buffer) => {
      const dueAt = performance.now() + slow.delayMs
      sending = sending
        .then(() => sleep(Math.max(0, dueAt - performance.now())))
        .then(() => upstream.writable && upstream.write(chunk))
    })
    client.on('end', () => {
      sending = sending.then(() => upstream.end())
    })
  })
  return Object.assign(slow, proxy)
}

function join(client: Socket, upstream: Socket, { isDelayed = false }: { readonly isDelayed?: boolean } = {}): void {
  for (const socket of [client, upstream]) {
    const other = socket === client ? upstream : client
    socket.setNoDelay(true)
    socket.on('error', () => other.destroy())
    socket.on('close', () => other.destroy())
  }
  upstream.pipe(client)
  if (!isDelayed) client.pipe(upstream)
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
