import { execFileSync, type StdioOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeCodes } from '../../src/changes/change.ts'
import { diagnosticCodes } from '../../src/diagnostics/diagnostic.ts'
import { packageVersion } from '../../src/docs/config/config-files.ts'
import { documentedExamples } from '../support/documented-examples.ts'

const root = join(import.meta.dirname, '../..')

/** Programs start with the Node.js version of this test. */
function run(name: string, args: readonly string[], cwd: string): { code: number; stdout: string; stderr: string } {
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe']
  try {
    const stdout = execFileSync(name, args, { cwd, encoding: 'utf8', env, shell: process.platform === 'win32', stdio })
    return { code: 0, stdout, stderr: '' }
  } catch (error) {
    const { status: code, stdout, stderr } = error as { status: number; stdout: string; stderr: string } // What a failed process gives.
    return { code, stdout, stderr }
  }
}

/** The paths of the installed packages, and the size of their files. */
function measure(folder: string): { packages: string[]; megabytes: number } {
  const lock: { packages: object } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const entries = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  const sizes = entries.flatMap((entry) => (entry.isFile() ? [statSync(join(entry.parentPath, entry.name)).size] : []))
  return { packages: Object.keys(lock.packages), megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6 }
}

describe('a dry run of a release', () => {
  /** The directory of the release, and those in which it has installed each package. */
  let [release, cliFolder, appFolder] = ['', '', '']
  let output = ''
  /** Runs a command as `npx` does, without the time that npm needs. */
  const bin = (name: string, ...args: string[]) => run(join(cliFolder, 'node_modules/.bin', name), args, cliFolder)

  beforeAll(() => {
    release = realpathSync(mkdtempSync(join(tmpdir(), 'openapi-pages-release-')))
    cliFolder = join(release, 'installed/openapi-pages')
    appFolder = join(release, 'installed/openapi-pages-app')
    // `pretest` has built what is packed.
    const script = run(process.execPath, [join(root, 'scripts/release.ts'), '--dry-run', '--to', release], root)
    expect(script, script.stderr).toMatchObject({ code: 0, stderr: '' })
    output = script.stdout
    console.log(output)
  }, 300_000)
  afterAll(() => rmSync(release, { recursive: true, force: true, maxRetries: 3 }))

  test('writes packages, SBOMs, the suite of API changes, checksums and release notes', () => {
    const names = ['openapi-pages', 'openapi-pages-app'].map((name) => `${name}-${packageVersion}`)
    const files = [...names.flatMap((name) => [`${name}.tgz`, `${name}.cdx.json`]), `api-changes-suite-${packageVersion}.tgz`]
    const others = ['SHA256SUMS', 'installed', 'notes.md', 'openapi-pages', 'openapi-pages-app']
    expect(readdirSync(release).sort()).toEqual([...files, ...others].sort())
    const hash = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(release, name)))
        .digest('hex')
    const sums = files.map((name) => `${hash(name)}  ${name}\n`)
    expect(readFileSync(join(release, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''))
    for (const tool of ['publint', 'install']) expect(output).toContain(`✔ ${tool}: openapi-pages`)

    const read = (name: string) => JSON.parse(readFileSync(join(release, `${name}.cdx.json`), 'utf8'))
    const [cli, app] = names.map(read)
    expect(cli.metadata.component).toMatchObject({ purl: `pkg:npm/openapi-pages@${packageVersion}` })
    expect(app.metadata.component).toMatchObject({ purl: `pkg:npm/openapi-pages-app@${packageVersion}` })
    const list = ({ components }: { components: { name: string }[] }) => components.map(({ name }) => name)
    expect(list(cli)).toEqual(expect.arrayContaining(['commander', 'mermaid', 'preact', 'shiki', 'yaml']))
    expect(list(app)).toEqual(expect.arrayContaining(['fastify', 'mermaid', 'playwright-core', 'preact', 'probot']))
    // Tools of this repository and packages of the app.
    for (const name of ['vitest', 'typescript', 'playwright-core', 'fastify']) expect(list(cli)).not.toContain(name)
    expect(list(app)).not.toContain('vitest')
  })

  test('openapi-pages is one package of at most 9 MB', () => {
    const { packages, megabytes } = measure(cliFolder)
    expect(packages).toEqual(['node_modules/openapi-pages'])
    expect(megabytes).toBeLessThanOrEqual(9)
  })

  test('openapi-pages-app takes at most 90 MB', () => {
    const { packages, megabytes } = measure(appFolder)
    expect(packages).toEqual(['node_modules/openapi-pages-app', 'node_modules/playwright-core'])
    expect(megabytes).toBeLessThanOrEqual(90)
  })

  test('openapi-pages exports the module API with types for every way to resolve modules', () => {
    writeFileSync(
      join(cliFolder, 'use.ts'),
      `import { type BuildJson, build, type CheckJson, check, compare, type DiagnosticJson, type UpdateJson, update } from 'openapi-pages'
const result: CheckJson = await check(['bad.yaml'], { content: '', boundary: '.' })
const first: DiagnosticJson | undefined = result.diagnostics[0]
export const text: string = String(result.errors) + (first?.severity satisfies 'error' | 'warning' | 'info' | undefined)
export const made: readonly [UpdateJson, BuildJson] = [await update('.', { dryRun: true }), await build('a.yaml', { output: 'b' })]
// @ts-expect-error: a comparison needs two descriptions, so the types are not \`any\`.
await compare(1)
`,
    )
    const modules = [
      ['bundler', 'esnext'],
      ['node16', 'node16'],
      ['nodenext', 'nodenext'],
    ] as const
    for (const [moduleResolution, module] of modules) {
      const checks = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
      // Without the types of Node.js, which a consumer need not have.
      const compilerOptions = { ...checks, noEmit: true, module, moduleResolution, target: 'es2022', types: [] }
      writeFileSync(join(cliFolder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
      const types = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], cliFolder)
      expect([moduleResolution, types]).toEqual([moduleResolution, { code: 0, stdout: '', stderr: '' }])
    }
  })

  test('runs the documented examples of the module, and their types are correct', () => {
    const toDocument = (type: string) =>
      `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/pets: {get: {parameters: [{name: limit, in: query, schema: {type: ${type}}}], responses: {'200': {description: Pets}}}}}\ncomponents: {schemas: {Pet: {}}}\n`
    writeFileSync(join(cliFolder, 'old.yaml'), toDocument('string'))
    writeFileSync(join(cliFolder, 'openapi.yaml'), toDocument('integer'))
    mkdirSync(join(cliFolder, 'docs'))
    writeFileSync(join(cliFolder, 'docs/docs.json'), '{"name": "A", "navigation": {"openapi": "openapi.yaml"}}')
    writeFileSync(join(cliFolder, 'docs/openapi-pages.config.yaml'), 'materialize: true\n')
    writeFileSync(join(cliFolder, 'docs/openapi.yaml'), toDocument('integer'))
    const examples = documentedExamples.filter(({ language }) => language === 'js').map(({ text }) => text)
    const outputs = examples.map((text, index) => {
      for (const extension of ['mjs', 'ts']) writeFileSync(join(cliFolder, `example-${index}.${extension}`), text)
      return run(process.execPath, [`example-${index}.mjs`], cliFolder)
    })
    const changed = 'Type of query parameter `limit` changed from `string` to `integer`'
    expect(outputs).toEqual([
      { code: 0, stdout: expect.stringMatching(/^openapi\.yaml:4:\d+ \w+ unused-component: /), stderr: '' },
      { code: 0, stdout: '1 added, 0 changed, 0 removed\n', stderr: '' },
      { code: 0, stdout: expect.stringMatching(/^[1-9]\d* pages in public\n$/), stderr: '' },
      { code: 0, stdout: `breaking type-narrowed get /pets: ${changed}\n`, stderr: '' },
    ])
    const typeRoots = [join(root, 'node_modules/@types')]
    const ofNode = { types: ['node'], typeRoots, skipLibCheck: true }
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', ...ofNode }
    writeFileSync(
      join(cliFolder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: examples.map((_, index) => `example-${index}.ts`) }),
    )
    const types = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], cliFolder)
    expect(types).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('openapi-pages exports all codes as the JSON that `explain` prints', () => {
    writeFileSync(
      join(cliFolder, 'codes.mjs'),
      "import codes from 'openapi-pages/codes.json' with { type: 'json' }\nconsole.log(JSON.stringify(codes))\n",
    )
    const { stdout } = run(process.execPath, ['codes.mjs'], cliFolder)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(bin('openapi-pages', 'explain', '--json').stdout))
    expect(JSON.parse(stdout).codes.length).toBe(Object.keys({ ...diagnosticCodes, ...changeCodes }).length)
  })

  test('openapi-pages builds a site of a document, with its stylesheet and scripts', () => {
    writeFileSync(join(cliFolder, 'pets.yaml'), readFileSync(join(root, 'examples/petstore/openapi.yaml')))
    expect(bin('openapi-pages', 'build', 'pets.yaml', '-o', 'site', '--quiet')).toMatchObject({ code: 0, stdout: '' })
    const site = readdirSync(join(cliFolder, 'site'), { recursive: true, encoding: 'utf8' })
    expect(site.filter((path) => /_assets[/\\](?:site|page|theme)-[0-9a-f]{8}\.(?:css|js)$/.test(path)).length).toBe(3)
    expect(site).toEqual(expect.arrayContaining(['index.html', join('pets/list-pets/index.html')]))
  })

  test('both packages contain licenses, and nothing that is for tests only', () => {
    for (const name of ['openapi-pages', 'openapi-pages-app']) {
      const folder = join(release, name)
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      for (const needed of ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD_PARTY_LICENSES']) expect(paths).toContain(needed)
      const code = paths.filter((path) => /\.[cm]?js$/.test(path))
      expect(code.length).toBeGreaterThan(100)
      expect(code.filter((path) => /\bfault-?point|OPENAPI_PAGES_FAULT/i.test(readFileSync(join(folder, path), 'utf8')))).toEqual(
        [],
      )
      expect(paths.filter((path) => /(^|[/\\])(test|fixtures|bench|images|\.ci)([/\\]|$)/.test(path))).toEqual([])
    }
    const readLicenses = (name: string) => readFileSync(join(release, name, 'THIRD_PARTY_LICENSES'), 'utf8')
    for (const name of ['commander', 'mermaid', 'preact', 'shiki', 'yaml'])
      expect(readLicenses('openapi-pages')).toMatch(new RegExp(`^${name} \\d`, 'm'))
    for (const name of ['fastify', 'mermaid', 'preact', 'probot'])
      expect(readLicenses('openapi-pages-app')).toMatch(new RegExp(`^${name} \\d`, 'm'))
    expect(readdirSync(join(release, 'openapi-pages/schemas'))).toContain('check.schema.json')
  })

  test('openapi-pages starts the app if it is installed next to it, and says how to get it otherwise', () => {
    expect(bin('openapi-pages', 'serve', '--help')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'openapi-pages: `serve` is a command of the app. Run `openapi-pages-app serve`\n',
    })
    const inApp = join(appFolder, 'node_modules/openapi-pages-app')
    symlinkSync(inApp, join(cliFolder, 'node_modules/openapi-pages-app'), 'junction')
    expect(bin('openapi-pages', 'token', '--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: openapi-pages-app token'),
    })
  })
})
