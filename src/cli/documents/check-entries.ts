import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { docsConfigNames, isDocsConfigPath } from '../../docs-config/config-files.ts'
import { startOfFile } from '../../source/position.ts'
import { isUrl } from '../../source/relative-path.ts'
import { statPath } from '../workspace.ts'
import { findNearFiles, quoteForShell } from './find-documents.ts'

/** The arguments of `check` after resolving globs and folders. */
interface ExpandedEntries {
  /** Paths relative to the working directory, or URLs, without duplicates. Folders have a `docs.json`. */
  readonly entries: readonly string[]
  /** One diagnostic per argument that cannot be checked. */
  readonly unusable: readonly Diagnostic[]
}

/**
 * Expands globs (`!` excludes), replaces a `docs.json` with its folder, and rejects folders without one. A missing file is kept, because
 * reading it reports the reason.
 *
 * @param stdinName the name given to standard input, which is never looked up on disk.
 */
export async function expandEntries(
  args: readonly string[],
  stdinName: string | undefined,
  workingDirectory: string,
): Promise<ExpandedEntries> {
  const entries = new Set<string>()
  const unusable: Diagnostic[] = []
  const excluded = args.filter((arg) => arg.length > 1 && arg.startsWith('!') && !statPath(resolve(workingDirectory, arg)))
  const excludes = args.length > excluded.length ? excluded : []
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
      const folder = resolve(workingDirectory, arg)
      if (docsConfigNames.some((name) => statPath(join(folder, name)))) entries.add(arg)
      else if (!isReadable(folder)) {
        unusable.push(unusableEntry(arg, `Cannot check the directory \`${arg}\`: permission denied`, undefined))
      } else {
        const near = findNearFiles(folder)
          .documents.slice(0, maxNamed)
          .map((path) => join(arg, path).replaceAll(sep, '/'))
        const shown = arg === '.' ? 'this directory' : `the directory \`${arg}\``
        unusable.push(unusableEntry(arg, `Cannot check ${shown}: it has no \`docs.json\``, hintForFolder(arg, near)))
      }
    } else if (stats) entries.add(isDocsConfigPath(basename(arg)) ? dirname(arg) : arg)
    else if (/[*?[\]{}!]/.test(arg)) {
      const { glob } = await import('tinyglobby')
      const found = await glob(toGlob(arg), {
        cwd: workingDirectory,
        expandDirectories: false,
        ignore: ['**/node_modules/**', '**/.git/**', ...excludes.map((each) => toGlob(each.slice(1)))],
      })
      if (found.length === 0) unusable.push(unusableEntry(arg, `No file matches \`${arg}\``, undefined))
      for (const file of found.sort()) if (!isOverlay(resolve(workingDirectory, file))) entries.add(file)
    } else entries.add(arg)
  }
  return { entries: [...entries], unusable }
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
  const first = lines.map((line) => line.replace(/^[\s{"']+/, '')).find((line) => line !== '' && !/^(?:#|---)/.test(line))
  return /^overlay["']?\s*:/.test(first ?? '')
}

/** Documents that a hint names. */
const maxNamed = 5

function hintForFolder(folder: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return `Name the documents, for example \`openapi-pages check '${toGlob(join(folder, '*.yaml'))}'\``
  const also = others.length === 0 ? '' : ` (also found: ${others.map((path) => `\`${path}\``).join(', ')})`
  return `Name a document, for example \`openapi-pages check ${quoteForShell(first)}\`${also}`
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
