import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { docsConfigNames, isDocsConfigPath } from '../../docs/config/config-files.ts'
import { listChecked } from '../../docs/read/find-docs.ts'
import { statPath } from '../../files/boundary.ts'
import { isUrl } from '../../text/plain/paths.ts'
import { startOfFile } from '../../text/plain/source-file.ts'
import type { CliContext } from '../base/cli-context.ts'
import type { CommonOptions } from '../base/command-options.ts'
import { describeConversion, searchDirectory } from './workspace.ts'

/**
 * Expands globs (`!` excludes), and replaces a `docs.json` with its folder, and a folder without one with the docs directories or documents
 * below it. A missing file is kept, because reading it reports the reason.
 *
 * @param stdinName the name given to standard input, which is never looked up on disk.
 * @returns paths relative to the working directory, or URLs, without duplicates, and a diagnostic for each argument that cannot be checked.
 */
export async function expandEntries(
  args: readonly string[],
  stdinName: string | undefined,
  options: Pick<CommonOptions, 'boundary' | 'quiet'>,
  context: CliContext,
) {
  const { workingDirectory } = context
  const entries = new Set<string>()
  const unusable: Diagnostic[] = []
  const excluded = args.filter((arg) => arg.length > 1 && arg.startsWith('!') && !statPath(resolve(workingDirectory, arg)))
  const excludes = args.length > excluded.length ? excluded : []
  const ignore = excludes.map((each) => toGlob(each.slice(1)))
  for (const arg of args) {
    if (excludes.includes(arg)) continue
    if (arg === '') {
      unusable.push(unusableEntry(arg, 'Cannot check an empty argument', 'Name a file, a URL or a directory'))
      continue
    }
    if (isUrl(arg) || arg === stdinName) {
      entries.add(arg)
      continue
    }
    const stats = statPath(resolve(workingDirectory, arg))
    if (stats?.isDirectory()) {
      const expanded = await expandFolder(arg, ignore, options, context)
      if (Array.isArray(expanded)) for (const entry of expanded) entries.add(entry)
      else unusable.push(expanded)
    } else if (stats) entries.add(isDocsConfigPath(basename(arg)) ? dirname(arg) : arg)
    else if (/[*?[\]{}!]/.test(arg)) {
      const { glob } = await import('tinyglobby')
      const found = await glob(toGlob(arg), {
        cwd: workingDirectory,
        expandDirectories: false,
        ignore: ['**/node_modules/**', '**/.git/**', ...ignore],
      })
      if (found.length === 0) unusable.push(unusableEntry(arg, `No file matches \`${arg}\``, undefined))
      for (const file of found.sort()) if (!isOverlay(resolve(workingDirectory, file))) entries.add(file)
    } else entries.add(arg)
  }
  return { entries: [...entries], unusable }
}

/** The docs directories or documents of a folder, relative to the working directory, or why there are none. */
async function expandFolder(
  arg: string,
  ignore: readonly string[],
  options: Pick<CommonOptions, 'boundary' | 'quiet'>,
  context: CliContext,
): Promise<string[] | Diagnostic> {
  const folder = resolve(context.workingDirectory, arg)
  if (statPath(join(folder, docsConfigNames[0]))) return [arg]
  const shown = arg === '.' ? 'this directory' : `the directory \`${arg}\``
  if (!isReadable(folder)) return unusableEntry(arg, `Cannot check ${shown}: permission denied`, undefined)
  const { workspace, ...found } = await searchDirectory(arg, options, context)
  const checked = (await listChecked(workspace.toInside(arg), found, workspace.access.files)).map((path) =>
    workspace.toShown(path),
  )
  const left = ignore.length === 0 ? checked : await excludeFiles(checked, ignore, context)
  if (left.length > 0) return left
  const conversion = describeConversion(found.swaggerDocuments.map((path) => workspace.toShown(path)))
  const hint = conversion ?? 'Run the command in the directory of your OpenAPI documents, or name a document'
  return unusableEntry(arg, `Cannot check ${shown}: it has no \`docs.json\` and no OpenAPI 3 document`, hint)
}

async function excludeFiles(
  paths: readonly string[],
  ignore: readonly string[],
  { workingDirectory }: CliContext,
): Promise<string[]> {
  const { escapePath, glob } = await import('tinyglobby')
  const files = await glob(paths.map(escapePath), {
    cwd: workingDirectory,
    onlyFiles: false,
    expandDirectories: false,
    ignore: [...ignore],
  })
  const left = new Set(files.map((path) => path.replace(/\/$/, '')))
  return paths.filter((path) => left.has(path))
}

/** On Windows, `\` separates folders. In a glob, it protects the next character. */
export function toGlob(arg: string, separator: string = sep): string {
  return arg.replaceAll(separator, '/')
}

/** Whether a file is an Overlay document, as its first field says. A pattern that matches documents often matches their overlays too. */
function isOverlay(file: string): boolean {
  const start = Buffer.alloc(1_000)
  try {
    const descriptor = openSync(file, 'r')
    readSync(descriptor, start)
    closeSync(descriptor)
  } catch {
    return false
  }
  const lines = start.toString('utf8').split('\n')
  const first = lines.map((line) => line.replace(/^(?:---)?[\s{"']+/, '')).find((line) => line !== '' && !/^(?:#|---)/.test(line))
  return /^overlay["']?\s*:/.test(first ?? '')
}

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function unusableEntry(file: string, message: string, hint: string | undefined): Diagnostic {
  return {
    code: 'file-missing',
    severity: 'error',
    message,
    file,
    range: startOfFile,
    pointer: '',
    related: [],
    ...(hint === undefined ? {} : { hint }),
  }
}
