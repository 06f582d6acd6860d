import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serveProduct } from '../../../support/serve-oauth.ts'
import { endUpdate, type PeopleApp, startPeopleApp, toSha } from '../../support/people-app.ts'
import { Visitor } from '../../support/visitor.ts'

interface Product {
  /** What the guide writes into the setting, besides URL and client. */
  readonly setting: object
  /** The claims of an ID token of the product. */
  readonly claims: object
  /** The group of an audience in the configuration; `refused` if the sign-in fails. */
  readonly group: string
}

const guid = '4bcdd77a-0b0c-4d5b-9c5a-5d7a3b1d9b11'

const products: Readonly<Record<string, Product>> = {
  'Keycloak, groups': {
    setting: { groups: 'groups' },
    claims: { preferred_username: 'ada', groups: ['/staff/docs', '/staff'] },
    group: 'oidc:corp/staff/docs',
  },
  'Keycloak, roles of the realm': {
    setting: { groups: 'realm_access.roles' },
    claims: { realm_access: { roles: ['offline_access', 'partners'] } },
    group: 'partners',
  },
  'Keycloak, roles of a client': {
    setting: { groups: ['resource_access', 'docs.example.com', 'roles'] },
    claims: { resource_access: { 'docs.example.com': { roles: ['partners'] } } },
    group: 'oidc:corp/partners',
  },
  'Entra ID': {
    setting: { mapping: { [guid]: 'partners' } },
    claims: { groups: ['00000000-0b0c-4d5b-9c5a-5d7a3b1d9b11', guid] },
    group: 'oidc:corp/partners',
  },
  'Entra ID, too many groups': {
    setting: {},
    claims: {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.example.com/v1.0/users/1/getMemberObjects' } },
    },
    group: 'refused',
  },
  Okta: { setting: { scope: 'openid profile groups' }, claims: { groups: ['Everyone', 'Partners EU'] }, group: 'Partners EU' },
  'Google Workspace': { setting: { groups: 'hd' }, claims: { hd: 'example.com' }, group: 'oidc:corp/example.com' },
}

test.each(Object.entries(products))('reads the groups of %s', async (_name, { setting, claims, group }) => {
  let app: PeopleApp | undefined
  // The port of the app is known before that of its issuer.
  const port = 10_000 + (process.pid % 20_000)
  const base = () => app?.base ?? `http://localhost:${port}`
  const issuer = await serveProduct('corp', base, () => claims)
  app = await startPeopleApp({
    env: { PORT: String(port), OIDC_ISSUERS: JSON.stringify([{ name: 'corp', ...issuer, ...setting }]) },
  })
  const { project } = await app.addRepository('acme/plans', { boss: 'admin' }, { private: true })
  const audience = { name: 'readers', groups: [group], site: { 'index.html': 'For readers' } }
  await endUpdate(app.store, project, { sha: toSha('1'), site: { 'index.html': 'For all' }, audiences: [audience] })
  await app.store.projects.set(project.id, { issuers: ['corp'] }, 'test')
  const address = app.base.replace('localhost', `${project.subdomain}.localhost`)
  const reader = new Visitor(app.base)
  const asked = await reader.go(`${address}/_openapi-pages/sign-in?to=/`)
  const shown = await reader.go('/sign-in', { form: { to: asked.url.searchParams.get('to') ?? '', issuer: 'corp' } })
  if (group === 'refused') expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('you have too many')])
  else expect([shown.status, shown.text]).toEqual([200, 'For readers'])
  onTestFinished(() => undefined)
})

test('the guide has the setting of every product', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/hosting.md'), 'utf8')
  for (const name of Object.keys(products)) expect(guide).toContain(name.split(',')[0])
  for (const path of ['realm_access.roles', '"hd"', '"mapping"', 'members: read']) expect(guide).toContain(path)
})
