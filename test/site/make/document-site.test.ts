import { expect, test } from 'vitest'
import { siteOf, siteOfDocument } from './site-of.ts'

const responses = { '200': { description: 'Done' } }
const sentence = 'Add a repository to the list of repositories allowed to use self-hosted runners in an organization'
const paths = {
  '/v1/pets': {
    get: { operationId: 'list_pets', responses },
    post: { summary: '**Create** a `pet`. It can take *long*.\n\nMore about it.', description: 'Described.', responses },
  },
  '/v1/pets/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: {} }],
    get: { operationId: 'get_pet_by_id', responses },
  },
  '/v1/plants': { put: { summary: sentence, responses }, get: { responses } },
}
const documentOf = (more: object = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://a.test' }],
    paths,
    ...more,
  })

const titleOf = (html = '') => /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1]?.trim()

test('a site of one document has short titles and groups', async () => {
  const { files, diagnostics } = await siteOfDocument('openapi.json', documentOf())
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const titles = Object.keys(files).flatMap((path) => {
    const title = titleOf(files[path])
    return /\/index\.html$/.test(path) && title !== undefined && !path.startsWith('search/')
      ? [[path.replace('/index.html', ''), title]]
      : []
  })
  expect(titles).toEqual(
    expect.arrayContaining([
      ['pets/overview', 'Pets'],
      ['pets/list-pets', 'List pets'],
      ['pets/create-a-pet', 'Create a pet'],
      ['pets/get-pet-by-id', 'Get pet by ID'],
      ['plants/overview', 'Plants'],
      [
        'plants/add-a-repository-to-the-list-of-repositories-allowed-to-use-self-hosted-runners',
        'Add a repository to the list of repositories allowed to use self-hosted runners…',
      ],
      ['plants/get-v1plants', 'Get v1 plants'],
    ]),
  )
  // The rest of the summary, once.
  const created = files['pets/create-a-pet/index.html'] ?? ''
  expect(created.match(/It can take <em>long<\/em>\.<\/p>\s*<p[^>]*>More about it\.<\/p>\s*<p[^>]*>Described\./g)).toHaveLength(1)
  expect(files['pets/create-a-pet.md']).toContain('It can take *long*.\n\nMore about it.\n\nDescribed.')
  expect(files['plants/add-a-repository-to-the-list-of-repositories-allowed-to-use-self-hosted-runners.md']).toContain(sentence)
  const search = Object.keys(files).filter((path) => path.startsWith('_search/'))
  expect(search.map((path) => files[path]).join('')).toContain('Create a pet')
  expect(files['_redirects'] ?? '').toBe('')
})

test('a site with docs.json shortens titles, and keeps paths and names as in the repository', async () => {
  const { files } = await siteOf({
    'docs.json': JSON.stringify({
      name: 'Shop',
      navigation: {
        tabs: [
          { tab: 'API', openapi: 'openapi.json' },
          { tab: 'Own', pages: ['own', 'written'] },
        ],
      },
    }),
    'own.mdx': `---\ntitle: ${sentence}\n---\n\nWords.\n`,
    // As written by an update of a former version, with an edited description.
    'written.mdx': `---\ntitle: ${sentence}\ndescription: Edited\nopenapi: PUT /v1/plants\n---\n`,
    'openapi.json': documentOf(),
  })
  expect(titleOf(files['own/index.html'])).toBe(sentence)
  expect(titleOf(files['written/index.html'])).toMatch(/^Add a repository .*runners…$/)
  expect(files['written/index.html']).toMatch(new RegExp(`${sentence}</p>\\s*<p[^>]*>Edited`))
  expect(titleOf(files['api-reference/create-a-`pet`-it-can-take-longmore-about-it/index.html'])).toBe('Create a pet')
  expect(titleOf(files['api-reference/get-v1pets/index.html'])).toBe('Get v1 pets')
  expect(files['_redirects']).toBeUndefined()
})

/** A document with a number of operations in the tags `dogs`, `puppies` inside of `dogs`, and `trees`. */
function nestedDocument(count: number): string {
  const tags = ['dogs', 'puppies', 'trees']
  return documentOf({
    openapi: '3.2.0',
    'x-tagGroups': [
      { name: 'Animals', tags: ['dogs'] },
      { name: 'Plants', tags: ['trees'] },
    ],
    tags: [
      { name: 'dogs' },
      { name: 'puppies', parent: 'dogs', description: 'Small dogs.' },
      { name: 'store', description: 'Both.' },
      { name: 'orders', parent: 'store' },
    ],
    paths: {
      ...Object.fromEntries(
        Array.from({ length: count - 1 }, (_, index) => [
          `/a${index}`,
          { get: { summary: `Get ${index}`, tags: [tags[index % 3]], responses } },
        ]),
      ),
      '/orders': { get: { summary: 'List orders', tags: ['orders'], responses } },
    },
  })
}

/** The groups of a sidebar: `>` before an open one, `-` before a closed one, `…` before one that loads its pages, and none before a heading. */
function groupsOf(html = ''): string[] {
  const side = html.slice(
    html.indexOf('<nav aria-label="Pages">'),
    html.indexOf('</nav>', html.indexOf('<nav aria-label="Pages">')),
  )
  return Array.from(
    side.matchAll(/<h2>(.*?)<\/h2>|<(details[^>]*)><summary[^>]*>(.*?)<\/summary>|(?<=<section>|<\/a>)<a [^>]*>(.*?)<\/a>/gs),
    ([, heading, group, label = '', link]) => {
      const text = (heading ?? link ?? label).replace(/<[^>]*>/g, '').trim()
      return heading === undefined ? `${group === undefined ? '…' : group.includes('open') ? '>' : '-'} ${text}` : text
    },
  )
}

test.each([
  [30, ['Animals', '> Dogs', '> Puppies', 'Plants', '> Trees', '> Store', '> Orders']],
  [31, ['Animals', '- Dogs', '- Puppies', 'Plants', '> Trees', '- Store', '- Orders']],
  [81, ['Animals', '… Dogs', 'Plants', '> Trees', '… Store']],
  [301, ['… Animals', 'Plants', '> Trees', '… Store']],
])('nests the groups of a site, which are open in an API of %i operations', async (count, expected) => {
  const { files } = await siteOfDocument('openapi.json', nestedDocument(count))
  expect(groupsOf(files['trees/get-2/index.html'])).toEqual(expected)
  // Descriptions of tags with only inner groups have a page too.
  expect(files['store/overview/index.html']).toMatch(/Both\..*List orders/s)
  expect(files['puppies/overview/index.html']).toContain('Small dogs.')
  if (count > 300)
    expect(groupsOf(files['dogs/get-0/index.html'])).toEqual(['Animals', '> Dogs', '… Puppies', '… Plants', '… Store'])
})

test.each<[string, object, string]>([
  ['the shortest path', { '/a/b': { get: { summary: 'Long' } }, '/c': { get: { summary: 'Short' } } }, 'Short https://a.test/c'],
  ['the first of them', { '/b': { get: { summary: 'First' } }, '/a': { get: { summary: 'Second' } } }, 'First https://a.test/b'],
  [
    'no deprecated operation',
    { '/a': { get: { summary: 'Old', deprecated: true } }, '/b/c': { get: { summary: 'New' } } },
    'New https://a.test/b/c',
  ],
  [
    'the servers of the API',
    { '/a': { servers: [{ url: 'https://login.test' }], get: { summary: 'Log in' } }, '/b/c': { get: { summary: 'List' } } },
    'List https://a.test/b/c',
  ],
  [
    'no unknown values',
    {
      '/a': { get: { summary: 'Search', parameters: [{ name: 'q', in: 'query', required: true, schema: {} }] } },
      '/b/c': { get: { summary: 'Find', parameters: [{ name: 'q', in: 'query', required: true, schema: { default: 1 } }] } },
    },
    'Find https://a.test/b/c?q=1',
  ],
  [
    'no parameters that are required',
    {
      '/a': { get: { summary: 'Locks', parameters: [{ name: 'q', in: 'query', required: true, example: 1, schema: {} }] } },
      '/b/c': { get: { summary: 'Me', parameters: [{ name: 'q', in: 'query', schema: {} }] } },
    },
    'Me https://a.test/b/c',
  ],
  [
    'any GET request, if all need values',
    { '/a': { post: { summary: 'Create' } }, '/a/{id}': { get: { summary: 'Get' } } },
    'Get https://a.test/a/{id}',
  ],
  ['any request', { '/a': { post: { summary: 'Create' } } }, 'Create https://a.test/a'],
])('the first request on the start page has %s', async (_, operations, expected) => {
  const paths: object = Object.fromEntries(
    Object.entries(operations).map(([path, item]: [string, object]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([key, value]: [string, object]) => [
          key,
          Array.isArray(value) ? value : { ...value, responses },
        ]),
      ),
    ]),
  )
  const { files } = await siteOfDocument('openapi.json', documentOf({ paths }))
  const start = files['index.html']?.split('aria-label="Start"')[1] ?? ''
  const [, title = ''] = /First request: <a[^>]*>(.*?)<\/a>/.exec(start) ?? []
  const [sample = ''] = start.slice(start.indexOf('<pre')).split('</pre>')
  const [url = ''] = /https:[^' \n]*/.exec(sample.replace(/<[^>]*>/g, '')) ?? []
  expect(`${title} ${url}`).toBe(expected)
})

test.each<[string, object, boolean]>([
  ['no servers', {}, true],
  ['servers of its only operation', { servers: [{ url: 'https://b.test' }] }, false],
])('the start page of a document with %s notes a placeholder host only if it uses one', async (_, item, isNoted) => {
  const { files } = await siteOfDocument(
    'openapi.json',
    documentOf({ servers: undefined, paths: { '/a': { ...item, get: { responses } } } }),
  )
  expect(files['index.html']?.includes('No server is defined.')).toBe(isNoted)
  expect(files['index.html']).not.toContain('Base URL')
})

test('shows the description of an API as Markdown with the allowed HTML, and never as MDX', async () => {
  const description =
    'See the <a href="https://a.test/guide">guide</a> for {name}.\n\n## Rates\n\n<script>a()</script>\n\nimport a from "b"'
  const { files } = await siteOfDocument('openapi.json', documentOf({ info: { title: 'Shop', version: '1', description } }))
  const page = files['index.html'] ?? ''
  expect(page).toContain('See the <a href="https://a.test/guide">guide</a> for {name}.')
  expect(page).toMatch(/<h2 id="rates"/)
  expect(page).toContain('import a from &quot;b&quot;')
  expect(page).not.toContain('a()')
  expect(files['index.md']).toContain('See the [guide](https://a.test/guide) for {name}.')
})

test('tags that no page is about have their text on the start page, except those of operations that are left out', async () => {
  const tags = [
    { name: 'used', description: 'Text of used' },
    { name: 'guide', 'x-displayName': 'The guide', description: 'Text of **guide**', externalDocs: { url: 'https://a.test/g' } },
    { name: 'second', description: 'Text of second' },
    { name: 'secret', description: 'Text of secret' },
    { name: 'silent' },
  ]
  const operations = {
    '/a': { get: { tags: ['used', 'second'], responses }, put: { tags: ['secret'], 'x-excluded': true, responses } },
  }
  const { files } = await siteOfDocument('openapi.json', documentOf({ tags, paths: operations }))
  const { 'index.md': markdown = '', 'index.html': html = '' } = files
  expect(markdown).toContain('## The guide\n\nText of **guide**\n\nhttps://a.test/g\n\n## Second\n\nText of second\n')
  expect(html).toMatch(/>The guide<\/a>.*Text of <strong>guide<\/strong>.*href="https:\/\/a.test\/g".*Text of second/s)
  expect(markdown + html).not.toMatch(/Text of secret|## Used|Silent/)
})

test.each(['404', 'print', 'search', 'skill', '_headers', '_assets', '_redirects'])(
  'a site has its own files beside operations and tags named %s',
  async (name) => {
    const own = (await siteOfDocument('openapi.json', documentOf())).files
    const operations = {
      '/a': { get: { summary: name, responses }, put: { tags: [name], summary: 'index', responses } },
      '/b': { get: { tags: [name], summary: name, responses } },
    }
    const { files, diagnostics } = await siteOfDocument('openapi.json', documentOf({ paths: operations }))
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const names = ['404.html', 'print.html', 'search/index.html', 'skill.md', '_headers']
    for (const path of names) expect(titleOf(files[path]), path).toBe(titleOf(own[path]))
    const paths = Object.keys(files)
    const folders = new Set(
      paths.flatMap((path) =>
        path
          .split('/')
          .slice(0, -1)
          .map((_, index, all) => all.slice(0, index + 1).join('/')),
      ),
    )
    expect(paths.filter((path) => folders.has(path))).toEqual([])
    expect(files['llms.txt']?.match(/GET|PUT|\.md/g)?.length).toBeGreaterThanOrEqual(3)
  },
)

test('the Markdown of an operation has the sample of each body', async () => {
  const file = { type: 'string', format: 'binary' }
  const content = {
    'application/json': { schema: { type: 'object', properties: { id: { readOnly: true } } }, example: { id: 7, n: 1 } },
    'multipart/form-data': { schema: { type: 'object', properties: { file } } },
    'application/xml': { schema: { type: 'object', xml: { name: 'pet' } }, example: { n: 2 } },
  }
  const post = { summary: 'Add', requestBody: { content }, responses }
  const { files } = await siteOfDocument('openapi.json', documentOf({ paths: { '/a': { post } } }))
  const samples = /## Sample\n(.*)/s.exec(files['add.md'] ?? '')?.[1]
  expect(samples).toMatch(/"n": 1\n.*multipart\/form-data:\n.* -F file=@file\.bin\n.*application\/xml:\n.*<pet>\n +<n>2<\/n>/s)
  expect(samples).not.toContain('"id"')
})
