import type { Changelog } from '../../changes/compare/changelog.ts'
import type { Files } from '../../files/files.ts'
import { GitError, GitHubError } from '../../text/errors.ts'
import { escapeText, toOneLine } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/urls.ts'
import type { CheckedDocument } from '../check/check-documents.ts'
import type { Config } from '../config/project-config.ts'
import type { AcceptedFile } from '../read/read-accepted-changes.ts'
import { type ChangelogCache, type FileVersion, readChangelog } from './read-changelog.ts'
import { selectVersionTags, type TaggedCommit, type VersionCommit } from './version-tags.ts'

/**
 * The history of a repository: a clone, or GitHub. Paths are relative to the boundary.
 *
 * All functions reject with a `GitError` or `GitHubError` if the history cannot be read.
 */
export interface ChangelogHistory {
  /** Lists all tags of commits. `isCut`: whether there are more. */
  listTags(): Promise<{ readonly tags: readonly TaggedCommit[]; readonly isCut: boolean }>
  /** Lists the commits of the branch that change files or folders, newest first, without those of merged branches. */
  listCommits(
    paths: readonly string[],
    limit: number,
  ): Promise<{ readonly commits: readonly Pick<VersionCommit, 'sha' | 'date'>[]; readonly isCut: boolean }>
  open(sha: string): Promise<Files>
  /** The path of a file in an older commit, if it was renamed since. `newer` is `undefined` for the current files. */
  findEarlierPath(path: string, older: string, newer: string | undefined): Promise<string | undefined>
  /** The page of a commit on the web, if known. */
  toUrl(sha: string): string | undefined
  /** Why the history can be incomplete, and how to complete it. */
  explainMissing?(): Promise<string | undefined>
}

interface ChangelogsOptions {
  readonly cache: ChangelogCache
  /** Receives problems, as one line each. A repeated problem is reported once. */
  readonly warn: (message: string) => void
  /** The time in milliseconds, to limit the comparisons. */
  readonly now: () => number
  readonly onProgress?: ((step: string) => void) | undefined
}

interface ChangelogSettings {
  readonly config: Pick<Config, 'changes' | 'limits' | 'site'>
  readonly accepted: AcceptedFile
}

/** The most versions of a changelog: tags, or commits. */
const maxVersions = { tags: 50, commits: 200 } as const

/** The longest time for the comparisons of one site. The results are cached, so the next run compares more. */
export const maxChangelogMs = 60_000

/**
 * Creates the function that reads the changelogs of a site, by source. Documents at URLs have none. If the history cannot be read, a warning
 * says why, and changelogs have the versions that were read.
 */
export function createReadChangelogs(
  history: ChangelogHistory,
  { cache, warn, now, onProgress }: ChangelogsOptions,
): (documents: readonly CheckedDocument[], settings: ChangelogSettings) => Promise<ReadonlyMap<string, Changelog>> {
  return async (documents, { config: { changes, limits, site }, accepted }) => {
    const { changelog: from, tags: pattern, levels, stability, deprecationDays } = changes
    const changelogs = new Map<string, Changelog>()
    const local = documents.filter(({ path, description }) => !isUrl(path) && description !== undefined)
    if (from === 'off' || local.length === 0) return changelogs
    const endsAt = now() + maxChangelogMs
    let isOverTime = false
    const options = {
      settings: { levels, stability, deprecationDays },
      limits,
      accepted,
      cache,
      isOverTime: () => {
        isOverTime ||= now() > endsAt
        return isOverTime
      },
      onProgress,
      restricted: site.restricted,
    }
    const warned = new Set<string>()
    const warnOnce = (message: string) => {
      if (!warned.has(message)) warn(message)
      warned.add(message)
    }
    const list = from === 'tags' ? listTagged(history, pattern) : listChanging(history)
    for (const document of local) {
      let error: GitError | GitHubError | undefined
      const onError = (reason: unknown) => {
        if (!(reason instanceof GitError || reason instanceof GitHubError)) throw reason
        error = reason
      }
      const { versions, isCut } = await list(document).catch((reason: unknown) => {
        onError(reason)
        return { versions: [], isCut: false }
      })
      const missing = error ? undefined : await history.explainMissing?.()
      if (missing !== undefined) {
        const state = versions.length === 0 ? 'is empty' : 'lacks older versions'
        warnOnce(`The changelog of ${escapeText(document.path)} ${state}: ${missing}`)
      }
      if (missing === undefined && versions.length === 0 && !error) warnOnce(explainEmpty(document, from, pattern))
      const changelog = await readChangelog(document, { versions, isCut }, { ...options, onError })
      if (changelog) changelogs.set(document.source, changelog)
      if (error && !options.isOverTime()) {
        const reason = error.hint === undefined ? error.message : `${error.message}. ${error.hint}`
        warnOnce(`Cannot read the history for the changelog: ${escapeText(toOneLine(reason))}`)
      }
    }
    if (isOverTime) {
      const limit = `${maxChangelogMs / 1000} seconds`
      warnOnce(`The changelog lacks older versions: comparing them takes more than ${limit}. The next build continues from here.`)
    }
    return changelogs
  }
}

interface Listed {
  readonly versions: readonly FileVersion[]
  readonly isCut: boolean
}

type ListVersions = (document: CheckedDocument) => Promise<Listed>

/** The tags are the same for all documents. */
function listTagged(history: ChangelogHistory, pattern: string | undefined): ListVersions {
  let listed: Promise<Listed> | undefined
  const list = async () => {
    const { tags, isCut } = await history.listTags()
    const all = selectVersionTags(tags, pattern)
    const versions = all.slice(0, maxVersions.tags).map((commit) => toVersion(history, commit))
    return { versions, isCut: isCut || all.length > versions.length }
  }
  return () => {
    listed ??= list()
    return listed
  }
}

function listChanging(history: ChangelogHistory): ListVersions {
  return async ({ check }) => {
    const files = [...check.sources.keys()].filter((path) => !isUrl(path))
    const { commits, isCut } = await history.listCommits(files, maxVersions.commits)
    return { versions: commits.map((commit) => toVersion(history, { ...commit, name: undefined })), isCut }
  }
}

function toVersion(history: ChangelogHistory, { sha, name, date }: VersionCommit): FileVersion {
  return {
    sha,
    name,
    date,
    url: history.toUrl(sha),
    open: () => history.open(sha),
    findEarlierPath: (path, newer) => history.findEarlierPath(path, sha, newer?.sha),
  }
}

/** Why a complete history has no versions. */
function explainEmpty({ path }: CheckedDocument, from: 'tags' | 'commits', pattern: string | undefined): string {
  const noVersion =
    from === 'commits'
      ? 'no commit contains the document.'
      : `no tag matches \`${escapeText(pattern ?? 'v*')}\`. Create a tag, or set \`changes.tags\`.`
  return `The changelog of ${escapeText(path)} is empty: ${noVersion}`
}
