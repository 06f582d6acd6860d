import { formatCount } from '../../diagnostics/diagnostic.ts'
import { newProblemsOnlyKey } from '../../docs/check/organization-rules.ts'
import { folderOf, joinOwned } from '../../files/boundary.ts'
import { findRepositoryByName } from '../../github/apps/github-app.ts'
import { isReadByUpdate, readArchive, type UnpackedArchive } from '../../github/repositories/archives.ts'
import { findCommit, readRepositoryFile } from '../../github/repositories/commits.ts'
import type { Project } from '../../status/update-record.ts'
import { GitHubError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, organizationRepository, toRefusal } from '../base/projects.ts'
import { hasNoDocuments, type OrganizationRequest, type OrganizationResult } from './check-archive.ts'
import type { CommitBase } from './compare-archives.ts'

const mebibyte = 1024 ** 2

/** Rulesets are small, but the repository can also have other files, such as images. */
const archiveLimits = {
  compressedBytes: 64 * mebibyte,
  expandedBytes: 256 * mebibyte,
  entries: 20_000,
  keptFiles: 1_000,
  keptBytes: 16 * mebibyte,
  timeMs: 60_000,
}

/** The ruleset of the organization that owns a repository. */
type FoundOrganization =
  /** There is no ruleset, or it does not apply to this repository. `reason` is a line for the logs of the record. */
  | { readonly kind: 'none'; readonly reason?: string }
  /** GitHub refuses to return it. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | {
      readonly kind: 'found'
      readonly sha: string
      readonly request: OrganizationRequest
    }

/** The commit. The ruleset gets a folder beside that of its archive. */
interface ReadOptions extends UnpackedArchive {
  readonly project: Project
  readonly base: CommitBase
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string
  readonly signal: AbortSignal
}

/**
 * Reads the ruleset of an organization from the default branch of its repository `.github`, as GitHub has it now.
 *
 * The rules of a private repository do not apply to public ones, because everyone can read their checks.
 *
 * @throws {GitHubError} for temporary errors.
 */
export async function readOrganization(
  context: AppContext,
  { project, archive: commitArchive, folder, base, today, signal }: ReadOptions,
): Promise<FoundOrganization> {
  const path = context.config.organizationRuleset
  if (path === undefined || hasNoDocuments(commitArchive, project.root)) return { kind: 'none' }
  const { owner } = project
  const repository = { owner, repo: organizationRepository }
  const client = clientOf(context, project)
  const name = `${owner}/${organizationRepository}`
  try {
    // Most organizations have none. This is the only request then.
    const ruleset = await readRepositoryFile(client, repository, undefined, path).catch(ignoreLarge)
    if (ruleset === undefined) return { kind: 'none' }
    const info = await findRepositoryByName(client, repository)
    const commit = info && (await findCommit(client, repository, `refs/heads/${info.defaultBranch}`))
    if (!info || !commit) {
      // The ruleset is there, so the repository is too.
      throw new GitHubError(`Cannot read ${name}: GitHub does not find it`, { failure: 'not-found', operation: 'read rules' })
    }
    // GitHub redirects the name of a repository that was transferred.
    if (info.owner.toLowerCase() !== owner.toLowerCase()) return { kind: 'none' }
    if (info.private && !project.private) {
      return { kind: 'none', reason: `The rules of ${name} do not apply: it is private, and this repository is public` }
    }
    const own = joinOwned(folderOf(folder), 'organization')
    const archive = await readArchive(client, repository, commit.sha, own, {
      limits: archiveLimits,
      signal,
      keep: (file) => isReadByUpdate(file) || /\.[cm]?js$/.test(file),
    })
    if (!archive.kept.includes(path) && !Object.hasOwn(archive.links, path)) return { kind: 'none' }
    const mayReportOnlyNew = ruleset === 'too-large' || Buffer.from(ruleset).includes(newProblemsOnlyKey)
    const request: OrganizationRequest = {
      name,
      path,
      folder: own,
      archive,
      today,
      base: mayReportOnlyNew ? await toBase(base) : { kind: 'none' },
    }
    return { kind: 'found', sha: commit.sha, request }
  } catch (error) {
    return { kind: 'unavailable', reason: `The rules of ${name} were not applied: ${toRefusal(error)}` }
  }
}

function ignoreLarge(error: unknown): 'too-large' {
  if (error instanceof GitHubError && error.failure === 'refused') return 'too-large'
  throw error
}

async function toBase(base: CommitBase): Promise<OrganizationRequest['base']> {
  const found = await base.find()
  if (found.kind !== 'found') return { kind: found.kind }
  if (found.changed && !found.changed.some(isReadByUpdate)) return { kind: 'same' }
  const archive = await base.unpack(found.sha)
  return 'reason' in archive ? { kind: 'unavailable' } : { kind: 'files', folder: base.folder, archive }
}

/** The lines about the rules of the organization in the logs of a record. */
export function describeOrganization(found: FoundOrganization, result: OrganizationResult | undefined): readonly string[] {
  if (found.kind !== 'found') return found.reason === undefined ? [] : [found.reason]
  if (!result) return []
  const { sha, request } = found
  const { count, isNewOnly, newOnlyUntil, problemCount, ruleCount } = result
  const origin = `${request.name} (${request.path} at ${sha.slice(0, 7)})`
  const until = newOnlyUntil === undefined ? '' : ` until ${newOnlyUntil}`
  const isLost = request.base.kind === 'unavailable'
  const none = isLost ? '. None is reported, because the base of the commit cannot be read' : ''
  const scope = isNewOnly ? `. Only new ones are reported${until}${none}` : ''
  return [
    `${formatCount(ruleCount, 'rule')} of ${origin}: ${formatCount(count, 'problem')}${scope}`,
    ...(problemCount === 0
      ? []
      : [`${formatCount(problemCount, 'problem')} in the ruleset. Run \`openapi-pages rules list\` there to list them`]),
  ]
}
