import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Git, openGit } from '../../src/git/git.ts'
import { findCommitUrl, findEarlierPath, listCommits, listTags, openCommit, openRevision } from '../../src/git/revisions.ts'
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

test('leaves out tags of files, and reads the date of annotated tags', async () => {
  const history = makeHistory()
  const sha = history.commit({ 'a.txt': '1' })
  history.git('tag', 'v9', history.git('rev-parse', 'HEAD:a.txt'))
  history.date = '2026-03-01T12:00:00Z'
  history.git('tag', '-a', '-m', 'two', 'v2')
  history.tag('nightly')
  expect(await listTags(openGit(history.folder))).toEqual([
    { tag: 'nightly', sha, date: '2026-01-01T12:00:00.000Z' },
    { tag: 'v2', sha, date: '2026-03-01T12:00:00.000Z' },
  ])
})

test('lists commits of the branch that change a file', async () => {
  const history = makeHistory()
  const first = history.commit({ 'api/openapi.yaml': '1', 'other.txt': '1' })
  history.commit({ 'other.txt': '2' })
  const second = history.commit({ 'api/openapi.yaml': '2' })
  const git = openGit(history.folder)
  expect((await listCommits(git, ['api/openapi.yaml'], 10)).commits.map(({ sha }) => sha)).toEqual([second, first])
  expect((await listCommits(git, ['api/openapi.yaml'], 1)).isCut).toBe(true)
  expect((await listCommits(git, ['*.txt'], 10)).commits).toEqual([])
})

test('finds the path of a renamed file', async () => {
  const history = makeHistory()
  const first = history.commit({ 'swagger.yaml': 'openapi: 3.1.0\ninfo: {title: A, version: 1}\n' })
  const second = history.commit({ 'swagger.yaml': null, 'openapi.yaml': 'openapi: 3.1.0\ninfo: {title: A, version: 1}\n' })
  const git = openGit(history.folder)
  expect(await findEarlierPath(git, 'openapi.yaml', first, second)).toBe('swagger.yaml')
  expect(await findEarlierPath(git, 'other.yaml', first, second)).toBeUndefined()
})

test('reads only files below the folder of git', async () => {
  const history = makeHistory()
  const sha = history.commit({ 'docs/a.txt': 'a', 'secret.txt': 's' }, { 'docs/link.txt': '../secret.txt' })
  const files = await openCommit(openGit(`${history.folder}/docs`), sha)
  expect(await files.read('a.txt')).toEqual({ kind: 'file', bytes: Buffer.from('a'), identity: 'a.txt' })
  expect(await files.read('link.txt')).toEqual({ kind: 'outside' })
  expect(await files.read('../secret.txt')).toEqual({ kind: 'outside' })
  expect(await files.list('')).toEqual(['a.txt', 'link.txt'])
})

test('finds the URL of a commit, without credentials', async () => {
  const history = makeHistory()
  history.git('remote', 'add', 'origin', 'x')
  const urlOf = async (remote: string, server?: string) => {
    history.git('remote', 'set-url', 'origin', remote)
    return (await findCommitUrl(openGit(history.folder), server))?.('abc')
  }
  expect(await urlOf('https://github.com/acme/api.git')).toBe('https://github.com/acme/api/commit/abc')
  expect(await urlOf('https://user:token@github.com/acme/api')).toBe('https://github.com/acme/api/commit/abc')
  expect(await urlOf('git@github.com:acme/api.git')).toBe('https://github.com/acme/api/commit/abc')
  expect(await urlOf('ssh://git@gitlab.com:22/acme/sub/api.git')).toBe('https://gitlab.com/acme/sub/api/-/commit/abc')
  expect(await urlOf('git@git.acme.test:acme/api.git')).toBeUndefined()
  expect(await urlOf('git@git.acme.test:acme/api.git', 'https://git.acme.test')).toBe('https://git.acme.test/acme/api/commit/abc')
  expect(await urlOf('/srv/git/api.git')).toBeUndefined()
  expect(await urlOf('https://github.com/acme/"><script>')).toBeUndefined()
})
