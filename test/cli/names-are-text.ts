import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect } from 'vitest'
import { stringify } from 'yaml'
import { everyField } from '../changes/document-values.ts'
import { listPositions, names, type Position, put } from '../support/member-names.ts'
import { seed } from '../support/properties.ts'
import { createRandom, type Random } from '../support/random.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const mint = { metadata: { tag: 'New', icon: 'book' }, content: 'Text', href: '/moved' }

/** What the description of every field lacks: the extensions. */
const extended = {
  openapi: '3.1.0',
  info: { title: 'Extended', version: '1', 'x-mint': { mcp: { enabled: true } } },
  'x-tagGroups': [{ name: 'Animals', tags: ['pets'] }],
  tags: [{ name: 'pets', 'x-group': 'Pets', description: 'Text' }],
  paths: {
    '/pets': {
      get: {
        summary: 'List pets',
        tags: ['pets'],
        'x-mint': mint,
        'x-badges': [{ name: 'Beta', color: 'red' }],
        'x-codeSamples': [{ lang: 'javascript', label: 'Node', source: 'pets()' }],
        parameters: [
          { name: 'X-Pet', in: 'header', schema: { type: 'string', format: 'uuid', contentEncoding: 'base64' } },
          { name: 'kind', in: 'query', schema: { enum: ['a'], 'x-enumDescriptions': { a: 'Text' }, 'x-enum-varnames': ['A'] } },
        ],
        responses: {
          200: { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        },
        'x-lint-ignore': { 'pets-summary': 'Reason' },
      },
    },
  },
  'x-webhooks': { added: { post: { responses: { 200: { description: 'OK' } } } } },
  components: {
    securitySchemes: { login: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    schemas: { Pet: { type: 'object', properties: { name: { type: 'string', format: 'email' } }, required: ['name'] } },
  },
}

const config = {
  rules: { 'unused-component': 'off' },
  unlisted: 'report',
  order: { API: 'first-use' },
  rulesets: ['.spectral.json'],
  ignore: [{ code: 'path-ambiguous', path: 'old/*.yaml', pointer: '/info' }],
  site: { restricted: 'publish', language: 'en' },
  github: { comment: 'off' },
  limits: { 'fetch-time': '2s' },
}

// biome-ignore-start lint/suspicious/noThenProperty: the key of Spectral
const ruleset = {
  aliases: { Operation: ['$.paths[*][get]'] },
  formats: ['oas3'],
  rules: {
    'pets-summary': {
      given: '#Operation',
      severity: 'warn',
      message: '{{property}} {{error}}',
      then: { field: 'summary', function: 'casing', functionOptions: { type: 'pascal' } },
    },
    'pets-enum': { given: '$.info', then: { field: 'title', function: 'enumeration', functionOptions: { values: ['A'] } } },
    'pets-schema': {
      given: '$.info',
      then: { function: 'schema', functionOptions: { schema: { type: 'object', properties: { title: { format: 'email' } } } } },
    },
  },
  overrides: [{ files: ['openapi.json#/info'], rules: { 'pets-enum': 'off' } }],
}

// biome-ignore-end lint/suspicious/noThenProperty: the key of Spectral

const overlay = {
  overlay: '1.0.0',
  info: { title: 'Overlay', version: '1' },
  actions: [
    { target: '$.info', description: 'Text', update: { description: 'Text', contact: { name: 'Ann' } } },
    { target: '$.x', remove: true },
  ],
}

const docs = {
  $schema: 'https://mintlify.com/docs.json',
  name: 'Pets',
  theme: 'mint',
  colors: { primary: '#16a34a' },
  icons: { library: 'lucide' },
  fonts: { family: 'Inter' },
  styling: { eyebrows: 'section' },
  variables: { product: 'Pets' },
  navigation: {
    languages: [
      {
        language: 'en',
        tabs: [
          { tab: 'Guide', icon: 'book', groups: [{ group: 'Start', icon: 'book', tag: 'New', pages: ['index', 'other'] }] },
          { tab: 'API', openapi: { source: 'openapi.json', directory: 'api', overlays: ['overlay.json'] } },
        ],
      },
    ],
    global: { anchors: [{ anchor: 'Blog', href: 'https://a.example', icon: 'book' }] },
  },
  navbar: {
    links: [{ label: 'Blog', href: 'https://a.example', icon: 'book' }],
    primary: { type: 'button', label: 'Go', href: '/other' },
  },
  footer: { socials: { github: 'https://github.com/a' }, links: [{ header: 'More', items: [{ label: 'A', href: '/other' }] }] },
  seo: { metatags: { 'og:title': 'Pets' }, indexing: 'all' },
  redirects: [{ source: '/old', destination: '/other' }],
  contextual: { options: ['copy', { title: 'Ask', description: 'Text', icon: 'book', href: 'https://a.example' }] },
  banner: { content: 'Text' },
  api: {
    mdx: { auth: { method: 'bearer', name: 'X-Key' } },
    examples: { languages: ['curl', 'python'], defaults: 'all' },
    playground: { display: 'simple' },
  },
}

/** A page: its frontmatter, elements with a name, an attribute and a value each, and languages of code. */
const page = {
  frontmatter: {
    title: 'Home',
    sidebarTitle: 'Home',
    description: 'Text',
    icon: 'book',
    tag: 'New',
    'og:title': 'Home',
    mode: 'wide',
    keywords: 'a',
  },
  elements: [
    ['Card', 'title', 'Text'],
    ['Card', 'icon', 'book'],
    ['Note', 'title', 'Text'],
    ['Icon', 'icon', 'book'],
    ['ParamField', 'query', 'name'],
    ['ParamField', 'type', 'string'],
    ['Badge', 'color', 'red'],
    ['Tabs', 'id', 'a'],
    ['div', 'className', 'flex'],
    ['div', 'style', 'color: red'],
    ['Color.Item', 'name', 'a'],
  ],
  code: ['js', 'js title', 'bash icon="book"', 'mermaid'],
  expressions: ['a', 'b.c', 'd[0]', '"e".length', 'Math.max(1)'],
}

function renderPage({ frontmatter, elements, code, expressions }: typeof page): string {
  const lines = Object.entries(frontmatter).map(([key, value]) => `${key}: ${value}`)
  const tags = elements.map(([name, attribute, value]) => `<${name} ${attribute}="${value}">Text</${name}>`)
  const fences = code.map((words) => `\`\`\`${words}\nlet a = 1\n\`\`\``)
  const variables = 'export const a = { b: 1 }\nexport const b = { c: 2 }\nexport const d = [1]'
  return ['---', ...lines, '---', '', variables, '', ...tags, ...fences, ...expressions.map((each) => `{${each}}`), '']
    .join('\n\n')
    .replace(/^---\n\n/, '---\n')
    .replace(/\n\n(?=[^\n]*\n\n---\n)/g, '\n')
}

/** The inputs of a run, each of which has names in it. */
const inputs = {
  ...Object.fromEntries(everyField.map((document, index) => [`fields${index}`, document])),
  extended,
  config,
  ruleset,
  overlay,
  docs,
  page,
}
type Inputs = typeof inputs
type InputName = keyof Inputs

type Format = 'json' | 'yaml'

/** Names files in another format, in commands and in other files. */
function toFormat(text: string, format: Format): string {
  return text.replace(/(?<=^|[^\w])((?:openapi|\.spectral|overlay)\.)json\b/g, `$1${format}`)
}

function writeFiles(all: Inputs, format: Format): string {
  const write = (value: unknown) => (format === 'json' ? JSON.stringify(value, undefined, 1) : stringify(value))
  return makeTemporaryFolder({
    [`openapi.${format}`]: write(all.extended),
    'base.json': JSON.stringify(extended),
    'docs.json': toFormat(JSON.stringify(all.docs, undefined, 1), format),
    'index.mdx': renderPage(all.page),
    'other.mdx': '---\ntitle: Other\n---\n',
    [`openapi-pages.config.${format}`]: toFormat(write(all.config), format),
    [`.spectral.${format}`]: toFormat(write(all.ruleset), format),
    [`overlay.${format}`]: write(all.overlay),
  })
}

const commands: readonly (readonly string[])[] = [
  ['check', '.', '--format', 'json'],
  ['check', 'openapi.json'],
  ['check', 'openapi.json', '--format', 'sarif'],
  ['bundle', 'openapi.json'],
  ['changes', 'base.json', 'openapi.json', '--format', 'json'],
  ['changes', 'openapi.json', 'base.json'],
  ['rules', 'list'],
  ['openapi-file', 'openapi.json', '-o', 'generated'],
  ['build', '.', '-o', 'site'],
  ['update', '.'],
  ['adopt', '.'],
  ['status', '.'],
  ['update', '.', '--check'],
]

/** Runs all commands, and returns what they print and write. */
async function runAll(folder: string, format: Format): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const words of commands) {
    const command = words.map((word) => toFormat(word, format))
    const { exitCode, stdout, stderr } = await runInFolder(folder, command)
    found.set(command.join(' '), `${exitCode}\n${stdout}\n${stderr}`)
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // Our own scripts are the same in all sites.
    if (entry.isFile() && !/[\\/]_assets[\\/]|\.(?:woff2|png|ico|gz|br)$/.test(path))
      found.set(relative(folder, path), readFileSync(path, 'utf8'))
  }
  return found
}

/** A text in which the name and its ordinary twin are the same, without sums, sizes and times. */
function toComparable(text: string, folder: string): string {
  let result = text.replaceAll(folder, 'FOLDER')
  for (const [name, ordinary] of names) {
    const words = [name, ordinary].map((each) =>
      each.replace(/([a-z])([A-Z])/g, '$1(?:[ _-]|<wbr/>)?$2').replaceAll('__', '_{0,2}'),
    )
    result = result.replace(new RegExp(words.join('|'), 'gi'), 'NAME')
  }
  return (
    result
      // Words of the names in search indexes, and suggestions, which depend on the letters.
      .replace(/\bstrinh\b/gi, 'string')
      .replace(/\bpropertz\b/gi, 'property')
      // Pages have these words too, so that the name adds a term or not.
      .replace(
        /"terms":"([^"]*)","postings":"[^"]*"/g,
        (_, terms: string) => `"terms":"${[...new Set(terms.split(' '))].join(' ')}"`,
      )
      .replace(
        /,\s*"hint": "Did you mean[^"]*"|\\nHint: Did you mean[^\\]*|hint: Did you mean.*\n\s*(?=https)|docs: (?=https)/g,
        '',
      )
      .replace(/\b[0-9a-f]{8,64}\b/g, 'SUM')
      .replace(/[A-Za-z0-9+/_-]{20,}={0,2}/g, (word) => (/\d/.test(word) && /[A-Z]/.test(word) ? 'SUM' : word))
      .replace(/\d+(?:\.\d+)? (?:ms|s|kB|KB|MB)\b/g, 'SIZE')
  )
}

function pick(random: Random): { input: InputName; position: Position } {
  const input = random.of(Object.keys(inputs) as InputName[])
  // The parts of a page are no names in it. Its attributes are code, which may not have all names.
  const positions = listPositions(inputs[input]).filter(
    ({ segments }) => input !== 'page' || (segments.length > 1 && !(segments[0] === 'elements' && segments[2] === 1)),
  )
  return { input, position: random.of(positions) }
}

interface Runs {
  readonly toInputs?: (word: string) => Inputs
  readonly format?: Format
  /** Changes the files of a folder before the commands run. */
  readonly prepare?: (folder: string, word: string) => Promise<void>
  /** For messages. */
  readonly place: string
}

/** Runs all commands with a name and with its ordinary twin, and compares. */
async function compareRuns(words: readonly [string, string], runs: Runs): Promise<void> {
  const { toInputs = () => inputs, format = 'json', prepare, place } = runs
  const results = []
  for (const word of words) {
    const folder = writeFiles(toInputs(word), format)
    await prepare?.(folder, word)
    const found = await runAll(folder, format)
    for (const [path, text] of found) expect(text, path).not.toMatch(/unexpected error/)
    results.push(Object.fromEntries([...found].map(([path, text]) => [toComparable(path, folder), toComparable(text, folder)])))
  }
  const [own, other] = results
  expect(own, `${words[0]} ${place}`).toEqual(other)
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(ownNames)
}

const ownNames = Object.getOwnPropertyNames(Object.prototype).sort()

/** A valid document that has the name wherever a document can choose one. */
function namedEverywhere(word: string): typeof extended {
  const schema = { type: 'string', format: word, contentEncoding: word, contentMediaType: word, enum: [word], default: word }
  const object = { type: 'object', properties: { [word]: schema }, required: [word], dependentRequired: { [word]: [word] } }
  const media = {
    [`a/${word}`]: { schema: { $ref: `#/components/schemas/${word}` }, examples: { [word]: { value: { [word]: word } } } },
  }
  const operation = {
    operationId: word,
    summary: word,
    tags: [word],
    security: [{ [word]: [word] }],
    'x-codeSamples': [{ lang: word, source: word }],
    parameters: ['query', 'header', 'cookie'].map((place) => ({ name: word, in: place, schema })),
    requestBody: {
      content: { ...media, 'multipart/form-data': { schema: object, encoding: { [word]: { contentType: word } } } },
    },
    responses: {
      200: { description: word, headers: { [word]: { schema } }, content: media, links: { [word]: { operationId: word } } },
    },
    callbacks: { [word]: { '{$request.body#/url}': { post: { responses: { 200: { description: word } } } } } },
  }
  const flows = { clientCredentials: { tokenUrl: 'https://a.example', scopes: { [word]: word } } }
  const servers = [{ url: `https://{${word}}.example`, variables: { [word]: { default: word, enum: [word] } } }]
  return {
    ...{
      openapi: '3.2.0',
      info: { title: word, version: word },
      servers,
      tags: [{ name: word }],
      'x-tagGroups': [{ name: word, tags: [word] }],
    },
    paths: { [`/${word}`]: { post: operation, additionalOperations: { [word]: { responses: { 200: { description: word } } } } } },
    webhooks: { [word]: { post: { responses: { 200: { description: word } } } } },
    components: { schemas: { [word]: object }, securitySchemes: { [word]: { type: 'oauth2', flows } } },
  } as unknown as typeof extended // Another document.
}

/** Compares a name and its ordinary twin at a random place of a random input. */
export async function compareAtRandomPlace(run: number): Promise<void> {
  const random = createRandom(seed + run * 1_000_003)
  const { input, position } = pick(random)
  const toInputs = (word: string) => {
    const all = { ...inputs, [input]: put(inputs[input], position, word) } as Inputs
    return { ...all, extended: input.startsWith('fields') ? all[input] : all.extended } as Inputs
  }
  const words = random.of(names)
  const format = random.of(['json', 'yaml'] as const)
  await compareRuns(words, { toInputs, format, place: `as ${position.kind} at ${input}/${position.segments.join('/')}` })
}

/** Compares a name and its ordinary twin at a random place of the lock file. */
export async function compareInLockFile(run: number): Promise<void> {
  const prepare = async (folder: string, word: string) => {
    const random = createRandom(seed + run * 1_000_003)
    await runInFolder(folder, ['update', '.'])
    const path = join(folder, 'openapi-pages.lock.json')
    const lock = JSON.parse(readFileSync(path, 'utf8'))
    writeFileSync(path, JSON.stringify(put(lock, random.of(listPositions(lock)), word), undefined, 2))
  }
  await compareRuns(createRandom(run).of(names), { prepare, place: `in the lock file of run ${run}` })
}

/** Compares a document that has a name wherever it can choose one with a document that has the ordinary twin there. */
export async function compareEverywhere(words: readonly [string, string], format?: Format): Promise<void> {
  const toInputs = (word: string) => ({ ...inputs, extended: namedEverywhere(word) })
  await compareRuns(words, { toInputs, ...(format && { format }), place: 'everywhere' })
}
