import { describe, expect, onTestFinished, test } from 'vitest'
import { openRemoteRepositories } from '../../src/git/remote-repository.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git, makeGitRemote } from '../support/git-remote.ts'

async function makeSource({ isPrivate = false } = {}) {
  const remote = makeGitRemote({ 'api/openapi.yaml': 'openapi: 3.1.0\n', 'big.bin': 'x' })
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/api', { bare: remote.path, private: isPrivate })
  const open = (token?: string) => {
    const repositories = openRemoteRepositories({ url: github.url, token })
    onTestFinished(() => repositories.close())
    return repositories
  }
  return { remote, github, repository, open }
}

describe('a remote repository', () => {
  test('is read at its default branch, a branch, a tag and a commit', async () => {
    const { remote, github, open } = await makeSource()
    const first = remote.tip()
    git(remote.path, 'tag', '--annotate', '--message=One', 'v1', first)
    remote.push({ 'api/openapi.yaml': 'openapi: 3.1.1\n' }, 'next')
    const next = remote.tip('next')
    git(remote.path, 'tag', 'next', first)
    const repositories = open()
    const read = async (ref?: string) => {
      const revision = await repositories.read('acme/api', ref)
      const file = await revision.read('api/openapi.yaml')
      return [revision.ref.kind, revision.ref.name, revision.sha, file.kind === 'file' ? String(file.bytes) : file.kind]
    }
    expect(await read()).toEqual(['branch', 'main', first, 'openapi: 3.1.0\n'])
    expect(await read('main')).toEqual(['branch', 'main', first, 'openapi: 3.1.0\n'])
    expect(await read('v1')).toEqual(['tag', 'v1', first, 'openapi: 3.1.0\n'])
    expect(await read('refs/tags/next')).toEqual(['tag', 'next', first, 'openapi: 3.1.0\n'])
    expect(await read('next')).toEqual(['branch', 'next', next, 'openapi: 3.1.1\n'])
    expect(await read(next)).toEqual(['commit', next, next, 'openapi: 3.1.1\n'])
    // A branch that moves is read again.
    const moved = remote.push({ 'api/openapi.yaml': 'openapi: 3.2.0\n' })
    expect(await read('main')).toEqual(['branch', 'main', moved, 'openapi: 3.2.0\n'])
    git(remote.path, 'symbolic-ref', 'HEAD', 'refs/heads/next')
    expect(await read()).toEqual(['branch', 'next', next, 'openapi: 3.1.1\n'])
    expect(github.gitRequests.every((request) => request === 'fetch')).toBe(true)
  })

  test('is read with a token, which reaches only its server', async () => {
    const { github, repository, open } = await makeSource({ isPrivate: true })
    const token = github.createJobToken(repository, { contents: 'read' })
    expect((await open(token).read('acme/api', undefined)).ref.name).toBe('main')
    const other = github.createJobToken(github.createRepository('acme/docs'), { contents: 'write' })
    for (const refused of [undefined, other, 'ghp_unknown']) {
      const read = open(refused).read('acme/api', undefined)
      await expect(read).rejects.toMatchObject({
        lacksAccess: true,
        message: expect.stringMatching(/^Cannot read `acme\/api`: /),
      })
      await read.catch((error: Error) => expect(error.message).not.toContain(refused ?? '-'))
    }
  })

  test('that has no such ref, or no commit, is an error that names the default branch', async () => {
    const { github, open } = await makeSource()
    await expect(open().read('acme/api', 'trunk')).rejects.toThrow(
      'Cannot read `acme/api`: it has no branch or tag `trunk`. Its default branch is `main`',
    )
    await expect(open().read('acme/none', undefined)).rejects.toMatchObject({ lacksAccess: true })
    const empty = makeGitRemote({})
    git(empty.path, 'update-ref', '-d', 'refs/heads/main')
    github.createRepository('acme/empty', { bare: empty.path })
    await expect(open().read('acme/empty', undefined)).rejects.toThrow('it has no commit yet')
  })
})
