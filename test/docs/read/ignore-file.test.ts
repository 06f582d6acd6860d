import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseIgnoreFile } from '../../../src/docs/read/ignore-file.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

test.each([
  ['', 'README.md', true],
  ['', 'guides/CLAUDE.md', true],
  ['', 'AGENTS.md', true],
  ['', 'agents.md', false],
  ['', 'node_modules/x/a.mdx', true],
  ['', '.claude/skills/a.md', true],
  ['!AGENTS.md', 'AGENTS.md', false],
  ['!build/', 'build/a.mdx', false],
  ['drafts/', 'drafts/a.mdx', true],
  ['drafts/', 'guides/drafts/a.mdx', true],
  ['drafts/', 'drafts', false],
  ['/drafts', 'guides/drafts/a.mdx', false],
  ['guides/drafts', 'x/guides/drafts/a.mdx', false],
  ['*.draft.mdx', 'a/b.draft.mdx', true],
  ['**/internal/**', 'a/internal/b/c.mdx', true],
  ['**/internal/**', 'internal', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b/c.md', true],
  ['a**z', 'ab/cz', false],
  ['secret/*\n!secret/public.mdx', 'secret/public.mdx', false],
  ['secret/*\n!secret/public.mdx', 'secret/other.mdx', true],
  ['secret/\n!secret/public.mdx', 'secret/public.mdx', true],
  ['v[0-9].md', 'v1.md', true],
  ['v[!0-9].md', 'v1.md', false],
  ['v[[:digit:]].md', 'v1.md', true],
  ['v?.md', 'v1.md', true],
  ['v?.md', 'v/.md', false],
  ['\\#a', '#a', true],
  ['# a', '# a', false],
  ['\\!a', '!a', true],
  ['a  ', 'a', true],
  ['a\\ ', 'a ', true],
  ['a\r\nb\r', 'b', true],
  ['[a', '[a', false],
  ['constructor[[:constructor:]]', 'constructorc', false],
])('%j decides about %s: %s', (text, path, expected) => {
  expect(parseIgnoreFile(text)(path)).toBe(expected)
})

test('agrees with Git about random patterns and paths', () => {
  const folder = makeTemporaryFolder()
  const git = (args: readonly string[], input: string) => {
    // The exit code is 1 if nothing is ignored.
    try {
      return execFileSync('git', [...args], { cwd: folder, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] })
    } catch (error) {
      return String((error as { readonly stdout?: string }).stdout)
    }
  }
  git(['init', '-q'], '')
  const step = fc.constantFrom('a', 'b', 'ab', 'abb', '-')
  const part = fc.constantFrom('a', 'b', '*', '**', '?', '[ab]', '[!a]', '[a-]', '[^b-z]', '\\a', '-', '[]a]', '[[:alpha:]]')
  const name = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  const line = fc
    .tuple(
      fc.constantFrom('', '!'),
      fc.constantFrom('', '/'),
      fc.array(name, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/', ' '),
    )
    .map(([negation, start, names, end]) => `${negation}${start}${names.join('/')}${end}`)
  const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), fc.uniqueArray(path, { minLength: 5, maxLength: 30 }), (lines, paths) => {
      writeFileSync(join(folder, '.gitignore'), `${lines.join('\n')}\n`)
      const ignored = git(['check-ignore', '--no-index', '-z', '--stdin'], paths.join('\0'))
      const isIgnored = parseIgnoreFile(lines.join('\n'))
      expect(paths.filter(isIgnored)).toEqual(ignored.split('\0').filter((one) => one !== ''))
    }),
    { numRuns: propertyRuns(200) },
  )
})

test.each([`${'*a'.repeat(2_000)}b`, `${'**/a/'.repeat(800)}b`, '[['.repeat(2_000), '*'.repeat(100_000)])(
  'matches hostile patterns without backtracking',
  (pattern) => {
    // With backtracking, these would take years.
    const isIgnored = parseIgnoreFile(pattern)
    for (const path of ['a'.repeat(4_000), 'a/'.repeat(2_000), 'b/'.repeat(100)]) expect(isIgnored(path)).toBe(false)
  },
)
