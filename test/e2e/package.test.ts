import { execFileSync, type StdioOptions } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packPackages } from '../../scripts/pack.ts'
import { packageVersion } from '../../src/update/package-version.ts'

const root = join(import.meta.dirname, '../..')
const isWindows = process.platform === 'win32'

/** npm and its shell, as a user has them. */
function run(name: string, args: readonly string[], cwd: string): { code: number; stdout: string; stderr: string } {
  try {
    // Programs start with the Node.js version of this test.
    const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
    const stdout = execFileSync(name, args, { cwd, encoding: 'utf8', env, shell: isWindows, stdio })
    return { code: 0, stdout, stderr: '' }
  } catch (error) {
    const { status: code, stdout, stderr } = error as { status: number; stdout: string; stderr: string } // What a failed process gives.
    if (name === 'npm') throw new Error(stderr)
    return { code, stdout, stderr }
  }
}

function install(folder: string, tarball: string): void {
  const began = performance.now()
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', ...options, tarball], folder)
  const { packages, bytes } = measure(folder)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${tarball}: ${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB, installed in ${seconds} s`)
}

/** The paths of the installed packages, and the size of their files. */
function measure(folder: string): { packages: string[]; bytes: number } {
  const lock: { packages: object } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const entries = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  const sizes = entries.flatMap((entry) => (entry.isFile() ? [statSync(join(entry.parentPath, entry.name)).size] : []))
  return { packages: Object.keys(lock.packages), bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

const listPacked = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })

const files = {
  'package.json': '{"private": true, "type": "module"}',
  'good.yaml': 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {}\n',
  'bad.yaml': 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npathz: {}\n',
  'use.mjs': `import { check, formatSarif } from 'openapi-pages'
const { valid, diagnostics } = await check('bad.yaml')
console.log(JSON.stringify({ valid, codes: diagnostics.map(({ code }) => code), sarif: JSON.parse(formatSarif(diagnostics)).version }))
`,
  'use.ts': `import { type CheckResult, check, compare, type Diagnostic, formatJson } from 'openapi-pages'
import type { DocumentReport } from 'openapi-pages'
const result: CheckResult = await check('bad.yaml', { content: '', boundary: '.' })
const first: Diagnostic | undefined = result.diagnostics[0]
export const text: string = formatJson(result.diagnostics) + (first?.severity satisfies 'error' | 'warning' | 'info' | undefined)
export const documents: readonly DocumentReport[] = result.documents
// @ts-expect-error: a comparison needs two descriptions, so the types are not \`any\`.
await compare(1)
`,
}

describe('the packages on npm', () => {
  let folder: string
  /** Runs a command as `npx` does, without the time that npm needs. */
  const bin = (name: string, ...words: string[]) => run(join(folder, 'node_modules/.bin', name), words, folder)
  let packed: ReturnType<typeof packPackages>

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'openapi-pages-packages-')))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    mkdirSync(join(folder, 'pack'))
    // `pretest` has built what is packed.
    packed = packPackages(join(folder, 'pack'))
    install(folder, packed[0]?.tarball ?? '')
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

  test('openapi-pages is one package of at most 12 MB', () => {
    const { packages, bytes } = measure(folder)
    expect(packages).toEqual(['node_modules/openapi-pages'])
    expect(bytes / 1e6).toBeLessThanOrEqual(12)
  })

  test('openapi-pages exports the module API with types for every way to resolve modules', () => {
    const api = run(process.execPath, ['use.mjs'], folder)
    expect(JSON.parse(api.stdout)).toMatchObject({ valid: false, sarif: '2.1.0' })
    expect(JSON.parse(api.stdout).codes).toContain('unknown-field')
    const modules = [
      ['bundler', 'esnext'],
      ['node16', 'node16'],
      ['nodenext', 'nodenext'],
    ] as const
    for (const [moduleResolution, module] of modules) {
      // Without the types of Node.js, which a consumer need not have.
      const checks = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
      const compilerOptions = { ...checks, noEmit: true, module, moduleResolution, target: 'es2022', types: [] }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
      const types = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)
      expect([moduleResolution, types]).toEqual([moduleResolution, { code: 0, stdout: '', stderr: '' }])
    }
  })

  test('openapi-pages runs its commands', () => {
    expect(bin('openapi-pages', '--version').stdout).toBe(`${packageVersion}\n`)
    expect(bin('openapi-pages', 'check', 'good.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('✔ good.yaml is valid'),
    })
    expect(bin('openapi-pages', 'check', 'bad.yaml').code).toBe(1)
    expect(bin('openapi-pages', 'bundle', 'good.yaml').stdout).toContain('openapi: 3.1.0')
    // A site of a document, with its stylesheet and scripts.
    writeFileSync(join(folder, 'pets.yaml'), readFileSync(join(root, 'examples/petstore/openapi.yaml')))
    expect(bin('openapi-pages', 'build', 'pets.yaml', '-o', 'site', '--quiet')).toMatchObject({ code: 0, stdout: '' })
    const site = readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' })
    expect(site.filter((path) => /_assets[/\\](?:site|page|theme)-[0-9a-f]{8}\.(?:css|js)$/.test(path)).length).toBe(3)
    expect(site).toEqual(expect.arrayContaining(['index.html', join('pets/list-pets/index.html')]))
  })

  test('openapi-pages contains licenses and schemas, and nothing that is for tests only', () => {
    for (const { folder: content } of packed) {
      const paths = listPacked(content)
      for (const needed of ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD_PARTY_LICENSES']) expect(paths).toContain(needed)
      const code = paths.filter((path) => /\.[cm]?js$/.test(path))
      expect(code.length).toBeGreaterThan(100)
      expect(
        code.filter((path) => /\bfault-?point|OPENAPI_PAGES_FAULT/i.test(readFileSync(join(content, path), 'utf8'))),
      ).toEqual([])
      expect(paths.filter((path) => /(^|[/\\])(test|fixtures|bench|images|\.ci)([/\\]|$)/.test(path))).toEqual([])
    }
    const [cli, app] = packed.map(({ folder: content }) => readFileSync(join(content, 'THIRD_PARTY_LICENSES'), 'utf8'))
    for (const name of ['commander', 'yaml', 'shiki', 'preact', 'mermaid']) expect(cli).toMatch(new RegExp(`^${name} \\d`, 'm'))
    for (const name of ['probot', 'fastify', 'preact', 'mermaid']) expect(app).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(listPacked(packed[0]?.folder ?? '')).toContain(join('schemas/check.schema.json'))
  })

  test('the app is another package, of at most 90 MB, which openapi-pages starts if it is installed', {
    timeout: 300_000,
  }, () => {
    const missing = bin('openapi-pages', 'serve', '--help')
    expect(missing).toMatchObject({ code: 2, stdout: '' })
    expect(missing.stderr).toBe(
      'openapi-pages: `serve` is a command of the app. Run `npx openapi-pages-app serve`, or install it with `npm install --global openapi-pages-app`\n',
    )
    const before = measure(folder).bytes
    install(folder, packed[1]?.tarball ?? '')
    const { packages, bytes } = measure(folder)
    const added = ['node_modules/openapi-pages-app', 'node_modules/playwright-core']
    expect(packages).toEqual(['node_modules/openapi-pages', ...added])
    expect((bytes - before) / 1e6).toBeLessThanOrEqual(90)
    expect(bin('openapi-pages-app', '--version').stdout).toBe(`${packageVersion}\n`)
    const help = bin('openapi-pages-app', 'token', '--help')
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('openapi-pages-app token create') })
    expect(bin('openapi-pages', 'token', '--help')).toEqual(help)
  })
})
