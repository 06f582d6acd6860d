import { expect, test } from 'vitest'
import { toCheckRunEvent } from '../../../support/fake-github/payloads.ts'
import { brokenDocument, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
const writer = { contents: 'write', metadata: 'read', checks: 'write', pull_requests: 'write' } as const

async function connect(permissions: Record<string, 'read' | 'write'> = writer) {
  const connected = await connectApp({ github: { permissions } })
  const { github } = connected
  const repository = github.createRepository('acme/api', { files })
  repository.setPermission('hubot', 'write')
  const { sha } = await repository.push({
    files: { 'openapi.yaml': validDocument.replace('List pets', 'List all pets') },
    branch: 'topic',
  })
  const [stored] = await connected.idle()
  const [run] = repository.checkRuns
  if (!run || !stored) throw new Error('No check')
  const press = async (login: string, identifier = 'regenerate') => {
    await github.deliver('check_run', toCheckRunEvent(github, repository, run, { action: 'requested_action', identifier }, login))
    await connected.idle()
    return repository.checkRuns.find(({ name }) => name === 'openapi-pages: regenerate')
  }
  return { ...connected, repository, run, sha, stored, press }
}

test('the button commits the pages to the branch', async () => {
  const { repository, run, sha, stored, press, store } = await connect()
  expect(run.actions).toEqual([{ label: 'Regenerate', description: 'Commit the pages to this branch', identifier: 'regenerate' }])
  const said = await press('hubot')
  const tip = repository.tipOf('topic')
  expect(repository.git.commit(tip)).toMatchObject({ parents: [sha], author: 'openapi-pages[bot]' })
  expect(repository.git.commit(tip).message).toMatch(/^docs: regenerate API pages\n\nRequested by hubot/)
  expect(repository.readText(tip, 'api-reference/pets/list-all-pets.mdx')).toContain('openapi: openapi.yaml GET /pets')
  expect(said).toMatchObject({ headSha: sha, conclusion: 'success', output: { title: 'Regenerated: 3 files changed' } })
  expect(await store.audit.list()).toMatchObject([
    { actor: 'github:hubot', action: 'update.regenerate', subject: stored.update._id },
  ])
})

test('the check of the resulting commit has no button', async () => {
  const { github, repository, press, idle } = await connect()
  const before = repository.tipOf('topic')
  await press('hubot')
  const push = { ref: 'refs/heads/topic', before, after: repository.tipOf('topic'), forced: false, pusher: 'openapi-pages[bot]' }
  await github.deliver('push', repository.pushPayload(push))
  const all = await idle()
  expect(all.at(-1)?.update.summary).toBe('Valid: 1 document, 1 operation. All pages are up to date.')
  expect(repository.checkRuns.at(-1)?.actions).toEqual([])
})

test.each(['octocat', 'outsider'])('refuses to commit for %s, who has no write access', async (login) => {
  const { repository, sha, press } = await connect()
  const said = await press(login)
  expect(repository.tipOf('topic')).toBe(sha)
  expect(said).toMatchObject({ conclusion: 'neutral' })
  expect(said?.output.title).toContain(`${login} has no write access`)
})

test('without `contents: write`, there is no button and a forged action has no effect', async () => {
  const { repository, run, sha, press } = await connect({ ...writer, contents: 'read' })
  expect(run.actions).toEqual([])
  const said = await press('hubot')
  expect(repository.tipOf('topic')).toBe(sha)
  expect(said?.output.title).toContain('contents: write')
})

test('starts again from the new tip if the branch moves', async () => {
  const { github, repository, press } = await connect()
  github.fault({
    route: 'POST /graphql',
    status: 200,
    body: {
      data: { createCommitOnBranch: null },
      errors: [
        {
          type: 'STALE_DATA',
          path: ['createCommitOnBranch'],
          message: 'Expected branch to point to "a" but it did not. Pull and try again.',
        },
      ],
    },
  })
  const said = await press('hubot')
  expect(said).toMatchObject({ conclusion: 'success' })
  expect(github.requestsTo('POST /graphql')).toHaveLength(2)
  // Of the push, its base for the comparison, and both attempts to commit.
  expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(4)
  expect(repository.readText(repository.tipOf('topic'), 'openapi-pages.lock.json')).toContain('list-all-pets')
})

test('ignores actions of unknown buttons', async () => {
  const { repository, sha, press } = await connect()
  expect(await press('hubot', 'deploy')).toBeUndefined()
  expect(repository.tipOf('topic')).toBe(sha)
})

test('commits nothing if documents have errors', async () => {
  const { repository, press } = await connect()
  const { after } = repository.commit({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
  const said = await press('hubot')
  expect(repository.tipOf('topic')).toBe(after)
  expect(said?.output.title).toBe('Not regenerated: the documents have errors. Correct them first.')
})

const secondOperation = `  /shops:
    get:
      summary: List shops
      tags: [Shops]
      responses:
        '200':
          description: All shops.
`

test('updates pages that no error affects, if the configuration allows it', async () => {
  const { repository, press } = await connect()
  const config = { 'openapi-pages.config.yaml': 'update: { onError: operation }\n' }
  repository.commit({ files: { ...config, 'openapi.yaml': brokenDocument + secondOperation }, branch: 'topic' })
  const said = await press('hubot')
  expect(said).toMatchObject({ conclusion: 'success' })
  const tip = repository.tipOf('topic')
  expect(repository.readText(tip, 'api-reference/shops/list-shops.mdx')).toContain('openapi: openapi.yaml GET /shops')
  expect(repository.readText(tip, 'openapi-pages.lock.json')).not.toContain('GET /pets')
})

test('does not update pages with errors that a baseline hides from the check', async () => {
  const { github, idle, repository, press } = await connect()
  const problem = [
    'openapi.yaml',
    'unknown-field',
    '/paths/~1pets/get/sumary',
    'Unexpected field `sumary` in an Operation Object',
    1,
  ]
  const { before, after } = repository.commit({
    files: {
      'openapi.yaml': brokenDocument,
      'openapi-pages.config.yaml': 'baseline: known.json\n',
      'known.json': JSON.stringify({ version: 1, problems: [problem, []] }),
    },
    branch: 'topic',
  })
  await github.deliver('push', repository.pushPayload({ ref: 'refs/heads/topic', before, after, forced: false, pusher: 'hubot' }))
  await idle()
  expect(repository.checkRuns.at(-1)).toMatchObject({ headSha: after, conclusion: 'success' })
  expect((await press('hubot'))?.output.title).toBe('Not regenerated: the documents have errors. Correct them first.')
  expect(repository.tipOf('topic')).toBe(after)
})
