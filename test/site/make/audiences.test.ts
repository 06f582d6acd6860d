import { expect, test } from 'vitest'
import { createReadChangelogs } from '../../../src/docs/versions/changelogs.ts'
import { createMemoryFiles } from '../../support/memory-files.ts'
import { siteOf } from './site-of.ts'

type Part = Readonly<Record<string, unknown>>
/** A text or a number that is nowhere else. */
type Marker = () => string

const config = `changes:
  changelog: tags
site:
  audiences:
    - { name: staff, groups: [internal, github:acme/staff] }
    - { name: partners, groups: [oidc:corp/partners, vip] }
    - { name: trial, groups: [trial] }
`
const names = ['public', 'staff', 'partners', 'trial']

/** What can restrict a part or a page, with the audiences that may read it. */
const restrictions: readonly { readonly mint?: Part; readonly part?: Part; readonly readers: readonly string[] }[] = [
  { mint: { groups: ['github:acme/staff'] }, readers: ['staff'] },
  { mint: { groups: ['GitHub:Acme/Staff', 'trial'] }, readers: ['staff', 'trial'] },
  { mint: { groups: 'vip, trial' }, readers: ['partners', 'trial'] },
  { mint: { Groups: ['oidc:corp/partners', 'other'] }, readers: ['partners'] },
  { mint: { groups: ['partners', 'public', 'staff'] }, readers: [] },
  { mint: { groups: [] }, readers: [] },
  { mint: { public: false }, readers: ['staff', 'partners', 'trial'] },
  { part: { 'x-internal': true }, readers: ['staff'] },
  { readers: names },
]

const ok = { responses: { 200: { description: 'Good' } } }
const asWritten = (digits: string) => `<<${digits}>>`
const toText = (value: unknown) => JSON.stringify(value).replace(/"<<(\d+)>>"/g, '$1')

/** Everything of an operation that can be restricted, as the operation with it. */
const inOperation: Readonly<Record<string, (mark: Part, text: Marker, number: Marker) => Part>> = {
  parameter: (mark, text, number) => ({
    parameters: [
      {
        ...{ name: text(), in: 'query', description: `Sets ${text()}`, ...mark },
        schema: { type: 'integer', maximum: number(), example: 1 },
      },
    ],
  }),
  property: (mark, text, number) =>
    toBody({ properties: { [text()]: { type: 'number', description: text(), minimum: number(), ...mark }, kept: {} } }),
  example: (mark, text) => toBody({ properties: { [text()]: { type: 'string', example: text(), ...mark }, kept: {} } }),
  variant: (mark, text) =>
    toBody({ oneOf: [{ type: 'string' }, { title: text(), type: 'integer', description: text(), ...mark }] }),
  response: (mark, text) => ({ responses: { ...ok.responses, 409: { description: text(), ...mark } } }),
  header: (mark, text) => ({
    responses: { 200: { description: 'Good', headers: { [text()]: { schema: {}, description: text(), ...mark } } } },
  }),
  callback: (mark, text) => ({
    callbacks: { [text()]: { '{$request.body#/url}': { post: { summary: text(), ...ok, ...mark } } } },
  }),
}
const toBody = (schema: Part) => ({ requestBody: { content: { 'application/json': { schema } } } })

/** The marker in each place, with the audiences that may read it. `isOld`: with a parameter of all operations that was dropped later. */
function makeSite(isOld = false) {
  const markers: { readonly text: string; readonly readers: readonly string[]; readonly place: string }[] = []
  const paths: Record<string, unknown> = {}
  const schemas: Record<string, unknown> = {}
  const webhooks: Record<string, unknown> = {}
  const tags: Part[] = []
  const pages: Record<string, string> = {}
  const groups: Part[] = []
  let count = 0
  const add = (place: string, readers: readonly string[], toMarker: (index: string) => string): Marker => {
    return () => {
      const text = toMarker(String(count++).padStart(4, '0'))
      markers.push({ text, readers, place })
      return text
    }
  }
  for (const [index, { mint, part, readers }] of restrictions.entries()) {
    const mark = part ?? (mint ? { 'x-mint': index % 2 === 0 ? mint : { metadata: mint } } : {})
    const textIn = (place: string) => add(`${place} ${index}`, readers, (digits) => `mk${digits}q`)
    const numberIn = (place: string) => {
      const digits = add(`${place} ${index}`, readers, (one) => `77000${one}00077`)
      return () => asWritten(digits())
    }
    for (const [place, make] of Object.entries(inOperation))
      paths[`/${place}-${index}`] = { post: { summary: `Kept ${place}`, ...ok, ...make(mark, textIn(place), numberIn(place)) } }
    const text = textIn('operation')
    paths[`/${text()}/{${text()}}`] = {
      get: {
        summary: text(),
        description: `About ${text()}`,
        operationId: text(),
        parameters: [{ ...idOf(count - 4) }],
        ...ok,
        ...mark,
      },
    }
    const ofItem = textIn('path item')
    paths[`/${ofItem()}`] = { ...mark, get: { summary: ofItem(), ...ok } }
    const ofSchema = textIn('schema')
    const schema = ofSchema()
    schemas[schema] = { type: 'object', description: ofSchema(), properties: { [ofSchema()]: { type: 'string' } }, ...mark }
    paths[`/schema-${index}`] = {
      get: {
        summary: 'Kept schema',
        ...toBody({ properties: { kept: {}, one: { $ref: `#/components/schemas/${schema}` } } }),
        ...ok,
      },
    }
    const ofWebhook = textIn('webhook')
    webhooks[ofWebhook()] = { post: { summary: ofWebhook(), ...ok, ...mark } }
    const ofTag = textIn('tag')
    const tag = ofTag()
    tags.push({ name: tag, description: ofTag(), ...mark })
    paths[`/tag-${index}`] = { get: { summary: ofTag(), tags: [tag], ...ok } }
    if (part) continue
    const ofValue = textIn('value')
    const [value, large] = [ofValue(), numberIn('value')()]
    const { groups: allowed, Groups: others } = mint ?? {}
    const isForGroups = (allowed ?? others) !== undefined
    const mentioned = { [value]: allowed ?? others, [large.slice(2, -2)]: allowed ?? others }
    if (isForGroups || !mint)
      paths[`/value-${index}`] = {
        get: {
          summary: 'Kept value',
          parameters: [
            {
              name: 'kind',
              in: 'query',
              schema: { enum: ['open', value, large], ...(isForGroups && { 'x-mint-enum': mentioned }) },
            },
          ],
          ...ok,
        },
      }
    else markers.splice(-2)
    const ofPage = textIn('page')
    const frontmatter = Object.entries(mint ?? {})
      .map(([key, one]) => `${key}: ${JSON.stringify(one)}\n`)
      .join('')
    pages[`guides/${ofPage()}.mdx`] =
      `---\ntitle: ${ofPage()}\n${frontmatter}---\n\n## About ${ofPage()}\n\nThe text ${ofPage()}, and ${77}.\n`
    const ofBound = textIn('operation of a page')
    const bound = `/${ofBound()}`
    paths[bound] = { put: { summary: ofBound(), description: ofBound(), ...ok } }
    pages[`bound-${index}.mdx`] = `---\ntitle: ${textIn('title')()}\nopenapi: openapi.json PUT ${bound}\n${frontmatter}---\n`
    if (mint && !('public' in mint)) continue
    const ofDivision = textIn('division')
    const page = ofDivision()
    pages[`${page}.mdx`] = `---\ntitle: ${ofDivision()}\n---\n\nThe text ${ofDivision()}.\n`
    groups.push({ group: textIn('label')(), pages: [page], ...mint })
  }
  const older = { parameters: [{ name: 'dropped', in: 'query', schema: {} }] }
  const item = (one: unknown) => (isOld ? Object.assign({}, one, older) : one)
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pets', version: isOld ? '1.1' : '2' },
    tags,
    paths: Object.fromEntries(
      Object.entries({ '/open': { get: { summary: 'Open', ...ok } }, ...paths }).map(([path, one]) => [path, item(one)]),
    ),
    webhooks,
    components: { schemas },
  }
  const guides = Object.keys(pages).filter((path) => /^(?:guides|bound)/.test(path))
  const docs = {
    name: 'Pets',
    navigation: {
      groups: [
        { group: 'Guides', pages: ['index', ...guides.map((path) => path.replace('.mdx', ''))] },
        ...groups,
        { group: 'API', openapi: 'openapi.json' },
      ],
    },
  }
  const index = '---\ntitle: Welcome\n---\n\n[file](/openapi.json)\n'
  const files = {
    'docs.json': JSON.stringify(docs),
    'openapi.json': toText(document),
    'openapi-pages.config.yaml': config,
    'index.mdx': index,
    ...pages,
  }
  return { files, markers }
}

/** The path parameter of the operation, whose name is a marker. */
const idOf = (number: number) => ({
  name: `mk${String(number).padStart(4, '0')}q`,
  in: 'path',
  required: true,
  schema: { type: 'string' },
})

/** The changelog of a history: an API with one operation, then all others with one more parameter, then the current files. */
function createChangelogs(current: Readonly<Record<string, string>>) {
  const first = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/open': { get: ok } } }
  const versions = {
    a: makeSite(true).files['openapi.json'],
    b: JSON.stringify(first),
  }
  const tags = [
    { tag: 'v1.1', sha: 'a', date: '2026-01-02T00:00:00Z' },
    { tag: 'v1.0', sha: 'b', date: '2026-01-01T00:00:00Z' },
  ]
  const history = {
    listTags: async () => ({ tags, isCut: false }),
    listCommits: async () => ({ commits: [], isCut: false }),
    open: async (sha: string) => createMemoryFiles({ ...current, 'openapi.json': sha === 'a' ? versions.a : versions.b }),
    findEarlierPath: async () => undefined,
    toUrl: () => undefined,
  }
  return createReadChangelogs(history, { cache: new Map(), warn: () => {}, now: () => 0 })
}

const anyMarker = /mk\d{4}q|77000\d{4}00077/gi
/** Pages separate the thousands of numbers. */
const listMarkers = (text: string) =>
  new Set(Array.from(text.replaceAll(/(?<=\d),(?=\d{3})/g, '').matchAll(anyMarker), ([one]) => one.toLowerCase()))

/** The kinds of files of a site, each with all markers of the pages or of the document. */
const kinds: Readonly<Record<string, RegExp>> = {
  page: /\.html$/,
  Markdown: /\.md$/,
  search: /search/,
  'llms.txt': /llms.*\.txt$/,
  document: /openapi\.(?:json|yaml)$/,
  sitemap: /sitemap\.xml$/,
  changelog: /changelog.*\.md$/,
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
  const found = Object.entries(built.files).map(([path, content]) => ({ path, all: listMarkers(`${path}\n${content}`) }))
  const mayRead = ({ readers }: (typeof markers)[number]) => readers.includes(audience)
  const leaks = markers
    .filter((marker) => !mayRead(marker))
    .flatMap(({ text, place }) => found.filter(({ all }) => all.has(text)).map(({ path }) => `${place}: ${text} in ${path}`))
  expect([leaks.length, leaks.slice(0, 10)]).toEqual([0, []])
  const inKind = (kind: string) => new Set(found.filter(({ path }) => kinds[kind]?.test(path)).flatMap(({ all }) => [...all]))
  const lackedIn = (kind: string, exceptions: RegExp) => {
    const all = inKind(kind)
    const shown = markers.map((marker) => ({ ...marker, name: `${marker.place}: ${marker.text}` }))
    return shown.flatMap(({ text, name, ...marker }) =>
      mayRead({ ...marker, text }) && !all.has(text) && !exceptions.test(name) ? [`${kind} ${name}`] : [],
    )
  }
  expect([
    ...lackedIn('page', /^$/),
    ...lackedIn('Markdown', /^label/),
    // A limit is no text to search for.
    ...lackedIn('search', /^label|: \d/),
    // Titles of pages.
    ...lackedIn('document', /^(?:page|division|label|title)/),
  ]).toEqual([])
  for (const kind of ['llms.txt', 'sitemap', 'changelog']) expect([...inKind(kind)], kind).not.toEqual([])
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
