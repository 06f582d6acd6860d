import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { installCommand } from '../../src/docs/config/config-files.ts'
import { projectFolder } from '../support/action-harness.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
const docs = {
  'docs.json': JSON.stringify({ name: 'Tiny', navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json' }] } }),
  'openapi.json': tinyDocument('List pets'),
}
/** A repository without a docs.json. */
const bare = { 'services/pets/api.json': tinyDocument('List pets'), 'services/shops/openapi.json': tinyDocument('List shops') }
const onlyOne = { 'services/pets/api.json': tinyDocument('List pets') }

describe.each(readdirSync(join(projectFolder, 'examples/ci')))('examples/ci/%s', (name) => {
  const text = read(`examples/ci/${name}`)

  test('is named in the documentation, and is valid YAML', () => {
    expect(read('docs/ci.md')).toContain(`examples/ci/${name}`)
    if (name !== 'Jenkinsfile') expect(Object.keys(parse(text) as object).length).toBeGreaterThan(0)
  })

  // pre-commit installs the hooks of this repository itself.
  if (name === 'pre-commit-config.yaml') return

  test('runs only valid commands', async () => {
    const commands = [...text.matchAll(/openapi-pages (check|ci|build)(?: ([^\n|']*))?/g)].filter(
      ([line]) => !/id:|OpenAPI/.test(line),
    )
    expect(commands.length).toBeGreaterThan(0)
    for (const [, command = '', rest = ''] of commands) {
      const args = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
      const local = args.map((arg) =>
        arg
          .replace('$DOCS', '.')
          .replace('$CI_PAGES_URL', 'https://acme.example')
          .replace(/^(reports|test-results)\//, ''),
      )
      for (const files of [docs, command === 'build' ? onlyOne : bare]) {
        const run = await runInFolder(makeTemporaryFolder(files), [command, ...local])
        // The folder of this test is not in a Git work tree.
        if (command === 'ci') expect(run.stderr).toContain('cannot commit: . is not in a Git work tree')
        else expect([run.exitCode, run.stderr]).toEqual([0, expect.stringMatching(/^(?:Using .*\n)?(?:✔ .*\n)*$/)])
      }
    }
  })
})

interface Hook {
  readonly id: string
  readonly entry: string
  readonly language: string
  readonly files: string
  readonly pass_filenames?: boolean
}

describe.each(parse(read('.pre-commit-hooks.yaml')) as readonly Hook[])('the pre-commit hook $id', (hook) => {
  test('stops a commit only because of errors', async () => {
    expect(hook.language).toBe('node')
    expect(read('docs/ci.md')).toContain(`\`${hook.id}\``)
    const files = new RegExp(hook.files)
    expect(['docs/openapi.json', 'openapi.yaml', 'src/main.ts'].map((path) => files.test(path))).toEqual([true, true, false])
    // Files of openapi-pages itself are no documents.
    if (hook.pass_filenames !== false) expect(files.test('docs/openapi-pages.lock.json')).toBe(false)
    const [program, ...entry] = hook.entry.split(' ')
    expect(program).toBe('openapi-pages')
    const args = [...entry, ...(hook.pass_filenames === false ? [] : ['openapi.json'])]
    expect((await runInFolder(makeTemporaryFolder(docs), args)).exitCode).toBe(0)
    const broken = { ...docs, 'openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}' }
    expect((await runInFolder(makeTemporaryFolder(broken), args)).exitCode).toBe(1)
    const isUpdate = entry.includes('update')
    const atBare = await runInFolder(
      makeTemporaryFolder(bare),
      args.map((arg) => arg.replace('openapi.json', 'services/pets/api.json')),
    )
    expect([atBare.exitCode, atBare.stderr.includes('`openapi-pages init`')]).toEqual([isUpdate ? 2 : 0, isUpdate])
  })
})

test('npm installs the repository from Git with its build, as pre-commit does', () => {
  const { files, scripts, bin, dependencies } = JSON.parse(read('package.json'))
  expect(dependencies).toBeUndefined()
  const parts: readonly string[] = files.filter((path: string) => path.startsWith('build/'))
  expect(files).toEqual(['app.yml', 'bin', ...parts])
  const build = `import 'a-tool'
import { mkdirSync, writeFileSync } from 'node:fs'
for (const folder of ${JSON.stringify(parts)}) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + '/index.js', '')
}`
  const root = { name: 'openapi-pages', version: '1.0.0', devDependencies: { 'a-tool': 'file:a-tool' } }
  const linked = { 'node_modules/a-tool': { resolved: 'a-tool', link: true } }
  const origin = makeTemporaryFolder({
    'package.json': JSON.stringify({ ...root, type: 'module', files, scripts, bin }),
    'package-lock.json': JSON.stringify({ ...root, lockfileVersion: 3, packages: { '': root, 'a-tool': {}, ...linked } }),
    'a-tool/package.json': JSON.stringify({ name: 'a-tool', version: '1.0.0', exports: './index.js' }),
    'a-tool/index.js': '',
    '.npmrc': read('.npmrc'),
    '.gitignore': read('.gitignore'),
    'bin/openapi-pages.cjs': '#!/usr/bin/env node\nimport("../build/cli/index.js")',
    'app.yml': '',
    'bin/serve.js': '',
    'scripts/prepare.mjs': read('scripts/prepare.mjs'),
    'scripts/require-node.mjs': read('scripts/require-node.mjs'),
    'scripts/build.ts': build,
  })
  const git = (...args: string[]) => runProgram('git', args, { cwd: origin })
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=first')
  const cwd = makeTemporaryFolder({})
  const env = { ...process.env, npm_config_cache: join(cwd, 'cache'), npm_config_prefix: cwd }
  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' })
  const command = installCommand.replace(/(?<=git\+)\S+/, pathToFileURL(origin).href)
  npm(...command.split(' ').slice(1))
  for (const part of parts) expect(readdirSync(join(npm('root', '--global').trim(), 'openapi-pages', part))).toEqual(['index.js'])
})

test('`npm pack` prints only the name of the package, which older versions of pre-commit read', () => {
  const manifest = { name: 'x', version: '1.0.0', scripts: { prepare: 'node -e "console.log(1)"' } }
  const cwd = makeTemporaryFolder({ 'package.json': JSON.stringify(manifest), '.npmrc': read('.npmrc') })
  const stdout = execFileSync('npm', ['pack'], { cwd, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' })
  expect(stdout.trim()).toBe('x-1.0.0.tgz')
})
