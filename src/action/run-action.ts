import { debug, info } from '@actions/core'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { createFetchDocument } from '../files/fetch-document.ts'
import { commitAndPush } from '../git/commit-and-push.ts'
import { findHead } from '../git/find-head.ts'
import { createFindIgnored } from '../git/find-ignored.ts'
import { openGit } from '../git/git.ts'
import { mergeUpdates } from '../update/merge-updates.ts'
import { runUpdate } from '../update/run-update.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { toCommitMessage } from './commit-message.ts'
import type { RunDecision } from './decide-run.ts'
import type { ActionEvent } from './event.ts'
import { findDocsRoots } from './find-docs-roots.ts'
import { findDocuments } from './find-documents.ts'
import { type FilesChangedReport, findFilesChanged } from './find-files-changed.ts'
import type { ActionInputs } from './inputs.ts'
import type { OpenGitHub } from './open-github.ts'

type Run = Extract<RunDecision, { kind: 'run' }>

/** What a run is about. */
interface RunOptions {
  readonly run: Run
  readonly event: ActionEvent
  readonly openGitHub: OpenGitHub
  /** The report of a run that has done nothing yet. */
  readonly start: ActionReport
}

/**
 * Does one run below the workspace (absolute): finds out what is to change and, in mode `commit`, commits and pushes it.
 *
 * Never rejects for what a user can cure: `failures` of the report has it, beside all that was found until then.
 */
export async function runAction(
  workspace: string,
  inputs: ActionInputs,
  { run, event, openGitHub, start }: RunOptions,
): Promise<ActionReport> {
  let updates: readonly Update[] = []
  let { boundary, plannedAt } = start
  let filesChanged: FilesChangedReport | undefined
  const report = (rest: Pick<ActionReport, 'commitSha' | 'failures'>): ActionReport => {
    const branch = run.mode === 'commit' ? run.branch : undefined
    const note = run.mode === 'commit' ? undefined : run.note
    const found = { boundary, update: mergeUpdates(updates), updates, plannedAt, filesChanged }
    return { ...start, mode: run.mode, branch, note, ...found, ...rest }
  }
  try {
    const docsRoots = await findDocsRoots(workspace, inputs)
    boundary = docsRoots.boundary
    const git = openGit(boundary)
    // Beside the first plan; nothing else asks the remote until both are done.
    const changed = findFilesChanged(git, event, { token: inputs.token, openGitHub })
    const plan = async (): Promise<Update | undefined> => {
      const documents = inputs.documents.length === 0 ? [] : await findDocuments(inputs.documents, boundary, docsRoots.folder)
      const environment = {
        files: openDiskFiles(boundary),
        fetchDocument: createFetchDocument({ proxyVariables: process.env }),
        findIgnored: createFindIgnored(git),
        onProgress: debug,
      }
      const planned: Update[] = []
      for (const root of docsRoots.roots) {
        planned.push(await runUpdate({ root, documents, directory: inputs.directory }, environment))
      }
      updates = planned
      filesChanged = await changed
      plannedAt = (await findHead(git)) ?? plannedAt
      return mergeUpdates(planned)
    }
    if (run.mode !== 'commit') {
      await plan()
      return report({ commitSha: undefined, failures: [] })
    }
    const result = await commitAndPush(git, {
      branch: run.branch,
      mayCreateBranch: run.mayCreateBranch,
      knownSha: event.sha,
      committer: inputs.committer,
      token: inputs.token,
      plan: async () => {
        const planned = await plan()
        return planned
          ? { changes: planned.changes, message: toCommitMessage(inputs.commitMessage, planned) }
          : { changes: [], message: '' }
      },
      write: (changes) => applyFileChanges(boundary, changes, ...docsRoots.roots),
      onStale: () => info('The branch has moved: generating again from its newest commit'),
    })
    return report({ commitSha: result.kind === 'pushed' ? result.sha : undefined, failures: [] })
  } catch (error) {
    return report({ commitSha: undefined, failures: [error] })
  }
}
