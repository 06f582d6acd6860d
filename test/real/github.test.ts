import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBin } from '../support/run-bin.ts'
import { gitHubDescription } from './github-site.ts'

const description = gitHubDescription()
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'openapi-pages-github-'))
  mkdirSync(join(root, '.git'))
  cpSync(description, join(root, 'github.json'))
  const navigation = {
    tabs: [
      { tab: 'Guides', groups: [{ group: 'Start', pages: ['index'] }] },
      { tab: 'REST API', openapi: 'github.json' },
    ],
  }
  writeFileSync(join(root, 'docs.json'), `${JSON.stringify({ name: 'GitHub', theme: 'mint', navigation }, null, 2)}\n`)
  writeFileSync(join(root, 'index.mdx'), '---\ntitle: Start\n---\n\nHello.\n')
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Counted here from the raw JSON, so that the program's own reading is not its own witness. */
function countVisibleOperations(): number {
  const { paths } = JSON.parse(readFileSync(description, 'utf8')) as {
    paths: Record<string, Record<string, Record<string, unknown>>>
  }
  const operations = Object.values(paths).flatMap((pathItem) =>
    methods.filter((method) => pathItem[method]).map((method) => pathItem[method]),
  )
  const isSet = (value: unknown) => value !== undefined && value !== null && value !== false
  return operations.filter((operation) => !isSet(operation?.['x-hidden']) && !isSet(operation?.['x-excluded'])).length
}

const pagesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.name.endsWith('.mdx'))

function navigationPages(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (typeof entry === 'string' ? [entry] : navigationPages(entry)))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) =>
    ['pages', 'groups', 'tabs'].includes(key) ? navigationPages(entry) : [],
  )
}

test('the description is valid', async () => {
  const { code, stdout } = await runBin(['check', 'github.json', '--format', 'json'], { cwd: root })
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, errors: 0 })
  expect(code).toBe(0)
})

test('generates one page and one entry per visible operation', async () => {
  const { code, stderr } = await runBin(['update'], { cwd: root })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const expected = countVisibleOperations()
  expect(expected).toBeGreaterThan(1_200)
  expect(pagesOf(join(root, 'api-reference'))).toHaveLength(expected)
  const docs = JSON.parse(readFileSync(join(root, 'docs.json'), 'utf8')) as { navigation: unknown }
  const listed = navigationPages(docs.navigation).filter((page) => page !== 'index')
  expect(listed).toHaveLength(expected)
  expect(new Set(listed).size).toBe(expected)
  for (const page of listed) expect(statSync(join(root, `${page}.mdx`)).isFile()).toBe(true)
})

test('a second update changes nothing', async () => {
  const snapshot = () =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => `${path} ${statSync(path).mtimeMs}`)
      .sort()
  const before = snapshot()
  const { code, stdout } = await runBin(['update', '--format', 'json'], { cwd: root })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ changed: false, added: [], modified: [], removed: [] })
  expect(snapshot()).toEqual(before)
  expect((await runBin(['update', '--check'], { cwd: root })).code).toBe(0)
})
