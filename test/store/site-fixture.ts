import { createHash } from 'node:crypto'
import { finishUpdate, type Project } from '../../src/status/update-record.ts'
import type { EndResults, NewUpdate } from '../../src/store/queue/jobs.ts'
import { type FinishedSite, type NewSiteContent, publicFilesOf, type SitePath } from '../../src/store/sites/stored-sites.ts'
import type { Store } from '../../src/store/store.ts'
import { claimUpdate, newPush, toCreatedId, toRunning, toSha, type UpdateJob } from './store-fixture.ts'

type Texts = Readonly<Record<string, string>>

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A text as a content, uncompressed, because the store does not read bodies. */
export function toContent(text: string): NewSiteContent {
  return { hash: hashOf(text), sizeBytes: Buffer.byteLength(text), bodies: { identity: Buffer.from(text) } }
}

interface Push {
  readonly now: () => number
  readonly sha: number
  readonly before?: number
  readonly ref?: string
  readonly once?: NewUpdate['once']
}

/** Stores and stages the files of a claimed run, as its worker does before the record ends. */
export async function stageSite(store: Store, project: Project, job: UpdateJob, texts: Texts): Promise<string> {
  const contents = Object.values(texts).map(toContent)
  const missing = new Set(await store.sites.findMissing(contents.map(({ hash }) => hash)))
  await store.sites.addContents(contents.filter(({ hash }) => missing.has(hash)))
  const { _id: statusId, commit } = job.stored.update
  const files: SitePath[] = Object.entries(texts).map(([path, text]) => ({ path, hash: hashOf(text) }))
  const sizeBytes = contents.reduce((sum, content) => sum + content.sizeBytes, 0)
  const { sha, ref } = commit
  const counts = { pageCount: files.length, fileCount: files.length, sizeBytes }
  const id = await store.sites.stage({ projectId: project.id, statusId, sha, ref, ...counts })
  if (id === undefined) throw new Error('The project is gone')
  if (!(await store.sites.addFiles(publicFilesOf({ id }), files))) throw new Error('The build is gone')
  return id
}

export async function pushAndClaim(store: Store, project: Project, { once = 'always', ...push }: Push): Promise<UpdateJob> {
  toCreatedId(await store.accept({ updates: [newPush(store, project, { ...push, once })] }))
  return await claimUpdate(store)
}

type Publish = boolean | FinishedSite['publish']

/** Ends a run with its site. Default: as a success. */
export async function finishWithSite(
  store: Store,
  job: UpdateJob,
  {
    publish,
    status = 'success',
    audiences,
    ...site
  }: {
    readonly buildId: string
    readonly publish: Publish
    readonly status?: 'success' | 'failure'
    readonly memory?: Uint8Array
    readonly audiences?: EndResults['audiences']
  },
  now: () => number,
): Promise<boolean> {
  const endedAt = new Date(now()).toISOString()
  const ended = finishUpdate(toRunning(job), { status, summary: 'Checked.', endedAt })
  const finished = { ...site, publish: typeof publish === 'string' ? publish : publish ? 'always' : 'never' } as const
  return (
    (await store.queue.finish(job.lease, ended, { site: finished, isTip: finished.publish !== 'never', audiences })) &&
    (await store.queue.complete(job.lease))
  )
}

/** A push, from the webhook to its site. */
export async function publishPush(
  store: Store,
  project: Project,
  push: Push & { readonly texts: Texts; readonly publish?: Publish; readonly status?: 'success' | 'failure' },
) {
  const { texts, publish = true, status = 'success', ...pushed } = push
  const job = await pushAndClaim(store, project, pushed)
  const buildId = await stageSite(store, project, job, texts)
  await finishWithSite(store, job, { buildId, publish, status }, push.now)
  return { buildId, statusId: job.stored.update._id, sha: toSha(push.sha) }
}

/** The files of a site, read from the store. */
export async function readSite(store: Store, buildId: string): Promise<Texts> {
  const texts: Record<string, string> = {}
  for (const { path, hash } of await store.sites.listFiles(publicFilesOf({ id: buildId })))
    texts[path] = await readText(store, hash)
  return texts
}

export async function readText(store: Store, hash: string): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of store.sites.readBody(hash, 'identity')) parts.push(part)
  return Buffer.concat(parts).toString()
}
