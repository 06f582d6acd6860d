import type { ChangelogHistory } from '../../docs/versions/changelogs.ts'
import type { Files } from '../../files/files.ts'
import { createArchiveFiles } from '../../github/repositories/archives.ts'
import { GitHubError } from '../../text/errors.ts'
import type { Ask } from '../isolate/untrusted-child.ts'
import type { SiteRequest } from './built-site.ts'
import type { HistoryAnswer, HistoryQuestion, HistoryValues } from './version-archives.ts'

/** The history of the repository for the process that builds its site. The server answers with GitHub's API. */
export function createAskedHistory(
  ask: Ask,
  { sha: current, commitUrl }: Pick<SiteRequest, 'sha' | 'commitUrl'>,
): ChangelogHistory {
  const opened = new Map<string, Promise<Files>>()
  const open = async (sha: string) => createArchiveFiles(await askHistory(ask, { kind: 'open', sha }))
  return {
    listTags: () => askHistory(ask, { kind: 'tags' }),
    listCommits: (paths, limit) => askHistory(ask, { kind: 'commits', paths: [...paths], limit }),
    open(sha) {
      const files = opened.get(sha) ?? open(sha)
      opened.set(sha, files)
      return files
    },
    findEarlierPath: (path, older, newer) => askHistory(ask, { kind: 'earlier-path', path, older, newer: newer ?? current }),
    toUrl: (sha) => `${commitUrl}${sha}`,
  }
}

/** @throws {GitHubError} if the history cannot be read. */
async function askHistory<Question extends HistoryQuestion>(
  ask: Ask,
  question: Question,
): Promise<HistoryValues[Question['kind']]> {
  // `createAnswerHistory` sends exactly this.
  const answer = (await ask(question)) as HistoryAnswer
  if (answer.kind === 'failed') throw new GitHubError(answer.reason, { failure: 'refused', operation: 'read the history' })
  return answer.value as HistoryValues[Question['kind']]
}
