import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { planOpenApiFile } from '../../../src/docs/pages/plan-openapi-file.ts'
import { describeOpenApi } from '../../support/describe-openapi.ts'

/**
 * The observed rules of the `openapi-file` command of `@mintlify/scraping` 4.0.1053. `here:` marks intentional differences, which
 * are listed in `docs/migrating.md`.
 */
const responses = { 200: { description: 'Fine' } }

interface Given {
  readonly method?: string
  readonly path?: string
  readonly webhook?: string
  readonly operation?: object
}

async function plan(given: readonly Given[], { outDir = '', more = {} }: { outDir?: string; more?: object } = {}) {
  const paths: { [path: string]: object } = {}
  const webhooks: { [name: string]: object } = {}
  for (const { method = 'get', path = '/x', webhook, operation = {} } of given) {
    const items = webhook === undefined ? paths : webhooks
    const name = webhook ?? path
    items[name] = { ...items[name], [method]: { responses, ...operation } }
  }
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, webhooks, ...more })
  return planOpenApiFile(await describeOpenApi(text), { outDir, schemas: false })
}

const pathsOf = async (...given: Parameters<typeof plan>) => (await plan(...given)).files.map(({ path }) => path)
const contentOf = async (...given: Parameters<typeof plan>) => (await plan(...given)).files[0]?.content

describe('order of operations', () => {
  test('paths are in document order, methods in a fixed order, webhooks last', async () => {
    const methods = ['trace', 'patch', 'head', 'options', 'delete', 'post', 'put', 'get']
    const given = [
      { webhook: 'later', method: 'post' },
      { path: '/b', method: 'get' },
      ...methods.map((method) => ({ path: '/a', method })),
    ]
    expect(await pathsOf(given)).toEqual([
      'get-b.mdx',
      ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].map((method) => `${method}-a.mdx`),
      'later.mdx',
    ])
  })

  test('only the first tag matters, `operationId` and the order of `tags` do not', async () => {
    const { files, navigation } = await plan(
      [
        { path: '/a', operation: { tags: ['Second', 'First'], operationId: 'zzz' } },
        { path: '/b', operation: { tags: ['First'] } },
      ],
      { more: { tags: [{ name: 'First' }, { name: 'Second' }] } },
    )
    expect(files.map(({ path }) => path)).toEqual(['second/get-a.mdx', 'first/get-b.mdx'])
    expect(navigation.map(({ group }) => group)).toEqual(['Second', 'First'])
  })
})

describe('page paths', () => {
  const big = `Get bill: the "big" one, it's (really) 100% & more / less?`
  test.each<[string, Given, string]>([
    ['a summary', { operation: { summary: 'List all users' } }, 'list-all-users'],
    ['no summary', { path: '/users' }, 'get-users'],
    ['a parameter at the end', { path: '/users/{id}' }, 'get-users'],
    ['a parameter inside', { path: '/users/{id}/posts' }, 'get-users-posts'],
    ['two parameters and a dot', { path: '/a/{x}/b/{y}.json' }, 'get-a-b-json'],
    ['slashes and dots go', { path: '/api/v1/users.list' }, 'get-apiv1userslist'],
    [
      'special characters, except those that are invalid on Windows',
      { method: 'put', path: '/odd_path/With-Upper/and~tilde:action/@me' },
      'put-odd_pathwith-upperand~tildeaction@me',
    ],
    ['the root', { path: '/' }, 'get-'],
    ['parameters only', { path: '/{a}/{b}' }, 'get--'],
    ['signs that break a URL go', { operation: { summary: big } }, 'get-bill-the-big-one-its-really-100-&-more-less'],
    ['Unicode stays', { operation: { summary: 'Über Straße 日本' } }, 'über-straße-日本'],
    ['one dash at each end goes', { operation: { summary: '  Lead and trail - ' } }, '-lead-and-trail-'],
    ['double dashes, once', { operation: { summary: 'a -- b --- c' } }, 'a--b---c'],
    ['a slash in a summary', { operation: { summary: 'A / one' } }, 'a-one'],
    ['dots and brackets in a summary', { operation: { summary: 'v1.0 (beta)' } }, 'v10-beta'],
    ['a tag of odd signs', { operation: { summary: 'X', tags: [`Tag/With {Odd}. (Chars), & 'q'`] } }, 'tagwith--chars-&-q/x'],
    ['a tag of two words', { operation: { summary: 'X', tags: ['Billing Stuff'] } }, 'billing-stuff/x'],
    ['an empty name is that of the folder', { operation: { summary: '()', tags: ['A/B c'] } }, 'ab-c'],
    [
      'a webhook with a summary',
      { webhook: 'x', method: 'post', operation: { summary: 'order.shipped Event' } },
      'ordershipped-event',
    ],
    ['a webhook without', { webhook: 'orderShipped', method: 'post' }, 'ordershipped'],
  ])('%s', async (_, given, expected) => {
    expect(await pathsOf([given])).toEqual([`${expected}.mdx`])
  })

  test('duplicate names in a group get -1, -2 in processing order', async () => {
    const operation = { tags: ['T'], summary: 'Same' }
    const given = ['get', 'put', 'post', 'patch'].map((method) => ({ method, operation }))
    const { navigation } = await plan(given)
    expect(navigation).toEqual([{ group: 'T', pages: ['t/same', 't/same-1', 't/same-2', 't/same-3'] }])
    expect(await pathsOf([{ path: '/users' }, { path: '/users/{id}' }])).toEqual(['get-users.mdx', 'get-users-1.mdx'])
  })

  test('paths are lowercase, including the directory', async () => {
    expect(await pathsOf([{ operation: { summary: 'A B', tags: ['C D'] } }], { outDir: 'Out/Dir' })).toEqual([
      'out/dir/c-d/a-b.mdx',
    ])
  })

  // The four cases in which the original command loses a page.
  test.each<[string, readonly Given[], readonly string[], string]>([
    [
      'an uppercase directory',
      [
        { method: 'get', operation: { summary: 'Same' } },
        { method: 'put', operation: { summary: 'same' } },
      ],
      ['out/dir/same.mdx', 'out/dir/same-1.mdx'],
      'Out/Dir',
    ],
    [
      'a hidden operation with the same name',
      [
        { method: 'get', operation: { summary: 'Same', 'x-hidden': true } },
        { method: 'put', operation: { summary: 'Same' } },
      ],
      ['same.mdx'],
      '',
    ],
    [
      'two tags with the same directory',
      [
        { method: 'get', operation: { tags: ['A.B'], summary: 'Same' } },
        { method: 'put', operation: { tags: ['AB'], summary: 'Same' } },
      ],
      ['ab/same.mdx', 'ab/same-1.mdx'],
      '',
    ],
    [
      'an `href` equal to the path of another page',
      [
        { method: 'get', operation: { summary: 'Same' } },
        { method: 'put', operation: { summary: 'Other', 'x-mint': { href: '/same' } } },
      ],
      ['same.mdx', 'same-1.mdx'],
      '',
    ],
  ])('here: keeps all pages with %s', async (_, given, expected, outDir) => {
    const { files, navigation } = await plan(given, { outDir })
    expect(files.map(({ path }) => path)).toEqual(expected)
    expect(navigation.flatMap(({ pages }) => pages).map((page) => `${page}.mdx`)).toEqual(expected)
  })
})

describe('page content', () => {
  test('matches the original byte for byte', async () => {
    expect(await contentOf([{ path: '/users/{userId}', operation: { deprecated: true } }])).toBe(
      '---\nopenapi: get /users/{userId}\ndeprecated: true\n---',
    )
    expect(await contentOf([{ operation: { summary: 'A', description: 'B', deprecated: false } }])).toBe(
      '---\nopenapi: get /x\n---',
    )
  })

  test('has openapi, version, deprecated, other metadata and groups in this order', async () => {
    const metadata = { icon: 'star', openapi: 'no', version: 'v2', deprecated: false, sidebarTitle: 'Short' }
    const operation = { deprecated: true, 'x-mint': { metadata } }
    expect(await contentOf([{ operation }])).toBe(
      '---\nopenapi: get /x\nversion: v2\ndeprecated: false\nicon: star\nsidebarTitle: Short\n---',
    )
  })

  test('has unchanged content after one empty line', async () => {
    const operation = { 'x-mint': { content: '\n## More\n\n<Card />\n\n' } }
    expect(await contentOf([{ operation }])).toBe('---\nopenapi: get /x\n---\n\n\n## More\n\n<Card />\n\n')
  })

  test('binds a webhook', async () => {
    expect(await contentOf([{ webhook: 'plantAdded', method: 'post' }])).toBe('---\nopenapi: webhook plantAdded\n---')
  })

  test('here: writes lists and objects as YAML, and quotes unsafe values', async () => {
    const metadata = { list: ['a', 'b'], object: { a: 1 }, title: 'Custom: "Title"' }
    const content = await contentOf([{ operation: { 'x-mint': { metadata, groups: ['beta', 'vip'] } } }])
    expect(load(content?.split('---')[1] ?? '')).toEqual({ openapi: 'get /x', ...metadata, groups: ['beta', 'vip'] })
    const webhook = await contentOf([{ webhook: 'order: new', method: 'post' }])
    expect(load(webhook?.split('---')[1] ?? '')).toEqual({ openapi: 'webhook order: new' })
  })
})

describe('extensions', () => {
  test.each<[unknown, number]>([
    [true, 0],
    ['no', 0],
    [1, 0],
    [false, 1],
    [null, 1],
  ])('`x-excluded: %j` leaves %d pages', async (value, count) => {
    const { files, navigation } = await plan([{ operation: { 'x-excluded': value } }])
    expect([files.length, navigation.length]).toEqual([count, count])
  })

  test.each([true, 'no', 0, ''])('here: `x-hidden: %j` has no page and no navigation entry', async (value) => {
    expect(await plan([{ operation: { 'x-hidden': value } }])).toMatchObject({ files: [], navigation: [] })
  })

  test('`href` is relative to the working directory, and the group follows from the tag', async () => {
    const operation = { tags: ['T'], 'x-mint': { href: '/Custom/Place/my page' } }
    const { files, navigation } = await plan([{ operation }], { outDir: 'out' })
    expect(files.map(({ path }) => path)).toEqual(['custom/place/my page.mdx'])
    expect(navigation).toEqual([{ group: 'T', pages: ['custom/place/my page'] }])
  })

  test('`x-group` only changes the group label', async () => {
    const { files, navigation } = await plan([{ operation: { tags: ['t'], summary: 'A' } }], {
      more: { tags: [{ name: 't', 'x-group': 'The Ts' }] },
    })
    expect([files[0]?.path, navigation[0]?.group]).toEqual(['t/a.mdx', 'The Ts'])
  })

  test('an operation without a tag is in the group API Reference and in no directory', async () => {
    expect((await plan([{}])).navigation).toEqual([{ group: 'API Reference', pages: ['get-x'] }])
  })
})
