import { expect, test } from 'vitest'
import { createReadChangelogs } from '../../../src/docs/versions/changelogs.ts'
import { config, findFaults, makeSite, makeVersions, names, ok, type Part } from '../../support/audience-markers.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { siteOf } from './site-of.ts'

/** The changelog of a history: an API with one operation, then all others with one more parameter, then the current files. */
function createChangelogs(current: Readonly<Record<string, string>>) {
  const versions = makeVersions()
  const tags = [
    { tag: 'v1.1', sha: 'a', date: '2026-01-02T00:00:00Z' },
    { tag: 'v1.0', sha: 'b', date: '2026-01-01T00:00:00Z' },
  ]
  const history = {
    listTags: async () => ({ tags, isCut: false }),
    listCommits: async () => ({ commits: [], isCut: false }),
    open: async (sha: string) =>
      createMemoryFiles({ ...current, 'openapi.json': sha === 'a' ? versions.second : versions.first }),
    findEarlierPath: async () => undefined,
    toUrl: () => undefined,
  }
  return createReadChangelogs(history, { cache: new Map(), warn: () => {}, now: () => 0 })
}

test.each(names)('the site of %s has all that its readers may see, and not a byte of the rest', async (audience) => {
  const { files, markers } = makeSite()
  expect(markers.length).toBeGreaterThan(256)
  const built = await siteOf(
    files,
    { url: 'https://docs.example.com/', readChangelogs: createChangelogs(files), hasMcp: true },
    audience,
  )
  expect(built.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const all = Object.entries(built.files).map(([path, content]) => ({ path, content }))
  expect(findFaults(all, audience, markers)).toEqual({ leaks: [], lacks: [] })
  // Both older versions were read.
  expect(built.files['api-reference/changelog.md']).toContain('dropped')
})

const docs = (pages: readonly string[], ...more: readonly Part[]) =>
  JSON.stringify({ name: 'Pets', navigation: { groups: [{ group: 'Guides', pages }, ...more] } })
const page = (frontmatter: string) => `---\ntitle: Page\n${frontmatter}\n---\n\nText\n`

test('reports groups that no audience has, what the order hides, and what is not in the site', async () => {
  const operation = { ...ok, 'x-mint': { groups: ['staf', 'trial'] } }
  const parameter = { name: 'kind', in: 'query', schema: { enum: ['a', 'b'], 'x-mint-enum': { b: ['partners'] } } }
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'Pets', version: '1' } },
    paths: { '/a': { get: { ...ok, parameters: [parameter] }, put: operation } },
  }
  const files = {
    'openapi-pages.config.yaml': config,
    'docs.json': docs(['index', 'one', 'two'], { group: 'API', openapi: 'openapi.json' }),
    'index.mdx': page('sidebarTitle: Page'),
    'one.mdx': page('groups: [partners]'),
    'two.mdx': page('groups: [github:acme/Staff, trial]'),
    'openapi.json': JSON.stringify(document),
  }
  const reportedFor = async (audience?: string) =>
    (await siteOf(files, {}, audience)).diagnostics
      .filter(({ code }) => code === 'content-restricted')
      .map(({ severity, file, pointer, message, hint }) => `${severity} ${file}${pointer}: ${message}. ${hint}`)
  const ofAll = [
    'warning one.mdx: No audience has the group `partners`: no reader can see what is only for it, here and in 1 more. Did you mean `oidc:corp/partners`?',
    'warning openapi-pages.config.yaml/site/audiences/2: Readers with groups of both `staff` and `trial` get the site of `staff`, without `openapi.json#/paths/~1a/put/x-mint`. Add a group of `staff` there, or write `trial` before it',
    'warning openapi-pages.config.yaml/site/audiences/2: Readers with groups of both `partners` and `trial` get the site of `partners`, without `two.mdx` and 1 more. Add a group of `partners` there, or write `trial` before it',
    'warning openapi.json/paths/~1a/put/x-mint: No audience has the group `staf`: no reader can see what is only for it. Add it to the `groups` of an audience in `site.audiences`',
  ]
  const hides = (named: string) =>
    `info docs.json: Not in the site of these readers, because only others may see it: ${named}. To build the site of an audience of the configuration file, use \`--audience\``
  const ofPublic = hides(
    '`one.mdx`, `two.mdx`, `openapi.json#/paths/~1a/get/parameters/0/schema/enum/1`, `openapi.json#/paths/~1a/put`',
  )
  expect(new Set(await reportedFor())).toEqual(new Set([ofPublic, ...ofAll]))
  const ofTrial = hides('`one.mdx`, `openapi.json#/paths/~1a/get/parameters/0/schema/enum/1`')
  expect(new Set(await reportedFor('trial'))).toEqual(new Set([ofTrial, ...ofAll]))
})

test('a page for some groups is as restricted as its division, and `public: false` is for every audience', async () => {
  const division = { group: 'Members', public: false, pages: ['free', 'staff', 'all'] }
  const files = {
    'openapi-pages.config.yaml': config,
    'docs.json': docs(['index'], division),
    'index.mdx': page('sidebarTitle: Page'),
    'free.mdx': page('public: true'),
    'staff.mdx': page('groups: [internal]\npublic: true'),
    'all.mdx': page('sidebarTitle: Page'),
  }
  const pagesFor = async (audience: string) =>
    (await siteOf(files, {}, audience)).pages.map(({ route }) => route).filter((route) => route !== '')
  expect([await pagesFor('public'), await pagesFor('staff'), await pagesFor('trial')]).toEqual([
    ['free'],
    ['free', 'staff', 'all'],
    ['free', 'all'],
  ])
  await expect(pagesFor('partner')).rejects.toThrow('unknown value `partner` for --audience, expected `public`, `staff`')
})

test('`x-internal` is for everyone without audiences, and a mark in a wrong place is an error with them', async () => {
  const document = (info: Part) =>
    JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'Pets', version: '1', ...info } },
      paths: { '/open': { get: ok }, '/inside': { get: { ...ok, 'x-internal': true } } },
    })
  const files = (info: Part = {}) => ({
    'docs.json': docs(['index'], { group: 'API', openapi: 'openapi.json' }),
    'index.mdx': page('sidebarTitle: Page'),
    'openapi.json': document(info),
  })
  const textOf = async (more: Readonly<Record<string, string>>, audience?: string) =>
    Object.values((await siteOf({ ...files(), ...more }, {}, audience)).files).join('')
  expect(await textOf({})).toContain('/inside')
  const withConfig = { 'openapi-pages.config.yaml': config }
  expect(await textOf(withConfig)).not.toContain('inside')
  expect(await textOf(withConfig, 'staff')).toContain('/inside')
  const built = await siteOf({ ...files({ 'x-internal': true }), ...withConfig })
  expect(built.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'content-restricted', pointer: '/info' },
  ])
})
