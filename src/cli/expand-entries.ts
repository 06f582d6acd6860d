import { basename, dirname, join, resolve } from 'node:path'
import type { Diagnostic } from '../diagnostic/diagnostic.ts'
import { isUrl } from '../text/relative-path.ts'
import { statPath } from './stat-path.ts'

/** What the arguments of `check` name, one by one. */
export interface ExpandedEntries {
  /** Paths as the person would write them, or addresses; without repeats. A folder has a `docs.json`. */
  readonly entries: readonly string[]
  /** Arguments that name nothing that can be checked. */
  readonly unusable: readonly Diagnostic[]
}

/** Finds the files of globs, takes a `docs.json` for its folder, and refuses folders without one. A missing file is kept: reading it tells why. */
export async function expandEntries(words: readonly string[], workingDirectory: string): Promise<ExpandedEntries> {
  const entries = new Set<string>()
  const unusable: Diagnostic[] = []
  for (const word of words) {
    if (word === '') {
      unusable.push(unusableEntry(word, 'Cannot check an empty argument', 'name a file, an address or a folder'))
      continue
    }
    if (isUrl(word)) {
      entries.add(word)
      continue
    }
    const path = resolve(workingDirectory, word)
    const stats = statPath(path)
    if (stats?.isDirectory()) {
      if (statPath(join(path, 'docs.json'))) entries.add(word)
      else {
        const hint = `name the documents in it, for example \`${join(word, '*.yaml')}\``
        unusable.push(unusableEntry(word, `Cannot check the folder \`${word}\`: it has no \`docs.json\``, hint))
      }
    } else if (stats) entries.add(basename(word) === 'docs.json' ? dirname(word) : word)
    else if (/[*?[\]{}!]/.test(word)) {
      const { glob } = await import('tinyglobby')
      const found = await glob(word, {
        cwd: workingDirectory,
        expandDirectories: false,
        ignore: ['**/node_modules/**', '**/.git/**'],
      })
      if (found.length === 0) unusable.push(unusableEntry(word, `Cannot find a file that matches \`${word}\``, undefined))
      for (const file of found.sort()) entries.add(file)
    } else entries.add(word)
  }
  return { entries: [...entries], unusable }
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
