import { expect, test } from 'vitest'
import { type CachedStep, createReadChangelogs } from '../../../src/docs/versions/changelogs.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { siteOf } from './site-of.ts'

type Version = Readonly<Record<string, string>>

const ok = { responses: { 200: { description: 'ok' } } }
const open = { '/a': { get: { summary: 'A', ...ok } } }
const secret = { post: { summary: 'HUSH', ...ok } }
const describe = (paths: object = {}, more: object = {}) =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { ...open, ...paths }, ...more })
const page = (frontmatter: string) => `---\ntitle: HUSH\n${frontmatter}\n---\n`
const admins = 'groups: [admin]'
const docs = (more: object[] = []) =>
  JSON.stringify({ name: 'P', navigation: { groups: [{ group: 'API', openapi: 'openapi.json', pages: ['index'] }, ...more] } })
const docsOf = (openapi: object) => JSON.stringify({ name: 'P', navigation: { groups: [{ group: 'API', openapi }] } })
const restricting = (more = {}) =>
  JSON.stringify({
    ...{ overlay: '1.0.0', info: { title: 'O', version: '1' }, ...more },
    actions: [{ target: '$.paths["/HUSH/{id}"]', update: { 'x-mint': { groups: ['a'] } } }],
  })
const now = { 'docs.json': docs(), 'openapi.json': describe(), 'index.mdx': '---\ntitle: Home\n---\n\nWelcome\n' }
const withHush = { ...now, 'openapi.json': describe({ '/HUSH/{id}': secret }) }
const bound = (more = admins) => page(`openapi: openapi.json POST /HUSH/{id}\n${more}`)
const schemas = { Shown: { type: 'object' }, HUSH: { type: 'object', properties: { HUSHID: { type: 'string' } } } }
const toHush = {
  content: { 'application/json': { schema: { anyOf: [{ $ref: '#/components/schemas/HUSH' }, { type: 'string' }] } } },
}
const marked = (value: object) => ({ 'x-mint': { groups: ['a'] }, ...value })
const property = (more: object) =>
  describe({}, { components: { schemas: { Shown: { properties: { kind: { enum: ['a', 'b', 'HUSH_7'], ...more } } } } } })

const hushed = { enum: ['open', 'hush'], 'x-mint-enum': { hush: ['a'] } }
const query = (schema: object) => describe({ '/b': { get: { ...ok, parameters: [{ name: 'k', in: 'query', schema }] } } })

/** The versions before the current one, newest first. */
test.each<[string, readonly Version[], Version?]>([
  ['an operation of a restricted page', [{ ...withHush, 's.mdx': bound() }]],
  [
    'a webhook',
    [{ ...now, 'openapi.json': describe({}, { webhooks: { HUSH: secret } }), 's.mdx': page(`openapi: webhook HUSH\n${admins}`) }],
  ],
  [
    'a schema',
    [
      {
        ...now,
        'openapi.json': describe({ '/a': { get: { summary: 'A', ...ok, requestBody: toHush } } }, { components: { schemas } }),
        's.mdx': page(`openapi-schema: HUSH\n${admins}`),
      },
    ],
  ],
  ['an operation whose page is kept', [{ ...withHush, 's.mdx': bound() }], { ...now, 's.mdx': bound() }],
  [
    'an operation whose page was renamed',
    [
      { ...withHush, 't.mdx': bound() },
      { ...withHush, 's.mdx': bound('public: false') },
    ],
  ],
  ['an operation that was public before', [{ ...withHush, 's.mdx': bound() }, withHush]],
  [
    'an operation that was public before, with another parameter',
    [
      { ...withHush, 's.mdx': bound() },
      { ...now, 'openapi.json': describe({ '/HUSH/{other}': secret }) },
    ],
  ],
  [
    'an operation that was public before, with another path',
    [
      { ...withHush, 'openapi.json': describe({ '/HUSH/{id}': { post: { operationId: 'a', ...ok } } }), 's.mdx': bound() },
      { ...now, 'openapi.json': describe({ '/old/hush': { post: { operationId: 'a', ...ok } } }) },
    ],
  ],
  ['an operation with a restricted page in an older version only', [now, { ...withHush, 's.mdx': bound('groups:') }]],
  ['an operation with a mark in an older version', [{ ...now, 'openapi.json': describe({ '/HUSH': marked(secret) }) }]],
  ['an operation with a mark that has no effect', [{ ...now, 'openapi.json': describe({ '/HUSH': secret, ...marked({}) }) }]],
  [
    'an operation of a docs directory that moved',
    [{ 'openapi.json': withHush['openapi.json'], 'old/docs.json': docs(), 'old/s.mdx': bound() }],
  ],
  ['an operation of a version with a page that is too large', [{ ...withHush, 's.mdx': bound() + ' '.repeat(8 * 1024 * 1024) }]],
  ['an operation of a version with a broken `docs.json`', [{ ...withHush, 'docs.json': '{' }]],
  [
    'a page in a restricted division',
    [{ ...withHush, 'docs.json': docs([{ group: 'HUSH', public: false, pages: ['s'] }]), 's.mdx': bound('icon: x') }],
  ],
  [
    'an operation that an overlay of the older version restricts',
    [{ ...withHush, 'docs.json': docsOf({ source: 'openapi.json', overlays: ['o.json'] }), 'o.json': restricting() }],
  ],
  [
    'an operation of a version without its overlay',
    [{ ...withHush, 'docs.json': docsOf({ source: 'openapi.json', overlays: ['o.json'] }) }],
  ],
  [
    'an operation that an overlay with `extends` restricts',
    [{ ...withHush, 'o.json': restricting({ extends: './openapi.json' }) }],
  ],
  [
    'an entry of a restricted division',
    [{ ...withHush, 'docs.json': docs([{ group: 'HUSH', public: false, pages: ['POST /HUSH/{id}'] }]) }],
  ],
  [
    'a document of a restricted division',
    [
      {
        ...withHush,
        'docs.json': JSON.stringify({
          name: 'P',
          navigation: { groups: [{ group: 'HUSH', public: false, openapi: 'openapi.json' }] },
        }),
      },
    ],
  ],
  [
    'a value that was public before',
    [{ ...now, 'openapi.json': property({}) }],
    { ...now, 'openapi.json': property({ 'x-mint-enum': { HUSH_7: ['a'] } }) },
  ],
  ['a constant', [{ ...now, 'openapi.json': query({ const: 'hush' }) }], { ...now, 'openapi.json': query(hushed) }],
  ['a default', [{ ...now, 'openapi.json': query({ default: 'hush' }) }], { ...now, 'openapi.json': query(hushed) }],
  [
    'a property that was elsewhere',
    [{ ...now, 'openapi.json': query({ properties: { hush: {} } }) }],
    { ...now, 'openapi.json': query({ anyOf: [{ properties: { hush: marked({}) } }] }) },
  ],
  ['a restricted value', [{ ...now, 'openapi.json': property({ 'x-mint-enum': { HUSH_7: ['a'] } }) }]],
])('the changelog does not name %s', async (_name, versions, current = now) => {
  const cache = new Map()
  // The second build uses the comparisons of the first.
  const built = [await build(current, versions, cache), await build(current, versions, cache)]
  expect(built.map((text) => /.{0,40}hush.{0,20}/i.exec(text)?.[0])).toEqual([undefined, undefined])
  expect(cache.size).toBeGreaterThan(0)
})

test('the changelog names an operation that was public', async () => {
  expect(await build(now, [{ ...withHush, 's.mdx': bound('icon: x') }], new Map())).toContain('/HUSH/{id}')
})

/** Builds the site of a history in memory, and returns its files as one text. */
async function build(current: Version, versions: readonly Version[], cache: Map<string, CachedStep>): Promise<string> {
  const older = versions.map((version) => createMemoryFiles(version))
  const tags = versions.map((_, index) => ({
    tag: `v1.0.${9 - index}`,
    sha: `${index}`,
    date: `2026-01-0${9 - index}T00:00:00Z`,
  }))
  const history = {
    listTags: async () => ({ tags, isCut: false }),
    listCommits: async () => ({ commits: [], isCut: false }),
    open: async (sha: string) => older[Number(sha)] ?? createMemoryFiles({}),
    findEarlierPath: async () => undefined,
    toUrl: () => undefined,
  }
  const readChangelogs = createReadChangelogs(history, { cache, warn: () => {}, now: () => 0 })
  const config = 'changes:\n  changelog: tags\n'
  const { files } = await siteOf(
    { ...current, 'openapi-pages.config.yaml': config },
    { readChangelogs, url: 'https://docs.example.com/' },
  )
  return Object.entries(files).flat().join('\n')
}
