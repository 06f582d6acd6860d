import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { debug } from '@actions/core'
import { lockFileName } from '../../docs/config/config-files.ts'
import { hasGeneratedPages } from '../../docs/read/find-docs.ts'
import type { DocsAccess, ReadDocument, Reporting, StoredDocument, Update } from '../../docs/types.ts'
import { runUpdates } from '../../docs/update/run-update.ts'
import { mergeUpdates } from '../../docs/update/update-results.ts'
import { applyFileChanges } from '../../files/apply-file-changes.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import type { Files } from '../../files/files.ts'
import type { PublicNetwork } from '../../files/network.ts'
import { type AddedFile, askGit, findRevision, readHead } from '../../git/commit.ts'
import { type Git, openTrustedGit } from '../../git/git.ts'
import { createLinkCheck } from '../../site/make/links/docs-links.ts'
import { ask, ConfigError } from '../../text/errors.ts'
import { escapeText } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { type AddedFiles, createAddedFiles } from '../delivery/added-files.ts'
import {
  createSourceTrailer,
  type Delivery,
  isOwnCommit,
  isUpToDate,
  type PlannedUpdate,
  rejectSkipMarkers,
  toCommitMessage,
  toDelivery,
  toSourceKey,
} from '../delivery/commit-message.ts'
import { deliverUpdate } from '../delivery/deliver-update.ts'
import { closeLeftover, isHeadBranch, temporaryPrefix } from '../delivery/propose-update.ts'
import { renderPullRequestBody } from '../delivery/pull-request-details.ts'
import { type FilesChangedReport, findFilesChanged, findNeededAccess, type GitHubAccess } from '../inputs/github-access.ts'
import { type DocsDirectories, findDocsDirectories, findDocuments } from '../inputs/input-paths.ts'
import {
  type ActionInputs,
  type DeliveryInputs,
  type DocsInputs,
  type Mode,
  placeRulesets,
  type TokenInputs,
} from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'
import { printText } from '../report/publish-report.ts'
import { type ActionReport, toFeedback } from '../report/summary.ts'
import { compareStored, followsAny, readStored, type StoredSource, withConcerned } from './stored-source.ts'

type Run = Extract<RunDecision, { kind: 'run' }>
type WritingRun = Extract<Run, { mode: 'commit' | 'pull-request' }>

/** What a run is, and what it may reach. */
interface RunContext {
  readonly run: Run
  readonly event: ActionEvent
  readonly github: GitHubAccess
  /** The initial report. */
  readonly start: ActionReport
  /** Default: no document of another repository is read. */
  readonly storedSource?: StoredSource | undefined
  /** For tests: servers on this machine as public ones. */
  readonly network?: PublicNetwork
}

/** What a run has found so far. The report has it also if a later step fails. */
interface Found {
  boundary: OwnedPath
  updates: readonly Update[]
  plannedAt: string
  filesChanged?: FilesChangedReport
  added: readonly AddedFile[]
  /** Why fewer files are committed than requested. */
  note?: string
  apiChanges?: ActionReport['apiChanges']
  sourceFailures: readonly ConfigError[]
}

/**
 * Runs the Action in the workspace (absolute): plans the update and, depending on the mode, commits or proposes it.
 *
 * Never rejects: errors are added to `failures` of the report, together with everything found so far.
 */
export async function runAction(workspace: OwnedPath, inputs: ActionInputs, context: RunContext): Promise<ActionReport> {
  const { event, start } = context
  const found: Found = { boundary: start.boundary, updates: [], plannedAt: start.plannedAt, added: [], sourceFailures: [] }
  let { run } = context
  let delivery: Delivery | undefined
  let failures: readonly unknown[] = []
  try {
    rejectEmptyWorkspace(workspace)
    const directories = await findDocsDirectories(workspace, inputs.docs)
    found.boundary = directories.boundary
    // A mode that someone has chosen needs a docs.json.
    const hasNoPages = directories.checkedDocuments.length > 0 && (!isWriting(run) || inputs.mode === undefined)
    if (hasNoPages && isWriting(run)) run = { kind: 'run', mode: 'check', note: noPages }
    const searched = hasNoPages ? directories : { ...directories, checkedDocuments: [] }
    const git = openTrustedGit(directories.boundary)
    if (isWriting(run)) delivery = await writeUpdate(git, run, searched, inputs, context, found)
    else await createPlan(git, run, searched, inputs, context, found)([])
    if (delivery) failures = toSignatureFailures(inputs.delivery, delivery)
  } catch (error) {
    failures = [error]
  }
  return {
    ...start,
    access: findNeededAccess(inputs, run.mode, event.isPullRequest),
    mode: run.mode,
    branch: delivery?.branch ?? (isWriting(run) ? run.branch : undefined),
    note: found.note ?? ('note' in run ? run.note : undefined),
    boundary: found.boundary,
    update: mergeUpdates(found.updates),
    updates: found.updates,
    plannedAt: found.plannedAt,
    filesChanged: found.filesChanged,
    addedFiles: found.added.map(({ path }) => path),
    commitSha: delivery?.commitSha,
    delivery,
    failures: [...failures, ...found.sourceFailures],
    apiChanges: found.apiChanges,
  }
}

function isWriting(run: Run): run is WritingRun {
  return run.mode === 'commit' || run.mode === 'pull-request'
}

/** Plans and delivers the update, unless the checked-out commit already has it. */
async function writeUpdate(
  git: Git,
  run: WritingRun,
  directories: DocsDirectories,
  inputs: ActionInputs,
  context: RunContext,
  found: Found,
): Promise<Delivery> {
  const { event, github, start } = context
  const { mode, branch, mayCreateBranch } = run
  const target = { branch, inputs: inputs.delivery, token: inputs.tokens.token, github, log }
  if (event.isPullRequest || mode === 'pull-request') rejectSkipMarkers(inputs.delivery.commitMessage, inputs.delivery.skipCi)
  const key = toSourceKey(directories.roots, inputs.docs, inputs.delivery)
  const atHead = { roots: directories.roots, files: openDiskFiles(directories.boundary) }
  if (!(await followsAny(context.storedSource, atHead)) && (await isUpToDate(git, key))) {
    // A run in another mode may have created that commit, so a pull request with the same changes may still be open.
    const mayBeOpen = mode === 'pull-request'
    const closed = mayBeOpen ? await closeLeftover(git, target, () => github.connect(git), await readHead(git)) : undefined
    const notes = ['Nothing to do: the newest commit already contains the pages for these documents.']
    return closed ?? toDelivery({ operation: 'none', notes })
  }
  const addedFiles = createAddedFiles(git, directories.folder, inputs.delivery)
  const plan = createPlan(git, run, directories, inputs, context, found, addedFiles)
  const trailerOf = createSourceTrailer(git, key, addedFiles)
  const delivery = await deliverUpdate(git, {
    ...target,
    boundary: directories.boundary,
    mode,
    mayCreateBranch,
    knownSha: event.sha,
    plan: async (outdated): Promise<PlannedUpdate> => {
      const update = await plan(outdated)
      const { changes } = update
      const { added } = found
      const isNothing = changes.length === 0 && added.length === 0
      return {
        changes,
        added,
        hasUnknownChanges: update.hasUnknownChanges || found.sourceFailures.length > 0,
        message: isNothing ? '' : toCommitMessage(inputs.delivery, update, [await trailerOf(update, added)], added.length),
        renderBody: ({ sha, baseSha, digest }) => {
          const committed = { ...start, commitSha: sha, plannedAt: baseSha, apiChanges: found.apiChanges }
          const marker = { headSha: sha, digest }
          return renderPullRequestBody(marker, {
            lead: inputs.delivery.pullRequest.body,
            feedback: toFeedback(committed, withConcerned(update)),
            base: branch,
            fileCount: changes.length + added.length,
            addedFiles: added.map(({ path }) => path),
            stored: update.stored ?? [],
          })
        },
      }
    },
    write: (changes) =>
      applyFileChanges(directories.boundary, changes, { writableFolders: directories.roots, lastName: lockFileName }),
  })
  // The newer run reports the diagnostics.
  if (delivery.operation === 'superseded') [found.updates, found.added] = [[], []]
  return delivery
}

/**
 * Returns the function that plans the update from the work tree, and records what it finds.
 *
 * @param addedFiles files that a run commits with the pages. A check has none.
 */
function createPlan(
  git: Git,
  run: Run,
  directories: DocsDirectories,
  inputs: ActionInputs,
  { event, github, network, storedSource }: RunContext,
  found: Found,
  addedFiles: AddedFiles = createAddedFiles(git, directories.folder, inputs.delivery),
): (outdated: readonly AddedFile[]) => Promise<Update> {
  const { boundary, roots } = directories
  // Runs in parallel with the first plan. Nothing else accesses the remote until both are done.
  const changed = findFilesChanged(git, event, { token: inputs.tokens.token, openGitHub: github.open })
  return async (outdated) => {
    const files = openDiskFiles(boundary)
    const followed = await readStored(storedSource, { roots, files })
    found.sourceFailures = (followed?.failures ?? []).map(({ error }) => error)
    found.updates = await planRoots(directories, inputs.docs, {
      outdated,
      branch: isWriting(run) ? run.branch : '',
      checkDocuments: run.mode === 'check' ? undefined : addedFiles.checkDocuments,
      network,
      mode: run.mode,
      stored: followed?.documents,
    })
    found.filesChanged = await changed
    const head = await ask(() => findRevision(git, 'HEAD'))
    found.plannedAt = (head.kind === 'known' ? head.value : undefined) ?? found.plannedAt
    found.apiChanges = await compareStored(found.updates, files, inputs.docs, found.plannedAt)
    const isNothing = found.updates.every(({ hasDocsConfig, documents }) => !hasDocsConfig && documents.length === 0)
    if (isNothing && !existsSync(join(boundary, '.git'))) {
      found.updates = []
      throw noCheckout('the workspace is not a Git repository and has no `docs.json`')
    }
    const merged = mergeUpdates(found.updates)
    if (!merged) throw new Error('Expected at least one docs directory')
    found.added = run.mode === 'check' ? [] : await addedFiles.find(merged)
    if (found.added.length > 0 && merged.changes.length === 0 && (await startedByOwnCommit(git, event))) {
      found.note = describeRepeatedCommit(found.added)
      found.added = []
    }
    return merged
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
  return name === 'push' && sha === (await findRevision(git, 'HEAD')) && (await isOwnCommit(git))
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
  readonly checkDocuments: Reporting['checkDocuments'] | undefined
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
  inputs: DocsInputs,
  { outdated, branch, checkDocuments, network, mode, stored }: PlanContext,
): Promise<readonly Update[]> {
  const named = await findDocuments(inputs.documents, boundary, folder)
  // The commit has the stored documents, although the work tree does not.
  const isOwn = ({ path }: ReadDocument) => stored?.some((document) => document.path === path) !== true
  const { rulesets } = inputs
  const access: DocsAccess = {
    files: withoutOutdated(openDiskFiles(boundary), outdated, branch),
    fetchDocument: createFetchDocument({
      namedByUser: new Set(Array.isArray(rulesets) ? rulesets.filter(isUrl) : []),
      proxyVariables: process.env,
      ...(network && { network }),
    }),
    git: askGit(boundary, log),
  }
  const terms = { rulesets: placeRulesets(rulesets, folder), inlineIgnore: inputs.inlineIgnore }
  const reporting: Reporting = {
    onProgress: debug,
    ...(checkDocuments && { checkDocuments: async (read, pages) => checkDocuments(read.filter(isOwn), pages) }),
  }
  const [root = ''] = roots
  // Without a docs.json, the first pages are written by a run that commits. Until then, a check asks for none.
  const isChecked = mode === 'check' && named.length > 0 && !(await hasGeneratedPages(root, access.files))
  const options = {
    documents: checkedDocuments.length > 0 ? checkedDocuments : named,
    directory: inputs.directory,
    ...((isChecked || checkedDocuments.length > 0) && { materialize: false }),
    ...(inputs.remove && { remove: true }),
    ...(stored && { stored }),
  }
  // The icon sets are not part of the Action.
  return await runUpdates(roots, options, access, terms, reporting, createLinkCheck({ knowsIcons: false }))
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

function toSignatureFailures({ requireSigned }: DeliveryInputs, { commitSha, isVerified }: Delivery): readonly ConfigError[] {
  if (!requireSigned || commitSha === undefined || isVerified === true) return []
  const status = isVerified === false ? 'is not verified' : 'has an unknown verification status'
  return [
    new ConfigError(`The new commit \`${commitSha.slice(0, 7)}\` ${status}, but \`require-signed\` is set`, {
      hint: 'Use `commit-method: api`, so that GitHub signs the commit',
    }),
  ]
}

/** What a run does. `note` explains why it does less than requested. */
export type RunDecision =
  | { readonly kind: 'run'; readonly mode: 'check' | 'dry-run'; readonly note?: string }
  | { readonly kind: 'run'; readonly mode: 'commit'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'run'; readonly mode: 'pull-request'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'skip'; readonly note: string }

/** Decides from inputs and event what a run does. It writes only if there is a branch to write to. */
export function decideRun(
  inputs: Pick<ActionInputs, 'mode'> &
    Pick<DeliveryInputs, 'base'> &
    Pick<TokenInputs, 'token'> & { readonly pullRequest: Pick<DeliveryInputs['pullRequest'], 'headBranch'> },
  event: ActionEvent,
): RunDecision {
  const { mode, base } = inputs
  if (event.isDeleted) return { kind: 'skip', note: `Nothing to check: \`${event.ref}\` was deleted.` }
  const pushed = event.isPullRequest ? undefined : event.branch
  if (pushed?.startsWith(temporaryPrefix)) {
    return { kind: 'skip', note: `Nothing to do: \`${pushed}\` is a temporary branch of another run.` }
  }
  const wanted = mode ?? defaultMode(event)
  if (wanted !== 'commit' && wanted !== 'pull-request') return { kind: 'run', mode: wanted }
  const reason = findReasonNotToCommit(inputs, event)
  if (reason !== undefined) return { kind: 'run', mode: 'check', note: reason }
  const target = base ?? event.branch
  if (target !== undefined && wanted === 'pull-request' && isHeadBranch(target, inputs.pullRequest)) {
    return { kind: 'skip', note: `Nothing to do: \`${target}\` is the head branch of a pull request from openapi-pages.` }
  }
  if (target !== undefined) return { kind: 'run', mode: wanted, branch: target, mayCreateBranch: base !== undefined }
  const what = event.ref.startsWith('refs/tags/') ? 'a tag' : 'not a branch'
  const note = `Cannot commit: \`${event.ref}\` is ${what}. Name a branch with the input \`base\`, or use \`mode: check\`.`
  return { kind: 'skip', note }
}

/** Returns why the run must not commit, whatever the inputs request. */
function findReasonNotToCommit(
  { base, token }: Pick<DeliveryInputs, 'base'> & Pick<TokenInputs, 'token'>,
  event: ActionEvent,
): string | undefined {
  const { name, isFork, forkName, isReadOnly, isClosed } = event
  if (isFork) {
    const fork = forkName === undefined ? 'a fork' : `the fork \`${forkName}\``
    return name === 'pull_request'
      ? `Check only: this pull request comes from ${fork}.`
      : `Check only: this pull request comes from ${fork}, and the token of \`${name}\` could write to this repository.`
  }
  if (isClosed) return 'Check only: this pull request is closed.'
  if (isReadOnly && token === undefined) {
    return 'Check only: Dependabot runs get a read-only token. To commit, set the input `token`.'
  }
  if (name === 'merge_group' && base === undefined) return 'Check only: this is a merge queue branch.'
  return undefined
}

/** A run that updates `docs-repository`. It writes to no branch of this repository. */
export type DocsRunDecision =
  | { readonly kind: 'run'; readonly mode: Mode; readonly note?: string; readonly hasToken: boolean }
  | Extract<RunDecision, { kind: 'skip' }>

/**
 * Decides what a run with `docs-repository` does. Runs on pull requests and on other branches than the default one propose nothing: their documents
 * are not published yet.
 */
export function decideDocsRun(
  inputs: Pick<ActionInputs, 'mode'> & Pick<TokenInputs, 'token'>,
  event: ActionEvent,
): DocsRunDecision {
  const { mode, token } = inputs
  const { name, isPullRequest, branch, defaultBranch } = event
  if (event.isDeleted) return { kind: 'skip', note: `Nothing to do: \`${event.ref}\` was deleted.` }
  // A run on files of a fork must not use the token, even if the event gives it one.
  const hasToken = token !== undefined && !event.isFork
  const isReading = mode === 'check' || mode === 'dry-run'
  if (isPullRequest || name === 'merge_group' || event.isFork) {
    const reason = findReasonNotToCommit({ base: undefined, token }, event)
    const used = isReading ? mode : 'check'
    return { kind: 'run', mode: used, hasToken, ...(event.isFork && reason !== undefined ? { note: reason } : {}) }
  }
  if (isReading) return { kind: 'run', mode, hasToken }
  const isOther = branch !== undefined && defaultBranch !== undefined && branch !== defaultBranch
  if (!isOther || mode !== undefined) return { kind: 'run', mode: mode ?? 'pull-request', hasToken }
  const note = `Check only: \`${branch}\` is not the default branch. To propose its documents too, set \`mode: pull-request\`.`
  return { kind: 'run', mode: 'check', note, hasToken }
}

function defaultMode({ isPullRequest, name }: ActionEvent): Mode {
  return isPullRequest || name === 'merge_group' ? 'check' : 'commit'
}
