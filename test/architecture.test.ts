import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')

/** Which rooms a room may import from, besides itself and `errors.ts`. The picture is in ARCHITECTURE.md. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  text: [],
  diagnostic: ['text'],
  openapi: ['diagnostic', 'text'],
  docs: ['diagnostic', 'text'],
  pages: ['docs', 'openapi', 'diagnostic', 'text'],
  mdx: ['docs', 'diagnostic', 'text'],
  request: ['text'],
  reference: ['request', 'openapi', 'text'],
  playground: ['request', 'text'],
  builder: ['update', 'site', 'mdx', 'reference', 'files', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
  preview: ['builder', 'update', 'site', 'files', 'docs', 'diagnostic', 'text'],
  browser: ['playground', 'text'],
  site: ['mdx', 'reference', 'request', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
  files: ['openapi', 'text'],
  git: ['status', 'text'],
  status: ['diagnostic', 'text'],
  report: ['diagnostic', 'text'],
  store: ['status'],
  github: ['report', 'files', 'status', 'diagnostic', 'text'],
  client: ['files', 'status', 'text'],
  update: ['files', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
  action: ['update', 'client', 'report', 'github', 'status', 'files', 'git', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
  cli: ['preview', 'builder', 'site', 'update', 'client', 'files', 'git', 'pages', 'docs', 'openapi', 'diagnostic', 'text'],
  app: [
    'builder',
    'site',
    'update',
    'report',
    'github',
    'store',
    'status',
    'files',
    'pages',
    'docs',
    'openapi',
    'diagnostic',
    'text',
  ],
}

const core = ['text', 'diagnostic', 'openapi', 'docs', 'pages', 'mdx', 'request', 'reference', 'site', 'status', 'report']

/** The packages a room may use; what is not named here is for nobody. */
const packages: Readonly<Record<string, readonly string[]>> = {
  text: ['js-yaml', 'js-yaml-4', 'jsonc-parser'],
  docs: ['yaml', 'jsonc-parser'],
  pages: ['yaml'],
  reference: ['openapi-sampler'],
  builder: ['image-size'],
  browser: ['minisearch'],
  playground: ['eventsource-parser', 'preact'],
  site: [
    '@iconify-json/lucide',
    'katex',
    'mdast',
    'mdast-util-gfm',
    'mdast-util-to-markdown',
    'minisearch',
    'preact',
    'preact-render-to-string',
    'shiki',
  ],
  preview: ['preact', 'preact-render-to-string'],
  mdx: [
    'estree-jsx',
    'github-slugger',
    'hast',
    'hast-util-raw',
    'mdast',
    'mdast-util-from-markdown',
    'mdast-util-gfm',
    'mdast-util-math',
    'mdast-util-mdx',
    'mdast-util-to-hast',
    'micromark-extension-gfm',
    'micromark-extension-math',
    'micromark-extension-mdxjs',
  ],
  store: ['kysely'],
  github: ['@octokit/auth-app', '@octokit/rest', 'tar-stream'],
  action: ['@actions/core', 'tinyglobby'],
  cli: ['@apidevtools/swagger-parser', 'commander', 'diff', 'tinyglobby', 'yaml'],
  app: [
    '@fastify/rate-limit',
    '@fastify/swagger',
    '@fastify/type-provider-typebox',
    'fastify',
    'jose',
    'pino',
    'playwright-core',
    'preact',
    'preact-render-to-string',
    'probot',
    'prom-client',
    'typebox',
    'typebox/compile',
    'typebox/value',
  ],
}

/** `node:` modules the core may use: what they do with given bytes depends on nothing outside. */
const pureModules = ['node:buffer', 'node:crypto']

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ name: relative(source, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))

const roomOf = (name: string) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '')

/** Static and dynamic imports, with the `type` ones marked: those leave nothing in the program. */
function importsOf(text: string): { target: string; typeOnly: boolean }[] {
  const withoutComments = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = withoutComments.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g,
  )
  return [...found].map((match) => ({ target: match[2] ?? match[3] ?? '', typeOnly: match[1] !== undefined }))
}

describe('rooms', () => {
  test('every folder of src is a room with a row in the table', () => {
    const rooms = [...new Set(files.map((file) => roomOf(file.name)))].filter(Boolean).sort()
    expect(rooms).toEqual(Object.keys(mayImport).sort())
  })

  test.each(files.map((file) => [file.name, file] as const))('%s imports only what its room may', (name, { text }) => {
    const room = roomOf(name)
    const wrong = importsOf(text).filter(({ target }) => {
      if (target.startsWith('.')) {
        const resolved = join('/', name, '..', target).slice(1)
        const targetRoom = roomOf(resolved)
        return room !== '' && targetRoom !== room && resolved !== 'errors.ts' && !mayImport[room]?.includes(targetRoom)
      }
      if (target.startsWith('node:')) return core.includes(room) && !pureModules.includes(target)
      if (builtinModules.includes(target)) return true
      return room !== '' && !packages[room]?.some((name) => target === name || target.startsWith(`${name}/`))
    })
    expect(wrong.map(({ target }) => target)).toEqual([])
  })
})

describe('the core is pure', () => {
  /** Keeps a library from what it would do. */
  const silencing = 'reference/sample-schema.ts'
  const impure =
    /\b(?:process|console|fetch|setTimeout|setInterval|performance|globalThis)\s*[.(]|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/

  test.each(files.filter((file) => core.includes(roomOf(file.name))).map((file) => [file.name, file.text] as const))(
    '%s asks nothing of the outside',
    (name, text) => {
      const code = text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\/\/.*$/gm, '')
        .replaceAll(name === silencing ? 'console.warn =' : '\0', 'quiet =')
        .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`/g, "''")
      expect(code.match(impure)?.[0]).toBeUndefined()
    },
  )
})

describe('names', () => {
  test('no file or folder is called after nothing', () => {
    const vague = files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|managers?|lib|shared)(\/|\.|-)/i.test(file.name))
    expect(vague.map((file) => file.name)).toEqual([])
  })

  test('only src/index.ts gathers exports', () => {
    const barrels = files.filter((file) => file.name.endsWith('/index.ts'))
    expect(barrels.map((file) => file.name)).toEqual([])
  })
})
