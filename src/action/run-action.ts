import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { debug } from '@actions/core'
import { countFindings } from '../diagnostics/diagnostic.ts'
import { ConfigError } from '../errors.ts'
import { applyFileChanges } from '../files/apply-file-changes.ts'
import { openDiskFiles } from '../files/disk-files.ts'
import { createFetchDocument } from '../files/fetch-document.ts'
import type { Files } from '../files/files.ts'
import type { AddedFile } from '../git/commit.ts'
import { createFindIgnored, createFindLineEndings, type Git, openGit } from '../git/git.ts'
import { findHead } from '../git/refs.ts'
import { escapeText } from '../source/escape-text.ts'
import { mergeUpdates, runUpdate } from '../update/run-update.ts'
import type { Update, UpdateEnvironment } from '../update/types.ts'
import type { ActionReport } from './action-report.ts'
import { toFeedback } from './action-report.ts'
import type { RunDecision } from './decide-run.ts'
import { createAddedFiles } from './delivery/added-files.ts'
import { rejectSkipMarkers, toCommitMessage } from './delivery/commit-message.ts'
import { deliverUpdate } from './delivery/deliver-update.ts'
import { type Delivery, type PlannedUpdate, toDelivery } from './delivery/delivery.ts'
import { closeLeftoverAtHead } from './delivery/propose-update.ts'
import { renderPullRequestBody } from './delivery/pull-request-body.ts'
import { createSourceTrailer, isOwnCommit, isUpToDate, toSourceKey } from './delivery/source-trailer.ts'
import { type FilesChangedReport, findFilesChanged } from './find-files-changed.ts'
import type { OpenGitHub } from './github-access.ts'
import { type DocsDirectories, findDocsDirectories, findDocuments } from './input-paths.ts'
import type { ActionInputs } from './inputs.ts'
import { printText } from './run-log.ts'
import type { ActionEvent, RunVariables } from './workflow-event.ts'

type Run = Extract<RunDecision, { kind: 'run' }>

/** What a run is about. */
interface RunOptions {
  readonly run: Run
  readonly event: ActionEvent
  readonly openGitHub: OpenGitHub
  readonly variables: RunVariables
  /** The report of a run that has done nothing yet. */
  readonly start: ActionReport
  /** Tests wait less between requests. */
  readonly pace?: Parameters<typeof deliverUpdate>[1]['pace']
}

/**
 * Does one run below the workspace (absolute): finds out what is to change and, where the mode writes, commits or proposes it.
 *
 * Never rejects for what a user can cure: `failures` of the report has it, beside all that was found until then.
 */
export async function runAction(
  workspace: string,
  inputs: ActionInputs,
  { run, event, openGitHub, variables, start, pace }: RunOptions,
): Promise<ActionReport> {
  let updates: readonly Update[] = []
  let { boundary, plannedAt } = start
  let filesChanged: FilesChangedReport | undefined
  let added: readonly AddedFile[] = []
  let note = 'note' in run ? run.note : undefined
  const isWriting = run.mode === 'commit' || run.mode === 'pull-request'
  const report = (delivery: Delivery | undefined, failures: readonly unknown[]): ActionReport => {
    const found = { boundary, update: mergeUpdates(updates), updates, plannedAt, filesChanged }
    const branch = delivery?.branch ?? (isWriting ? run.branch : undefined)
    const addedFiles = added.map(({ path }) => path)
    return { ...start, mode: run.mode, branch, note, ...found, addedFiles, commitSha: delivery?.commitSha, delivery, failures }
  }
  try {
    rejectEmptyWorkspace(workspace)
    const docsDirectories = await findDocsDirectories(workspace, inputs)
    boundary = docsDirectories.boundary
    const git = openGit(boundary)
    const key = toSourceKey(docsDirectories.roots, inputs)
    if (isWriting) {
      const target = { branch: run.branch, inputs, variables, log, pace }
      if (event.isPullRequest || run.mode === 'pull-request') rejectSkipMarkers(inputs.commitMessage, inputs.skipCi)
      if (await isUpToDate(git, key)) {
        const notes = ['The newest commit is one of ours and was made from these documents: nothing to do.']
        // Whoever committed it did not have to be this mode: a pull request with the same changes may still be open.
        const closed = run.mode === 'pull-request' ? await closeLeftoverAtHead(git, target) : undefined
        return report(closed ?? toDelivery({ operation: 'none', notes }), [])
      }
    }
    // Beside the first plan; nothing else asks the remote until both are done.
    const changed = findFilesChanged(git, event, { token: inputs.token, openGitHub })
    const addedFiles = createAddedFiles(git, docsDirectories.folder, inputs)
    const plan = async (outdated: readonly AddedFile[]): Promise<Update> => {
      const checkDocuments = run.mode === 'check' ? undefined : addedFiles.checkDocuments
      updates = await planRoots(docsDirectories, inputs, git, { outdated, branch: isWriting ? run.branch : '', checkDocuments })
      filesChanged = await changed
      plannedAt = (await findHead(git)) ?? plannedAt
      const isNothing = updates.every(({ hasDocsConfig, documents }) => !hasDocsConfig && documents.length === 0)
      if (isNothing && !existsSync(join(boundary, '.git'))) {
        updates = []
        throw noCheckout('it is not a Git repository, and has no `docs.json`')
      }
      const [first] = updates
      const merged = mergeUpdates(updates) ?? first
      if (!merged) throw new Error('There is at least one docs directory')
      added = run.mode === 'check' ? [] : await addedFiles.find(merged)
      if (added.length > 0 && merged.changes.length === 0 && (await startedByOwnCommit(git, event))) {
        note = describeRepeatedCommit(added)
        added = []
      }
      return merged
    }
    if (!isWriting) {
      await plan([])
      return report(undefined, [])
    }
    const trailerOf = createSourceTrailer(git, key, addedFiles)
    const delivery = await deliverUpdate(git, {
      mode: run.mode,
      branch: run.branch,
      mayCreateBranch: run.mayCreateBranch,
      knownSha: event.sha,
      inputs,
      variables,
      plan: async (outdated): Promise<PlannedUpdate> => {
        const update = await plan(outdated)
        const { changes } = update
        const isNothing = changes.length === 0 && added.length === 0
        return {
          changes,
          added,
          hasErrors: countFindings(update.diagnostics).errors > 0,
          message: isNothing ? '' : toCommitMessage(inputs, update, [await trailerOf(update, added)], added.length),
          renderBody: ({ sha, baseSha, digest }) => {
            const feedback = toFeedback({ ...start, commitSha: sha, plannedAt: baseSha }, update)
            const marker = { headSha: sha, digest }
            return renderPullRequestBody(marker, {
              feedback,
              base: run.branch,
              fileCount: changes.length + added.length,
              addedFiles: added.map(({ path }) => path),
            })
          },
        }
      },
      write: (changes) => applyFileChanges(boundary, changes, ...docsDirectories.roots),
      log,
      pace,
    })
    // The newer run reports what was found.
    if (delivery.operation === 'superseded') [updates, added] = [[], []]
    return report(delivery, toSignatureFailures(inputs, delivery))
  } catch (error) {
    return report(undefined, [error])
  }
}

/** Without a checkout the workspace is an empty folder. */
function rejectEmptyWorkspace(workspace: string): void {
  if (!existsSync(workspace) || readdirSync(workspace).length === 0) throw noCheckout('it is empty')
}

function noCheckout(what: string): ConfigError {
  return new ConfigError(`Cannot find the repository in the workspace: ${what}`, {
    hint: 'add `- uses: actions/checkout@v5` as a step before this one',
  })
}

/** Lines may quote what a server says. */
function log(line: string): void {
  printText(escapeText(line))
}

/** Whether the push of a commit that the Action made itself started this run. */
async function startedByOwnCommit(git: Git, { name, sha }: ActionEvent): Promise<boolean> {
  return name === 'push' && sha === (await findHead(git)) && (await isOwnCommit(git))
}

/** Tokens other than the job's own start workflows: to commit documents that differ in each run would never end. */
function describeRepeatedCommit(added: readonly AddedFile[]): string {
  const names = added.map(({ path }) => `\`${path}\``).join(', ')
  return `The newest commit is from openapi-pages, and ${names} already differs from it: not committed again, as that could repeat without end. Make the step that writes it give the same result each time.`
}

/** What a plan of all docs directories depends on beside the files. */
interface PlanContext {
  readonly checkDocuments: UpdateEnvironment['checkDocuments'] | undefined
  /** Documents that a step regenerated and that the branch has another version of now. */
  readonly outdated: readonly AddedFile[]
  readonly branch: string
}

async function planRoots(
  { boundary, folder, roots }: DocsDirectories,
  inputs: ActionInputs,
  git: Git,
  { outdated, branch, checkDocuments }: PlanContext,
): Promise<readonly Update[]> {
  const documents = inputs.documents.length === 0 ? [] : await findDocuments(inputs.documents, boundary, folder)
  const environment = {
    files: withoutOutdated(openDiskFiles(boundary), outdated, branch),
    ...(checkDocuments ? { checkDocuments } : {}),
    fetchDocument: createFetchDocument({ proxyVariables: process.env }),
    findIgnored: createFindIgnored(git),
    findLineEndings: createFindLineEndings(git),
    onProgress: debug,
  }
  const planned: Update[] = []
  const rootOf = new Map<string, string>()
  for (const root of roots) {
    const update = await runUpdate({ root, documents, directory: inputs.directory }, environment)
    for (const { path } of update.changes) {
      const other = rootOf.get(path)
      if (other === undefined) rootOf.set(path, root)
      else {
        throw new ConfigError(
          `Cannot update \`${path}\`: the docs directories \`${other || '.'}\` and \`${root || '.'}\` both write it`,
          {
            hint: 'give their divisions different directories, or name only one of them in the input `root`',
          },
        )
      }
    }
    planned.push(update)
  }
  return planned
}

/**
 * Refuses to read documents of which a step wrote one version and the branch has another by now: neither may overwrite the other, and the
 * pages of the document stay as they are.
 */
function withoutOutdated(files: Files, outdated: readonly AddedFile[], branch: string): Files {
  if (outdated.length === 0) return files
  const paths = new Set(outdated.map(({ path }) => path))
  const reason = `\`${branch}\` has a newer version of it than the commit that this run regenerated it from; run the workflow again`
  return {
    ...files,
    read: async (path, limitBytes) => {
      const result = await files.read(path, limitBytes)
      const isOutdated = result.kind === 'file' && paths.has(result.identity ?? path)
      return isOutdated ? { kind: 'unreadable', reason } : result
    },
  }
}

function toSignatureFailures({ requireSigned }: ActionInputs, { commitSha, isVerified }: Delivery): readonly ConfigError[] {
  if (!requireSigned || commitSha === undefined || isVerified === true) return []
  const what = isVerified === false ? 'GitHub does not show it as verified' : 'GitHub could not be asked whether it is verified'
  return [
    new ConfigError(`The commit \`${commitSha.slice(0, 7)}\` is made, but \`require-signed\` is set and ${what}`, {
      hint: 'use `commit-method: api`, so that GitHub makes the commit and signs it',
    }),
  ]
}
