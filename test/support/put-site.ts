import { toSiteContent } from '../../src/app/publish/site-files.ts'
import type { Project } from '../../src/status/update-record.ts'
import { publicFilesOf } from '../../src/store/sites/stored-sites.ts'
import type { Store } from '../../src/store/store.ts'
import { finishWithSite, pushAndClaim } from '../store/site-fixture.ts'

/** The files of a site by path. */
export type SiteTexts = Readonly<Record<string, string | Uint8Array>>

/** Stores a site as a run does. */
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
    publicFilesOf({ id: buildId }),
    files.map(({ path, content }) => ({ path, hash: content.hash })),
  )
  await finishWithSite(store, job, { buildId, publish }, Date.now)
  return buildId
}
