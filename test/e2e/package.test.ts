import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../..')
const isWindows = process.platform === 'win32'

/** npm and its shell, as a user has them. */
function run(name: string, args: readonly string[], cwd: string): { code: number; stdout: string } {
  try {
    return {
      code: 0,
      stdout: execFileSync(name, args, { cwd, encoding: 'utf8', shell: isWindows, stdio: ['ignore', 'pipe', 'pipe'] }),
    }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string } // What a failed process gives.
    if (name === 'npm') throw new Error(stderr)
    return { code: status, stdout }
  }
}

let manifest: { version: string; bin: Record<string, string>; dependencies: Record<string, string> }
beforeAll(() => {
  manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
})

test('the installed package works', { timeout: 300_000 }, () => {
  const folder = makeTemporaryFolder({
    'package.json': '{"private": true, "type": "module"}',
    'good.yaml': 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {}\n',
    'bad.yaml': 'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npathz: {}\n',
    'use.mjs': `import { check, formatSarif } from 'openapi-pages'
const { valid, diagnostics } = await check('bad.yaml')
console.log(JSON.stringify({ valid, codes: diagnostics.map(({ code }) => code), sarif: JSON.parse(formatSarif(diagnostics)).version }))
`,
    'use.ts': `import { type CheckResult, check, type Diagnostic, formatJson } from 'openapi-pages'
const result: CheckResult = await check('bad.yaml', { content: '', boundary: '.' })
const first: Diagnostic | undefined = result.diagnostics[0]
export const text: string = formatJson(result.diagnostics) + (first?.severity satisfies 'error' | 'warning' | 'info' | undefined)
`,
  })
  // Without the scripts: `pretest` has built what is packed.
  mkdirSync(join(folder, 'pack'))
  run('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', join(folder, 'pack')], root)
  const [tarball = ''] = readdirSync(join(folder, 'pack'))
  run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `./pack/${tarball}`],
    folder,
  )

  const api = run(process.execPath, ['use.mjs'], folder)
  expect(JSON.parse(api.stdout)).toMatchObject({ valid: false, sarif: '2.1.0' })
  expect(JSON.parse(api.stdout).codes).toContain('unknown-field')

  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] },
      files: ['use.ts'],
    }),
  )
  const types = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.'], folder)
  expect(types).toEqual({ code: 0, stdout: '' })

  const bin = (...words: string[]) => run('npx', ['--no', '--', 'openapi-pages', ...words], folder)
  expect(bin('--version').stdout).toBe(`${manifest.version}\n`)
  expect(bin('check', 'good.yaml')).toMatchObject({ code: 0, stdout: expect.stringContaining('✔ good.yaml is valid') })
  expect(bin('check', 'bad.yaml').code).toBe(1)
  expect(bin('bundle', 'good.yaml').stdout).toContain('openapi: 3.1.0')
  // A command of the app.
  expect(bin('token', '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('openapi-pages token create') })

  // A site of a document, with its stylesheet and scripts.
  writeFileSync(join(folder, 'pets.yaml'), readFileSync(join(root, 'examples/petstore/openapi.yaml')))
  expect(bin('build', 'pets.yaml', '-o', 'site', '--quiet')).toEqual({ code: 0, stdout: '' })
  const site = readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' })
  expect(site.filter((path) => /_assets[/\\](?:site|page|theme)-[0-9a-f]{8}\.(?:css|js)$/.test(path)).length).toBe(3)
  expect(site).toEqual(expect.arrayContaining(['index.html', join('pets/list-pets/index.html')]))

  const packed = readdirSync(join(folder, 'node_modules/openapi-pages'), { recursive: true, encoding: 'utf8' })
  for (const needed of ['docs/schemas/check.schema.json', 'docs/api.md', 'LICENSE', 'build/cli/licenses.txt'])
    expect(packed).toContain(join(needed))
  // Nothing that is for tests only.
  const code = packed.filter((path) => /\.[cm]?js$/.test(path) && !path.startsWith('node_modules'))
  expect(code.length).toBeGreaterThan(100)
  const installed = join(folder, 'node_modules/openapi-pages')
  const withFaults = code.filter((path) =>
    /\bfault-?point|OPENAPI_PAGES_FAULT/i.test(readFileSync(join(installed, path), 'utf8')),
  )
  expect(withFaults).toEqual([])
  expect(packed.filter((path) => /(^|[/\\])(test|fixtures|bench|\.ci)([/\\]|$)/.test(path))).toEqual([])
})
