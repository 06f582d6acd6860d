import { toPathPattern } from './to-path-pattern.ts'

/** What a host leaves out without being asked: folders of tools, and files about the repository. */
const usual = [
  ...[
    '.git',
    '.github',
    '.claude',
    '.agents',
    '.idea',
    '.vscode',
    'node_modules',
    'build',
    'dist',
    'coverage',
    '.cache',
    'tmp',
    'temp',
  ],
  ...['README.md', 'LICENSE.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
]

/**
 * Reads a `.mintignore`, in the language of `.gitignore`: tells which files of a docs root are no pages of the site. Paths are relative to the
 * docs root. The last line that fits a path decides; `!` takes back.
 */
export function parseIgnoreFile(text: string): (path: string) => boolean {
  const lines = [...usual, ...text.split(/\r?\n/)].flatMap((line) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) return []
    const isTakenBack = trimmed.startsWith('!')
    const pattern = isTakenBack ? trimmed.slice(1) : trimmed
    const isAnchored = pattern.replace(/(?<!\/)\/+$/, '').includes('/')
    return { ignores: !isTakenBack, matches: toPathPattern(isAnchored ? pattern : `**/${pattern}`, '') }
  })
  return (path) => lines.findLast(({ matches }) => matches.test(path))?.ignores ?? false
}
