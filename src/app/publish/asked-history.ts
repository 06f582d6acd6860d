import type { ChangelogHistory } from '../../docs/versions/changelogs.ts'
import type { Files } from '../../files/files.ts'
import { createArchiveFiles } from '../../github/repositories/archives.ts'
import { GitHubError } from '../../text/errors.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import type { Ask } from '../isolate/untrusted-child.ts'
import type { SiteRequest } from './built-site.ts'
import type { HistoryAnswer, HistoryQuestion, HistoryValues } from './version-archives.ts'

/** The history of the repository for the process that builds its site. The server answers with GitHub's API. */
export function createAskedHistory(
  ask: Ask,
  { sha: current, commitUrl }: Pick<SiteRequest, 'sha' | 'commitUrl'>,
): ChangelogHistory {
  const opened = new Map<string, Promise<Files>>()
  const answers = new Map<string, Promise<unknown>>()
  /** The sites of all audiences have the same questions. */
  const askOnce = <Question extends HistoryQuestion>(question: Question) => {
    const answer = getOrMake(answers, JSON.stringify(question), () => askHistory(ask, question))
    return answer as Promise<HistoryValues[Question['kind']]>
  }
  const open = async (sha: string) => createArchiveFiles(await askOnce({ kind: 'open', sha }))
  return {
    listTags: () => askOnce({ kind: 'tags' }),
    listCommits: (paths, limit) => askOnce({ kind: 'commits', paths: [...paths], limit }),
    open: (sha) => getOrMake(opened, sha, () => open(sha)),
    findEarlierPath: (path, older, newer) => askOnce({ kind: 'earlier-path', path, older, newer: newer ?? current }),
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
