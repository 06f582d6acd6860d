import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import type { Palette } from '../../diagnostics/format-text.ts'
import { ConfigError } from '../../errors.ts'
import { findBoundary } from '../../files/boundary.ts'
import { overlayFiles } from '../../files/files.ts'
import type { Versions } from '../../update/compare-versions.ts'
import { filterDocuments } from '../../update/find-docs.ts'
import type { CliContext } from '../cli-context.ts'
import { formatDiff } from '../output/format-plan.ts'
import type { Progress } from '../output/terminal.ts'
import { openWorkspace } from '../workspace.ts'
import type { NamedVersion } from './named-version.ts'

/** One file in two versions, as Git gives it to a diff driver. */
interface DriverFile {
  /** Relative to the top of the work tree, which is the working directory of the driver. */
  readonly path: string
  /** `undefined` if the file does not exist in this version. */
  readonly bytes: Versions<Uint8Array | undefined>
}

/**
 * Reads the arguments of a diff driver: `path old-file old-hex old-mode new-file new-hex new-mode`. `undefined` for a file with a merge
 * conflict, which has only a path. Source: gitattributes(5) and git(1), `GIT_EXTERNAL_DIFF`.
 *
 * @throws {ConfigError} if Git did not start the command.
 */
export function readDriverFile(args: readonly string[], { workingDirectory }: CliContext): DriverFile | undefined {
  const [path = '', oldFile, , , newFile] = args
  if (args.length === 1) return undefined
  if (args.length < 7 || oldFile === undefined || newFile === undefined) {
    throw new ConfigError('unexpected --git-diff-driver: only Git uses it', {
      hint: 'Run `git config diff.openapi.command "openapi-pages changes --git-diff-driver"`, and add `openapi.yaml diff=openapi` to .gitattributes',
    })
  }
  const read = (file: string) => (file === '/dev/null' ? undefined : readFileSync(resolve(workingDirectory, file)))
  // `git diff --relative` shortens the path, but not that of a file in the work tree.
  const isInWorkTree = !isAbsolute(newFile)
  return { path: isInWorkTree ? newFile : path, bytes: { base: read(oldFile), revision: read(newFile) } }
}

/**
 * Opens both versions of a document. References to other files are read from the work tree in both, so that only changes of this file are
 * compared. `undefined` if one of them is no OpenAPI document.
 */
export async function openDriverVersions(
  { path, bytes }: DriverFile,
  context: CliContext,
  progress: Progress,
): Promise<Versions<NamedVersion> | undefined> {
  const boundary = findBoundary('.', context.workingDirectory)
  const workspace = openWorkspace(boundary, { allowHttp: false, network: false }, context, progress)
  const inside = workspace.toInside(path)
  const { environment, toShown } = workspace
  const open = async (content: Uint8Array | undefined): Promise<NamedVersion | undefined> => {
    if (content === undefined) return undefined
    const files = overlayFiles(environment.files, inside, content)
    if ((await filterDocuments('', [inside], files)).length === 0) return undefined
    const version = { ...environment, files }
    return { argument: path, kind: 'document', path: inside, revision: undefined, environment: version, workspace, toShown }
  }
  const [base, revision] = [await open(bytes.base), await open(bytes.revision)]
  return base && revision ? { base, revision } : undefined
}

/** The change of a file as text, as Git shows it without a driver. */
export function formatTextDiff({ path, bytes: { base, revision } }: DriverFile, palette: Palette): string {
  const decode = (content: Uint8Array | undefined) => new TextDecoder().decode(content)
  if (base === undefined) return formatDiff({ kind: 'add', path, content: decode(revision) }, path, palette)
  if (revision === undefined) return formatDiff({ kind: 'delete', path, before: decode(base) }, path, palette)
  return formatDiff({ kind: 'modify', path, before: decode(base), content: decode(revision) }, path, palette)
}
