import { expect, test } from 'vitest'
import { findPreviousPath, listFileCommits, listRepositoryTags } from '../../../src/github/repositories/commits.ts'
import { startCheckedGitHub } from '../../support/fake-github/checked-github.ts'
import { createGitHubApp } from '../../support/github-app.ts'

async function start() {
  const github = await startCheckedGitHub()
  const repository = github.createRepository('acme/api', {
    files: { 'openapi.yaml': '1', 'parts/a.yaml': '1', 'guide.mdx': '1' },
  })
  const client = createGitHubApp(github).installation(repository.installation?.id ?? 0)
  const list = (paths: readonly string[], limit = 10) =>
    listFileCommits(client, { owner: 'acme', repo: 'api' }, { sha: repository.tipOf('main'), paths, limit })
  return { github, repository, client, list, name: { owner: 'acme', repo: 'api' } }
}

test('lists the commits that change a file or a folder, with merged commits as their merge', async () => {
  const { github, repository, list } = await start()
  const first = repository.tipOf('main')
  repository.commit({ files: { 'guide.mdx': '2' } })
  const onBranch = repository.commit({ branch: 'topic', files: { 'openapi.yaml': '2' } })
  const folder = repository.commit({ files: { 'parts/a.yaml': '2' } })
  const merge = repository.git.add({
    parents: [folder.after, onBranch.after],
    changes: { 'openapi.yaml': '2' },
    message: 'Merge',
    author: 'octocat',
    date: github.nextDate(),
  })
  repository.moveBranch('main', merge.sha)
  const shas = async (...paths: string[]) => (await list(paths)).commits.map(({ sha }) => sha)
  expect(await shas('openapi.yaml')).toEqual([merge.sha, first])
  expect(await shas('parts')).toEqual([folder.after, first])
  expect(await shas('openapi.yaml', 'parts/a.yaml')).toEqual([merge.sha, folder.after, first])
  expect(await shas('none.yaml')).toEqual([])
  expect(await list(['openapi.yaml'], 1)).toEqual({
    commits: [{ sha: merge.sha, date: expect.stringMatching(/Z$/) }],
    isCut: true,
  })
})

test('reads at most 1,000 commits, in pages', async () => {
  const { github, repository, list } = await start()
  const [first] = [repository.tipOf('main')]
  for (let count = 0; count < 150; count++) repository.commit({ files: { 'guide.mdx': `text ${count}` } })
  expect(await list(['openapi.yaml'])).toMatchObject({ commits: [{ sha: first }], isCut: false })
  expect(github.requestsTo('POST /graphql')).toHaveLength(2)
  for (let count = 0; count < 900; count++) repository.commit({ files: { 'guide.mdx': `more ${count}` } })
  expect(await list(['openapi.yaml'])).toEqual({ commits: [], isCut: true })
  expect(github.requestsTo('POST /graphql')).toHaveLength(12)
})

test('lists tags with the date of the tag or of its commit', async () => {
  const { github, repository, client, name } = await start()
  const sha = repository.tipOf('main')
  const { date } = repository.git.commit(sha)
  // A query can be repeated, although it is a POST.
  github.fault({ route: 'POST /graphql', status: 502 })
  repository.tags.set('v1.0.0', { sha }).set('v2.0.0', { sha, date: '2026-03-01T12:00:00+01:00' })
  expect(await listRepositoryTags(client, name)).toEqual({
    tags: [
      { tag: 'v1.0.0', sha, date: new Date(date).toISOString() },
      { tag: 'v2.0.0', sha, date: '2026-03-01T11:00:00.000Z' },
    ],
    isCut: false,
  })
})

test('finds the path of a renamed file', async () => {
  const { repository, client, name } = await start()
  const older = repository.tipOf('main')
  const { after: newer } = repository.commit({ files: { 'openapi.yaml': null, 'api.yaml': '1' } })
  expect(await findPreviousPath(client, name, { path: 'api.yaml', older, newer })).toBe('openapi.yaml')
  expect(await findPreviousPath(client, name, { path: 'guide.mdx', older, newer })).toBeUndefined()
})
