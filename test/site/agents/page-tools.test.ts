import { describe, expect, test } from 'vitest'
import { cutPage, findSection } from '../../../src/site/agents/page-excerpt.ts'
import { createPageTools, describeFailure } from '../../../src/site/agents/site-tools.ts'
import type { SearchEntry } from '../../../src/site/page/search/search-entry.ts'
import { renderSearchIndex } from '../../../src/site/page/search/search-index.ts'
import { openSiteIndex, readSearchScopes } from '../../../src/site/search/find-hits.ts'

const entry = (route: string, title: string, more: Partial<SearchEntry> = {}): SearchEntry => ({
  route,
  kind: 'page',
  title,
  method: undefined,
  path: undefined,
  operationId: undefined,
  about: '',
  category: 'guides',
  boost: undefined,
  names: [],
  part: ['Docs'],
  sections: [],
  ...more,
})

const files = renderSearchIndex([
  entry('', 'Start'),
  entry('limits', 'Rate limits', { sections: [{ id: 'per-minute', heading: 'Per minute', text: 'Sixty requests' }] }),
  entry('pets/list', 'List pets', { kind: 'operation', method: 'GET', path: '/pets', names: ['cursor'], part: ['Docs', 'API'] }),
  entry('pets/get', 'Get a pet', { kind: 'operation', method: 'GET', path: '/pets/{id}', part: ['Docs', 'API'] }),
])

const long = `# Long\n\n${'A line of text.\n'.repeat(3_000)}`
const markdown: Readonly<Record<string, string>> = {
  '': '# Start\n',
  limits: '# Rate limits\n\n## Per minute\n\nSixty requests\n\n### Bursts\n\nTen\n\n## Per day\n\nMany\n',
  'pets/list':
    '> ## Documentation Index\n> All pages are listed at /llms.txt\n>\n> ## Agent Instructions\n> Be brief.\n\n# List pets\n',
  'pets/get': '> ## Documentation Index\n> All pages are listed at /llms.txt\n\n# Get a pet\n',
  long,
}

const tools = createPageTools({
  indexes: async () => {
    const index = await openSiteIndex(0, async (path) => {
      const content = files.find((file) => file.path === path)?.content
      return typeof content === 'string' ? content : undefined
    })
    return index ? [index] : []
  },
  markdown: async (route) => markdown[route],
  document: async () => undefined,
})

async function call(name: string, args: unknown): Promise<string> {
  const tool = tools.find((each) => each.name === name)
  try {
    return (await tool?.run(args)) ?? ''
  } catch (error) {
    return `error: ${describeFailure(error)}`
  }
}

describe('search', () => {
  test('returns one line per page, without labels that all have', async () => {
    expect(await call('search', { query: 'pets' })).toBe(
      '- /pets/list · List pets · GET /pets\n- /pets/get · Get a pet · GET /pets/{id}\n',
    )
    expect(await call('search', { query: 'sixty' })).toBe('- /limits#per-minute · Rate limits · Per minute\n')
  })

  test('returns at most `limit` pages', async () => {
    expect((await call('search', { query: 'pets', limit: 1 })).trimEnd().split('\n')).toHaveLength(1)
  })

  test('says that there are no results', async () => {
    expect(await call('search', { query: 'xylophone' })).toBe('No results for `xylophone`. Try fewer or other words.')
  })

  test.each([
    [{}, 'Missing argument `query`'],
    [{ q: 'pets' }, 'Unexpected argument `q`'],
    [{ query: 3 }, 'Invalid argument `query`'],
    [{ query: 'pets', limit: 1_000 }, 'Invalid argument `limit`'],
    ['pets', 'Missing argument `query`'],
  ])('rejects %j', async (args, message) => {
    expect(await call('search', args)).toContain(`error: ${message}`)
  })
})

describe('read_page', () => {
  test.each([
    ['/', '# Start\n'],
    ['limits', markdown['limits']],
    ['/limits/', markdown['limits']],
    ['limits.md', markdown['limits']],
    ['https://docs.example.com/limits', markdown['limits']],
    ['/limits#per-minute', '## Per minute\n\nSixty requests\n\n### Bursts\n\nTen\n'],
    ['/limits#unknown', markdown['limits']],
    ['GET /pets', '> ## Agent Instructions\n> Be brief.\n\n# List pets\n'],
    ['get /pets/{id}', '# Get a pet\n'],
  ])('reads %s', async (page, text) => {
    expect(await call('read_page', { page })).toBe(text)
  })

  test('names similar pages if there is none', async () => {
    expect(await call('read_page', { page: '/guides/rate-limits' })).toBe(
      'error: There is no page `/guides/rate-limits`. Pages with similar names:\n- /limits · Rate limits',
    )
    expect(await call('read_page', { page: 'POST /pets' })).toContain('error: There is no page `POST /pets`.')
  })

  test('returns a long page in parts that add up to the page', async () => {
    let whole = ''
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const text = await call('read_page', { page: '/long', offset })
      const next: string | undefined = /offset (\d+)\.\]$/.exec(text)?.[1]
      whole += next === undefined ? text : text.slice(0, text.lastIndexOf('\n[Characters'))
      offset = next === undefined ? undefined : Number(next)
    }
    expect(whole).toBe(long)
    expect(await call('read_page', { page: '/long', offset: 1_000_000 })).toContain('error: Unexpected offset')
  })
})

describe('excerpts', () => {
  test('end at a line, and never inside a character', () => {
    expect(cutPage('one\ntwo\nthree', 0, 9)).toEqual({ text: 'one\ntwo\n', next: 8 })
    expect(cutPage('a😀b', 0, 2)).toEqual({ text: 'a', next: 1 })
    expect(cutPage('one', 1, 5)).toEqual({ text: 'ne', next: undefined })
  })

  test('ignore headings in code', () => {
    const page = '# A\n\n```sh\n# install\n```\n\n## `install` [it](/x)\n\nText\n'
    expect(findSection(page, 'install-it')).toBe('## `install` [it](/x)\n\nText\n')
    expect(findSection(page, 'install')).toBeUndefined()
  })
})

test('reads the indexes that a page uses', () => {
  expect(readSearchScopes('<head><meta name="search" content="0 3"></head>')).toEqual([0, 3])
  expect(readSearchScopes('<head></head>')).toEqual([0])
})
