import { expect, test } from 'vitest'
import type { ChangelogChange } from '../../../src/changes/compare/changelog.ts'
import { fc, propertyRuns } from '../../support/properties.ts'
import { siteOf } from './site-of.ts'

type Part = Readonly<Record<string, unknown>>

/** Written as text, because JavaScript would round it. */
const asWritten = (text: string) => `<<${text}>>`
const toText = (value: unknown) => JSON.stringify(value).replace(/"<<(.*?)>>"/g, '$1')

/** Everything that an object of the document can be, with a secret in it. `{}` gets the mark. */
const places: Readonly<Record<string, (mark: Part) => Part>> = {
  operation: (mark) => ({ delete: { summary: 'Hush77', operationId: 'hush77', ...ok, ...mark } }),
  pathItem: (mark) => ({ paths: { '/hush77/{id}': { ...mark, get: ok } } }),
  paths: (mark) => ({ paths: { ...mark, '/hush77': { get: ok } } }),
  parameter: (mark) => ({ parameters: [{ name: 'hush77', in: 'query', schema: { type: 'string' }, ...mark }] }),
  property: (mark) => ({ schema: { properties: { hush77: { type: 'string', description: 'hush77', ...mark } } } }),
  properties: (mark) => ({ schema: { properties: { ...mark, hush77: {} } } }),
  variant: (mark) => ({ schema: { oneOf: [{ type: 'string' }, { title: 'Hush77', type: 'integer', ...mark }] } }),
  items: (mark) => ({ schema: { type: 'array', items: { description: 'hush77', ...mark } } }),
  component: (mark) => ({ components: { schemas: { Hush77: { description: 'hush77', ...mark } } } }),
  schemas: (mark) => ({ components: { schemas: { ...mark, Hush77: { type: 'string' } } } }),
  responses: (mark) => ({ responses: { ...mark, 200: { description: 'hush77' } } }),
  response: (mark) => ({ responses: { 200: { description: 'ok' }, 400: { description: 'hush77', ...mark } } }),
  header: (mark) => ({ responses: { 200: { description: 'ok', headers: { 'X-Hush77': { schema: {}, ...mark } } } } }),
  example: (mark) => ({ schema: { type: 'object', example: { inside: { hush77: 'hush77', ...mark } } } }),
  sample: (mark) => ({ 'x-codeSamples': [{ lang: 'bash', source: 'curl hush77', ...mark }] }),
  extension: (mark) => ({ 'x-own': { deep: [{ hush77: 1, ...mark }] } }),
  callback: (mark) => ({ callbacks: { hush77: { ...mark, '{$request.body#/url}': { post: { summary: 'hush77', ...ok } } } } }),
  webhook: (mark) => ({ webhooks: { hush77: { post: { summary: 'hush77', ...ok, ...mark } } } }),
  tag: (mark) => ({ tags: [{ name: 'Hush77', description: 'hush77', ...mark }] }),
  tagGroup: (mark) => ({ 'x-tagGroups': [{ name: 'Hush77', tags: ['pets'], ...mark }] }),
  info: (mark) => ({ info: { title: 'Hush77', version: '1', description: 'hush77', ...mark } }),
  contact: (mark) => ({ info: { title: 'Pets', version: '1', contact: { name: 'Hush77', ...mark } } }),
  server: (mark) => ({ servers: [{ url: 'https://a.example.com' }, { url: 'https://hush77.example.com', ...mark }] }),
  scheme: (mark) => toScopes({ ...mark, flows: { implicit: { scopes: { hush77: '' } } } }),
  flows: (mark) => toScopes({ flows: { ...mark, implicit: { scopes: { hush77: '' } } } }),
  flow: (mark) => toScopes({ flows: { implicit: { ...mark, scopes: { hush77: '' } } } }),
  scopes: (mark) => toScopes({ flows: { implicit: { scopes: { ...mark, hush77: '' } } } }),
  requirement: (mark) => ({ security: [{ Hush77: [], ...mark }] }),
  components: (mark) => ({ components: { ...mark, schemas: { Hush77: { type: 'string' } } } }),
  root: (mark) => ({ 'x-other': 'hush77', ...mark }),
}
const ok = { responses: { 200: { description: 'Good' } } }
const toScopes = (scheme: Part) => ({
  security: [{ Login: ['hush77'] }],
  components: { securitySchemes: { Login: { type: 'oauth2', ...scheme } } },
})
const operationKeys = ['security', 'parameters', 'responses', 'callbacks', 'x-codeSamples', 'x-own']

function toDocument({ schema, paths, delete: removed, info, ...rest }: Part): Part {
  const inOperation = Object.fromEntries(Object.entries(rest).filter(([key]) => operationKeys.includes(key)))
  const atTop = Object.fromEntries(Object.entries(rest).filter(([key]) => !operationKeys.includes(key)))
  const body = schema === undefined ? {} : { requestBody: { content: { 'application/json': { schema } } } }
  const post = { tags: ['pets'], summary: 'Kept', ...ok, ...body, ...inOperation }
  return {
    openapi: '3.1.0',
    info: info ?? { title: 'Pets', version: '1' },
    paths: { '/pets': { post, ...(removed === undefined ? {} : { delete: removed }) }, ...(paths as object) },
    ...atTop,
  }
}

const anyCase = (key: string) =>
  fc.constantFrom(
    key,
    key.toUpperCase(),
    key.replace(/(?:^|-)\w/g, (part) => part.toUpperCase()),
  )
const groups = fc.constantFrom<unknown>(['admin'], 'admin', [], null, '', { admin: true }, 1, false)
const notPublic = fc.constantFrom<unknown>(false, null, 'no', 0, [])
const settings = fc.oneof(
  fc.tuple(anyCase('groups'), groups).map(([key, value]) => ({ [key]: value })),
  fc.tuple(anyCase('public'), notPublic).map(([key, value]) => ({ [key]: value })),
)
const mint = fc.oneof(
  settings,
  settings.map((one) => [one]),
  fc.tuple(anyCase('metadata'), settings).map(([key, one]) => ({ [key]: one })),
  // Not clear: an error.
  fc.constantFrom<unknown>(
    'groups: [admin]',
    { metadata: 'public: false' },
    { $ref: '#/x-own' },
    { content: '---\ngroups: a\n---' },
  ),
  settings.map((one) => [[one]]),
  settings.map((one) => ({ mcp: one, metadata: [{ metadata: one }] })),
)
const partMark = fc.tuple(anyCase('x-mint'), mint).map(([key, value]) => ({ [key]: value }))
const marked = fc
  .tuple(fc.constantFrom(...Object.keys(places)), partMark)
  .map(([place, mark]) => ({ place, document: toDocument(places[place]?.(mark) ?? {}) }))

/** A secret value, as the document and the key write it. */
const secretValues = fc.constantFrom<[string, string]>(
  ['hush77', 'hush77'],
  ['7777.50', '7777.50'],
  ['7777.50', '7777.5'],
  ['7777.5', '7777.50'],
  ['7777e5', '7777e5'],
  ['777700000', '7777e5'],
  ['77770000000000000001', '77770000000000000001'],
  ['-77770000000000000001', '-77770000000000000001'],
  // No such value: an error.
  ['hush77', 'hush78'],
  ['77770000000000000001', '77770000000000000002'],
)
const schemasOf: Readonly<Record<string, (value: unknown, mark: Part) => Part>> = {
  enum: (value, mark) => ({ enum: [7, 'open', value], 'x-enum-varnames': ['Seven', 'Open', 'Hush77'], ...mark }),
  items: (value, mark) => ({ type: 'array', items: { enum: ['open', value] }, ...mark }),
  const: (value, mark) => ({ const: value, ...mark }),
  constants: (value, mark) => ({ oneOf: [{ const: 'open' }, { const: value, title: 'Hush77' }], ...mark }),
  oneValueEnums: (value, mark) => ({ anyOf: [{ enum: ['open'] }, { enum: [value], description: 'hush77' }], ...mark }),
  reference: (_, mark) => ({ $ref: '#/components/schemas/Kind', ...mark }),
  referenceInItems: (_, mark) => ({ type: 'array', items: { allOf: [{ $ref: '#/components/schemas/Kind' }] }, ...mark }),
  withDefault: (value, mark) => ({ enum: ['open', value], default: value, examples: [value, 'open'], ...mark }),
  inKeys: (value, mark) => ({ enum: ['open', value], 'x-own': { [String(value)]: 1 }, ...mark }),
  inNames: (value, mark) => ({ enum: ['open', value], required: [value], ...mark }),
  inLists: (value, mark) => ({ enum: ['open', value], 'x-extensible-enum': ['open', value], ...mark }),
  inPattern: (value, mark) => ({ enum: ['open', value], pattern: `^(open|${value})$`, ...mark }),
  inText: (value, mark) => ({ enum: ['open', value], description: `Not \`${value}\`.`, ...mark }),
  inOtherCase: (value, mark) => ({ enum: ['open', value], description: `Not ${String(value).toUpperCase()}.`, ...mark }),
  inOtherCaseOfData: (value, mark) => ({ enum: ['open', value], examples: ['Hush77', [{ a: 'HUSH77' }]], ...mark }),
  inExtension: (value, mark) => ({ enum: ['open', value], 'x-note': `such as ${value}`, ...mark }),
  inMapping: (value, mark) => ({ enum: ['open', value], discriminator: { mapping: { [String(value)]: '#/x' } }, ...mark }),
  inDependent: (value, mark) => ({ enum: ['open', value], dependentRequired: { [String(value)]: ['a'] }, ...mark }),
  inCondition: (value, mark) => ({ enum: ['open', value], not: { dependentSchemas: { [String(value)]: {} } }, ...mark }),
  properties: (value, mark) => ({ properties: { kind: { enum: ['open', value] } }, ...mark }),
}
const valueMark = (name: string) =>
  fc
    .tuple(
      anyCase('x-mint-enum'),
      fc.oneof(
        groups.map((value) => ({ [name]: value })),
        fc.constantFrom<unknown>([name], [{ value: name, groups: ['admin'] }], name, {}, null),
      ),
    )
    .map(([key, value]) => ({ [key]: value }))
const placesOfValues = fc
  .tuple(fc.constantFrom(...Object.keys(schemasOf)), secretValues)
  // A number in other places can mean anything.
  .map<[string, [string, string]]>(([place, values]) => [
    place,
    place.startsWith('in') && place !== 'items' ? ['hush77', 'hush77'] : values,
  ])
const withValue = placesOfValues.chain(([place, [value, name]]) =>
  valueMark(name).map((mark) => {
    const written = value === 'hush77' ? value : asWritten(value)
    const kind = schemasOf[place]?.(written, mark) ?? {}
    const components = { schemas: place.startsWith('reference') ? { Kind: { enum: ['open', written] } } : {} }
    return {
      place,
      document: toDocument({ schema: { type: 'object', properties: { kind }, example: { kind: written } }, components }),
    }
  }),
)

const secret = /hush77|7777\.50*\b|7777e5|777700000|77770000000000000001/i

async function expectNoSecret({ place, document }: { readonly place: string; readonly document: Part }) {
  const docs = {
    name: 'Pets',
    navigation: {
      groups: [
        { group: 'API', openapi: 'openapi.json' },
        { group: 'More', pages: ['index'] },
      ],
    },
  }
  const built = await siteOf(
    {
      'docs.json': JSON.stringify(docs),
      'index.mdx': '---\ntitle: Welcome\n---\n\n[file](/openapi.json)\n',
      'openapi.json': toText(document),
    },
    { url: 'https://docs.example.com/' },
  )
  const found = built.diagnostics.filter(({ code }) => code === 'content-restricted')
  expect(found.map(({ severity }) => severity)).not.toEqual([])
  const leaks = Object.entries(built.files).flatMap(([path, content]) => {
    const [text] = secret.exec(`${path}\n${content}`) ?? []
    return text === undefined ? [] : [`${path}: ${text}`]
  })
  expect(leaks, `${place} ${toText(document)}`).toEqual([])
}

test('every mark of a restriction removes its part from every output, or is an error', async () => {
  await fc.assert(fc.asyncProperty(marked, expectNoSecret), { numRuns: propertyRuns(250) })
})

test('every restricted value is removed from every output, or is an error', async () => {
  await fc.assert(fc.asyncProperty(withValue, expectNoSecret), { numRuns: propertyRuns(250) })
})

const guarded = {
  'docs.json': JSON.stringify({
    name: 'Pets',
    navigation: { groups: [{ group: 'API', openapi: 'openapi.json', pages: ['index'] }] },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nHello\n',
  'openapi.json': toText(toDocument({ paths: { '/hush77': { get: ok, 'x-mint': { groups: ['admin'] } } } })),
  'openapi-pages.config.yaml': 'changes:\n  changelog: tags\n',
}
/** Something that has the name of a restricted part for a reason that no check knows. */
const change: ChangelogChange = {
  ...{ code: 'operation-removed', level: 'breaking', subject: 'operation', message: 'Removed `GET /hush77`' },
  ...{ operation: null, operations: [], schemas: [], fingerprint: 'a' },
}
const readChangelogs = async () =>
  new Map([['openapi.json', { entries: [{ name: '1', isFirst: false, changes: [change] }], isCut: false }]])

test('a build stops before it publishes the name of a restricted part, unless a public page has it', async () => {
  await expect(siteOf(guarded, { readChangelogs })).rejects.toThrow(/cannot publish .* it has `\/hush77`/)
  for (const written of ['/hush77', '/HUSH77']) {
    const open = { ...guarded, 'index.mdx': `---\ntitle: Welcome\n---\n\nAsk for \`GET ${written}\`\n` }
    expect(Object.keys((await siteOf(open, { readChangelogs })).files)).toContain('index.html')
  }
  const all = { ...guarded, 'openapi-pages.config.yaml': 'site:\n  restricted: publish\n' }
  expect((await siteOf(all, { readChangelogs })).files['openapi.json']).toContain('hush77')
})
