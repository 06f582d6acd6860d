import { debug } from '@actions/core'
import { defaultDirectory } from '../../docs/config/config-files.ts'
import type { StoredDocument, Update } from '../../docs/types.ts'
import { runUpdate } from '../../docs/update/run-update.ts'
import type { FollowedSources } from '../../docs/update/stored-documents.ts'
import { mergeUpdates } from '../../docs/update/update-results.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import { askGit } from '../../git/commit.ts'
import { toWebUrl } from '../../git/remote-repository.ts'
import { ConfigError } from '../../text/errors.ts'
import { toDelivery } from '../delivery/commit-message.ts'
import { sourcePrefix } from '../delivery/propose-update.ts'
import type { GitHubAccess } from '../inputs/github-access.ts'
import { type ActionInputs, type DocsInputs, type DocsRepositoryInputs, defaultHeadBranch } from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'
import type { ActionReport } from '../report/summary.ts'
import { type DocsRunDecision, runAction } from '../run/run-action.ts'
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
  /** GitHub, as far as the token of the job reaches. */
  readonly github: GitHubAccess
  /** GitHub, as far as a token for the docs repository reaches. */
  readonly reach: (token: string | undefined) => Pick<GitHubAccess, 'connect'>
  /** `owner/name` of the repository that the workflow runs in. */
  readonly repository: string
  /** Where the docs repository is cloned to. Default: the temporary folder of the system. */
  readonly temporaryFolder: string | undefined
  /** The initial report. */
  readonly start: ActionReport
}

type ReadVersion = Extract<SourceVersion, { kind: 'read' }>

/**
 * Checks the documents of the workspace, and updates the docs repository with them: proposes a pull request there, or only plans the update.
 *
 * Writes nothing if one of the documents has errors. Never rejects: errors are added to `failures` of the report.
 */
export async function updateDocsRepository(
  workspace: OwnedPath,
  inputs: ActionInputs,
  docs: DocsRepositoryInputs,
  options: Options,
): Promise<ActionReport> {
  const { run, event, github, repository, start } = options
  const { serverUrl } = github.variables
  const isWriting = run.mode === 'commit' || run.mode === 'pull-request'
  const access = { hasToken: run.hasToken, isWriting }
  let report: ActionReport = { ...start, mode: run.mode, note: run.note }
  let clone: DocsClone | undefined
  try {
    const documents = await openSourceDocuments(workspace, { inputs, event, github, isWriting })
    const version = await documents.read()
    if (version.kind === 'superseded') {
      return { ...report, delivery: toDelivery({ operation: 'superseded', notes: [version.note] }) }
    }
    report = { ...report, source: toSourceReport(documents, version, docs, toWebUrl(serverUrl, repository)) }
    if (!areValid(version)) return report
    const token = run.hasToken ? inputs.tokens.token : undefined
    if (isWriting && token === undefined) {
      throw new ConfigError(`Cannot update \`${docs.name}\`: the input \`token\` is missing`, {
        hint: howToAllow(docs.name, access),
      })
    }
    try {
      clone = await cloneDocs(docs, { serverUrl, token, temporaryFolder: options.temporaryFolder })
    } catch (error) {
      const explained = explainAccess(error, docs.name, access)
      // Forks and Dependabot get no secrets. Only the documents are checked then.
      if (explained === error || run.hasToken || !(event.isFork || event.isReadOnly)) throw explained
      return { ...report, note: noSecretNote(docs.name, event) }
    }
    const root = await findDocsDirectory(clone, docs)
    const before = await planBefore(clone, root, inputs.docs)
    checkDocsDirectory(docs.name, before)
    const targets = chooseTargets(documents.entries, docs, before)
    const origin = { repository, webUrl: toWebUrl(serverUrl, repository) }
    const ran = await runAction(clone.folder, toDocsInputs(inputs, root, token, repository), {
      run:
        run.mode === 'commit' || run.mode === 'pull-request'
          ? { kind: 'run', mode: run.mode, branch: clone.branch, mayCreateBranch: false }
          : { kind: 'run', mode: run.mode },
      event: toDocsEvent(event, clone),
      // The workflow runs in the other repository.
      github: { ...options.reach(token), open: async () => undefined, variables: { ...github.variables, workflow: undefined } },
      start: { ...start, links: { ...start.links, webUrl: toWebUrl(serverUrl, docs.name) } },
      storedSource: createStoredSource(documents, version, targets, origin),
    })
    const copies = new Map(targets.map((target, index) => [target, documents.entries[index] ?? '']))
    const failures = ran.failures.map((failure) => explainAccess(failure, docs.name, access))
    return { ...selectNew(ran, report, before, copies, docs.name), failures }
  } catch (error) {
    return { ...report, failures: [error] }
  } finally {
    clone?.remove()
  }
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
  webUrl: string,
): NonNullable<ActionReport['source']> {
  const checked = [...documents.values()]
  return {
    docsRepository: name,
    boundary,
    webUrl,
    sha,
    documents: checked.map(({ report }) => report),
    diagnostics: checked.flatMap(({ diagnostics }) => diagnostics),
  }
}

/** The inputs of a run in the docs repository. */
function toDocsInputs(inputs: ActionInputs, root: string, token: string | undefined, repository: string): ActionInputs {
  const { docs, delivery, tokens } = inputs
  const { pullRequest } = delivery
  // Several repositories can update the same docs repository, so each has its own head branch there.
  const isDefault = pullRequest.headBranch === defaultHeadBranch
  const headBranch = isDefault ? `${sourcePrefix}${repository}/<branch>` : pullRequest.headBranch
  // They are for the documents of this repository, which have been checked. The docs repository can have its own.
  const rulesets = docs.rulesets === 'none' ? 'none' : undefined
  return {
    ...inputs,
    docs: { ...docs, workingDirectory: '.', roots: [root || '.'], documents: [], rulesets },
    delivery: { ...delivery, addPaths: { documents: false, patterns: [] }, pullRequest: { ...pullRequest, headBranch } },
    tokens: { ...tokens, token, githubToken: token },
  }
}

/**
 * Leaves out what the docs repository had before, and what the documents have at their own places.
 *
 * @param before the plan without the new documents.
 * @param copies the documents by the files that they are stored in.
 */
function selectNew(
  ran: ActionReport,
  { source, note }: ActionReport,
  before: Update,
  copies: ReadonlyMap<string, string>,
  name: string,
): ActionReport {
  const isKnown = isKnownIn(before.diagnostics)
  const isShown = isKnownIn(source?.diagnostics ?? [])
  const updates = ran.updates.map((update) => ({
    ...update,
    documents: update.documents.filter(({ path }) => copies.has(path)),
    diagnostics: update.diagnostics.filter((diagnostic) => {
      const entry = copies.get(diagnostic.file)
      return !isKnown(diagnostic) && (entry === undefined || !isShown({ ...diagnostic, file: entry }))
    }),
  }))
  const isNamed = (target: string) => ran.updates.some(({ documents }) => documents.some(({ path }) => path === target))
  const unnamed = [...copies.keys()].filter((target) => !isNamed(target))
  const unnamedNote = unnamed.length === 0 || updates.length === 0 ? undefined : toUnnamedNote(unnamed, name)
  return {
    ...ran,
    ...(source ? { source } : {}),
    note: unnamedNote ?? note ?? ran.note,
    updates,
    update: mergeUpdates(updates),
    filesChanged: undefined,
  }
}

function toUnnamedNote(paths: readonly string[], name: string): string {
  const files = paths.map((path) => `\`${path}\``).join(', ')
  return `No \`docs.json\` of \`${name}\` names ${files}, so no page belongs to ${paths.length === 1 ? 'it' : 'them'}.`
}

/** Plans the docs directory without the new documents, to know those that it has, and its problems. */
async function planBefore({ folder }: DocsClone, root: string, { inlineIgnore }: DocsInputs): Promise<Update> {
  return await runUpdate(
    { root, documents: [], directory: defaultDirectory },
    {
      files: openDiskFiles(folder),
      fetchDocument: createFetchDocument({ proxyVariables: process.env }),
      git: { findIgnored: askGit(folder).findIgnored },
    },
    { inlineIgnore },
    { onProgress: debug },
  )
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
function createStoredSource(
  documents: SourceDocuments,
  version: ReadVersion,
  targets: readonly string[],
  origin: Pick<StoredDocument['origin'], 'repository' | 'webUrl'>,
): StoredSource {
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
        stored.push({ root, path: target, text: await document.toText(target), origin: { ...origin, sha, path } })
      }
      return { documents: stored, failures: [] }
    },
    close: () => {},
  }
}
