import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHistory } from '../../support/git-history.ts'
import { runBin } from '../../support/run-bin.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { connectApp } from '../support/connected-app.ts'
import { askSite } from '../support/sites.ts'

// Sites are built by `build/app` and `build/cli`, as `npm run build` made them.

const document = (version: string, operations: readonly string[], limit = 100) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    paths: Object.fromEntries(
      operations.map((name) => [
        `/${name}`,
        {
          get: {
            summary: `List ${name}`,
            tags: ['api'],
            parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: limit } }],
            responses: { 200: { description: 'OK' } },
          },
        },
      ]),
    ),
  })

const docsConfig = JSON.stringify({ name: 'Pets', navigation: { groups: [{ group: 'API', openapi: 'api/pets.json' }] } })
const settings = (from: string) => `changes: { changelog: ${from} }\n`

/** A repository with two releases, whose document had another path in the first one, and with a merged branch. */
function makeReleases() {
  const history = makeHistory()
  history.commit({
    'docs.json': docsConfig,
    'openapi-pages.config.yaml': settings('tags'),
    'pets.json': document('1.0.0', ['pets']),
  })
  history.tag('v1.0.0')
  history.commit({ 'pets.json': null, 'api/pets.json': document('1.0.0', ['pets']) })
  history.tag('v1.0.1')
  history.git('checkout', '--quiet', '-b', 'topic')
  history.commit({ 'api/pets.json': document('1.0.0', ['pets', 'cats']) })
  history.commit({ 'api/pets.json': document('2.0.0', ['pets', 'cats'], 50) })
  history.git('checkout', '--quiet', 'main')
  history.git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'topic')
  history.git('tag', '-a', '-m', 'two', 'v2.0.0')
  history.date = '2026-02-01T12:00:00Z'
  const sha = history.commit({ 'api/pets.json': document('2.1.0', ['pets', 'cats', 'dogs'], 50) })
  return { history, sha }
}

test('a hosted site has the changelog of a site that is built from a clone', async () => {
  const { history, sha } = makeReleases()
  const { git, folder } = history
  const { github, app, idle } = await connectApp({ env: { SITES_DOMAIN: 'sites.test' } })
  const repository = github.createRepository('acme/pets', { bare: join(folder, '.git') })
  repository.tags
    .set('v1.0.0', { sha: git('rev-parse', 'v1.0.0') })
    .set('v1.0.1', { sha: git('rev-parse', 'v1.0.1') })
    .set('v2.0.0', {
      sha: git('rev-parse', 'v2.0.0^{commit}'),
      date: git('for-each-ref', '--format=%(creatordate:iso-strict)', 'refs/tags/v2.0.0'),
    })
  git('remote', 'add', 'origin', `${repository.webUrl}.git`)
  const push = async (after: string) => {
    const before = git('rev-parse', `${after}^`)
    await github.deliver('push', repository.pushPayload({ ref: 'refs/heads/main', before, after, forced: false, pusher: 'pat' }))
    return (await idle()).at(-1)
  }
  const ask = async (path: string) =>
    (await askSite(app.address, 'acme-pets.sites.test', path)).text.replaceAll(github.url, 'https://github.test')
  const url = `http://acme-pets.sites.test:${new URL(app.address).port}/`
  const env = { XDG_CACHE_HOME: makeTemporaryFolder(), GITHUB_SERVER_URL: github.webUrl }
  const build = () => runBin(['build', '.', '--output', join(folder, '.git/site'), '--url', url], { cwd: folder, env })
  const built = (path: string) => readFileSync(join(folder, '.git/site', path), 'utf8')
  const paths = ['changelog.md', 'changelog/rss.xml', 'changelog/feed.json'].map((path) => `api-reference/${path}`)

  const changelogs = [{ route: 'api-reference/changelog', title: 'Changelog' }]
  expect(await push(sha)).toMatchObject({ update: { status: 'success' }, details: { site: { changelogs } } })
  expect(await build()).toMatchObject({ code: 0, stderr: '' })
  expect(built('api-reference/changelog.md')).toContain('Operation `GET /cats` was added')
  expect(built('api-reference/changelog.md')).toContain('Unreleased')
  for (const path of paths) expect(await ask(`/${path}`), path).toBe(built(path))
  expect(await ask('/api-reference/api/list-cats/')).toContain('Added in 2.0.0')
  expect(await ask('/api-reference/api/list-dogs/')).toContain('Added, not released yet')
  const archives = () => github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}').length
  const before = archives()

  // A new commit compares only what is new, and a new tag needs no archive of another version.
  const next = history.commit({ 'api/pets.json': document('2.2.0', ['pets', 'dogs'], 50) })
  await push(next)
  expect(await build()).toMatchObject({ code: 0 })
  expect(built('api-reference/changelog.md')).toContain('Operation `GET /cats` was removed')
  for (const path of paths) expect(await ask(`/${path}`), path).toBe(built(path))
  // The commit, its base, and the newest version.
  expect(archives() - before).toBe(3)

  // The same with commits instead of tags.
  await push(history.commit({ 'openapi-pages.config.yaml': settings('commits') }))
  expect(await build()).toMatchObject({ code: 0 })
  expect(built('api-reference/changelog.md')).toContain('1.0.0')
  for (const path of paths) expect(await ask(`/${path}`), path).toBe(built(path))
})

test('says in the record why a changelog is incomplete, and does not read too much', async () => {
  const { github, idle, app } = await connectApp({ env: { SITES_DOMAIN: 'sites.test' } })
  const files = {
    'docs.json': docsConfig,
    'openapi-pages.config.yaml': settings('tags'),
    'api/pets.json': document('1.0.0', ['pets']),
  }
  const repository = github.createRepository('acme/pets', { files })
  await repository.push({ files: { 'a.txt': 'a' } })
  const [first] = await idle()
  expect(first?.update.logs).toContainEqual(
    'The changelog of api/pets.json is empty: no tag matches `v*`. Create a tag, or set `changes.tags`.',
  )
  expect((await askSite(app.address, 'acme-pets.sites.test', '/api-reference/changelog/')).text).toContain(
    'There are no versions to compare yet.',
  )

  const released = repository.tipOf('main')
  repository.tags.set('v1.0.0', { sha: released })
  repository.tarballs.set(released, Buffer.from('no archive'))
  const { sha } = await repository.push({ files: { 'api/pets.json': document('1.1.0', ['pets', 'cats']) } })
  const second = (await idle()).find(({ update }) => update.commit.sha === sha)
  expect(second?.update.status).toBe('success')
  expect(second?.update.logs).toContainEqual(
    expect.stringMatching(/^Cannot read the history for the changelog: Cannot read the archive/),
  )

  // A tag builds the site again.
  repository.tarballs.delete(released)
  repository.tags.set('v1.1.0', { sha })
  const before = '0'.repeat(40)
  await github.deliver(
    'push',
    repository.pushPayload({ ref: 'refs/tags/v1.1.0', before, after: sha, forced: false, pusher: 'pat' }),
  )
  const third = (await idle()).at(-1)
  expect(third).toMatchObject({ update: { commit: { sha, ref: 'refs/heads/main' } }, details: { trigger: 'rerun' } })
  expect(third?.update.logs).toContainEqual(expect.stringMatching(/^Re-run of .*, for the tag v1.1.0$/))
  expect((await askSite(app.address, 'acme-pets.sites.test', '/api-reference/changelog.md')).text).toContain('## 1.1.0')
})
