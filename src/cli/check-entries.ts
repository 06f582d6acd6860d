import { accessSync, closeSync, constants, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { docsConfigNames, isDocsConfigPath } from '../docs-config/project-config.ts'
import { isUrl } from '../source/relative-path.ts'
import { statPath } from './workspace.ts'

/** What the arguments of `check` name, one by one. */
interface ExpandedEntries {
  /** Paths relative to the working directory, or URLs, without duplicates. Folders have a `docs.json`. */
  readonly entries: readonly string[]
  /** Arguments that name nothing that can be checked. */
  readonly unusable: readonly Diagnostic[]
}

/**
 * Finds the files of globs, less those that a glob behind `!` excludes, takes a `docs.json` for its folder, and refuses folders without one. A missing file is kept: reading it tells why.
 *
 * @param stdinName what standard input is called; nothing is looked up for it.
 */
export async function expandEntries(
  words: readonly string[],
  stdinName: string | undefined,
  workingDirectory: string,
): Promise<ExpandedEntries> {
  const entries = new Set<string>()
  const unusable: Diagnostic[] = []
  const excluded = words.filter((word) => word.length > 1 && word.startsWith('!') && !statPath(resolve(workingDirectory, word)))
  const excludes = words.length > excluded.length ? excluded : []
  for (const word of words) {
    if (excludes.includes(word)) continue
    if (word === '') {
      unusable.push(unusableEntry(word, 'Cannot check an empty argument', 'name a file, an address or a folder'))
      continue
    }
    if (isUrl(word) || word === stdinName) {
      entries.add(word)
      continue
    }
    const stats = statPath(resolve(workingDirectory, word))
    if (stats?.isDirectory()) {
      const folder = resolve(workingDirectory, word)
      if (docsConfigNames.some((name) => statPath(join(folder, name)))) entries.add(word)
      else if (!isReadable(folder)) {
        unusable.push(unusableEntry(word, `Cannot check the folder \`${word}\`: permission denied`, undefined))
      } else {
        const near = findNearDocuments(folder).map((path) => join(word, path).replaceAll(sep, '/'))
        const shown = word === '.' ? 'this folder' : `the folder \`${word}\``
        unusable.push(unusableEntry(word, `Cannot check ${shown}: it has no \`docs.json\``, hintForFolder(word, near)))
      }
    } else if (stats) entries.add(isDocsConfigPath(basename(word)) ? dirname(word) : word)
    else if (/[*?[\]{}!]/.test(word)) {
      const { glob } = await import('tinyglobby')
      const found = await glob(word, {
        cwd: workingDirectory,
        expandDirectories: false,
        ignore: ['**/node_modules/**', '**/.git/**', ...excludes.map((each) => each.slice(1))],
      })
      if (found.length === 0) unusable.push(unusableEntry(word, `Cannot find a file that matches \`${word}\``, undefined))
      for (const file of found.sort()) entries.add(file)
    } else entries.add(word)
  }
  return { entries: [...entries], unusable }
}

function hintForFolder(folder: string, [first, ...others]: readonly string[]): string {
  if (first === undefined) return `name the documents in it, for example \`openapi-pages check '${join(folder, '*.yaml')}'\``
  const also = others.length === 0 ? '' : ` (also there: ${others.map((path) => `\`${path}\``).join(', ')})`
  return `name a document: \`openapi-pages check ${quoteForShell(first)}\`${also}`
}

/** A name as a shell takes it. */
function quoteForShell(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@:%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
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
  const start = { line: 1, column: 1 }
  return {
    code: 'file-missing',
    severity: 'error',
    message,
    file,
    range: { start, end: start },
    pointer: '',
    related: [],
    ...(hint === undefined ? {} : { hint }),
  }
}

/** What is looked through at most, so that a check in the wrong folder ends at once. */
const maxDepth = 3
const maxEntries = 2_000
const maxFound = 5
const scannedBytes = 4_096

/**
 * Finds a few OpenAPI documents in a folder and the folders near below it, for those who named the folder instead. Paths are relative to it.
 *
 * Only the beginnings of files are read.
 */
function findNearDocuments(folder: string): string[] {
  const found: string[] = []
  let left = maxEntries
  let level = ['']
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = []
    for (const path of level) {
      for (const entry of readFolder(join(folder, path))) {
        if (left-- <= 0 || found.length >= maxFound) return found
        const child = path === '' ? entry.name : `${path}/${entry.name}`
        if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') below.push(child)
        else if (entry.isFile() && /\.(?:json|ya?ml)$/i.test(entry.name) && isOpenApi(join(folder, child))) found.push(child)
      }
    }
    level = below
  }
  return found
}

function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function isOpenApi(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(scannedBytes)
      return /(?:^|[{,\s])["']?openapi["']?\s*:\s*["']?3\./.test(head.toString('utf8', 0, readSync(file, head)))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
