import { request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { renderHeaders } from '../../../src/site/page/output/hosting-files.tsx'
import type { SiteTexts } from '../../support/put-site.ts'

/** Files of every built site, in addition to its pages. */
export const siteFrame: SiteTexts = {
  '404.html': '<title>Not here</title>',
  _headers: renderHeaders('/', []),
  '.nojekyll': '',
}

interface SiteReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
}

/** Sends a request to a host with an unmodified path. */
export async function askSite(
  address: string,
  host: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<SiteReply> {
  const { port } = new URL(address)
  return await new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { Host: host, ...headers }, agent: false },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const bytes = Buffer.concat(parts)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() })
        })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

/** Sends raw bytes and returns everything received until the connection closes. */
export async function sendRaw(address: string, text: string): Promise<string> {
  const port = Number(new URL(address).port) as AddressInfo['port']
  return await new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text))
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(parts).toString()))
  })
}
