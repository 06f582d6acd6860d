import type { Project, UpdateCommit } from '../../status/types.ts'
import { isForkRef } from '../../store/site-types.ts'
import type { LeasedJob } from '../../store/types.ts'
import { checkArchive } from './check-archive.ts'
import { readBaseSettings } from './fork-previews.ts'
import { type Findings, readFindings, toFindings } from './read-findings.ts'
import { reportUpdate } from './report-update.ts'
import { clientOf, type RunContext, toName } from './run-context.ts'
import { withArchive } from './with-archive.ts'

/**
 * Tells GitHub about a record that has ended, in an attempt after the one that ran: from what was stored.
 *
 * @throws {GitHubError}
 */
export async function reportJob(
  context: RunContext,
  { stored, project, validationOnly }: Extract<LeasedJob, { kind: 'run' | 'report' }>,
  signal: AbortSignal,
): Promise<void> {
  const { update, details } = stored
  if (update.endedAt === undefined) throw new Error(`Cannot report update \`${update._id}\`: it has not ended`)
  const json = await context.store.statuses.findReport(update._id)
  let findings = json === undefined ? undefined : readFindings(json)
  if (findings && !findings.isComplete && details.checkConcludedAt === undefined) {
    // Only the first findings are stored. The same commit has the same ones again.
    findings = await checkAgain(context, { commit: update.commit, project }, findings, signal)
  }
  await reportUpdate(context, { update, details, project, validationOnly, findings, isRetry: true }, signal)
}

async function checkAgain(
  context: RunContext,
  { commit: { sha, ref }, project }: { commit: UpdateCommit; project: Project },
  stored: Findings,
  signal: AbortSignal,
): Promise<Findings> {
  const timeMs = context.config.runTimeoutSeconds * 1000
  const client = clientOf(context, project)
  const options = { client, repository: toName(project), sha, workFolder: context.workFolder, timeMs, signal }
  const github = isForkRef(ref) ? await readBaseSettings(context, project) : undefined
  const end = await withArchive(options, (archive, folder) => {
    const asked = {
      archive,
      folder,
      root: project.root,
      installationId: project.installationId,
      withChanges: false,
      timeMs,
      signal,
    }
    return checkArchive(context, github ? { ...asked, github } : asked)
  })
  return end.kind === 'done' ? toFindings(end.checked) : stored
}
