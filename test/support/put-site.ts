import { toSiteContent } from '../../src/app/publish/site-files.ts'
import type { Project, SiteAudience } from '../../src/status/update-record.ts'
import type { Store } from '../../src/store/store.ts'
import { finishWithSite, pushAndClaim } from '../store/site-fixture.ts'

/** The files of a site by path. */
export type SiteTexts = Readonly<Record<string, string | Uint8Array>>

/** Stores a site as a run does. */
export async function putSite(
  store: Store,
  project: Project,
  texts: SiteTexts,
  {
    sha = 1,
    publish = true,
    ref = 'refs/heads/main',
    others = [],
    audiences,
  }: {
    sha?: number
    publish?: boolean
    ref?: string
    /** The files of audiences. */
    others?: readonly { readonly audience: SiteAudience; readonly texts: SiteTexts }[]
    /** Those in the configuration of a published commit. */
    audiences?: readonly SiteAudience[]
  } = {},
): Promise<string> {
  const job = await pushAndClaim(store, project, { now: Date.now, sha, ref })
  const lists = await Promise.all(
    [{ name: 'public', texts }, ...others.map((one) => ({ name: one.audience.name, texts: one.texts }))].map(async (list) => ({
      name: list.name,
      files: await Promise.all(
        Object.entries(list.texts).map(async ([path, text]) => ({ path, content: await toSiteContent(path, Buffer.from(text)) })),
      ),
    })),
  )
  const files = lists.flatMap((list) => list.files)
  await store.sites.addContents(files.map(({ content }) => content))
  const { _id: statusId, commit } = job.stored.update
  const counts = {
    pageCount: 1,
    fileCount: files.length,
    sizeBytes: files.reduce((sum, { content }) => sum + content.sizeBytes, 0),
    audiences: others.map(({ audience }) => audience),
  }
  const buildId = await store.sites.stage({ projectId: project.id, statusId, sha: commit.sha, ref, ...counts })
  if (buildId === undefined) throw new Error('The project is gone')
  for (const list of lists) {
    const paths = list.files.map(({ path, content }) => ({ path, hash: content.hash }))
    await store.sites.addFiles({ buildId, audience: list.name }, paths)
  }
  await finishWithSite(store, job, { buildId, publish, audiences }, Date.now)
  return buildId
}
