import { expect, test } from 'vitest'
import { serveProduct } from '../../support/serve-oauth.ts'
import { type PeopleApp, startPeopleApp } from '../support/people-app.ts'
import { Visitor } from '../support/visitor.ts'

// Sites are built by `build/app`, as `npm run build` made it.

const files = {
  'docs.json': JSON.stringify({
    $schema: 'https://mintlify.com/docs.json',
    name: 'Plans',
    navigation: {
      tabs: [
        { tab: 'Guides', pages: ['index', 'partners'] },
        { tab: 'API', openapi: 'openapi.yaml' },
      ],
    },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nFor all.\n',
  'partners.mdx': '---\ntitle: Prices\ngroups: [partners]\n---\n\nTen percent less.\n',
  'openapi.yaml': `openapi: 3.1.0
info: {title: Plans, version: '1'}
paths:
  /plans:
    get: {summary: List plans, responses: {'200': {description: ok}}}
  /discounts:
    get:
      summary: List discounts
      x-mint: {groups: [partners]}
      responses: {'200': {description: ok}}
`,
  'openapi-pages.config.yaml': 'site:\n  audiences:\n    - { name: partners, groups: [partners] }\n',
}

test('the way of the guide: describe an issuer, push audiences, choose the issuer, read as a partner', async () => {
  let app: PeopleApp | undefined
  // The port of the app is known before that of its issuer.
  const port = 10_000 + (process.pid % 20_000)
  let claims: object = { realm_access: { roles: ['partners'] } }
  const issuer = await serveProduct(
    'corp',
    () => app?.base ?? `http://localhost:${port}`,
    () => claims,
  )
  const setting = [{ name: 'corp', ...issuer, groups: 'realm_access.roles' }]
  app = await startPeopleApp({ withoutRuns: false, env: { PORT: String(port), OIDC_ISSUERS: JSON.stringify(setting) } })
  const { github, base, idle, store, visitorOf } = app

  const repository = github.createRepository('acme/plans', { files: { 'README.md': 'Plans' }, private: true })
  repository.collaborators.set('boss', 'admin')
  const push = repository.commit({ files })
  await github.deliver('push', repository.pushPayload(push))
  const [record] = await idle()
  expect(record?.update).toMatchObject({ status: 'success' })

  const boss = await visitorOf('boss')
  const [project] = await store.projects.list()
  const settings = await boss.go(`/projects/${project?.id}/settings`)
  expect(settings.text).toContain('issuer-corp')
  const fields = [...settings.text.matchAll(/<input[^>]*name="([\w-]+)"[^>]*value="([^"]*)"/g)]
  const form = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
  const saved = await boss.go(`/projects/${project?.id}/settings`, { form: { ...form, 'issuer-corp': 'yes' } })
  expect(saved.status).toBe(200)
  expect((await store.projects.find(project?.id ?? ''))?.issuers).toEqual(['corp'])

  const address = base.replace('localhost', `${project?.subdomain}.localhost`)
  const enter = async () => {
    const reader = new Visitor(base)
    expect((await reader.ask(`${address}/partners/`)).status).toBe(404)
    const asked = await reader.go(`${address}/_openapi-pages/sign-in?to=/partners/`)
    const shown = await reader.go('/sign-in', { form: { to: asked.url.searchParams.get('to') ?? '', issuer: 'corp' } })
    return { reader, shown }
  }
  const { reader, shown } = await enter()
  expect([shown.url.href, shown.status]).toEqual([`${address}/partners/`, 200])
  expect(shown.text).toContain('Ten percent less.')
  expect((await reader.ask(`${address}/llms.txt`)).text).toContain('List discounts')

  claims = { realm_access: { roles: ['customers'] } }
  const other = await enter()
  expect(other.shown.status).toBe(404)
  expect(other.shown.text).not.toContain('Ten percent less.')
  // People of the repository without a team read what everyone may.
  const welcome = await boss.go(`${address}/_openapi-pages/sign-in?to=/`)
  expect([welcome.status, welcome.text.includes('For all.'), welcome.text.includes('Prices')]).toEqual([200, true, false])
  expect((await boss.ask(`${address}/llms.txt`)).text).not.toContain('List discounts')
})
