import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { debug } from '@actions/core'
import { countFindings } from '../../diagnostics/diagnostic.ts'
import { hasGeneratedPages } from '../../docs/read/find-docs.ts'
import type { ReadDocument, StoredDocument, Update, UpdateEnvironment } from '../../docs/types.ts'
import { findUnlocks, type Unlock } from '../../docs/update/find-unlocks.ts'
import { mergeUpdates, runUpdates } from '../../docs/update/run-update.ts'
import { applyFileChanges } from '../../files/apply-file-changes.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import type { Files } from '../../files/files.ts'
import type { PublicNetwork } from '../../files/public-network.ts'
import type { AddedFile } from '../../git/commit.ts'
import { createFindIgnored, createFindLeftOut, createFindLineEndings, type Git, openTrustedGit } from '../../git/git.ts'
import { findHead } from '../../git/refs.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/urls.ts'
import { createAddedFiles } from '../delivery/added-files.ts'
import { rejectSkipMarkers, toCommitMessage } from '../delivery/commit-message.ts'
import { deliverUpdate } from '../delivery/deliver-update.ts'
import { type Delivery, type PlannedUpdate, toDelivery } from '../delivery/delivery.ts'
import { closeLeftoverAtHead } from '../delivery/propose-update.ts'
import { renderPullRequestBody } from '../delivery/pull-request-body.ts'
import { createSourceTrailer, isOwnCommit, isUpToDate, toSourceKey } from '../delivery/source-trailer.ts'
import { type FilesChangedReport, findFilesChanged } from '../inputs/find-files-changed.ts'
import type { OpenGitHub } from '../inputs/github-access.ts'
import { type DocsDirectories, findDocsDirectories, findDocuments } from '../inputs/input-paths.ts'
import { type ActionInputs, type Mode, placeRulesets } from '../inputs/inputs.ts'
import { findNeededAccess } from '../inputs/needed-access.ts'
import type { ActionEvent, RunVariables } from '../inputs/workflow-event.ts'
import { type ActionReport, toFeedback } from '../report/action-report.ts'
import { printText } from '../report/run-log.ts'
import type { RunDecision } from './decide-run.ts'
import { compareStored, followsAny, readStored, type StoredSource, withConcerned } from './stored-source.ts'

type Run = Extract<RunDecision, { kind: 'run' }>

/** The context of a run. */
interface RunOptions {
  readonly run: Run
  readonly event: ActionEvent
  readonly openGitHub: OpenGitHub
  readonly variables: RunVariables
  /** The initial report. */
  readonly start: ActionReport
  /** Default: no document of another repository is read. */
  readonly storedSource?: StoredSource | undefined
  /** For tests: shorter waits between requests. */
  readonly pace?: Parameters<typeof deliverUpdate>[1]['pace']
  /** For tests: servers on this machine as public ones. */
  readonly network?: PublicNetwork
}

/**
 * Runs the Action in the workspace (absolute): plans the update and, depending on the mode, commits or proposes it.
 *
 * Never rejects: errors are added to `failures` of the report, together with everything found so far.
 */
export async function runAction(workspace: string, inputs: ActionInputs, options: RunOptions): Promise<ActionReport> {
  const { run, event, openGitHub, variables, start, storedSource, pace, network } = options
  let updates: readonly Update[] = []
  let { boundary, plannedAt } = start
  let filesChanged: FilesChangedReport | undefined
  let added: readonly AddedFile[] = []
  let note = 'note' in run ? run.note : undefined
  let apiChanges: ActionReport['apiChanges']
  let unlocks: ActionReport['unlocks']
  let sourceFailures: readonly ConfigError[] = []
  const isWriting = run.mode === 'commit' || run.mode === 'pull-request'
  const report = (delivery: Delivery | undefined, failures: readonly unknown[]): ActionReport => {
    const found = { boundary, update: mergeUpdates(updates), updates, plannedAt, filesChanged }
    const branch = delivery?.branch ?? (isWriting ? run.branch : undefined)
    const addedFiles = added.map(({ path }) => path)
    const access = findNeededAccess(inputs, run.mode, event.isPullRequest)
    const done = {
      addedFiles,
      commitSha: delivery?.commitSha,
      delivery,
      failures: [...failures, ...sourceFailures],
      apiChanges,
      ...(unlocks && { unlocks }),
    }
    return { ...start, access, mode: run.mode, branch, note, ...found, ...done }
  }
  try {
    rejectEmptyWorkspace(workspace)
    const found = await findDocsDirectories(workspace, inputs)
    // A mode that someone has chosen needs a docs.json.
    const docsDirectories = isWriting && inputs.mode !== undefined ? { ...found, checkedDocuments: [] } : found
    boundary = docsDirectories.boundary
    if (isWriting && docsDirectories.checkedDocuments.length > 0) {
      const checked: Run = { kind: 'run', mode: 'check', note: noPages }
      return await runAction(workspace, inputs, { ...options, run: checked })
    }
    const git = openTrustedGit(boundary)
    const key = toSourceKey(docsDirectories.roots, inputs)
    if (isWriting) {
      const target = { branch: run.branch, inputs, variables, log, pace }
      if (event.isPullRequest || run.mode === 'pull-request') rejectSkipMarkers(inputs.commitMessage, inputs.skipCi)
      const follows = await followsAny(storedSource, { roots: docsDirectories.roots, files: openDiskFiles(boundary) })
      if (!follows && (await isUpToDate(git, key))) {
        const notes = ['Nothing to do: the newest commit already contains the pages for these documents.']
        // A run in another mode may have created that commit, so a pull request with the same changes may still be open.
        const closed = run.mode === 'pull-request' ? await closeLeftoverAtHead(git, target) : undefined
        return report(closed ?? toDelivery({ operation: 'none', notes }), [])
      }
    }
    // Runs in parallel with the first plan. Nothing else accesses the remote until both are done.
    const changed = findFilesChanged(git, event, { token: inputs.token, openGitHub })
    const addedFiles = createAddedFiles(git, docsDirectories.folder, inputs)
    const plan = async (outdated: readonly AddedFile[]): Promise<Update> => {
      const checkDocuments = run.mode === 'check' ? undefined : addedFiles.checkDocuments
      const branch = isWriting ? run.branch : ''
      const atHead = { roots: docsDirectories.roots, files: openDiskFiles(boundary) }
      const followed = await readStored(storedSource, atHead)
      sourceFailures = (followed?.failures ?? []).map(({ error }) => error)
      const planned = await planRoots(docsDirectories, inputs, git, {
        outdated,
        branch,
        checkDocuments,
        network,
        mode: run.mode,
        stored: followed?.documents,
      })
      updates = planned.updates
      unlocks = planned.unlocks
      filesChanged = await changed
      plannedAt = (await findHead(git)) ?? plannedAt
      apiChanges = await compareStored(updates, atHead.files, inputs, plannedAt)
      const isNothing = updates.every(({ hasDocsConfig, documents }) => !hasDocsConfig && documents.length === 0)
      if (isNothing && !existsSync(join(boundary, '.git'))) {
        updates = []
        throw noCheckout('the workspace is not a Git repository and has no `docs.json`')
      }
      const [first] = updates
      const merged = mergeUpdates(updates) ?? first
      if (!merged) throw new Error('Expected at least one docs directory')
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
          hasErrors: countFindings(update.diagnostics).errors > 0 || sourceFailures.length > 0,
          message: isNothing ? '' : toCommitMessage(inputs, update, [await trailerOf(update, added)], added.length),
          renderBody: ({ sha, baseSha, digest }) => {
            const feedback = toFeedback({ ...start, commitSha: sha, plannedAt: baseSha, apiChanges }, withConcerned(update))
            const marker = { headSha: sha, digest }
            return renderPullRequestBody(marker, {
              lead: inputs.pullRequest.body,
              feedback,
              base: run.branch,
              fileCount: changes.length + added.length,
              addedFiles: added.map(({ path }) => path),
              stored: update.stored ?? [],
            })
          },
        }
      },
      write: (changes) => applyFileChanges(boundary, changes, ...docsDirectories.roots),
      log,
      pace,
    })
    // The newer run reports the diagnostics.
    if (delivery.operation === 'superseded') [updates, added] = [[], []]
    return report(delivery, toSignatureFailures(inputs, delivery))
  } catch (error) {
    return report(undefined, [error])
  }
}

const noPages =
  'Check only: there is no `docs.json`, so no pages are generated. To generate pages, run `openapi-pages init`, or name the documents in the input `openapi`.'

/** Without a checkout, the workspace is an empty folder. */
function rejectEmptyWorkspace(workspace: string): void {
  if (!existsSync(workspace) || readdirSync(workspace).length === 0) throw noCheckout('the workspace is empty')
}

function noCheckout(reason: string): ConfigError {
  return new ConfigError(`Cannot find the repository: ${reason}`, {
    hint: 'Add `- uses: actions/checkout@v5` before this step',
  })
}

/** Escapes the line, because it can contain a message from a server. */
function log(line: string): void {
  printText(escapeText(line))
}

/** Whether this run was started by the push of a commit from the Action itself. */
async function startedByOwnCommit(git: Git, { name, sha }: ActionEvent): Promise<boolean> {
  return name === 'push' && sha === (await findHead(git)) && (await isOwnCommit(git))
}

/**
 * Commits pushed with a token other than the job's own start workflows. Committing documents that differ in each run would cause an endless
 * loop.
 */
function describeRepeatedCommit(added: readonly AddedFile[]): string {
  const names = added.map(({ path }) => `\`${path}\``).join(', ')
  const [differ, they, files] = added.length === 1 ? ['differs', 'It was', 'this file'] : ['differ', 'They were', 'these files']
  return `${names} ${differ} again from the version that openapi-pages just committed. ${they} not committed again, to prevent an endless loop. Make the step that generates ${files} deterministic.`
}

/** Inputs of a plan in addition to the files. */
interface PlanContext {
  readonly checkDocuments: UpdateEnvironment['checkDocuments'] | undefined
  /** Documents regenerated by a step although the branch has a newer version now. */
  readonly outdated: readonly AddedFile[]
  readonly branch: string
  readonly network: PublicNetwork | undefined
  readonly mode: Mode
  /** The documents of other repositories. */
  readonly stored: readonly StoredDocument[] | undefined
}

async function planRoots(
  { boundary, folder, roots, checkedDocuments }: DocsDirectories,
  inputs: ActionInputs,
  git: Git,
  { outdated, branch, checkDocuments, network, mode, stored }: PlanContext,
): Promise<{ readonly updates: readonly Update[]; readonly unlocks: ReadonlyMap<string, readonly Unlock[]> }> {
  const named = await findDocuments(inputs.documents, boundary, folder)
  // The commit has the stored documents, although the work tree does not.
  const isOwn = ({ path }: ReadDocument) => stored?.some((document) => document.path === path) !== true
  const { rulesets } = inputs
  const environment: UpdateEnvironment = {
    files: withoutOutdated(openDiskFiles(boundary), outdated, branch),
    rulesets: placeRulesets(rulesets, folder),
    ...(checkDocuments && { checkDocuments: async (read, pages) => checkDocuments(read.filter(isOwn), pages) }),
    fetchDocument: createFetchDocument({
      namedByUser: new Set(Array.isArray(rulesets) ? rulesets.filter(isUrl) : []),
      proxyVariables: process.env,
      ...(network && { network }),
    }),
    ...(!inputs.inlineIgnore && { inlineIgnore: false }),
    findIgnored: createFindIgnored(git),
    findLeftOut: createFindLeftOut(git),
    findLineEndings: createFindLineEndings(git),
    onProgress: debug,
  }
  const [root = ''] = roots
  // Without a docs.json, the first pages are written by a run that commits. Until then, a check asks for none.
  const isChecked = mode === 'check' && named.length > 0 && !(await hasGeneratedPages(root, environment.files))
  const options = {
    documents: checkedDocuments.length > 0 ? checkedDocuments : named,
    directory: inputs.directory,
    ...((isChecked || checkedDocuments.length > 0) && { materialize: false }),
    ...(inputs.remove && { remove: true }),
    ...(stored && { stored }),
  }
  const updates = await runUpdates(roots, options, environment)
  const unlocks = new Map<string, readonly Unlock[]>()
  for (const update of updates) {
    unlocks.set(update.root, await findUnlocks(update, { ...options, root: update.root }, environment))
  }
  return { updates, unlocks }
}

/**
 * Makes documents unreadable if a step regenerated them and the branch has a newer version. Neither version may overwrite the other, so
 * their pages are not updated.
 */
function withoutOutdated(files: Files, outdated: readonly AddedFile[], branch: string): Files {
  if (outdated.length === 0) return files
  const paths = new Set(outdated.map(({ path }) => path))
  const reason = `\`${branch}\` has a newer version of this file than the one that this run started from. Run the workflow again`
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
  const status = isVerified === false ? 'is not verified' : 'has an unknown verification status'
  return [
    new ConfigError(`The new commit \`${commitSha.slice(0, 7)}\` ${status}, but \`require-signed\` is set`, {
      hint: 'Use `commit-method: api`, so that GitHub signs the commit',
    }),
  ]
}
