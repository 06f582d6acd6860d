import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A proxy of a database server, on a Unix socket, that breaks connections. It ends with the test. */
export interface PostgresProxy {
  /** The database behind the proxy. */
  readonly url: string
  /** Ends all connections, and refuses new ones. */
  cut(): void
  /** Ends the connections over which the client has sent this text. Returns their number. */
  reset(sentText: string): number
  /**
   * Makes connections half-open: they stay open, and nothing passes any more in either direction. New connections work.
   *
   * @param sentText Only those over which the client has sent this text. Default: all.
   * @returns Their number.
   */
  silence(sentText?: string): number
  /**
   * Makes the next connection half-open over which the client sends this text. Resolves when that happens.
   *
   * @param options.isDelivered Whether the server still gets the text, so that only its answer is lost.
   */
  silenceOn(text: string, options?: { readonly isDelivered?: boolean }): Promise<void>
  /** Whether new connections are half-open from the beginning. */
  silencesNew: boolean
  /** Whether new connections are reset. */
  refusesNew: boolean
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  isSilent: boolean
  /** What the client has sent. */
  sent: string
}

export async function startPostgresProxy(url: string): Promise<PostgresProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-proxy-'))
  const serverFolder = new URL(url.replace('@/', '@localhost/')).searchParams.get('host') ?? ''
  const links = new Set<Link>()
  const servers = new Set<Socket>()
  let trap: { readonly text: string; readonly isDelivered: boolean; spring(): void } | undefined
  const listener = createServer((client) => {
    if (proxy.refusesNew) return void client.destroy()
    const server = connect(join(serverFolder, '.s.PGSQL.5432'))
    const link: Link = { client, server, isSilent: proxy.silencesNew, sent: '' }
    links.add(link)
    client.on('data', (data: Buffer) => {
      const text = data.toString('latin1')
      link.sent += text
      if (trap && text.includes(trap.text)) {
        link.isSilent = true
        if (trap.isDelivered) server.write(data)
        trap.spring()
        trap = undefined
      }
      if (!link.isSilent && server.writable) server.write(data)
    })
    server.on('data', (data: Buffer) => {
      if (!link.isSilent && client.writable) client.write(data)
    })
    client.on('error', () => undefined)
    // The other end of a half-open connection does not learn that it has ended.
    client.on('close', () => {
      links.delete(link)
      if (!link.isSilent) server.destroy()
    })
    servers.add(server)
    server.on('error', () => undefined)
    server.on('close', () => {
      servers.delete(server)
      if (!link.isSilent) client.destroy()
    })
  })
  const find = (sentText: string) => [...links].filter(({ sent }) => sent.includes(sentText))
  const proxy: PostgresProxy = {
    url: url.replace(encodeURIComponent(serverFolder), encodeURIComponent(folder)),
    silencesNew: false,
    refusesNew: false,
    cut() {
      listener.close()
      for (const { client } of links) client.destroy()
      for (const server of servers) server.destroy()
    },
    reset(sentText) {
      const found = find(sentText)
      for (const { client } of found) client.destroy()
      return found.length
    },
    silence(sentText = '') {
      const found = find(sentText)
      for (const link of found) link.isSilent = true
      return found.length
    },
    silenceOn: (text, { isDelivered = false } = {}) =>
      new Promise((resolve) => {
        trap = { text, isDelivered, spring: resolve }
      }),
  }
  await new Promise<void>((resolve) => listener.listen(join(folder, '.s.PGSQL.5432'), resolve))
  onTestFinished(() => {
    proxy.cut()
    rmSync(folder, { recursive: true, force: true })
  })
  return proxy
}
