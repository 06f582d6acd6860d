import { relative, sep } from 'node:path'
import { listDocuments, type SearchedFiles } from '../../docs/read/find-docs.ts'
import { type PreparedDocument, prepareDocument } from '../../docs/update/stored-documents.ts'
import { findBoundary, findInside, type OwnedPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { createFetchDocument } from '../../files/fetch-document.ts'
import type { Files } from '../../files/files.ts'
import { askGit, findRemote, findRevision, readChangedPaths, readCommittedPaths, readTips } from '../../git/commit.ts'
import { type Git, openTrustedGit } from '../../git/git.ts'
import { ensureCommit, openRevision } from '../../git/revisions.ts'
import { ConfigError } from '../../text/errors.ts'
import { getOrMake, lazy, listFirst } from '../../text/plain/lists.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import { toSupersededNote } from '../delivery/commit-message.ts'
import { type GitHubAccess, isHandledByNewerRun } from '../inputs/github-access.ts'
import { type ActionInputs, type DocsInputs, placeRulesets } from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'

export type SourceDocuments = Awaited<ReturnType<typeof openSourceDocuments>>

export type SourceVersion =
  | {
      readonly kind: 'read'
      /** By entry document. */
      readonly documents: ReadonlyMap<string, PreparedDocument>
      /** The commit that they belong to. */
      readonly sha: string
    }
  /** A newer run stores a newer version, or the branch is gone. `note` is a sentence. */
  | { readonly kind: 'superseded'; readonly note: string }

interface SourceOptions {
  readonly inputs: Pick<ActionInputs, 'docs' | 'tokens'>
  readonly event: ActionEvent
  readonly github: Pick<GitHubAccess, 'open' | 'variables'>
  /** Whether the documents will be written. A check always reads those of the checkout. */
  readonly isWriting: boolean
}

/**
 * Opens the documents of a checkout: those of the input `openapi`, or else the only one there is.
 *
 * @param workspace absolute.
 * @throws {ConfigError} if there is none, or if it is not clear which one.
 */
export async function openSourceDocuments(workspace: OwnedPath, options: SourceOptions) {
  const { workingDirectory, documents } = options.inputs.docs
  const folder = findInside(workspace, workingDirectory)
  if (folder === undefined) {
    throw new ConfigError(
      `Unexpected \`${workingDirectory}\` for the input \`working-directory\`, expected a directory in the workspace`,
    )
  }
  const boundary = findBoundary(folder, workspace)
  const files = openDiskFiles(boundary)
  const git = openTrustedGit(boundary)
  const root = relative(boundary, folder).split(sep).join('/')
  const entries =
    documents.length === 0
      ? [await findOnlyDocument(root, { files, git: askGit(boundary) })]
      : documents.map((path) => toEntry(root, path))
  const check = createCheckAll(entries, root, options.inputs.docs)
  return {
    /** Absolute. All paths are relative to it. */
    boundary,
    entries,
    /** Checks the newest version of the documents. @throws {GitError} when the branch cannot be read. */
    read: createReadNewest(git, files, check, options),
  }
}

function toEntry(root: string, path: string): string {
  if (!isUrl(path) && !/[*?{}[\]!]/.test(path)) return joinPath(root, path)
  throw new ConfigError(
    `Unexpected \`${path}\` for the input \`openapi\` with \`docs-repository\`, expected the path of a document`,
    {
      hint: isUrl(path) ? 'Name the URL in the `docs.json` of the docs repository' : 'List each document on its own line',
    },
  )
}

async function findOnlyDocument(root: string, searched: SearchedFiles): Promise<string> {
  const found = await listDocuments(root, searched)
  const [only] = found
  if (only !== undefined && found.length === 1) return joinPath(root, only)
  if (only === undefined) {
    throw new ConfigError('Cannot find an OpenAPI document in this repository', {
      hint: 'Name it in the input `openapi`. If a step generates it, run that step before',
    })
  }
  const names = listFirst(found, 5, (path) => `\`${path}\``)
  throw new ConfigError(`Cannot choose a document: this repository has ${found.length}: ${names}`, {
    hint: 'Name those for the docs repository in the input `openapi`, and their files there in `document-path`',
  })
}

function createReadNewest(git: Git, disk: Files, checkAll: CheckAll, options: SourceOptions): () => Promise<SourceVersion> {
  const { event, inputs, github, isWriting } = options
  const { base, branch } = event
  const checkedOut = lazy(() => checkAll(disk))
  const newest = new Map<string, Promise<Documents>>()
  return async () => {
    const documents = await checkedOut()
    const head = (await findRevision(git, 'HEAD')) ?? event.sha ?? ''
    // The merge commit of a pull request is temporary.
    const here = { kind: 'read', documents, sha: base.kind === 'pull-request' ? base.headSha : head } as const
    // A tag does not move.
    if (!isWriting || branch === undefined) return here
    const remote = await findRemote(git, inputs.tokens.githubToken)
    const tip = (await readTips(git, remote, [branch])).get(branch)
    if (tip === undefined) return { kind: 'superseded', note: `Nothing to do: \`${branch}\` was deleted.` }
    if (tip === head) return here
    // Only a run on the newest commit can generate its documents.
    if (!(await areCommitted(git, documents))) {
      return (await isHandledByNewerRun(github.open, github.variables, tip))
        ? { kind: 'superseded', note: toSupersededNote(branch) }
        : here
    }
    const open = async () => {
      await ensureCommit(git, tip, () => remote)
      return await checkAll(await openRevision(git, tip))
    }
    return { kind: 'read', documents: await getOrMake(newest, tip, open), sha: tip }
  }
}

type Documents = ReadonlyMap<string, PreparedDocument>

type CheckAll = (files: Pick<Files, 'read' | 'list'>) => Promise<Documents>

function createCheckAll(entries: readonly string[], root: string, inputs: DocsInputs): CheckAll {
  const rulesets = placeRulesets(inputs.rulesets, root)
  const namedByUser = new Set(Array.isArray(rulesets) ? rulesets.filter(isUrl) : [])
  const fetchNamed = createFetchDocument({ namedByUser, proxyVariables: process.env })
  const fetchDocument: typeof fetchNamed = async (url, limits) =>
    namedByUser.has(url) ? await fetchNamed(url, limits) : { kind: 'failed', code: 'url-refused', reason: 'it is a URL' }
  const terms = { rulesets, inlineIgnore: inputs.inlineIgnore }
  return async (files) => {
    const documents = new Map<string, PreparedDocument>()
    for (const entry of entries) documents.set(entry, await prepareDocument(entry, { files, fetchDocument }, terms))
    return documents
  }
}

/** Whether all files of the documents are committed and unchanged. Otherwise, a step has generated them. */
async function areCommitted(git: Git, documents: Documents): Promise<boolean> {
  const tracked = await readCommittedPaths(git)
  const changed = await readChangedPaths(git)
  return [...documents.values()].every(({ files }) => files.every((path) => tracked.has(path) && !changed.has(path)))
}
