import { expect, test } from 'vitest'
import {
  toInstallationEvent,
  toInstallationRepositoriesEvent,
  toPullRequestEvent,
  toRepositoryEvent,
} from '../../../support/fake-github/payloads.ts'
import { type ConnectOptions, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'
import { endUpdate } from '../../support/people-app.ts'
import { askSite } from '../../support/sites.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

/** A public repository with a project, a token and a published site. Jobs do not run automatically. */
async function startWithSite({ withoutRuns = true }: ConnectOptions = {}) {
  const prepared = await connectApp({ withoutRuns: true, env: { SITES_DOMAIN: 'localhost' } })
  const { github, store } = prepared
  const repository = github.createRepository('acme/api', { files })
  const { installation } = repository
  if (!installation) throw new Error('Not installed')
  const facts = { installationId: installation.id, repositoryId: repository.id, owner: 'acme', repo: 'api', root: '' }
  await store.projects.apply([
    { kind: 'upsert', project: { ...facts, hasDocsConfig: true, defaultBranch: 'main', private: false } },
  ])
  const [project] = await store.projects.list()
  if (!project) throw new Error('No project')
  await endUpdate(store, project, { sha: repository.tipOf('main'), site: { 'index.html': 'The secret plans' } })
  const connected = withoutRuns ? prepared : await prepared.restart({ withoutRuns })
  const { app } = connected
  const visit = async () => {
    const { port } = new URL(app.context.urls.base())
    return await askSite(app.address, `${project.subdomain}.localhost:${port}`, '/', { headers: { Accept: 'text/html' } })
  }
  return { ...connected, repository, installation, project, visit }
}

test('an old push payload does not publish the site of a repository that became private', async () => {
  const { github, repository, visit } = await startWithSite()
  expect((await visit()).text).toBe('The secret plans')
  const missed = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
  repository.private = true
  await github.deliver('repository', toRepositoryEvent(github, repository, 'privatized'))
  expect((await visit()).status).toBe(404)
  await github.deliver('push', missed)
  const { status, text } = await visit()
  expect([status, text.includes('secret')]).toEqual([404, false])
})

test.for(['removed', 'added', 'suspend', 'deleted'] as const)(
  'a payload for `%s` hides the site of a repository that it lists as private, before GitHub confirms it',
  async (action) => {
    const { github, repository, installation, visit } = await startWithSite()
    repository.private = true
    await (action === 'removed' || action === 'added'
      ? github.deliver('installation_repositories', toInstallationRepositoriesEvent(github, installation, action, [repository]))
      : github.deliver('installation', toInstallationEvent(github, installation, action)))
    expect((await visit()).status).toBe(404)
  },
)

test.for(['needs no work', 'has no handler'] as const)(
  'an event that %s hides the site of a repository that became private, and confirms it',
  async (kind) => {
    const { github, store, repository, visit } = await startWithSite()
    repository.commit({ files: { 'a.mdx': 'a' }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic' })
    const send = () =>
      kind === 'has no handler'
        ? github.deliver('pull_request', toPullRequestEvent(github, repository, 'closed', pull))
        : github.deliver('push', {
            ...repository.pushPayload(repository.moveBranch('copy', repository.tipOf('topic'))),
            deleted: true,
          })
    await send()
    expect((await visit()).status).toBe(200)
    repository.private = true
    expect(await send()).toMatchObject({ status: 202 })
    expect((await visit()).status).toBe(404)
    expect(await store.queue.claim({ worker: 'w', leaseMs: 1000 })).toMatchObject({ name: 'confirm' })
    expect(await store.queue.claim({ worker: 'w', leaseMs: 1000 })).toBe(undefined)
  },
)

test('a late removal does not delete a repository that was added again', async () => {
  const connected = await startWithSite({ withoutRuns: false })
  const { github, store, repository, installation, project, idle, visit } = connected
  const removed = toInstallationRepositoriesEvent(github, installation, 'removed', [repository])
  await github.deliver('installation_repositories', removed)
  await idle()
  expect(await store.projects.list()).toEqual([project])
  expect((await visit()).text).toBe('The secret plans')
})

test('a push that arrives after the uninstallation does not recreate the project', async () => {
  const { github, store, repository, installation, idle } = await startWithSite({ withoutRuns: false })
  const late = repository.pushPayload(repository.commit({ files: { 'a.mdx': 'a' } }))
  installation.deleted = true
  // GitHub refuses to say so at first.
  github.fault({ route: 'GET /repos/{owner}/{repo}/installation', status: 403 })
  await github.deliver('installation', toInstallationEvent(github, installation, 'deleted'))
  await expect.poll(() => store.projects.list()).toEqual([])
  await idle()
  await github.deliver('push', late)
  await idle()
  expect(await store.projects.list()).toEqual([])
})
