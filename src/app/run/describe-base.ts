import { formatCount } from '../../diagnostic/diagnostic.ts'
import { GitHubError } from '../../errors.ts'
import { compareCommits } from '../../github/commits.ts'
import type { GitHubClient } from '../../github/types.ts'
import type { FilesChanged, Project, RunningUpdate } from '../../status/types.ts'
import type { Store, UpdateDetails } from '../../store/types.ts'
import { toName } from './run-context.ts'

/**
 * Says what changed since the last update of the branch that succeeded: a push after failed ones brings their changes along, which
 * its own lists do not show.
 */
export async function describeBase(
  store: Store,
  client: GitHubClient,
  project: Project,
  { projectId, commit }: RunningUpdate,
  { before }: UpdateDetails,
): Promise<string | undefined> {
  const base = await store.statuses.findLastSuccess(projectId, commit.ref)
  if (!base) return 'No earlier update of this branch succeeded: everything is checked'
  const { sha } = base.update.commit
  const since = `Since ${sha.slice(0, 7)}, the last update of this branch that succeeded:`
  if (sha === commit.sha) return `${since} the same commit`
  if (sha === before) return `${since} ${describe(commit.filesChanged)}`
  try {
    const { filesChanged, truncated } = await compareCommits(client, toName(project), sha, commit.sha)
    return `${since} ${describe(filesChanged)}${truncated === undefined ? '' : ` or more. ${truncated}`}`
  } catch (error) {
    if (error instanceof GitHubError) return `${since} not known (${error.message})`
    throw error
  }
}

function describe({ added, modified, removed }: FilesChanged): string {
  return `${formatCount(added.length, 'file')} added, ${modified.length} modified, ${removed.length} removed`
}
