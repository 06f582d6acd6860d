import { type ChangelogHistory, createReadChangelogs } from '../../docs/versions/changelogs.ts'
import type { Files } from '../../files/files.ts'
import { isShallow } from '../../git/commit.ts'
import { type Git, openGit } from '../../git/git.ts'
import { findCommitUrl, findEarlierPath, listCommits, listTags, openCommit } from '../../git/revisions.ts'
import type { ReadSiteOptions } from '../../site/make/read-site.ts'
import { ask } from '../../text/errors.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import type { CliContext } from '../base/cli-context.ts'
import type { Progress } from '../print/terminal.ts'
import { openChangelogCache } from './site-cache.ts'

/**
 * Creates the function that reads the changelogs of a site from the git repository around the boundary. Prints a warning if the history is
 * missing.
 *
 * @param boundary absolute. @param stamp identifies the program in the cache of comparisons. Without it, there is no cache.
 */
export function createReadCloneChangelogs(
  boundary: string,
  stamp: string | undefined,
  context: CliContext,
  progress: Progress,
): NonNullable<ReadSiteOptions['readChangelogs']> {
  const git = openGit(boundary)
  const opened = new Map<string, Promise<Files>>()
  const warned = new Set<string>()
  const warn = (message: string) => {
    if (warned.has(message)) return
    warned.add(message)
    progress.clear()
    context.stderr.write(`${message}\n`)
  }
  return async (documents, settings) => {
    if (settings.config.changes.changelog === 'off') return new Map()
    const cache = openChangelogCache(boundary, stamp, context)
    // If git cannot be started, listing the versions fails in the same way, with a warning.
    const toUrl = await ask(() => findCommitUrl(git, context.env['GITHUB_SERVER_URL']))
    const history = createCloneHistory(git, opened, toUrl.kind === 'known' ? toUrl.value : undefined)
    const options = { cache, warn, now: Date.now, onProgress: (step: string) => progress.step(step) }
    const changelogs = await createReadChangelogs(history, options)(documents, settings)
    cache.save()
    return changelogs
  }
}

function createCloneHistory(
  git: Git,
  opened: Map<string, Promise<Files>>,
  toUrl: ((sha: string) => string) | undefined,
): ChangelogHistory {
  return {
    listTags: async () => ({ tags: await listTags(git), isCut: await isShallow(git) }),
    listCommits: (paths, limit) => listCommits(git, paths, limit),
    open: (sha) => getOrMake(opened, sha, () => openCommit(git, sha)),
    findEarlierPath: (path, older, newer) => findEarlierPath(git, path, older, newer ?? 'HEAD'),
    toUrl: (sha) => toUrl?.(sha),
    async explainMissing() {
      if (!(await isShallow(git))) return undefined
      return 'the clone has no history. Run `git fetch --unshallow --tags`, or set `fetch-depth: 0` for `actions/checkout`.'
    },
  }
}
