import { expect, test } from 'vitest'
import { createFindIgnored } from '../../src/git/find-ignored.ts'
import { openGit } from '../../src/git/git.ts'
import { makeGitRemote } from '../support/git-remote.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

test('tells which paths git ignores, whatever signs they have', async () => {
  const checkout = makeGitRemote({ '.gitignore': '/api/*\n!/api/keep*\n*.log\n', 'docs.json': '{}' }).checkOut()
  const paths = ['api/a.mdx', 'api/keep.mdx', 'docs.json', 'api/ü "x"\n.mdx', 'a.log', 'guide.mdx']
  expect(await createFindIgnored(openGit(checkout))(paths)).toEqual(['api/a.mdx', 'api/ü "x"\n.mdx', 'a.log'])
})

test('a path that git tracks already is not ignored', async () => {
  const remote = makeGitRemote({ 'api/a.mdx': 'A' })
  remote.push({ '.gitignore': 'api/\n' })
  expect(await createFindIgnored(openGit(remote.checkOut()))(['api/a.mdx', 'api/b.mdx'])).toEqual(['api/b.mdx'])
})

test('nothing is ignored where there is no work tree or no git', async () => {
  const folder = makeTemporaryFolder({ '.gitignore': '*' })
  expect(await createFindIgnored(openGit(folder))(['a.mdx'])).toEqual([])
  const path = process.env['PATH']
  process.env['PATH'] = folder
  try {
    expect(await createFindIgnored(openGit(folder))(['a.mdx'])).toEqual([])
  } finally {
    process.env['PATH'] = path
  }
})

test('does not start git when there is nothing to ask', async () => {
  let runs = 0
  const findIgnored = createFindIgnored({ folder: '/', run: async () => ({ code: ++runs, stdout: '', stderr: '' }) })
  expect(await findIgnored([])).toEqual([])
  expect(runs).toBe(0)
})
