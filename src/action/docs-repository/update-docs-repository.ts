import { debug } from '@actions/core'
import { defaultDirectory } from '../../docs/navigation/read-divisions.ts'
import type { StoredDocument, Update } from '../../docs/types.ts'
import type { FollowedSources } from '../../docs/update/follow-sources.ts'
import { mergeUpdates, runUpdate } from '../../docs/update/run-update.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import { createFindIgnored, openTrustedGit } from '../../git/git.ts'
import { ConfigError } from '../../text/errors.ts'
import { toDelivery } from '../delivery/delivery.ts'
import { sourcePrefix } from '../delivery/delivery-branches.ts'
import type { OpenGitHub } from '../inputs/github-access.ts'
import { type ActionInputs, type DocsRepositoryInputs, defaultHeadBranch } from '../inputs/inputs.ts'
import type { ActionEvent, RunVariables } from '../inputs/workflow-event.ts'
import type { ActionReport } from '../report/action-report.ts'
import type { DocsRunDecision } from '../run/decide-run.ts'
import { runAction } from '../run/run-action.ts'
import type { StoredSource } from '../run/stored-source.ts'
import {
  checkDocsDirectory,
  chooseTargets,
  cloneDocs,
  type DocsClone,
  explainAccess,
  findDocsDirectory,
  howToAllow,
  isKnownIn,
} from './docs-clone.ts'
import { openSourceDocuments, type SourceDocuments, type SourceVersion } from './source-documents.ts'

type Run = Extract<DocsRunDecision, { kind: 'run' }>

interface Options {
  readonly run: Run
  readonly event: ActionEvent
  readonly openGitHub: OpenGitHub
  readonly variables: RunVariables
  /** `owner/name` of the repository that the workflow runs in. */
  readonly repository: string
  /** Where the docs repository is cloned to. Default: the temporary folder of the system. */
  readonly temporaryFolder: string | undefined
  /** The initial report. */
  readonly start: ActionReport
  /** For tests: shorter waits between requests. */
  readonly pace?: Parameters<typeof runAction>[2]['pace']
}

type ReadVersion = Extract<SourceVersion, { kind: 'read' }>

/**
 * Checks the documents of the workspace, and updates the docs repository with them: proposes a pull request there, or only plans the update.
 *
 * Writes nothing if one of the documents has errors. Never rejects: errors are added to `failures` of the report.
 */
export async function updateDocsRepository(
  workspace: string,
  inputs: ActionInputs,
  docs: DocsRepositoryInputs,
  options: Options,
): Promise<ActionReport> {
  const { run, event, openGitHub, variables, start } = options
  const isWriting = run.mode === 'commit' || run.mode === 'pull-request'
  let report: ActionReport = { ...start, mode: run.mode, note: run.note }
  let clone: DocsClone | undefined
  try {
    const documents = await openSourceDocuments(workspace, { inputs, event, variables, openGitHub, isWriting })
    const version = await documents.read()
    if (version.kind === 'superseded') {
      return { ...report, delivery: toDelivery({ operation: 'superseded', notes: [version.note] }) }
    }
    report = { ...report, source: toSourceReport(documents, version, docs, options) }
    if (!areValid(version)) return report
    const token = run.hasToken ? inputs.token : undefined
    if (isWriting && token === undefined) throw missingToken(docs.name)
    try {
      clone = await cloneDocs(docs, { serverUrl: variables.serverUrl, token, temporaryFolder: options.temporaryFolder })
    } catch (error) {
      const explained = explainAccess(error, docs.name, { hasToken: run.hasToken, isWriting })
      // Forks and Dependabot get no secrets. Only the documents are checked then.
      if (explained === error || run.hasToken || !(event.isFork || event.isReadOnly)) throw explained
      return { ...report, note: noSecretNote(docs.name, event) }
    }
    return await updateClone(clone, { documents, version, inputs, docs, token, report, isWriting, options })
  } catch (error) {
    return { ...report, failures: [error] }
  } finally {
    clone?.remove()
  }
}

function missingToken(name: string): ConfigError {
  return new ConfigError(`Cannot update \`${name}\`: the input \`token\` is missing`, {
    hint: howToAllow(name, { hasToken: false, isWriting: true }),
  })
}

function noSecretNote(name: string, { isFork }: ActionEvent): string {
  const who = isFork ? 'Pull requests from forks' : 'Dependabot runs'
  return `Only the documents were checked. ${who} get no secrets, so the run cannot read \`${name}\`. A run on the default branch updates it.`
}

function areValid({ documents }: ReadVersion): boolean {
  return [...documents.values()].every(({ isValid }) => isValid)
}

function toSourceReport(
  { boundary }: SourceDocuments,
  { documents, sha }: ReadVersion,
  { name }: DocsRepositoryInputs,
  { repository, variables }: Options,
): NonNullable<ActionReport['source']> {
  const checked = [...documents.values()]
  return {
    docsRepository: name,
    boundary,
    webUrl: toWebUrl(variables, repository),
    sha,
    documents: checked.map(({ report }) => report),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
  }
}

function toWebUrl({ serverUrl }: RunVariables, repository: string): string {
  return `${serverUrl.replace(/(?<!\/)\/+$/, '')}/${repository}`
}

interface CloneContext {
  readonly documents: SourceDocuments
  readonly version: ReadVersion
  readonly inputs: ActionInputs
  readonly docs: DocsRepositoryInputs
  readonly token: string | undefined
  /** The report so far. */
  readonly report: ActionReport
  readonly isWriting: boolean
  readonly options: Options
}

async function updateClone(clone: DocsClone, context: CloneContext): Promise<ActionReport> {
  const { documents, inputs, docs, token, report, isWriting, options } = context
  const { run, variables, event, start, pace } = options
  const root = await findDocsDirectory(clone, docs, inputs)
  const before = await planBefore(clone, root, inputs)
  checkDocsDirectory(docs.name, before)
  const targets = chooseTargets(documents.entries, docs, before)
  const headBranch = toHeadBranchName(inputs, options.repository)
  const { branch } = clone
  const ran = await runAction(
    clone.folder,
    {
      ...inputs,
      workingDirectory: '.',
      roots: [root || '.'],
      documents: [],
      // They are for the documents of this repository, which have been checked. The docs repository can have its own.
      rulesets: inputs.rulesets === 'none' ? 'none' : undefined,
      addPaths: { documents: false, patterns: [] },
      token,
      githubToken: token,
      pullRequest: { ...inputs.pullRequest, headBranch },
    },
    {
      run: isWriting
        ? { kind: 'run', mode: run.mode === 'commit' ? 'commit' : 'pull-request', branch, mayCreateBranch: false }
        : toReading(run),
      event: toDocsEvent(event, clone),
      openGitHub: async () => undefined,
      // The workflow runs in the other repository.
      variables: { ...variables, workflow: undefined },
      start: { ...start, links: { ...start.links, webUrl: toWebUrl(variables, docs.name) } },
      storedSource: createStoredSource(context, targets),
      ...(pace ? { pace } : {}),
    },
  )
  const isKnown = isKnownIn(before.diagnostics)
  const isShown = isKnownIn(report.source?.diagnostics ?? [])
  const copies = new Map(targets.map((target, index) => [target, documents.entries[index] ?? '']))
  const select = (update: Update): Update => ({
    ...update,
    documents: update.documents.filter(({ path }) => copies.has(path)),
    diagnostics: update.diagnostics.filter((diagnostic) => {
      // The source has the same problems at their own places.
      const entry = copies.get(diagnostic.file)
      return !isKnown(diagnostic) && (entry === undefined || !isShown({ ...diagnostic, file: entry }))
    }),
  })
  const updates = ran.updates.map(select)
  const unnamed = targets.filter((target) => !ran.updates.some((update) => update.documents.some(({ path }) => path === target)))
  const note = unnamed.length === 0 || updates.length === 0 ? report.note : toUnnamedNote(unnamed, docs.name)
  return {
    ...ran,
    ...(report.source ? { source: report.source } : {}),
    note: note ?? ran.note,
    updates,
    update: mergeUpdates(updates),
    filesChanged: undefined,
    failures: ran.failures.map((failure) => explainAccess(failure, docs.name, { hasToken: token !== undefined, isWriting })),
  }
}

function toReading({ mode }: Run): { kind: 'run'; mode: 'check' | 'dry-run' } {
  return { kind: 'run', mode: mode === 'dry-run' ? 'dry-run' : 'check' }
}

function toUnnamedNote(paths: readonly string[], name: string): string {
  const files = paths.map((path) => `\`${path}\``).join(', ')
  return `No \`docs.json\` of \`${name}\` names ${files}, so no page belongs to ${paths.length === 1 ? 'it' : 'them'}.`
}

/** Plans the docs directory without the new documents, to know those that it has, and its problems. */
async function planBefore({ folder }: DocsClone, root: string, { inlineIgnore }: ActionInputs): Promise<Update> {
  return await runUpdate(
    { root, documents: [], directory: defaultDirectory },
    {
      files: openDiskFiles(folder),
      fetchDocument: createFetchDocument({ proxyVariables: process.env }),
      ...(!inlineIgnore && { inlineIgnore }),
      findIgnored: createFindIgnored(openTrustedGit(folder)),
      onProgress: debug,
    },
  )
}

/** Several repositories can update the same docs repository, so each has its own head branch there. */
function toHeadBranchName({ pullRequest }: ActionInputs, repository: string): string {
  return pullRequest.headBranch === defaultHeadBranch ? `${sourcePrefix}${repository}/<branch>` : pullRequest.headBranch
}

function toDocsEvent(event: ActionEvent, { branch, sha }: DocsClone): ActionEvent {
  return {
    ...event,
    ref: `refs/heads/${branch}`,
    branch,
    sha,
    isPullRequest: false,
    isFork: false,
    pullNumber: undefined,
    base: { kind: 'none', reason: 'the documents are in another repository' },
  }
}

/**
 * Reads the documents again for each plan, after the position of the docs branches was read. So no run replaces documents of a newer commit: if
 * such a run has published meanwhile, its commit is newer than the position, and the update is planned again.
 */
function createStoredSource({ documents, version, options }: CloneContext, targets: readonly string[]): StoredSource {
  const { repository, variables } = options
  return {
    follows: async () => true,
    read: async (root): Promise<FollowedSources> => {
      const read = await documents.read()
      // The documents of a deleted branch, or of one with a newer run, stay those that were read before.
      const { documents: prepared, sha } = read.kind === 'read' && areValid(read) ? read : version
      const stored: StoredDocument[] = []
      for (const [index, path] of documents.entries.entries()) {
        const target = targets[index]
        const document = prepared.get(path)
        if (target === undefined || !document) continue
        const origin = { repository, webUrl: toWebUrl(variables, repository), sha, path }
        stored.push({ root, path: target, text: await document.toText(target), origin })
      }
      return { documents: stored, failures: [] }
    },
    close: () => {},
  }
}
