import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runInFolder } from '../cli/run-in-folder.ts'
import { seed } from '../support/properties.ts'
import { breakDocument, fixProvably } from '../support/provable-fixes.ts'
import { createRandom } from '../support/random.ts'
import { runBin } from '../support/run-bin.ts'

const modules = inject('realModules')

/** Everything in the packages that is an OpenAPI 3 document, whatever its name. */
const documents = [
  join(modules, '@readme/oas-examples/3.0'),
  join(modules, '@readme/oas-examples/3.1'),
  join(modules, '@scalar/galaxy/dist'),
]
  .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter(
    (path) => /\.(json|ya?ml)$/.test(path) && /["']?openapi["']?\s*:\s*["']?3\./.test(readFileSync(path, 'utf8').slice(0, 2_000)),
  )
  .map((path) => relative(modules, path))
  .sort()

/**
 * The invalid documents, with the codes of their errors. A person has confirmed each error; the comment has the reason.
 */
const invalid: Readonly<Record<string, readonly string[]>> = {
  // `responses: {}`: at least one response code is required.
  '@readme/oas-examples/3.0/json/openapi-workshop/post.json': ['missing-field'],
  // Operations ask for the scheme `api_key`, which `components` does not have.
  '@readme/oas-examples/3.0/json/response-http-behavior.json': ['security-scheme'],
  '@readme/oas-examples/3.0/yaml/response-http-behavior.yaml': ['security-scheme'],
}

/** Runs the command line from source, which spares the start of a process. */
async function runSource(args: readonly string[], { cwd }: { readonly cwd: string }) {
  const { exitCode: code, stdout, stderr } = await runInFolder(cwd, args)
  return { code, stdout, stderr }
}

/** The built program runs every tenth document, as a user starts it. The others differ in what is read, not in how it starts. */
const runners = documents.map((path, index) => ({ path, run: index % 10 === 0 ? runBin : runSource }))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-pages-real-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('published documents', () => {
  test('the packages contain the documents of this suite', () => expect(documents.length).toBeGreaterThan(100))

  test.each(runners)('checks $path and updates its pages twice', async ({ path, run }) => {
    const name = basename(path)
    const root = join(folder, path.replaceAll('/', '_'))
    mkdirSync(join(root, '.git'), { recursive: true })
    cpSync(join(modules, path, '..'), root, { recursive: true })
    writeFileSync(join(root, 'docs.json'), JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: name }] } }, null, 2))

    const check = await run(['check', name, '--format', 'json'], { cwd: root })
    const report = JSON.parse(check.stdout) as { errors: number; diagnostics: { code: string; severity: string }[] }
    const errors = [...new Set(report.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code))].sort()
    expect(errors).toEqual(invalid[path] ?? [])
    expect(check.code).toBe(errors.length > 0 ? 1 : 0)

    const first = await run(['update'], { cwd: root })
    expect(first.code, first.stderr + first.stdout).toBe(errors.length > 0 ? 1 : 0)
    const before = snapshot(root)
    const second = await run(['update', '--format', 'json'], { cwd: root })
    expect(JSON.parse(second.stdout)).toMatchObject({ changed: false })
    expect(snapshot(root)).toEqual(before)
  })

  test.each(documents)('clients notice no fix of %s, also with mistakes', async (path) => {
    const text = readFileSync(join(modules, path), 'utf8')
    const random = createRandom(seed)
    for (const each of [text, breakDocument(text, random), breakDocument(text, random)]) await fixProvably(basename(path), each)
  })
})

function snapshot(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path} ${statSync(path).mtimeMs}`)
    .sort()
}
