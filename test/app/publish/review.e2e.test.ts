import { expect, test } from 'vitest'
import { reviewPolicy } from '../../../src/site/plan/file-types.ts'
import { toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { connectApp } from '../support/connected-app.ts'
import { askSite } from '../support/sites.ts'

// Sites are built by `build/app`, as `npm run build` made it.

const docsConfig = JSON.stringify({ name: 'Pets', navigation: { groups: [{ group: 'API', openapi: 'openapi.yaml' }] } })

/** `open` and `staff` name a parameter of the operation for everyone and of the restricted one. */
const toDocument = (open: string, staff: string, mark = 'x-mint: { groups: [staff] }') => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      parameters: [{ name: ${open}, in: query, required: true, schema: { type: string } }]
      responses: { '200': { description: All pets } }
  /salaries:
    get:
      ${mark}
      parameters: [{ name: ${staff}, in: query, schema: { type: string } }]
      responses: { '200': { description: All salaries } }
`

async function openPull(before: string, after: string) {
  const connected = await connectApp({
    env: { SITES_DOMAIN: 'sites.test' },
    github: { permissions: { contents: 'write', metadata: 'read', checks: 'write', pull_requests: 'write' } },
  })
  const { app, github, idle } = connected
  const files = { 'docs.json': docsConfig, 'openapi.yaml': before }
  const repository = github.createRepository('acme/pets', { files })
  const { sha } = await repository.push({ files: { 'openapi.yaml': after }, branch: 'topic' })
  await idle()
  const pull = repository.openPullRequest({ head: 'topic' })
  await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
  await idle()
  const ask = (path: string) => askSite(app.address, `acme-pets--${sha.slice(0, 12)}.sites.test`, path)
  return { ...connected, repository, sha, ask }
}

test('a preview has a review of what its readers may see, and the check and the comment link to it', async () => {
  const { repository, sha, ask, store, app } = await openPull(toDocument('color', 'boss'), toDocument('size', 'amount'))
  const { status, text, headers } = await ask('/_review/')
  expect([status, headers['content-security-policy']]).toEqual([200, reviewPolicy])
  expect(text).toMatch(/<del>(?:<[^>]+>)*color</)
  expect(text).toMatch(/<ins>(?:<[^>]+>)*size</)
  expect(text).not.toMatch(/salaries|boss|amount/)
  const [stored] = (await store.statuses.list(await projectOf(store), { sha }))?.updates ?? []
  expect(stored?.details.site?.hasReview).toBe(true)
  expect(text).toContain(
    `<a href="http://localhost:${new URL(app.address).port}/updates/${stored?.update._id}">Accept changes</a>`,
  )
  const url = `http://acme-pets--${sha.slice(0, 12)}.sites.test:${new URL(app.address).port}/_review/`
  expect(repository.checkRuns.find(({ headSha }) => headSha === sha)?.output.summary).toContain(url)
  expect(repository.comments.at(-1)?.body).toContain(url)
})

test('a review says nothing about what the commit restricts', async () => {
  const { ask } = await openPull(toDocument('color', 'boss', 'summary: Pay'), toDocument('size', 'boss'))
  const { status, text } = await ask('/_review/')
  expect(status).toBe(200)
  expect(text).toMatch(/<del>(?:<[^>]+>)*color</)
  expect(text).not.toMatch(/salaries|boss|Pay/)
})

test('a commit with other files than documents has no review', async () => {
  const document = toDocument('color', 'boss')
  const { ask } = await openPull(document, document)
  expect((await ask('/_review/')).status).toBe(404)
})

async function projectOf(store: Awaited<ReturnType<typeof openPull>>['store']): Promise<string> {
  const [project] = await store.projects.list()
  return project?.id ?? ''
}
