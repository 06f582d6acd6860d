import { hash } from 'node:crypto'
import { applyFileChanges } from '../../files/apply-file-changes.ts'
import type { OwnedPath } from '../../files/boundary.ts'
import { openDiskFiles } from '../../files/disk-files.ts'
import { listOf, parseJson, readOwn, readText } from '../../text/json/json-values.ts'
import { joinPath } from '../../text/plain/paths.ts'
import { type FileChange, toFileChange } from '../../text/plain/source-file.ts'
import type { PlannedFile } from './setup-plan.ts'
import { readFileText } from './setup-survey.ts'

/** The folder of the record, relative to the folder that was set up. Git ignores it. */
const recordFolder = '.openapi-pages-cache'
const recordName = `${recordFolder}/init.json`

/** A file that `init` wrote. */
interface RecordedFile {
  /** Relative to the boundary. */
  readonly path: string
  /** SHA-256 of the content that was written. */
  readonly hash: string
  /** The content of the file before; absent for a new file. */
  readonly before?: string
}

/** Writes a record and, in reverse, the files of a plan: all or nothing. If the process is killed, the next run writes the rest. */
export async function writeSetup(boundary: OwnedPath, root: string, planned: readonly PlannedFile[]): Promise<void> {
  const plan = planned.toReversed()
  const recorded = await readRecord(boundary, root)
  const earlier = recorded.filter(({ path }) => !plan.some((file) => file.path === path))
  const files = plan.map(({ path, content, before: existing }) => {
    const known = recorded.find((file) => file.path === path)
    // What an earlier run wrote is not the person's.
    const before = known && existing !== undefined && known.hash === hashOf(existing) ? known.before : existing
    return { path, hash: hashOf(content), ...(before === undefined ? {} : { before }) }
  })
  const changes: FileChange[] = []
  const record = `${JSON.stringify({ version: 1, files: [...earlier, ...files] }, undefined, 2)}\n`
  for (const [name, content] of [[`${recordFolder}/.gitignore`, '*\n'] as const, [recordName, record] as const]) {
    const before = await readFileText(joinPath(root, name), openDiskFiles(boundary))
    if (before !== content) changes.push(toFileChange(joinPath(root, name), before, content))
  }
  await applyFileChanges(
    boundary,
    [...changes, ...plan.map(({ path, before, content }) => toFileChange(path, before, content))],
    { inGivenOrder: true },
  )
}

/**
 * Removes the files that `init` added and restores those that it changed. Returns their paths relative to the boundary, or `undefined` if
 * there is no record. `kept`: files that changed since they were written, and were not touched.
 */
export async function undoSetup(boundary: OwnedPath, root: string) {
  const files = await readRecord(boundary, root)
  if (files.length === 0) return undefined
  const [removed, restored, kept]: [string[], string[], string[]] = [[], [], []]
  const changes: FileChange[] = []
  for (const { path, hash: written, before } of files.toReversed()) {
    const content = await readFileText(path, openDiskFiles(boundary))
    if (content === undefined || content === before) continue
    if (hashOf(content) !== written) kept.push(path)
    else if (before === undefined) {
      removed.push(path)
      changes.push({ kind: 'delete', path, before: content })
    } else {
      restored.push(path)
      changes.push({ kind: 'modify', path, before: content, content: before })
    }
  }
  for (const name of [recordName, `${recordFolder}/.gitignore`]) {
    const path = joinPath(root, name)
    const content = await readFileText(path, openDiskFiles(boundary))
    // Copies of remote documents in the same folder stay ignored.
    const isAlone = name === recordName || (await openDiskFiles(boundary).list(joinPath(root, recordFolder))).length <= 2
    if (content !== undefined && isAlone) changes.push({ kind: 'delete', path, before: content })
  }
  await applyFileChanges(boundary, changes)
  return { removed, restored, kept }
}

async function readRecord(boundary: OwnedPath, root: string): Promise<readonly RecordedFile[]> {
  const text = await readFileText(joinPath(root, recordName), openDiskFiles(boundary))
  return listOf(readOwn(parseJson(text ?? ''), 'files')).filter(isRecorded)
}

function isRecorded(value: unknown): value is RecordedFile {
  const [path, written, before] = ['path', 'hash', 'before'].map((key) => readText(value, key))
  return path !== undefined && written !== undefined && before === readOwn(value, 'before')
}

function hashOf(text: string): string {
  return hash('sha256', text)
}
