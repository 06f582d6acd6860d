import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { maxChangelogMs } from '../../docs/versions/changelogs.ts'
import { joinOwned, type OwnPath } from '../../files/boundary.ts'
import { defaultArchiveLimits, isReadByUpdate, readArchive, type UnpackedArchive } from '../../github/repositories/archives.ts'
import { findPreviousPath, listFileCommits, listRepositoryTags } from '../../github/repositories/commits.ts'
import type { Project } from '../../status/update-record.ts'
import { GitHubError } from '../../text/errors.ts'
import type { AppContext } from '../base/app-context.ts'
import { clientOf, toJobFailure, toName } from '../base/projects.ts'
import type { SiteRequest } from './built-site.ts'

const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' })
const Path = Type.String({ minLength: 1, maxLength: 4_096 })

/** A question about the history of the repository, from the process that builds a site. Paths are relative to the repository. */
const HistoryQuestion = Type.Union([
  Type.Object({ kind: Type.Literal('tags') }),
  Type.Object({
    kind: Type.Literal('commits'),
    paths: Type.Array(Path, { minItems: 1, maxItems: 10_000 }),
    limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
  }),
  /** The files of a commit that was listed. */
  Type.Object({ kind: Type.Literal('open'), sha: Sha }),
  Type.Object({ kind: Type.Literal('earlier-path'), path: Path, older: Sha, newer: Sha }),
])
export type HistoryQuestion = Static<typeof HistoryQuestion>

/** The values of the answers by the kind of the question. */
export interface HistoryValues {
  readonly tags: Awaited<ReturnType<typeof listRepositoryTags>>
  readonly commits: Awaited<ReturnType<typeof listFileCommits>>
  readonly open: UnpackedArchive
  readonly 'earlier-path': string | undefined
}

export type HistoryAnswer =
  | { readonly kind: 'answered'; readonly value: HistoryValues[HistoryQuestion['kind']] }
  /** The same question would fail again. */
  | { readonly kind: 'failed'; readonly reason: string }

/** The most questions of one site. A question is at most ten requests to GitHub, most are one. */
const maxQuestions = 300

/** The size of all files of older versions that one site may read. */
const maxBytes = defaultArchiveLimits.keptBytes

/**
 * Answers the questions of a site build about the history of its repository with GitHub's API. It unpacks the
 * files of older versions next to those of the commit, and stops after the time and the size for one site.
 *
 * `answer` rejects with a `GitHubError` for temporary errors.
 */
export function createAnswerHistory(
  context: Pick<AppContext, 'github'>,
  {
    project,
    own,
    current,
  }: {
    readonly project: Project
    /** The folder of the run. */
    readonly own: OwnPath
    readonly current: UnpackedArchive & Pick<SiteRequest, 'sha'>
  },
): {
  readonly answer: (question: unknown, signal: AbortSignal) => Promise<HistoryAnswer>
  /** Whether the site depends on the tags of the repository. */
  readonly usesTags: () => boolean
} {
  const repository = toName(project)
  const listed = new Set<string>([current.sha])
  let questions = 0
  let usesTags = false
  let bytesLeft = maxBytes
  let endsAt: number | undefined
  const answerKnown = async (question: HistoryQuestion, signal: AbortSignal): Promise<HistoryAnswer> => {
    const client = clientOf(context, project)
    const remember = <List extends readonly { readonly sha: string }[]>(list: List) => {
      for (const { sha } of list) listed.add(sha)
    }
    switch (question.kind) {
      case 'tags': {
        usesTags = true
        const value = await listRepositoryTags(client, repository)
        remember(value.tags)
        return { kind: 'answered', value }
      }
      case 'commits': {
        const { paths, limit } = question
        const value = await listFileCommits(client, repository, { sha: current.sha, paths, limit })
        remember(value.commits)
        return { kind: 'answered', value }
      }
      case 'open': {
        const { sha } = question
        if (sha === current.sha) return { kind: 'answered', value: { folder: current.folder, archive: current.archive } }
        if (!listed.has(sha)) return { kind: 'failed', reason: 'Unexpected commit' }
        endsAt ??= performance.now() + maxChangelogMs
        const limits = { keptBytes: bytesLeft, timeMs: Math.max(1, Math.ceil(endsAt - performance.now())) }
        const folder = joinOwned(own, 'versions', sha)
        let bytes = 0
        const keep = (path: string, sizeBytes: number) => {
          // Parts of documents. Pages of older versions are not read.
          const isKept = isReadByUpdate(path) && !/\.(mdx?|markdown)$/i.test(path)
          if (isKept) bytes += sizeBytes
          return isKept
        }
        const archive = await readArchive(client, repository, sha, folder, { limits, keep, signal })
        bytesLeft = Math.max(0, bytesLeft - bytes)
        return { kind: 'answered', value: { folder, archive } }
      }
      case 'earlier-path': {
        if (!listed.has(question.older) || !listed.has(question.newer)) return { kind: 'failed', reason: 'Unexpected commit' }
        return { kind: 'answered', value: await findPreviousPath(client, repository, question) }
      }
      default:
        return question satisfies never
    }
  }
  const answer = async (question: unknown, signal: AbortSignal): Promise<HistoryAnswer> => {
    questions += 1
    if (!Check(HistoryQuestion, question)) return { kind: 'failed', reason: 'Unexpected question' }
    if (questions > maxQuestions) return { kind: 'failed', reason: `The history needs more than ${maxQuestions} requests` }
    try {
      return await answerKnown(question, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof GitHubError) || toJobFailure(error).mayPass) throw error
      return { kind: 'failed', reason: error.message }
    }
  }
  return { answer, usesTags: () => usesTags }
}
