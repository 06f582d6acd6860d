import { isUtf8 } from 'node:buffer'
import { lstatSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { checkDescription } from '../../checks/check-description.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { listSubjects, type PageReport, type PageSubject } from '../../docs/pages/subjects.ts'
import type { ReadDocument, Update } from '../../docs/types.ts'
import { findInside, type OwnedPath, resolveThroughLinks } from '../../files/boundary.ts'
import { replaceFile } from '../../files/disk-writes.ts'
import { type AddedFile, findIgnored, readChangedPaths, readCommittedPaths, toPathspecs } from '../../git/commit.ts'
import { type Git, readGit, toPaths, toRecords } from '../../git/git.ts'
import type { Description } from '../../openapi/types.ts'
import { ConfigError } from '../../text/errors.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { isUrl, joinPath } from '../../text/plain/paths.ts'
import type { DeliveryInputs } from '../inputs/inputs.ts'

/** The largest file for GitHub's API, which accepts about 40 MB per request, in base64. */
const apiLimitBytes = 20_000_000

export type AddedFiles = ReturnType<typeof createAddedFiles>

/**
 * Files committed together with the generated pages, according to the input `add-paths`.
 *
 * @param folder the working directory relative to the work tree. Patterns are relative to it.
 */
export function createAddedFiles(
  git: Git,
  folder: string,
  { addPaths, commitMethod }: Pick<DeliveryInputs, 'addPaths' | 'commitMethod'>,
) {
  /** Finds the files for an update planned from the work tree. */
  const find = async ({ documentFiles }: Pick<Update, 'documentFiles'>): Promise<readonly AddedFile[]> => {
    const changed = await readChangedPaths(git)
    const valid = documentFiles.filter(({ isValid }) => isValid).map(({ path }) => path)
    const documents = addPaths.documents ? toRealPaths(git, valid).filter((path) => changed.has(path)) : []
    const named = addPaths.patterns.length === 0 ? [] : await listNamed(git, folder, addPaths.patterns)
    const paths = [...new Set([...documents, ...named])].filter((path) => !isWorkflow(path)).sort()
    const large = await findLfsFiles(git, paths)
    return paths.flatMap((path) => {
      const file = large.has(path) ? undefined : readAddedFile(git.folder, path)
      return file && (commitMethod === 'git' || canCommitByApi(git, file)) ? [file] : []
    })
  }
  return {
    find,
    /** Whether the commit will contain every document exactly as it was read. */
    holdsDocuments: async ({ documentFiles }: Pick<Update, 'documentFiles'>, added: readonly AddedFile[]) => {
      if (documentFiles.some(({ path }) => isUrl(path))) return false
      const [changed, tracked] = [await readChangedPaths(git), await readCommittedPaths(git)]
      const paths = documentFiles.map(({ path }) => toRealPath(git, path))
      return paths.every((path) => added.some((file) => file.path === path) || (tracked.has(path) && !changed.has(path)))
    },
    /** Reports documents that are not committed although pages show their operations. */
    checkDocuments: async (documents: readonly ReadDocument[], pages: readonly PageReport[]): Promise<readonly Finding[]> => {
      const usable = documents.filter(({ path, isValid, description }) => isValid && description && !isUrl(path))
      if (usable.length === 0) return []
      const added = await find({ documentFiles: usable.flatMap(({ files }) => files.map((path) => ({ path, isValid: true }))) })
      const [changed, tracked] = [await readChangedPaths(git), await readCommittedPaths(git)]
      const paths = usable.flatMap(({ files }) => toRealPaths(git, files))
      const ignored = new Set(await findIgnored(git, paths))
      const findings: Finding[] = []
      for (const { path, files, description } of usable) {
        const left = toRealPaths(git, files).filter((file) => {
          const isNew = !tracked.has(file) && !ignored.has(file)
          return (changed.has(file) || isNew) && !added.some((other) => other.path === file)
        })
        const finding =
          left.length > 0 && description && (await reportUncommitted(git, { path, description, left, tracked, added, pages }))
        if (finding) findings.push(finding)
      }
      return findings
    },
  }
}

/** Restores files that were replaced when the work tree moved to another commit. Never writes through symbolic links. */
export async function restoreAddedFiles(boundary: OwnedPath, files: readonly AddedFile[]): Promise<void> {
  for (const { path, bytes } of files) {
    const target = findInside(boundary, path)
    if (bytes === undefined || target !== join(resolveThroughLinks(boundary), path)) continue
    const current = readAddedFile(boundary, path)?.bytes
    if (current !== undefined && Buffer.compare(current, bytes) === 0) continue
    replaceFile(target, bytes, { mode: lstatSync(target, { throwIfNoEntry: false })?.mode })
  }
}

/** Lists new and changed files that match patterns. Git skips ignored files and does not follow links. */
async function listNamed(git: Git, folder: string, patterns: readonly string[]): Promise<readonly string[]> {
  const pathspecs = patterns.map((pattern) => {
    const path = joinPath(folder, pattern.replace(/^!/, ''))
    if (path === '..' || path.startsWith('../')) {
      throw new ConfigError(`Unexpected \`${pattern}\` for the input \`add-paths\`, expected a path inside the repository`)
    }
    return `:(top,glob${pattern.startsWith('!') ? ',exclude' : ''})${path}`
  })
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--full-name', '--', ...pathspecs]
  return [...(await readChangedPaths(git, 'HEAD', pathspecs)), ...toPaths(await readGit(git, 'find new files', args))]
}

/** Workflow files are never added: the token of a job must not change them. */
function isWorkflow(path: string): boolean {
  return /^\.github\/workflows(\/|$)/i.test(path)
}

/** Finds Git LFS files. Their content is not part of a commit and would need a separate upload. */
async function findLfsFiles(git: Git, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  const args = ['check-attr', '-z', '--stdin', 'filter']
  const filters = toRecords(await readGit(git, 'find Git LFS files', args, { input: toPathspecs(paths) }), 3)
  return new Set(filters.flatMap(([path = '', , filter]) => (filter === 'lfs' ? [path] : [])))
}

/** Returns undefined for anything but a regular file, such as a link. */
function readAddedFile(folder: string, path: string): AddedFile | undefined {
  const file = join(folder, path)
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return { path, bytes: undefined }
  return stats.isFile() ? { path, bytes: readFileSync(file) } : undefined
}

/** GitHub's API can only commit non-executable text files of limited size. */
function canCommitByApi(git: Git, { path, bytes }: AddedFile): boolean {
  if (bytes === undefined) return true
  const isExecutable = process.platform !== 'win32' && ((lstatSync(join(git.folder, path)).mode ?? 0) & 0o100) !== 0
  return !isExecutable && bytes.length <= apiLimitBytes && isUtf8(bytes)
}

function toRealPaths(git: Git, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !isUrl(path)).map((path) => toRealPath(git, path))
}

/** Returns the path of a file in Git, with symbolic links resolved. */
function toRealPath(git: Git, path: string): string {
  return relative(resolveThroughLinks(git.folder), resolveThroughLinks(join(git.folder, path)))
    .split(sep)
    .join('/')
}

interface UncommittedDocument {
  readonly path: string
  readonly description: Description
  /** Its files that are missing or outdated in the commit. */
  readonly left: readonly string[]
  readonly tracked: ReadonlySet<string>
  readonly added: readonly AddedFile[]
  readonly pages: readonly PageReport[]
}

/** Returns undefined if the commit contains every operation that a page shows. */
async function reportUncommitted(
  git: Git,
  { path, description, left, tracked, added, pages }: UncommittedDocument,
): Promise<Finding | undefined> {
  const committed = listOperations(await readCommitted(git, path, tracked, added))
  const shown = new Set(pages.flatMap((page) => (page.document === path && page.kind !== 'removed' ? page.operation : [])))
  const missing = [...listOperations(description)].filter(([name]) => shown.has(name) && !committed.has(name))
  const [first] = missing
  if (!first) return undefined
  const names = listFirst(missing, 3, ([name]) => `\`${name}\``)
  const [file = path] = left
  const message = tracked.has(toRealPath(git, path))
    ? `The committed \`${path}\` lacks ${missing.length === 1 ? 'an operation that has a page' : `${missing.length} operations that have pages`}: ${names}`
    : `\`${path}\` is not committed, but pages show its operations: ${names}`
  return {
    code: 'document-not-committed',
    message,
    file: first[1].file,
    pointer: first[1].pointer,
    on: 'key',
    hint: `Add \`${file}\` to the input \`add-paths\`, or commit it in a separate step. Executable files, Git LFS files and files over 20 MB need a separate step or \`commit-method: git\``,
  }
}

/** Reads a document as it will be in the commit, including the added files. */
async function readCommitted(
  git: Git,
  path: string,
  tracked: ReadonlySet<string>,
  added: readonly AddedFile[],
): Promise<Description | undefined> {
  const { description } = await checkDescription(path, async (file) => {
    const real = toRealPath(git, file)
    const addedFile = added.find((other) => other.path === real)
    if (addedFile?.bytes) return { kind: 'loaded', bytes: addedFile.bytes }
    if (!tracked.has(real)) return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    return { kind: 'loaded', bytes: Buffer.from(await readGit(git, `read \`${real}\``, ['cat-file', 'blob', `HEAD:${real}`])) }
  })
  return description
}

/** Maps the names of operations and webhooks, as used in page reports. */
function listOperations(description: Description | undefined): ReadonlyMap<string, PageSubject> {
  return new Map((description ? listSubjects(description) : []).map((subject) => [subject.target, subject]))
}
