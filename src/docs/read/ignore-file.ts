import { matchesSteps, type PatternStep, readNamePattern } from '../../text/plain/paths.ts'

/** The file that excludes files of a docs directory from the site. */
export const ignoreFileName = '.mintignore'

/** The largest `.mintignore` that is read, in bytes. Every line is compared with every file. */
export const maxIgnoreFileBytes = 64 * 1024

/** Files that hosts ignore by default: directories of tools, files about the repository, and instructions for coding agents. */
const defaultIgnores = [
  ...['.git', '.github', '.claude', '.agents', '.idea', '.vscode', '.cache'],
  ...['node_modules', 'build', 'dist', 'coverage', 'tmp', 'temp'],
  ...['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'],
]

/**
 * Parses a `.mintignore`, which uses `.gitignore` syntax. Returns a function that matches ignored files by their path relative to
 * the docs directory. The last matching line wins, and `!` negates a pattern. As in Git, a file cannot be included again if one of
 * its directories is excluded.
 *
 * Packages for this syntax use regular expressions, which backtrack: a line such as `*a*a*a*a*ab` takes minutes. Matching here takes
 * at most path length times pattern length.
 *
 * Source: Git, "gitignore - Specifies intentionally untracked files to ignore".
 */
export function parseIgnoreFile(text: string, byDefault = defaultIgnores): (path: string) => boolean {
  const rules = [...byDefault, ...text.replace(/^\uFEFF/, '').split('\n')].flatMap((line) => readLine(line) ?? [])
  const decided = new Map<string, boolean>()
  const isMatch = (path: string, isFolder: boolean): boolean => {
    const steps = path.split('/')
    const matches = (rule: IgnoreRule) => matchesSteps(rule.steps, rule.isName ? steps.slice(-1) : steps)
    const rule = rules.findLast((one) => (isFolder || !one.isForFolders) && matches(one))
    return rule?.isExclusion ?? false
  }
  const isFolderIgnored = (folder: string): boolean => {
    const known = decided.get(folder)
    if (known !== undefined) return known
    const end = folder.lastIndexOf('/')
    const isIgnored = (end > 0 && isFolderIgnored(folder.slice(0, end))) || isMatch(folder, true)
    decided.set(folder, isIgnored)
    return isIgnored
  }
  return (path) => {
    const end = path.lastIndexOf('/')
    return (end > 0 && isFolderIgnored(path.slice(0, end))) || isMatch(path, false)
  }
}

interface IgnoreRule {
  readonly isExclusion: boolean
  /** The pattern ends with `/`. */
  readonly isForFolders: boolean
  /** The pattern has no `/`, so it matches names in every directory. */
  readonly isName: boolean
  readonly steps: readonly PatternStep[]
}

/** The longest line that is read. No path is longer. */
const maxLineLength = 4_096

function readLine(line: string): IgnoreRule | undefined {
  const written = line.replace(/\r$/, '').replace(/(?<!\\| ) +$/, '')
  if (written === '' || written.startsWith('#') || written.length > maxLineLength) return undefined
  const isExclusion = !written.startsWith('!')
  const pattern = isExclusion ? written : written.slice(1)
  const isForFolders = pattern.endsWith('/')
  const inner = isForFolders ? pattern.slice(0, -1) : pattern
  if (inner === '') return undefined
  const parts = (inner.startsWith('/') ? inner.slice(1) : inner).split('/')
  const steps: IgnoreRule['steps'][number][] = []
  for (const part of parts) {
    const step = part === '**' && parts.length > 1 ? part : readNamePattern(part)
    if (step === undefined) return undefined
    if (step !== '**' || steps.at(-1) !== '**') steps.push(step)
  }
  return { isExclusion, isForFolders, isName: !inner.includes('/'), steps }
}
