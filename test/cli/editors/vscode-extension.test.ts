import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { glob } from 'tinyglobby'
import { expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const extension = join(root, 'editors/vscode')
const readManifest = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>

test('the extension packages the version of this repository', () => {
  const { version } = readManifest(join(root, 'package.json'))
  const manifest = readManifest(join(extension, 'package.json'))
  expect([manifest['version'], manifest['dependencies']]).toEqual([
    version,
    expect.objectContaining({ 'openapi-pages': version }),
  ])
  expect(readFileSync(join(extension, 'README.md'), 'utf8')).toContain(`openapi-pages-vscode-${version}.vsix`)
})

test('the package contains what runs, and the licenses', async () => {
  const { main } = readManifest(join(extension, 'package.json'))
  const server = 'node_modules/openapi-pages'
  const client = 'node_modules/vscode-languageclient'
  const kept = [
    'LICENSE',
    'README.md',
    'extension.js',
    `${server}/THIRD_PARTY_LICENSES`,
    `${server}/bin/openapi-pages.cjs`,
    `${server}/build/cli/index.js`,
    `${server}/build/site/page.js`,
    `${server}/package.json`,
    `${client}/License.txt`,
    `${client}/lib/common/api.js`,
    `${client}/lib/node/main.js`,
    `${client}/package.json`,
    'node_modules/minimatch/LICENSE.md',
    'node_modules/minimatch/dist/commonjs/index.js',
    'node_modules/semver/index.js',
    'node_modules/vscode-languageserver-types/lib/umd/main.js',
    'package.json',
  ]
  const left = [`${server}/build/types/index.d.ts`, `${client}/lib/node/main.d.ts`, `${client}/lib/browser/main.js`, 'a.tgz']
  expect(kept).toContain(String(main).replace('./', ''))
  const folder = makeTemporaryFolder(Object.fromEntries([...kept, ...left].map((path) => [path, ''])))
  const lines = readFileSync(join(extension, '.vscodeignore'), 'utf8').split('\n')
  const ignore = lines.filter((line) => line !== '' && !line.startsWith('#'))
  expect((await glob('**', { cwd: folder, dot: true, ignore })).sort()).toEqual(kept.toSorted())
})

test('only a trusted workspace chooses the server', async () => {
  const installed = 'node_modules/openapi-pages/bin/openapi-pages.cjs'
  const folder = makeTemporaryFolder({ [installed]: '' })
  const started: string[] = []
  /** The two modules that the editor provides. */
  const modules = (isTrusted: boolean, network: boolean): Readonly<Record<string, unknown>> => ({
    vscode: {
      workspace: {
        isTrusted,
        workspaceFolders: [{ uri: { fsPath: folder } }],
        getConfiguration: (section: string) => ({
          get: (key: string) => section === 'openapi-pages' && key === 'network' && network,
        }),
      },
    },
    'vscode-languageclient/node': {
      TransportKind: { stdio: 0 },
      LanguageClient: class {
        constructor(_id: string, _name: string, server: { module: string; args: string[] }) {
          started.push(`${server.module} ${server.args.join(' ')}`)
        }
        async start() {}
      },
    },
  })
  for (const [isTrusted, network] of [
    [true, false],
    [false, false],
    [true, true],
  ] as const) {
    const exports: { activate?: () => Promise<void> } = {}
    const load = createRequire(import.meta.url)
    const require = (name: string): unknown => modules(isTrusted, network)[name] ?? load(name)
    runInNewContext(readFileSync(join(extension, 'extension.js'), 'utf8'), { exports, require, __dirname: extension })
    await exports.activate?.()
  }
  const server = join(folder, installed)
  expect(started).toEqual([`${server} lsp`, `${join(extension, installed)} lsp`, `${server} lsp --network`])
  // A workspace can change settings of every other scope.
  expect(readManifest(join(extension, 'package.json'))).toMatchObject({
    contributes: { configuration: { properties: { 'openapi-pages.network': { scope: 'machine', default: false } } } },
  })
})
