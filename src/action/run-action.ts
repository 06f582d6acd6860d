import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { debug, info } from '@actions/core'
import { ConfigError } from '../errors.ts'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { createFetchDocument } from '../files/fetch-document.ts'
import { findBoundary } from '../files/find-boundary.ts'
import { resolveThroughLinks } from '../files/resolve-through-links.ts'
import { commitAndPush } from '../git/commit-and-push.ts'
import { createFindIgnored } from '../git/find-ignored.ts'
import { openGit } from '../git/git.ts'
import { runUpdate } from '../update/run-update.ts'
import type { Update } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { toCommitMessage } from './commit-message.ts'
import type { RunDecision } from './decide-run.ts'
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
  let update: Update | undefined
  let boundary = workspace
  const report = (rest: Pick<ActionReport, 'commitSha' | 'failures'>): ActionReport => {
    const branch = run.mode === 'commit' ? run.branch : undefined
    const note = run.mode === 'commit' ? undefined : run.note
    return { mode: run.mode, branch, note, boundary, update, ...rest }
  }
  try {
    const folder = resolveThroughLinks(join(workspace, inputs.workingDirectory))
    boundary = findBoundary(folder, workspace)
    const root = toRoot(workspace, boundary, folder, inputs)
    const git = openGit(boundary)
    const plan = async (): Promise<Update> => {
      const documents = inputs.documents.length === 0 ? [] : await findDocuments(inputs.documents, boundary, root)
      const environment = {
        files: openDiskFiles(boundary),
        fetchDocument: createFetchDocument({ proxyVariables: process.env }),
        findIgnored: createFindIgnored(git),
        onProgress: debug,
      }
      update = await runUpdate({ root, documents, directory: inputs.directory }, environment)
      return update
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
        return { changes: planned.changes, message: toCommitMessage(inputs.commitMessage, planned) }
      },
      write: (changes) => applyFileChanges(boundary, changes, root),
      onStale: () => info('The branch has moved: generating again from its newest commit'),
    })
    return report({ commitSha: result.kind === 'pushed' ? result.sha : undefined, failures: [] })
  } catch (error) {
    return report({ commitSha: undefined, failures: [error] })
  }
}

function toRoot(workspace: string, boundary: string, folder: string, inputs: ActionInputs): string {
  const fromWorkspace = relative(resolveThroughLinks(workspace), folder)
  if (fromWorkspace === '..' || fromWorkspace.startsWith(`..${sep}`)) {
    throw new ConfigError(
      `Unexpected \`${inputs.workingDirectory}\` for the input \`working-directory\`, expected a folder in the workspace`,
    )
  }
  if (!existsSync(folder)) {
    throw new ConfigError(
      `Unexpected \`${inputs.workingDirectory}\` for the input \`working-directory\`: there is no such folder`,
    )
  }
  return relative(boundary, folder).split(sep).join('/')
}
