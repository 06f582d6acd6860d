import type { Files, ReadResult } from '../../files/files.ts'
import type { OverlayOptions } from '../../openapi/overlays/parse-overlay.ts'
import type { LoadDocument, LoadedDocument } from '../../openapi/types.ts'
import { type Limits, limitHint } from '../../text/plain/limits.ts'
import { parentPath } from '../../text/plain/paths.ts'
import { suggest } from '../../text/plain/suggest.ts'
import { isUrl } from '../../text/plain/urls.ts'
import type { UpdateEnvironment } from '../types.ts'

type Failure = Extract<LoadedDocument, { kind: 'failed' }>

/**
 * Creates the loader of one description. It reads paths inside the boundary and fetches only the URLs of the entry document and of its
 * overlays, so that a document cannot trigger requests to other hosts.
 *
 * @param overlays See `OverlayOptions.paths`.
 */
export function toLoadDocument(
  { files, fetchDocument }: Pick<UpdateEnvironment, 'files' | 'fetchDocument'>,
  entryPath: string,
  limits: Limits,
  overlays: readonly string[] = [],
): LoadDocument {
  return async (path) => {
    if (isUrl(path)) {
      return path === entryPath || overlays.includes(path) ? await fetchDocument(path, limits) : refusedReference
    }
    const result = await files.read(path, limits.values['document-size'])
    if (result.kind === 'missing') return { ...toFailure(result), ...(await explainMissing(files, path, path === entryPath)) }
    if (result.kind !== 'file') return toFailure(result, limitHint('document-size', limits, 'Split the document'))
    const { bytes, identity } = result
    if (isLfsPointer(bytes)) return lfsPointer
    return { kind: 'loaded', bytes, ...(identity === undefined ? {} : { identity }) }
  }
}

/** Returns the options to apply overlays. Loads the library for their queries only if there are any. */
export async function toOverlayOptions(
  paths: readonly string[],
  { skipsMissing = false }: Pick<OverlayOptions, 'skipsMissing'> = {},
): Promise<OverlayOptions | undefined> {
  if (paths.length === 0) return undefined
  const { createQueryNodes } = await import('./query-json-path.ts')
  return { paths, query: createQueryNodes(), skipsMissing }
}

const refusedReference: Failure = {
  kind: 'failed',
  code: 'url-refused',
  reason: 'a `$ref` to a URL is not followed',
  hint: 'Commit the file next to the document and reference its path',
}

/** The first line of every pointer file. Source: Git LFS specification, "The Pointer". */
const lfsStart = 'version https://git-lfs.github.com/spec/'

function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length < 1_024 && Buffer.from(bytes.subarray(0, lfsStart.length)).toString('latin1') === lfsStart
}

const lfsPointer: Failure = {
  kind: 'failed',
  code: 'file-unreadable',
  reason: 'it is a Git LFS pointer, and the content was not downloaded',
  hint: 'Run `git lfs pull`. In a workflow, set `lfs: true` for `actions/checkout`',
}

/** Suggests why a file is missing: its submodule is not checked out, or its name has a typo. */
async function explainMissing(files: Files, path: string, isEntry: boolean): Promise<{ readonly hint?: string }> {
  const submodule = (await listSubmodules(files)).find((folder) => path.startsWith(`${folder}/`))
  if (submodule !== undefined && (await files.list(submodule)).every((file) => file === `${submodule}/.git`)) {
    const hint = `\`${submodule}\` is a Git submodule that is not checked out: run \`git submodule update --init\`. In a workflow, set \`submodules: true\` for \`actions/checkout\``
    return { hint }
  }
  const near = isEntry ? await findNearName(files, path) : undefined
  return near === undefined ? {} : { hint: `Did you mean \`${near}\`?` }
}

/** Returns the JSON or YAML file in the same folder with the most similar name. */
export async function findNearName(files: Files, path: string): Promise<string | undefined> {
  const prefix = parentPath(path) === '' ? '' : `${parentPath(path)}/`
  const beside = (await files.list(parentPath(path)))
    .map((file) => file.slice(prefix.length))
    .filter((name) => !name.includes('/') && /\.(json|ya?ml)$/i.test(name))
  return suggest(path.slice(prefix.length), beside)
}

/** Lists the submodule folders in `.gitmodules` at the top of the work tree. */
async function listSubmodules(files: Files): Promise<readonly string[]> {
  const result = await files.read('.gitmodules')
  if (result.kind !== 'file') return []
  const text = Buffer.from(result.bytes).toString('utf8')
  return text.split('\n').flatMap((line) => {
    const [, path] = /^[ \t]*path[ \t]*=(.*)$/.exec(line.trimEnd()) ?? []
    return path === undefined ? [] : [path.trim().replace(/^"|"$/g, '')]
  })
}

/** Returns the reason why a file could not be read, for a diagnostic. `sizeHint` is the hint for a file that is too large. */
export function toFailure(result: Exclude<ReadResult, { kind: 'file' }>, sizeHint?: string): Failure {
  switch (result.kind) {
    case 'missing':
      return { kind: 'failed', code: 'file-missing', reason: 'no such file' }
    case 'folder':
      return { kind: 'failed', code: 'file-unreadable', reason: 'it is a directory', hint: 'Name a file in it' }
    case 'outside':
      return {
        kind: 'failed',
        code: 'file-outside-boundary',
        reason: 'it is outside the boundary for reading files',
        hint: 'Move it into the repository, or widen the boundary',
      }
    case 'unreadable':
      return { kind: 'failed', code: 'file-unreadable', reason: result.reason }
    case 'too-large':
      return {
        kind: 'failed',
        code: 'file-too-large',
        reason: `it has ${result.sizeBytes} bytes, more than the limit of ${result.limitBytes}`,
        ...(sizeHint === undefined ? {} : { hint: sizeHint }),
      }
  }
}
