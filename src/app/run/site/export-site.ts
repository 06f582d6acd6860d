import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GitHubError } from '../../../errors.ts'
import type { Project } from '../../../status/types.ts'
import type { NewSiteContent, SiteBuild } from '../../../store/sites/stored-sites.ts'
import { refreshProject } from '../../reconcile/settle-repository.ts'
import { toPlainContent } from '../../sites/site-content.ts'
import { createKeepSiteFiles, withArchive } from '../check/check-archive.ts'
import { type RunContext, toJobFailure } from '../run-context.ts'
import type { TaskRun, Tasks } from '../tasks.ts'
import { runSiteProgram } from './build-run-site.ts'

/** The server holds a zip file in memory while it stores it. */
const maxMb = 64

/**
 * Builds the requested export of a stored site from its commit, and stores it with the site. Does nothing if the site was removed meanwhile.
 *
 * @throws {GitHubError} for temporary errors; any other error is a bug or an error of the store.
 */
export async function exportSite(context: RunContext, { statusId }: Tasks['export-site'], { signal }: TaskRun): Promise<void> {
  const { store, log, now } = context
  const stored = await store.statuses.find(statusId)
  const siteExport = stored?.details.siteExport
  const project = stored && (await store.projects.find(stored.update.projectId))
  const build = project && (await store.sites.find(project.id, stored.update.commit.sha))
  if (!project || build?.statusId !== statusId || !siteExport || siteExport.endedAt !== undefined) return
  const end = await buildExport(context, { project, build }, signal).catch((error: unknown) => {
    const failure = error instanceof GitHubError ? toJobFailure(error) : undefined
    if (!failure || failure.mayPass) throw error
    return { reason: failure.reason }
  })
  const endedAt = now().toISOString()
  const fields = { statusId, projectId: project.id, headSha: build.sha }
  if ('reason' in end) {
    const { reason } = end
    await store.statuses.addDetails(statusId, { siteExport: { ...siteExport, endedAt, error: reason } })
    log.warn({ ...fields, reason }, 'Cannot export a site')
  } else if (await store.sites.addExport(statusId, end.content, endedAt)) log.info(fields, 'Site exported')
}

async function buildExport(
  context: RunContext,
  { project: known, build }: { readonly project: Project; readonly build: SiteBuild },
  signal: AbortSignal,
): Promise<{ readonly content: NewSiteContent } | { readonly reason: string }> {
  // Webhooks with the current name of the repository may be late.
  const project = await refreshProject(context, known)
  const { sha, statusId } = build
  const options = { project, sha, timeMs: context.config.runTimeoutSeconds * 1000, signal, keep: createKeepSiteFiles() }
  return await withArchive(context, options, async (archive, folder) => {
    const path = join(dirname(folder), 'export.zip')
    const site = { archive, folder, project, statusId, commit: build }
    const end = await runSiteProgram(context, site, { earlier: undefined, zip: { path, maxMb } }, signal)
    return end.kind === 'failed' ? { reason: end.reason } : { content: toPlainContent(await readFile(path)) }
  })
}
