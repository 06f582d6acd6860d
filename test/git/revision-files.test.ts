import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Git, openGit } from '../../src/git/git.ts'
import { openRevision } from '../../src/git/revision-files.ts'
import { makeHistory } from '../support/git-history.ts'

/** Git that records the commands it runs. */
function recordCommands(folder: string): { readonly git: Git; readonly commands: string[] } {
  const git = openGit(folder)
  const commands: string[] = []
  const run: Git['run'] = (args, options) => {
    commands.push(args[0] ?? '')
    return git.run(args, options)
  }
  return { git: { folder, run }, commands }
}

test('reads files that are asked for together with one git process', async () => {
  const history = makeHistory()
  const pages = Array.from({ length: 300 }, (_, index) => [`pages/${index}.mdx`, `# Page ${index} é\n\nline\r\n`] as const)
  history.commit(
    { ...Object.fromEntries(pages), 'empty.txt': '', 'header.txt': 'abc blob 7\nno\n' },
    { 'link.mdx': 'pages/7.mdx' },
  )
  const { git, commands } = recordCommands(history.folder)
  const files = await openRevision(git, 'HEAD')
  commands.length = 0
  const results = await Promise.all([...pages.map(([path]) => path), 'empty.txt', 'header.txt'].map((path) => files.read(path)))
  const texts = results.map((result) => (result.kind === 'file' ? Buffer.from(result.bytes).toString('utf8') : result.kind))
  expect(texts).toEqual([...pages.map(([, text]) => text), '', 'abc blob 7\nno\n'])
  expect(commands).toEqual(['cat-file'])
  // The second process reads the target of the link.
  const [link, page] = await Promise.all([files.read('link.mdx'), files.read('pages/8.mdx')])
  expect([link.kind, page.kind, commands.length]).toEqual(['file', 'file', 3])
})

test('reads two large files with two git processes', async () => {
  const history = makeHistory()
  const sizes = [9, 9].map((mebibytes, index) => mebibytes * 1024 * 1024 + index)
  history.commit({ 'a.txt': 'a'.repeat(sizes[0] ?? 0), 'b.txt': 'b'.repeat(sizes[1] ?? 0) })
  const { git, commands } = recordCommands(history.folder)
  const files = await openRevision(git, 'HEAD')
  commands.length = 0
  const results = await Promise.all(['a.txt', 'b.txt', 'a.txt'].map((path) => files.read(path)))
  expect(results.map((result) => result.kind === 'file' && result.bytes.length)).toEqual([sizes[0], sizes[1], sizes[0]])
  expect(commands.length).toBeGreaterThan(1)
})

test('reports only the file that git cannot read', async () => {
  const history = makeHistory()
  history.commit({ 'a.txt': '1', 'b.txt': '2' })
  const oid = history.git('rev-parse', 'HEAD:a.txt')
  const files = await openRevision(openGit(history.folder), 'HEAD')
  rmSync(join(history.folder, '.git/objects', oid.slice(0, 2), oid.slice(2)))
  const results = await Promise.all([files.read('a.txt'), files.read('b.txt')])
  expect(results.map(({ kind }) => kind)).toEqual(['unreadable', 'file'])
})
