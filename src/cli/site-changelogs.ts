import { GitError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import {
  findCommitUrl,
  findEarlierPath,
  type History,
  isShallow,
  listCommits,
  listTaggedCommits,
  openCommit,
} from '../git/file-history.ts'
import { type Git, openGit } from '../git/git.ts'
import type { Changelog } from '../openapi/changes/changelog.ts'
import type { ReadSiteOptions } from '../site/build/read-site.ts'
import { escapeText, toOneLine } from '../source/escape-text.ts'
import { isUrl } from '../source/relative-path.ts'
import type { CheckedDocument } from '../update/check-documents.ts'
import { type FileVersion, readChangelog } from '../update/read-changelog.ts'
import type { CliContext } from './cli-context.ts'
import { openChangelogCache } from './site-cache.ts'
import type { Progress } from './terminal.ts'

interface ChangelogSource {
  /** The boundary, absolute. */
  readonly boundary: string
  /** Identifies the program in the cache of comparisons. Without it, there is no cache. */
  readonly stamp: string | undefined
  readonly context: CliContext
  readonly progress: Progress
}

/** The most versions of a changelog: tags, or commits. */
const maxVersions = { tags: 50, commits: 200 } as const

/** The longest time for the comparisons of one site. The results are cached, so the next run compares more. */
const maxTimeMs = 60_000

/**
 * Creates the function that reads the changelogs of a site from the git repository around the boundary. Prints a warning if the history is
 * missing.
 */
export function createReadChangelogs({
  boundary,
  stamp,
  context,
  progress,
}: ChangelogSource): NonNullable<ReadSiteOptions['readChangelogs']> {
  const git = openGit(boundary)
  const opened = new Map<string, Promise<Files>>()
  const warned = new Set<string>()
  const warn = (message: string) => {
    if (warned.has(message)) return
    warned.add(message)
    progress.clear()
    context.stderr.write(`${message}\n`)
  }
  return async (documents, { config: { changes, limits }, accepted }) => {
    const { changelog: from, tags: pattern, levels } = changes
    const changelogs = new Map<string, Changelog>()
    const local = documents.filter(({ path, description }) => !isUrl(path) && description !== undefined)
    if (from === 'off' || local.length === 0) return changelogs
    const cache = openChangelogCache(boundary, stamp, context)
    const endsAt = Date.now() + maxTimeMs
    let isOverTime = false
    try {
      const toUrl = await findCommitUrl(git, context.env['GITHUB_SERVER_URL'])
      const listed = from === 'tags' ? await listTaggedCommits(git, pattern, maxVersions.tags) : undefined
      for (const document of local) {
        const history = listed ?? (await listCommits(git, [...document.check.sources.keys()], maxVersions.commits))
        if (history.commits.length === 0) warn(await explainMissing(git, document, from, pattern))
        const versions = history.commits.map((commit) => toVersion(commit, git, opened, toUrl))
        const options = {
          levels,
          limits,
          accepted,
          cache,
          isOverTime: () => {
            isOverTime ||= Date.now() > endsAt
            return isOverTime
          },
          onProgress: (step: string) => progress.step(step),
        }
        const found = await readChangelog(document, { versions, isCut: history.isCut }, options)
        if (found) changelogs.set(document.source, found)
      }
      if (isOverTime)
        warn(
          `The changelog lacks older versions: comparing them takes more than ${maxTimeMs / 1000} seconds. The next build continues from here.`,
        )
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      warn(`Cannot read the history for the changelog: ${escapeText(toOneLine(error.message))}`)
      for (const { source } of local) if (!changelogs.has(source)) changelogs.set(source, { entries: [], isCut: false })
    }
    cache.save()
    return changelogs
  }
}

function toVersion(
  { sha, name, date }: History['commits'][number],
  git: Git,
  opened: Map<string, Promise<Files>>,
  toUrl: ((sha: string) => string) | undefined,
): FileVersion {
  return {
    sha,
    name,
    date,
    url: toUrl?.(sha),
    open() {
      const files = opened.get(sha) ?? openCommit(git, sha)
      opened.set(sha, files)
      return files
    },
    findEarlierPath: (path, newer) => findEarlierPath(git, path, sha, newer?.sha ?? 'HEAD'),
  }
}

/** Why the history has no versions. */
async function explainMissing(
  git: Git,
  { path }: CheckedDocument,
  from: 'tags' | 'commits',
  pattern: string | undefined,
): Promise<string> {
  const shown = escapeText(path)
  if (await isShallow(git)) {
    return `The changelog of ${shown} is empty: the clone has no history. Run \`git fetch --unshallow --tags\`, or set \`fetch-depth: 0\` for \`actions/checkout\`.`
  }
  if (from === 'commits') return `The changelog of ${shown} is empty: no commit contains the document.`
  return `The changelog of ${shown} is empty: no tag matches \`${escapeText(pattern ?? 'v*')}\`. Create a tag, or set \`changes.tags\`.`
}
