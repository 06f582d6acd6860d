export type Part = Readonly<Record<string, unknown>>
/** A text or a number that is nowhere else. */
type Marker = () => string

export const config = `changes:
  changelog: tags
site:
  audiences:
    - { name: staff, groups: [internal, github:acme/staff] }
    - { name: partners, groups: [oidc:corp/partners, vip] }
    - { name: trial, groups: [trial] }
`
export const names = ['public', 'staff', 'partners', 'trial']

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

export const ok = { responses: { 200: { description: 'Good' } } }
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

export interface PlacedMarker {
  readonly text: string
  /** The audiences that may read it. */
  readonly readers: readonly string[]
  readonly place: string
}

/** The marker in each place, with the audiences that may read it. `isOld`: with a parameter of all operations that was dropped later. */
export function makeSite(isOld = false) {
  const markers: PlacedMarker[] = []
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
    // A changelog lists at most 100 changes of a version, so the webhooks are in the newest, which feeds do not have.
    webhooks: isOld ? {} : webhooks,
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

/** Two older versions of the document. The last one adds all operations but webhooks, with one more parameter. */
export function makeVersions() {
  const first = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/open': { get: ok } } }
  return { first: JSON.stringify(first), second: makeSite(true).files['openapi.json'] }
}

const anyMarker = /mk\d{4}q|77000\d{4}00077/gi
/** Pages separate the thousands of numbers. */
export const listMarkers = (text: string) =>
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
  feed: /changelog\/(?:rss\.xml|feed\.json)$/,
  'files for agents': /^_agents\//,
}

interface MarkedFile {
  readonly path: string
  readonly content: string
}

/** Markers that a kind has because others have them. */
const derived: Readonly<Record<string, (files: readonly MarkedFile[]) => ReadonlySet<string>>> = {
  // Not the pages of schemas, which have no place in the navigation.
  sitemap: (files) => listMarkers(files.map(({ path }) => (/\/schemas\/|(?<!\.html)$/.test(path) ? '' : path)).join('\n')),
  // All but one were added after the first version.
  changelog: (files) => listNames(files, 'paths', 'webhooks'),
  feed: (files) => listNames(files, 'paths'),
  'files for agents': (files) => listNames(files, 'paths'),
}

/** The names of operations in the published document. */
function listNames(files: readonly MarkedFile[], ...fields: readonly ('paths' | 'webhooks')[]): ReadonlySet<string> {
  const { content = '' } = files.find(({ path }) => path === 'openapi.json') ?? {}
  if (content === '') return new Set()
  const document = JSON.parse(content.slice(content.search(/\{\s*"openapi"/)))
  return listMarkers(fields.flatMap((field) => Object.keys(document[field])).join('\n'))
}

/** Markers in each other kind that it cannot have, by their places. */
const exceptions: Readonly<Record<string, RegExp>> = {
  page: /^$/,
  Markdown: /^label/,
  // A limit is no text to search for.
  search: /^label|: \d/,
  // Titles of pages.
  document: /^(?:page|division|label|title)/,
  'llms.txt': /^label/,
}

/** What files show that an audience may not read, and what they lack that it may read. */
export function findFaults(
  files: readonly MarkedFile[],
  audience: string,
  markers: readonly PlacedMarker[],
): { readonly leaks: readonly string[]; readonly lacks: readonly string[] } {
  const found = files.map(({ path, content }) => ({ path, all: listMarkers(`${path}\n${content}`) }))
  const named = markers.map((marker) => ({ ...marker, name: `${marker.place}: ${marker.text}` }))
  const mayRead = named.filter(({ readers }) => readers.includes(audience))
  const mayNot = named.filter(({ readers }) => !readers.includes(audience))
  const leaks = mayNot.flatMap(({ text, name }) =>
    found.filter(({ all }) => all.has(text)).map(({ path }) => `${name} in ${path}`),
  )
  const inKind = (kind: string) => new Set(found.filter(({ path }) => kinds[kind]?.test(path)).flatMap(({ all }) => [...all]))
  const lacks = Object.entries(exceptions).flatMap(([kind, exception]) => {
    const all = inKind(kind)
    return mayRead.flatMap(({ text, name }) => (all.has(text) || exception.test(name) ? [] : [`${kind} ${name}`]))
  })
  const missing = Object.entries(derived).flatMap(([kind, list]) => {
    const all = inKind(kind)
    const expected = [...list(files)]
    return expected.length === 0
      ? [`${kind}: no markers`]
      : expected.filter((text) => !all.has(text)).map((text) => `${kind} ${text}`)
  })
  return { leaks: leaks.slice(0, 10), lacks: [...lacks, ...missing].slice(0, 10) }
}
