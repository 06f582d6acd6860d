import { debug, info } from '@actions/core'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { createFetchDocument } from '../files/fetch-document.ts'
import { commitAndPush } from '../git/commit-and-push.ts'
import { createFindIgnored } from '../git/find-ignored.ts'
import { openGit } from '../git/git.ts'
import { mergeUpdates } from '../update/merge-updates.ts'
import { runUpdate } from '../update/run-update.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { toCommitMessage } from './commit-message.ts'
import type { RunDecision } from './decide-run.ts'
import { findDocsRoots } from './find-docs-roots.ts'
import { findDocuments } from './find-documents.ts'
import type { ActionInputs } from './inputs.ts'

type Run = Extract<RunDecision, { kind: 'run' }>

/**
 * Does one run below the workspace (absolute): finds out what is to change and, in mode `commit`, commits and pushes it.
 *
 * Never rejects for what a user can cure: `failures` of the report has it, beside all that was found until then.
 *
 * @param knownSha a commit that the remote is known to have.
 */
export async function runAction(
  workspace: string,
  inputs: ActionInputs,
  run: Run,
  knownSha: string | undefined,
): Promise<ActionReport> {
  let updates: readonly Update[] = []
  let boundary = workspace
  const report = (rest: Pick<ActionReport, 'commitSha' | 'failures'>): ActionReport => {
    const branch = run.mode === 'commit' ? run.branch : undefined
    const note = run.mode === 'commit' ? undefined : run.note
    return { mode: run.mode, branch, note, boundary, update: mergeUpdates(updates), updates, ...rest }
  }
  try {
    const docsRoots = await findDocsRoots(workspace, inputs)
    boundary = docsRoots.boundary
    const git = openGit(boundary)
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
      return mergeUpdates(planned)
    }
    if (run.mode !== 'commit') {
      await plan()
      return report({ commitSha: undefined, failures: [] })
    }
    const result = await commitAndPush(git, {
      branch: run.branch,
      mayCreateBranch: run.mayCreateBranch,
      knownSha,
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
