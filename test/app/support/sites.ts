import { request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { toSiteContent } from '../../../src/app/sites/to-content.ts'
import { renderHeaders } from '../../../src/site/files/render-headers.ts'
import type { Project } from '../../../src/status/types.ts'
import type { Store } from '../../../src/store/types.ts'
import { finishWithSite, pushAndClaim } from '../../store/site-fixture.ts'

export type SiteTexts = Readonly<Record<string, string | Uint8Array>>

/** What every built site has beside its pages. */
export const siteFrame: SiteTexts = {
  '404.html': '<title>Not here</title>',
  _headers: renderHeaders('/', []),
  '.nojekyll': '',
}

/** Puts a site into the store as a run does. */
export async function putSite(
  store: Store,
  project: Project,
  texts: SiteTexts,
  { sha = 1, publish = true, ref = 'refs/heads/main' }: { sha?: number; publish?: boolean; ref?: string } = {},
): Promise<string> {
  const job = await pushAndClaim(store, project, { now: Date.now, sha, ref })
  const files = await Promise.all(
    Object.entries(texts).map(async ([path, text]) => ({ path, content: await toSiteContent(path, Buffer.from(text)) })),
  )
  await store.sites.addContents(files.map(({ content }) => content))
  const { _id: statusId, commit } = job.stored.update
  const counts = {
    pageCount: 1,
    fileCount: files.length,
    sizeBytes: files.reduce((sum, { content }) => sum + content.sizeBytes, 0),
  }
  const buildId = await store.sites.stage({ projectId: project.id, statusId, sha: commit.sha, ref, ...counts })
  if (buildId === undefined) throw new Error('The project is gone')
  await store.sites.addFiles(
    buildId,
    files.map(({ path, content }) => ({ path, hash: content.hash })),
  )
  await finishWithSite(store, job, { buildId, publish }, Date.now)
  return buildId
}

export interface SiteReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
}

/** One request to a host, with the path exactly as it is given. */
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

/** Sends bytes as they are; what comes back until the server closes. */
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
