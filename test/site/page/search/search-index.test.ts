import { describe, expect, test } from 'vitest'
import type { SearchEntry } from '../../../../src/site/page/search/search-entry.ts'
import { renderSearchIndex } from '../../../../src/site/page/search/search-index.ts'
import {
  findInAll,
  hasFullMatch,
  listParts,
  type NameShard,
  openIndex,
  type ParameterShard,
  type SearchCategory,
  type SearchFilter,
  type TextShard,
} from '../../../../src/site/search/find-hits.ts'
import { splitWords } from '../../../../src/site/search/search-words.ts'

const entry = (route: string, more: Partial<SearchEntry>): SearchEntry => ({
  route,
  kind: 'page',
  category: 'guides',
  boost: undefined,
  title: route,
  method: undefined,
  path: undefined,
  operationId: undefined,
  about: '',
  names: [],
  part: [],
  sections: [],
  ...more,
})

const operation = (method: string, path: string, title: string, names: string[] = [], part: string[] = []) =>
  entry(`api/${method.toLowerCase()}${path.replace(/[{}]/g, '')}`, { kind: 'operation', method, path, title, names, part })

const entries: readonly SearchEntry[] = [
  operation('GET', '/repos/{owner}/{repo}/issues', 'List repository issues', ['owner', 'repo', 'per_page', 'createdAfter']),
  operation('POST', '/repos/{owner}/{repo}/issues', 'Create an issue', ['owner', 'repo', 'title', 'assignees']),
  operation('DELETE', '/repos/{owner}/{repo}', 'Delete a repository', ['owner', 'repo']),
  operation('GET', '/pets', 'List pets', ['limit'], ['v1']),
  operation('GET', '/pets', 'List pets', ['limit', 'cursor'], ['v2']),
  { ...operation('POST', '/orgs/{org}/invitations', 'Create an organization invitation', ['email']), operationId: 'orgs/invite' },
  { ...operation('GET', '/issues', 'List issues of a user', ['sort_by']), operationId: 'issues/list' },
  { ...operation('GET', '/orgs/{org}/issues', 'List issues of an organization', []), operationId: 'issues/list-for-org' },
  entry('schemas/invitation', { kind: 'schema', title: 'OrganizationInvitation', path: 'object', names: ['email', 'sort_by'] }),
  entry('guides/access', {
    title: 'Access',
    sections: [
      { id: 'authentication', heading: 'Authentication', text: 'Send a token. Sort with sort_by.' },
      { id: 'two-factor-authentication-of-users', heading: 'Two-factor authentication of users', text: '' },
    ],
  }),
  { ...operation('GET', '/issues/{id}', 'List issues of a user by ID'), operationId: 'issues/get' },
  {
    ...operation('POST', '/reports', 'Create a report', ['issueTypes', 'locale']),
    words: 'Recalculates totals overnight refused regulatory reasons',
  },
  ...[
    operation('GET', '/orgs/{org}/runner-groups/{runner_group_id}', 'Get a runner group of an organization', ['runner_group_id']),
    operation('GET', '/orgs/{org}/runner-groups/{runner_group_id}/runners', 'List self-hosted runners'),
    operation(
      'PUT',
      '/orgs/{org}/runner-groups/{runner_group_id}/runners/{runner_id}',
      'Add a runner to a group of an organization',
    ),
  ].map((runner) => ({ ...runner, about: 'Returns a report' })),
  ...['IssuesGet', 'IssueTypes', ...Array.from({ length: 6 }, (_, at) => `Report${at}`)].map((title) =>
    entry(`schemas/${title}`, { kind: 'schema', title, path: 'object' }),
  ),
  entry('guides/locales', { title: 'Languages', sections: [{ id: '', heading: 'Usage', text: 'Choose a locale' }] }),
  {
    ...entry('schemas/issue', { kind: 'schema', title: 'Issue', path: 'object, 2 properties', names: ['title', 'body'] }),
    words: 'state refusedForRegulatoryReasons',
  },
  entry('guides/start', {
    title: 'Quickstart',
    path: 'The first request',
    part: ['v2'],
    sections: [
      { id: '', heading: '', text: 'Create a token, send a first request' },
      { id: 'zebra', heading: 'About zebras', text: 'They have stripes and café' },
      { id: 'a-zorses-coat', heading: 'A zorse’s coat', text: 'Half of it' },
    ],
  }),
  entry('guides/japanese', { title: '認証の概要' }),
]

const files = renderSearchIndex(entries)
const read = (name: string): unknown => JSON.parse(String(files.find(({ path }) => path === `_search/${name}`)?.content))
const index = openIndex(read('names.json') as NameShard) // Written above.
index.addParameters(read('parameters.json') as ParameterShard)
index.addTexts(read('text-0.json') as TextShard)
const find = (query: string, from = '') =>
  findInAll([index], query, from, 10).map(({ method, title, anchor }) =>
    `${method} ${title}${anchor === '' ? '' : `#${anchor}`}`.trim(),
  )

describe('the best result', () => {
  test.each([
    ['create iss', 'POST Create an issue'],
    ['POST issues', 'POST Create an issue'],
    ['/repos/{owner}/{repo}', 'DELETE Delete a repository'],
    ['repos owner repo issues', 'GET List repository issues'],
    ['perPage', 'GET List repository issues'],
    ['per_page', 'GET List repository issues'],
    ['created_after', 'GET List repository issues'],
    ['assignes', 'POST Create an issue'],
    ['issue', 'POST Create an issue'],
    ['issue schema', 'Issue'],
    ['quick', 'Quickstart'],
    ['stripes', 'Quickstart#zebra'],
    ['zebras', 'Quickstart#zebra'],
    ['cafe', 'Quickstart#zebra'],
    ['what are the stripes', 'Quickstart#zebra'],
    ['zorse', 'Quickstart#a-zorses-coat'],
    ['概要', '認証の概要'],
    ['cursor', 'GET List pets'],
    ['invite to organization', 'POST Create an organization invitation'],
    ['inviting', 'POST Create an organization invitation'],
    ['how do I authenticate', 'Access#authentication'],
    ['authenticating', 'Access#authentication'],
    ['issues/list', 'GET List issues of a user'],
    ['issuesList', 'GET List issues of a user'],
    ['orgs/invite', 'POST Create an organization invitation'],
    ['GET /issues', 'GET List issues of a user'],
    ['/repos/octocat/hello/issues', 'GET List repository issues'],
    ['POST /repos/:owner/:repo/issues', 'POST Create an issue'],
    ['https://api.example.com/v3/orgs/octo/issues?page=2', 'GET List issues of an organization'],
    ['/orgs/{org}/runner-groups/{runner_group_id}/runners', 'GET List self-hosted runners'],
    ['/orgs/octo/runner-groups/42/runners', 'GET List self-hosted runners'],
    ['issues/get', 'GET List issues of a user by ID'],
    ['List issues of a user', 'GET List issues of a user'],
    ['sort_by', 'GET List issues of a user'],
    ['runner_id', 'PUT Add a runner to a group of an organization'],
    ['issueTypes', 'POST Create a report'],
    ['locale', 'POST Create a report'],
    ['locales', 'POST Create a report'],
    ['overnight report', 'POST Create a report'],
    ['refusedForRegulatoryReasons', 'Issue'],
    ['languages', 'Languages'],
    ['email', 'POST Create an organization invitation'],
    ['delete my old repository please', 'DELETE Delete a repository'],
    ['list pets of nobody', 'GET List pets'],
  ])('for %j is %s', (query, expected) => expect(find(query)[0]).toBe(expected))

  test('is followed by results with some of the words', () => {
    expect(find('list issues of an organization')).toEqual(expect.arrayContaining(['GET List repository issues']))
  })

  test.each([
    ['report', 'ossooo'],
    ['report schema', 'ssssss'],
  ])('for %j is followed by results of the kinds %s', (query, expected) => {
    const kinds = findInAll([index], query, '', 6).map(({ kind }) => kind.charAt(0))
    expect(kinds.join('')).toBe(expected)
  })

  test('is from the division of the current page', () => {
    expect(findInAll([index], 'list pets', 'guides/start', 1)[0]).toMatchObject({ part: '', detail: '/pets' })
    expect(findInAll([index], 'list pets', 'api/get/pets', 2).map(({ part }) => part)).toEqual(['', 'v2'])
  })

  test('matches words across titles and parameters, which are loaded later', () => {
    const early = openIndex(read('names.json') as NameShard)
    expect(hasFullMatch(early.find('issue assignees', [], 5))).toBe(false)
    early.addParameters(read('parameters.json') as ParameterShard)
    const hits = early.find('issue assignees', [], 5)
    expect(hits[0]).toMatchObject({ title: 'Create an issue', detail: '/repos/{owner}/{repo}/issues · assignees' })
    expect(hasFullMatch(hits)).toBe(true)
  })

  test('shows the matching parameter', () =>
    expect(findInAll([index], 'created after', '', 1)[0]?.detail).toBe('/repos/{owner}/{repo}/issues · createdAfter'))

  test.each(['', '   ', '!!!', '}{', '__proto__', 'constructor', 'xyzzyxyzzy', '<script>'])('does not exist for %j', (query) =>
    expect(find(query)).toEqual([]),
  )
})

describe('a filter', () => {
  const routesOf = (query: string, filter: SearchFilter) => findInAll([index], query, '', 30, filter).map(({ route }) => route)

  test.each([
    ['guides', /^guides\//],
    ['reference', /^api\//],
    ['schemas', /^schemas\//],
  ] as const)('keeps the results of %s in their order', (category, expected) => {
    const all = findInAll([index], 'issues', '', 100).map(({ route }) => route)
    const some = routesOf('issues', { category })
    expect(some.every((route) => expected.test(route))).toBe(true)
    if (category === 'reference') expect(some).toEqual(all.filter((route) => expected.test(route)))
  })

  test('has pages of an API and changelogs in their categories', () => {
    const pages = [
      entry('start', { title: 'Pets API', category: 'reference' }),
      entry('news', { title: 'Pets news', category: 'changelog' }),
      entry('guide', { title: 'Pets guide' }),
    ]
    const opened = openIndex(JSON.parse(String(renderSearchIndex(pages)[0]?.content)) as NameShard)
    expect([...opened.categories]).toEqual(['reference', 'changelog', 'guides'])
    const found = (category?: SearchCategory) => opened.find('pets', [], 5, { category }).map(({ route }) => route)
    expect([found('reference'), found('changelog'), found('guides'), found('schemas')]).toEqual([
      ['start'],
      ['news'],
      ['guide'],
      [],
    ])
    expect(opened.listFirst(5, { category: 'changelog' }).map(({ route }) => route)).toEqual(['news'])
  })

  test('keeps the results of a division, and of those inside of it', () => {
    expect(routesOf('list pets', { part: ['v2'] })).toEqual(['api/get/pets'])
    expect(findInAll([index], 'pets', '', 5, { part: ['v2'] })[0]?.part).toBe('v2')
    expect(routesOf('pets', { part: ['v3'] })).toEqual([])
  })
})

test.each([
  ['one division', [['API']], []],
  ['tabs', [['Guides'], ['API']], ['Guides', 'API']],
  [
    'tabs of one version',
    [
      ['v2', 'Guides'],
      ['v2', 'API'],
    ],
    ['v2 · Guides', 'v2 · API'],
  ],
  ['a product with one tab', [['Pay', 'API'], ['Ship']], ['Pay', 'Ship']],
  ['pages outside of tabs', [[], ['API']], ['API']],
  [
    'products with tabs',
    [
      ['Pay', 'Guides'],
      ['Pay', 'API'],
      ['Ship', 'API'],
    ],
    ['Pay', 'Pay · Guides', 'Pay · API', 'Ship'],
  ],
])('readers can choose among %s', (_, parts, expected) => {
  const pages = parts.map((part, at) => entry(`page${at}`, { part }))
  const opened = openIndex(JSON.parse(String(renderSearchIndex(pages)[0]?.content)) as NameShard)
  expect(listParts([opened]).map((part) => part.join(' · '))).toEqual(expected)
})

describe('a boost', () => {
  const titles = ['Install the server', 'Install the client', 'Install']
  const order = (boosts: readonly (number | undefined)[]) => {
    const pages = titles.map((title, at) => entry(title, { title, boost: boosts[at] }))
    const opened = openIndex(JSON.parse(String(renderSearchIndex(pages)[0]?.content)) as NameShard)
    return opened.find('install', [], 5).map(({ title }) => title)
  }

  test('multiplies the rating of a page', () => {
    expect(order([])).toEqual(['Install', 'Install the server', 'Install the client'])
    expect(order([undefined, 3])).toEqual(['Install the client', 'Install', 'Install the server'])
    expect(order([undefined, undefined, 0.1])).toEqual(['Install the server', 'Install the client', 'Install'])
  })

  test('takes no space without a page that has one', () => {
    const pages = titles.map((title) => entry(title, { title }))
    expect(renderSearchIndex(pages.map((page) => ({ ...page, boost: 1 })))).toEqual(renderSearchIndex(pages))
  })
})

test('shows the matching part of a section', () => {
  const text = `${'Other words come first. '.repeat(12)}Rotate the token every week.`
  const pages = [entry('guide', { title: 'Security', sections: [{ id: 'tokens', heading: 'Credentials', text }] })]
  const [names, texts] = renderSearchIndex(pages)
  const opened = openIndex(JSON.parse(String(names?.content)) as NameShard)
  opened.addTexts(JSON.parse(String(texts?.content)) as TextShard)
  expect(opened.find('rotate tokens', [], 1)).toMatchObject([
    {
      title: 'Security',
      detail: 'Credentials',
      anchor: 'tokens',
      snippet: expect.stringMatching(/^… .*Rotate the token every week\.$/),
      terms: expect.arrayContaining(['rotate', 'token']),
    },
  ])
  // `the` is the beginning of other words, which are not marked.
  expect(opened.find('the tokens', [], 1)[0]?.terms).toEqual(['token'])
})

describe('the index', () => {
  test('is deterministic', () => expect(renderSearchIndex(entries)).toEqual(files))
  test('can be empty', () => {
    const [empty, ...more] = renderSearchIndex([])
    expect(more).toEqual([])
    expect(openIndex(JSON.parse(String(empty?.content)) as NameShard).find('a', [], 5)).toEqual([])
  })
})

test.each([
  ['perPage', ['per', 'page', 'perpage']],
  ['X-Rate_limit', ['x', 'rate', 'limit', 'xratelimit']],
  ['HTTPServer2Go', ['http', 'server2', 'go', 'httpserver2go']],
  ['/repos/{owner}', ['repos', 'owner']],
  ['Été', ['ete']],
  ['認証の', ['認証', '証の']],
])('splitWords(%j)', (text, terms) => expect(splitWords(text)).toEqual(terms))
