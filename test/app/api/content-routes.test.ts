import { describe, expect, onTestFinished, test } from 'vitest'
import { renderSearchIndex } from '../../../src/site/page/search/search-index.ts'
import { endUpdate, toSha } from '../support/people-app.ts'
import { addProject, addToken, startTestApp } from '../support/test-app.ts'

const operation = {
  route: 'api/list-animals',
  kind: 'operation',
  title: 'List animals',
  method: 'GET',
  path: '/animals',
  operationId: undefined,
  about: '',
  names: [],
  part: [],
  sections: [],
  category: 'reference',
  boost: undefined,
} as const

/** Files of a site with a start page and one operation, as the build writes them. */
const site = {
  'index.html': '<title>Start</title>',
  'index.md': '# Start\n',
  'api/list-animals/index.html': '<title>List animals</title>',
  'api/list-animals.md': '# List animals\n',
  'notes.md': 'Not a page',
  ...Object.fromEntries(renderSearchIndex([operation]).map(({ path, content }) => [path, String(content)])),
}

/** Starts an app with the site of a private repository. */
async function start() {
  const app = await startTestApp(onTestFinished)
  const project = await addProject(app.store, { private: true })
  await endUpdate(app.store, project, { sha: toSha('1'), site })
  const { text: token } = await addToken(app.store, { scope: 'read', projectId: project.id })
  const post = (call: 'search' | 'page', body: unknown, { by = token, domain = project.subdomain } = {}) =>
    app.api(`/v1/${call}/${domain}`, { method: 'POST', token: by, body })
  return { app, project, post }
}

test('POST /v1/search/{domain} returns the best results of the published site', async () => {
  const { post } = await start()
  expect(await post('search', { query: 'animals' })).toMatchObject({
    status: 200,
    body: {
      results: [
        {
          path: '/api/list-animals',
          kind: 'operation',
          title: 'List animals',
          method: 'GET',
          detail: expect.stringContaining('/animals'),
        },
      ],
    },
  })
  expect((await post('search', { query: 'nothing' })).body).toEqual({ results: [] })
})

test.each([
  ['/', { path: '/', content: '# Start\n' }],
  ['/api/list-animals', { path: '/api/list-animals', content: '# List animals\n' }],
  ['https://docs.example.com/api/list-animals/#responses', { path: '/api/list-animals', content: '# List animals\n' }],
])('POST /v1/page/{domain} returns the page %s', async (path, body) => {
  const { post } = await start()
  expect(await post('page', { path })).toMatchObject({ status: 200, body })
})

test.each(['/none', '/notes', '/../notes', '/_headers'])(
  'POST /v1/page/{domain} returns 404 for %j, which is no page',
  async (path) => {
    const { post } = await start()
    expect((await post('page', { path })).body).toMatchObject({ status: 404, code: 'not-found' })
  },
)

describe.each([
  ['search', { query: 'animals' }],
  ['page', { path: '/' }],
] as const)('POST /v1/%s/{domain}', (call, body) => {
  test('says the same about a private site to others as about a missing one', async () => {
    const { app, post } = await start()
    const other = await addToken(app.store, { scope: 'write', projectId: (await addProject(app.store)).id })
    const admin = await addToken(app.store, { scope: 'admin' })
    const hidden = await post(call, body, { by: other.text })
    const missing = await post(call, body, { by: other.text, domain: 'nothing-here' })
    const withoutId = ({ body }: { body: unknown }) => ({ ...(body as object), requestId: '' })
    expect(withoutId(hidden)).toEqual(withoutId(missing))
    expect(hidden.status).toBe(404)
    expect((await post(call, body, { by: admin.text })).status).toBe(200)
    expect((await post(call, body, { by: '' })).status).toBe(401)
  })
})
