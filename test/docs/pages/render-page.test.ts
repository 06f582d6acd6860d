import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { pageTitle, renderPage, toFrontmatterYaml } from '../../../src/docs/pages/generated-page.ts'
import { parsePageFrontmatter } from '../../../src/docs/pages/page-bindings.ts'
import { listSubjects, type PageSubject } from '../../../src/docs/pages/subjects.ts'
import { toWellFormed } from '../../../src/text/plain/escape-text.ts'
import { arbitraryText } from '../../support/arbitrary-text.ts'
import { describeOpenApi } from '../../support/describe-openapi.ts'
import { fc, propertyRuns } from '../../support/properties.ts'

const subject: PageSubject = {
  binding: { kind: 'operation', file: undefined, method: 'get', pathTemplate: '/pets' },
  target: 'GET /pets',
  operationId: undefined,
  summary: 'List',
  description: undefined,
  tag: undefined,
  deprecated: undefined,
  hidden: false,
  excluded: false,
  mint: undefined,
  parameters: [],
  file: 'openapi.yaml',
  pointer: '',
}

test('orders keys, lets metadata override all but the binding, and ends with one newline', () => {
  const metadata = { icon: 'star', openapi: 'other', description: 'Mine', title: 'Title', deprecated: false }
  const mint = { metadata, content: '\n\nText\r\nmore\n\n', href: undefined, groups: ['beta'] }
  expect(renderPage({ ...subject, description: 'x', deprecated: true, mint }, { document: 'a/b.yaml', version: 'v1' })).toBe(
    '---\ntitle: Title\ndescription: Mine\nopenapi: a/b.yaml GET /pets\nversion: v1\ndeprecated: false\nicon: star\ngroups:\n  - beta\n---\n\nText\nmore\n',
  )
})

test('binds to a document by its URL', () => {
  expect(renderPage(subject, { document: 'https://example.com/a.json', version: undefined })).toBe(
    '---\ntitle: List\nopenapi: https://example.com/a.json GET /pets\n---\n',
  )
})

test.each(['2020-01-01', 'yes', '1_000', '0x1f', '12:30:00', 'null', '~', '1e3', '---', 'a: b', '# x'])(
  'keeps %j a string',
  (text) => {
    const page = renderPage({ ...subject, summary: text, description: text }, { document: text, version: text })
    const values = parsePageFrontmatter(page)?.values
    expect(values).toEqual({ title: text, description: text, openapi: `${text} GET /pets`, version: text })
    expect(parse(page.split(/^---$/m)[1] ?? '', { version: '1.1' })).toEqual(values)
  },
)

test('writes any strings as valid YAML', () => {
  const text = arbitraryText({ minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(text, text, fc.dictionary(text, fc.jsonValue()), (summary, description, metadata) => {
      const page = renderPage(
        { ...subject, summary, description, mint: { metadata, content: undefined, href: undefined, groups: undefined } },
        { document: 'a.yaml', version: undefined },
      )
      expect(page).toMatch(/^---\n[\s\S]*\n---\n$/)
      const values = parsePageFrontmatter(page)?.values
      expect(values).toMatchObject({ openapi: 'a.yaml GET /pets' })
      const clean = (value: string) => toWellFormed(value.replace(/\r\n?/g, '\n'))
      if (!Object.hasOwn(metadata, 'title')) expect(values?.['title']).toBe(clean(pageTitle({ ...subject, summary })))
      if (!Object.hasOwn(metadata, 'description')) expect(values?.['description']).toBe(clean(description).trimEnd())
      for (const [key, value] of Object.entries(metadata)) {
        if (key !== 'openapi' && typeof value === 'string') expect(values?.[toWellFormed(key)]).toBe(toWellFormed(value))
      }
      expect(load(page.split(/^---$/m)[1] ?? '')).toEqual(values)
    }),
    { numRuns: propertyRuns(30), examples: [['\ufffe ', '\u0000', {}]] },
  )
})

const responses = '{"200": {description: Fine}}'

test.each([
  ['/users: {get: {summary: " List: users ", responses: %}}', 'List: users'],
  ['/users: {get: {summary: "two \\n lines", responses: %}}', 'two lines'],
  ['/users: {get: {summary: " ", responses: %}}', 'Get users'],
  ['/users: {get: {responses: %}}', 'Get users'],
  ['"/users/{userId}": {delete: {responses: %}}', 'Delete users by user id'],
  ['"/users/{id}/posts": {post: {responses: %}}', 'Post users posts'],
  ['/api/v1/user_groups.list: {get: {responses: %}}', 'Get api v1 user groups list'],
  ['/: {get: {responses: %}}', 'Get'],
])('derives the title of %s', async (pathItem, expected) => {
  const text = `openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths:\n  ${pathItem.replace('%', responses)}\n`
  expect(listSubjects(await describeOpenApi(text)).map(pageTitle)).toEqual([expected])
})

test.each([
  ['orderShipped', 'Order shipped'],
  ['order.shipped_again', 'Order shipped again'],
  ['newURL', 'New URL'],
  ['--', '--'],
])('derives the title of webhook %s', async (name, expected) => {
  const text = `openapi: 3.1.0\ninfo: {title: T, version: "1"}\nwebhooks:\n  "${name}": {post: {responses: ${responses}}}\n`
  expect(listSubjects(await describeOpenApi(text)).map(pageTitle)).toEqual([expected])
})

const byLibrary = (frontmatter: ReadonlyMap<string, unknown>) =>
  stringify(frontmatter, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })

test.each([
  'List pets',
  'No',
  'y n',
  'a: b',
  'a:',
  'a b:',
  'a #b',
  'a#b c',
  'Two\n\nlines',
  'Two\n  \n indented',
  'Two\n\ttabs',
  'Ends in blank \nline',
  'Ends\n',
  '--- a',
  'a\n---\nb',
  'a\n...\nb',
  'null null',
  'Über Straße',
  'it’s – a b',
  'a "quoted" \'text\' {b} [c], d',
  'a  b',
  `${'long '.repeat(100)}x`,
  'a\n# b',
  'a\n- b: c',
  'a -',
])('writes %j like the YAML library', (value) => {
  const frontmatter = new Map<string, unknown>([
    ['title', value],
    ['description', value],
    ['deprecated', true],
    ['own', value],
  ])
  expect(toFrontmatterYaml(frontmatter)).toBe(byLibrary(frontmatter))
})

test('writes any values like the YAML library', () => {
  const signs = 'aB \n:#-{}[],"\'|>%@`0~\té’\u2028\u00a0\u0085😀?!&*='
  const word = fc.constantFrom(...signs, ': ', ' #', '- ', '---', '...', '1.5', 'yes', 'null', '<<')
  const text = fc.array(word, { maxLength: 12 }).map((words) => `A${words.join('')}`)
  const key = fc.constantFrom('title', 'description', 'openapi', 'version', 'own', 'yes')
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.oneof(text, arbitraryText(), fc.boolean(), fc.jsonValue()))), (entries) => {
      const frontmatter = new Map<string, unknown>(entries)
      expect(toFrontmatterYaml(frontmatter)).toBe(byLibrary(frontmatter))
    }),
    { numRuns: propertyRuns(30) },
  )
})
