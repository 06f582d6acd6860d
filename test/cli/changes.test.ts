import { writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChangesJson } from '../../src/openapi/changes/changes-json.ts'
import { type GitHistory, makeHistory } from '../support/git-history.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const toDocument = (type: string, path = '/pets') => `openapi: 3.1.0
info: {title: Pets, version: "${type === 'string' ? 1 : 2}.0.0"}
paths:
  ${path}:
    get:
      parameters:
        - name: limit
          in: query
          schema: {type: ${type}}
      responses: {'200': {description: Pets}}
`

const files = { 'old/openapi.yaml': toDocument('string'), 'openapi.yaml': toDocument('integer') }

function git(folder: string, ...args: string[]): void {
  runProgram('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder })
}

function makeRepository(): string {
  const folder = makeTemporaryFolder({
    'api/openapi.yaml': `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {/a: {$ref: ../shared/a.yaml}}\n`,
    'shared/a.yaml': "get: {responses: {'200': {description: A}, '404': {description: None}}}\n",
  })
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'first')
  writeFileSync(join(folder, 'shared/a.yaml'), "get: {responses: {'404': {description: None}}}\n")
  return folder
}

describe('changes', () => {
  test('prints the places of a change in both documents', async () => {
    const run = await runInFolder(makeTemporaryFolder(files), ['changes', 'old/openapi.yaml', 'openapi.yaml'])
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toBe(`GET /pets  1 breaking

  breaking type-narrowed 146f9484
  Type of query parameter \`limit\` changed from \`string\` to \`integer\`

  base old/openapi.yaml:9:26
     8 │           in: query
  ▶  9 │           schema: {type: string}
       │                          ^^^^^^
    10 │       responses: {'200': {description: Pets}}

  revision openapi.yaml:9:26
     8 │           in: query
  ▶  9 │           schema: {type: integer}
       │                          ^^^^^^^
    10 │       responses: {'200': {description: Pets}}

  hint: Accept the old type too
  docs: https://github.com/openapi-pages/openapi-pages/blob/main/docs/change-codes.md#type-narrowed

✖ 1 breaking change (old/openapi.yaml → openapi.yaml, 1.0.0 → 2.0.0)
`)
  })

  test('prints JSON in the documented shape', async () => {
    const run = await runInFolder(makeTemporaryFolder(files), ['diff', 'old/openapi.yaml', 'openapi.yaml', '--format', 'json'])
    const printed: ChangesJson = JSON.parse(run.stdout)
    expect(printed).toEqual({
      version: 1,
      base: { document: 'old/openapi.yaml', version: '1.0.0' },
      revision: { document: 'openapi.yaml', version: '2.0.0' },
      breaking: 1,
      risky: 0,
      compatible: 0,
      changes: [
        {
          code: 'type-narrowed',
          level: 'breaking',
          method: 'get',
          path: '/pets',
          operations: [{ method: 'get', path: '/pets' }],
          subject: 'request',
          message: 'Type of query parameter `limit` changed from `string` to `integer`',
          hint: 'Accept the old type too',
          base: { file: 'old/openapi.yaml', line: 9, column: 26, pointer: '/paths/~1pets/get/parameters/0/schema/type' },
          revision: { file: 'openapi.yaml', line: 9, column: 26, pointer: '/paths/~1pets/get/parameters/0/schema/type' },
        },
      ],
    })
  })

  test.each([
    ['breaking', 1],
    ['risky', 1],
    ['any', 1],
    ['never', 0],
  ])('exits for a breaking change with --fail-on %s with code %i', async (level, exitCode) => {
    const run = await runInFolder(makeTemporaryFolder(files), ['changes', 'old/openapi.yaml', 'openapi.yaml', '--fail-on', level])
    expect(run.exitCode).toBe(exitCode)
  })

  test('fails for a compatible change only with --fail-on any', async () => {
    const folder = makeTemporaryFolder(files)
    const toExitCode = async (level: string) =>
      (await runInFolder(folder, ['changes', 'openapi.yaml', 'old/openapi.yaml', '--fail-on', level])).exitCode
    expect(await Promise.all(['breaking', 'risky', 'any'].map(toExitCode))).toEqual([0, 0, 1])
  })

  test('lists only breaking changes with --only breaking', async () => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, [
      'changes',
      'openapi.yaml',
      'old/openapi.yaml',
      '--only',
      'breaking',
      '--format',
      'json',
    ])
    expect(JSON.parse(run.stdout)).toMatchObject({ changes: [], compatible: 0 })
  })

  test('reports equal descriptions', async () => {
    const run = await runInFolder(makeTemporaryFolder(files), ['changes', 'openapi.yaml', 'openapi.yaml'])
    expect(run).toEqual({ exitCode: 0, stdout: '✔ No changes for API clients (openapi.yaml, 2.0.0)\n', stderr: '' })
  })

  test('reads all files of a description at a git revision', async () => {
    const folder = makeRepository()
    const run = await runInFolder(folder, ['changes', 'main:api/openapi.yaml', 'api/openapi.yaml', '--format', 'json'])
    const printed: ChangesJson = JSON.parse(run.stdout)
    expect(printed.changes.map(({ code, base }) => [code, base?.file])).toEqual([['response-removed', 'shared/a.yaml']])
  })

  test('reads a path relative to the working directory at a git revision', async () => {
    const folder = join(makeRepository(), 'api')
    const run = await runInFolder(folder, ['changes', 'HEAD:./openapi.yaml', 'openapi.yaml'])
    expect(run.stdout).toContain('Response `200` was removed')
    expect(await runInFolder(folder, ['changes', 'HEAD:openapi.yaml', 'openapi.yaml'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'openapi-pages: cannot read HEAD:openapi.yaml: no such file in this revision\n  For a path relative to this directory, write `HEAD:./openapi.yaml`\n',
    })
  })

  test.each([
    ['missing.yaml', 'cannot read missing.yaml: no such file'],
    ['none:openapi.yaml', 'cannot find the git revision `none`'],
    ['HEAD:.', 'cannot compare the directory HEAD:. with the document openapi.yaml'],
    ['old', 'cannot compare the directory old with the document openapi.yaml'],
  ])('exits with code 2 for %s', async (argument, message) => {
    const folder = makeTemporaryFolder(files)
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'first')
    const run = await runInFolder(folder, ['changes', argument, 'openapi.yaml'])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toContain(message)
  })

  test('exits with code 2 for a file that is not an OpenAPI document', async () => {
    const folder = makeTemporaryFolder({ ...files, 'a.yaml': 'a: 1\n' })
    const run = await runInFolder(folder, ['changes', 'a.yaml', 'openapi.yaml'])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toContain('not-openapi')
  })

  test('compares the readable parts of a document with errors, and reports that it has some', async () => {
    const folder = makeTemporaryFolder({ ...files, 'b.yaml': `${toDocument('integer')}unknown: 1\n` })
    const run = await runInFolder(folder, ['changes', 'old/openapi.yaml', 'b.yaml'])
    expect(run.exitCode).toBe(0)
    expect(run.stderr).toBe('b.yaml has 1 error, so the list can be incomplete. Run `openapi-pages check b.yaml`.\n')
  })

  test('reports the errors of both documents once, and names the operations that are not compared as a whole', async () => {
    const broken = toDocument('string').replace('{description: Pets}', "{$ref: '#/components/responses/Pets'}")
    const other = "  /owners: {get: {responses: {'200': {description: Owners}}}}\n"
    const folder = makeTemporaryFolder({ 'a.yaml': `${broken}${other}`, 'b.yaml': `${broken}${other}unknown: 1\n` })
    const run = await runInFolder(folder, ['changes', 'a.yaml', 'b.yaml'])
    expect(run.stderr).toBe(
      'a.yaml has 1 error and b.yaml has 2 errors, so the list can be incomplete. Run `openapi-pages check a.yaml b.yaml`.\n' +
        'hint: Correct references first. Parts of these operations cannot be read: GET /pets\n',
    )
    const { stdout } = await runInFolder(folder, ['changes', 'a.yaml', 'b.yaml', '--format', 'json'])
    expect(JSON.parse(stdout)).toMatchObject({ incomplete: [{ method: 'get', path: '/pets' }] })
    const markdown = await runInFolder(folder, ['changes', 'a.yaml', 'b.yaml', '--format', 'markdown'])
    expect(markdown.stdout).toContain('Parts that cannot be read: `GET /pets`')
    const filtered = await runInFolder(folder, ['changes', 'a.yaml', 'b.yaml', '--format', 'json', '--path', '/owners'])
    expect(JSON.parse(filtered.stdout)).not.toHaveProperty('incomplete')
  })

  test.each([
    ['markdown', /^### API changes: 1 breaking\n/],
    ['html', /^<!doctype html><html lang="en">.*▶ {2}9 │/s],
    ['github', /^::error file=openapi\.yaml,line=9,endLine=9,col=26,endColumn=33,title=breaking%3A type-narrowed::GET \/pets: /],
    ['sarif', /^\{\n {2}"\$schema": .*"semanticVersion": "\d+\.\d+\.\d+"/s],
    [
      'junit',
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="API changes: old\/openapi\.yaml → openapi\.yaml" tests="1" failures="1"/,
    ],
  ])('prints %s to stdout', async (format, expected) => {
    const run = await runInFolder(makeTemporaryFolder(files), ['changes', 'old/openapi.yaml', 'openapi.yaml', '--format', format])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toMatch(expected)
    expect(run.stderr).toBe(format === 'github' ? '✖ 1 breaking change (old/openapi.yaml → openapi.yaml, 1.0.0 → 2.0.0)\n' : '')
  })

  test('annotates the path of a removed operation, relative to the root of the checkout', async () => {
    const base = `${toDocument('integer')}    delete: {responses: {'204': {description: Deleted}}}\n`
    const folder = makeTemporaryFolder({ 'api/old.yaml': base, 'api/openapi.yaml': toDocument('integer') })
    const argv = ['changes', 'old.yaml', 'openapi.yaml', '--format', 'github']
    const run = await runInFolder(join(folder, 'api'), argv, { env: { GITHUB_WORKSPACE: folder } })
    expect(run.stdout).toMatch(
      /^::error file=api\/openapi\.yaml,line=4,endLine=4,col=3,endColumn=8,title=breaking%3A operation-removed::/,
    )
    expect(run.stdout).toContain('%0Abase: api/old.yaml:11:5%0A')
  })

  test('counts the changes that meet --fail-on as failures in JUnit', async () => {
    const folder = makeTemporaryFolder(files)
    const run = await runInFolder(folder, [
      'changes',
      'openapi.yaml',
      'old/openapi.yaml',
      '--format',
      'junit',
      '--fail-on',
      'any',
    ])
    expect(run.stdout).toMatch(/<testsuites .*tests="1" failures="1"/)
    const passed = await runInFolder(folder, ['changes', 'openapi.yaml', 'old/openapi.yaml', '--format', 'junit'])
    expect(passed.stdout).toMatch(/<testsuites .*tests="1" failures="0"/)
  })

  test.each([
    [
      ['--path', '/pets*'],
      ['/pets', '/pets/{id}'],
    ],
    [['--path', '/pets'], ['/pets']],
    [['--path', '*/{petId}'], ['/pets/{id}']],
    [['--path', '/*s*/*}'], ['/pets/{id}']],
    [
      ['--path', '/pets', '--path', '/owners'],
      ['/pets', '/owners'],
    ],
    [['--path', '/p*pets'], []],
    [['--tag', 'old'], ['/owners']],
    [['--tag', 'new'], ['/owners']],
    [['--tag', 'old', '--path', '/pets*'], []],
    [
      ['--match-path', '^/pets'],
      ['/pets', '/pets/{id}'],
    ],
    [['--match-path', 'pets$'], ['/pets']],
    [['--match-path', 'petId'], ['/pets/{id}']],
    [['--match-path', 'owners|pets$', '--path', '/p*'], ['/pets']],
  ])('compares only the operations of %j', async (filter, expected) => {
    const toPaths = (type: string, parameter: string, tag: string) => {
      const operation = (rest: string) =>
        `{get: {${rest} parameters: [{name: limit, in: query, schema: {type: ${type}}}], responses: {'200': {description: Pets}}}}`
      const parameters = `parameters: [{name: ${parameter}, in: path, required: true, schema: {type: string}}]`
      return `openapi: 3.1.0
info: {title: Pets, version: "1"}
tags: [{name: old}, {name: new}]
servers: [{url: 'https://${type}.example.com'}]
paths:
  /pets: ${operation('')}
  /pets/{${parameter}}: {${parameters}, ${operation('').slice(1)}
  /owners: ${operation(`tags: [${tag}],`)}
`
    }
    const folder = makeTemporaryFolder({ 'a.yaml': toPaths('string', 'id', 'old'), 'b.yaml': toPaths('integer', 'petId', 'new') })
    const run = await runInFolder(folder, ['changes', 'a.yaml', 'b.yaml', ...filter, '--format', 'json', '--fail-on', 'breaking'])
    const printed: ChangesJson = JSON.parse(run.stdout)
    expect([...new Set(printed.changes.map(({ path }) => path))].toSorted()).toEqual(expected.toSorted())
    expect(run.exitCode).toBe(expected.length === 0 ? 0 : 1)
  })

  test.each([
    ['--match-path', '(', 'cannot read `(` for --match-path'],
    ['--strip-prefix', 'v1', 'unexpected `v1` for --strip-prefix, expected the beginning of a path, such as /v1'],
    ['--strip-prefix', '/{version}', 'unexpected `/{version}` for --strip-prefix'],
    ['--deprecation-days-stable', '-1', 'unexpected `-1` for --deprecation-days-stable, expected a number of days'],
    ['--stability-level', 'gamma', 'unknown value `gamma` for --stability-level'],
    ['--overlay', 'missing.yaml', 'missing.yaml'],
  ])('refuses %s %s', async (option, value, message) => {
    const run = await runInFolder(makeTemporaryFolder(files), ['changes', 'old/openapi.yaml', 'openapi.yaml', option, value])
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain(message)
  })

  test.each([
    ['/v1/pets', '/pets', ['--strip-prefix', '/v1'], []],
    ['/v1/pets', '/v2/pets', ['--strip-prefix', '/v1', '--strip-prefix', '/v2'], []],
    ['/v1/pets', '/v1/pets', ['--strip-prefix', '/v1'], []],
    ['/v1', '/', ['--strip-prefix', '/v1/'], []],
    ['/v1/pets', '/pets', [], ['operation-moved']],
    ['/v10/pets', '/0/pets', ['--strip-prefix', '/v1'], ['operation-moved']],
  ])('matches %s and %s with %j', async (path, next, options, expected) => {
    const toNamed = (name: string) => toDocument('string', name).replace('get:', 'get:\n      operationId: listPets')
    const folder = makeTemporaryFolder({ 'a.yaml': toNamed(path), 'b.yaml': toNamed(next) })
    const run = await runInFolder(folder, ['changes', 'a.yaml', 'b.yaml', ...options, '--format', 'json'])
    expect((JSON.parse(run.stdout) as ChangesJson).changes.map(({ code }) => code)).toEqual(expected)
  })

  test('applies an overlay to both versions, also to one of a git revision that does not have it', async () => {
    const folder = makeTemporaryFolder({ 'openapi.yaml': files['old/openapi.yaml'] })
    git(folder, 'init', '-q', '-b', 'main')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-q', '-m', 'first')
    writeFileSync(join(folder, 'openapi.yaml'), files['openapi.yaml'])
    const action = '{target: "$.paths[*].get.parameters", remove: true}'
    writeFileSync(join(folder, 'a.overlay.yaml'), `overlay: 1.0.0\ninfo: {title: A, version: "1"}\nactions: [${action}]\n`)
    const compare = (...options: string[]) => runInFolder(folder, ['changes', 'main', 'openapi.yaml', ...options])
    expect((await compare()).stdout).toContain('type-narrowed')
    expect(await compare('--overlay', 'a.overlay.yaml')).toMatchObject({
      stdout: '✔ No changes for API clients (openapi.yaml, 1.0.0 → 2.0.0)\n',
      stderr: '',
    })
    writeFileSync(join(folder, 'docs.json'), JSON.stringify({ navigation: { openapi: 'openapi.yaml' } }))
    const directory = await runInFolder(folder, ['changes', 'main', '.', '--overlay', 'a.overlay.yaml'])
    expect(directory).toMatchObject({ exitCode: 2 })
    expect(directory.stderr).toContain('unexpected --overlay for .')
  })

  test('requires time between a deprecation and its sunset, and compares the levels of stability that are set', async () => {
    const operation = (rest: string) => `  /a: {get: {${rest} responses: {'200': {description: OK}}}}\n`
    const toVersion = (rest: string) => `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths:\n${operation(rest)}`
    const folder = makeTemporaryFolder({
      'a.yaml': toVersion(''),
      'b.yaml': toVersion("deprecated: true, x-sunset: '2000-01-01',"),
      'alpha.yaml': toVersion('x-stability-level: alpha,'),
      'alpha-b.yaml': toVersion('x-stability-level: alpha, parameters: [{name: q, in: query, required: true, schema: {}}],'),
    })
    const codes = async (base: string, revision: string, ...options: string[]) => {
      const run = await runInFolder(folder, ['changes', base, revision, '--format', 'json', ...options])
      return (JSON.parse(run.stdout) as ChangesJson).changes.map(({ code }) => code)
    }
    expect(await codes('a.yaml', 'b.yaml')).toEqual(['operation-deprecated'])
    expect(await codes('a.yaml', 'b.yaml', '--deprecation-days-stable', '30')).toEqual(['sunset-too-soon'])
    expect(await codes('a.yaml', 'b.yaml', '--deprecation-days-beta', '30')).toEqual(['operation-deprecated'])
    expect(await codes('alpha.yaml', 'alpha-b.yaml')).toEqual([])
    expect(await codes('alpha.yaml', 'alpha-b.yaml', '--stability-level', 'alpha')).toEqual(['required-parameter-added'])
    const config = 'changes: {deprecationDays: {stable: 30}, stability: alpha}\n'
    writeFileSync(join(folder, 'openapi-pages.config.yaml'), config)
    expect(await codes('a.yaml', 'b.yaml')).toEqual(['sunset-too-soon'])
    expect(await codes('a.yaml', 'b.yaml', '--deprecation-days-stable', '0')).toEqual(['operation-deprecated'])
    expect(await codes('alpha.yaml', 'alpha-b.yaml')).toEqual(['required-parameter-added'])
  })

  test('uses the levels of the configuration file next to the new version', async () => {
    const config = { 'openapi-pages.config.yaml': 'changes: {levels: {type-narrowed: risky}}\n' }
    const folder = makeTemporaryFolder({ ...files, ...config, 'old/openapi-pages.config.yaml': 'changes: {levels: {a: b}}\n' })
    const run = await runInFolder(folder, ['changes', 'old/openapi.yaml', 'openapi.yaml', '--fail-on', 'breaking'])
    expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    expect(run.stdout).toContain('1 risky change')
    writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'changes: {levels: {type-narrowed: off}}\n')
    const off = await runInFolder(folder, ['changes', 'old/openapi.yaml', 'openapi.yaml', '--fail-on', 'any'])
    expect(off).toMatchObject({ exitCode: 0, stderr: '' })
    expect(off.stdout).toContain('No changes for API clients')
  })

  test('fails on the changes that the configuration file names, unless --fail-on is given', async () => {
    const config = { 'openapi-pages.config.yaml': 'changes: {failOn: breaking}\n' }
    const folder = makeTemporaryFolder({ ...files, ...config })
    const compare = (...options: string[]) => runInFolder(folder, ['changes', 'old/openapi.yaml', 'openapi.yaml', ...options])
    expect((await compare()).exitCode).toBe(1)
    expect((await compare('--fail-on', 'never')).exitCode).toBe(0)
  })

  test('reads the levels from the same git revision as the new version', async () => {
    const folder = makeRepository()
    git(folder, 'add', '-A')
    writeFileSync(join(folder, 'openapi-pages.config.yaml'), 'changes: {levels: {response-removed: compatible}}\n')
    git(folder, 'commit', '-q', '-m', 'second')
    const compare = async (revision: string) =>
      (await runInFolder(folder, ['changes', 'HEAD~1:api/openapi.yaml', revision, '--format', 'json'])).stdout
    expect(JSON.parse(await compare('HEAD:api/openapi.yaml')).breaking).toBe(1)
    expect(JSON.parse(await compare('api/openapi.yaml')).breaking).toBe(0)
  })

  test('does not compare with an error in the configuration file', async () => {
    const folder = makeTemporaryFolder({ ...files, 'openapi-pages.config.yaml': 'changes: {levels: {type-narrowd: off}}\n' })
    const run = await runInFolder(folder, ['changes', 'old/openapi.yaml', 'openapi.yaml'])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toContain('openapi-pages.config.yaml:1:20')
    expect(run.stderr).toContain('Did you mean `type-narrowed`?')
  })

  test('names the version that breaking changes need', async () => {
    const same = { ...files, 'openapi.yaml': files['openapi.yaml'].replace('2.0.0', '1.1.0') }
    const run = await runInFolder(makeTemporaryFolder(same), ['changes', 'old/openapi.yaml', 'openapi.yaml'])
    expect(run.stdout).toMatch(/\nhint: Set `info\.version` to 2\.0\.0\. Breaking changes need a new major version\n$/)
    const enough = await runInFolder(makeTemporaryFolder(files), ['changes', 'old/openapi.yaml', 'openapi.yaml'])
    expect(enough.stdout).not.toContain('info.version')
  })
})

const toDocs = (...openapi: string[]) =>
  JSON.stringify({ navigation: { tabs: openapi.map((path) => ({ tab: path, openapi: path })) } })

const toPets = (title: string, version: string, ...paths: string[]) =>
  `openapi: 3.1.0\ninfo: {title: ${title}, version: ${version}}\npaths:\n${paths.map((path) => `  ${path}: {get: {responses: {'200': {description: OK}}}}\n`).join('')}`

/** `main` has three documents. On `topic`, one is changed, one removed and one added. */
function makeDocsHistory(folder = 'docs/'): GitHistory {
  const history = makeHistory()
  history.commit({
    [`${folder}docs.json`]: toDocs('pets.yaml', 'owners.yaml', 'stores.yaml'),
    [`${folder}pets.yaml`]: toPets('Pets', '1.0.0', '/pets', '/cats'),
    [`${folder}owners.yaml`]: toPets('Owners', '1.0.0', '/owners'),
    [`${folder}stores.yaml`]: toPets('Stores', '1.0.0', '/stores'),
    [`${folder}guide.mdx`]: '# Guide\n',
    'README.md': 'Pets\n',
  })
  history.git('checkout', '-q', '-b', 'topic')
  history.commit({
    [`${folder}docs.json`]: toDocs('pets.yaml', 'stores.yaml', 'v2/vets.yaml', 'v2/toys.yaml'),
    [`${folder}pets.yaml`]: toPets('Pets', '1.1.0', '/pets', '/dogs'),
    [`${folder}owners.yaml`]: null,
    [`${folder}v2/vets.yaml`]: toPets('Vets', '1.0.0', '/vets'),
    [`${folder}v2/toys.yaml`]: toPets('Toys', '1.0.0', '/toys'),
  })
  return history
}

const expected = [
  'docs/owners.yaml removed operation-removed',
  'docs/pets.yaml compared operation-removed operation-added',
  'docs/stores.yaml compared',
  'docs/v2/toys.yaml added operation-added',
  'docs/v2/vets.yaml added operation-added',
]

async function listDocuments(folder: string, ...argv: string[]): Promise<string[]> {
  const run = await runInFolder(folder, ['changes', ...argv, '--format', 'json'])
  if (run.exitCode !== 0) throw new Error(run.stderr)
  const { documents } = JSON.parse(run.stdout)
  return documents.map(({ document, kind, changes }: { document: string; kind: string; changes: ChangesJson['changes'] }) =>
    [document, kind, ...changes.map(({ code }) => code)].join(' '),
  )
}

describe('changes of a docs directory', () => {
  test.each([
    ['', 'main', 'HEAD'],
    ['', 'main', 'topic:'],
    ['', 'main:', 'docs'],
    ['', 'main', './docs'],
    ['', 'main:docs', 'docs'],
    ['', 'main:docs', 'HEAD'],
    ['', 'HEAD~1:docs', 'HEAD:docs'],
    ['', 'main:docs/docs.json', 'docs/'],
    ['docs', 'main', 'HEAD'],
    ['docs', 'main', '.'],
    ['docs', 'main:./', 'HEAD:docs'],
    ['docs/v2', 'main', '..'],
  ])('compares all documents, from the directory "%s": %s %s', async (folder, base, revision) => {
    const { folder: top } = makeDocsHistory()
    const rows = await listDocuments(join(top, folder), base, revision)
    expect(rows.map((row) => posix.join(folder, row))).toEqual(expected)
  })

  test('prints JSON in the documented shape', async () => {
    const { folder } = makeDocsHistory()
    const run = await runInFolder(folder, ['changes', 'main', 'HEAD', '--format', 'json', '--fail-on', 'breaking'])
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
    const change = { code: 'operation-removed', level: 'breaking', method: 'get', path: '/owners', revision: null }
    const removed = {
      document: 'docs/owners.yaml',
      kind: 'removed',
      base: { document: 'docs/owners.yaml', version: '1.0.0' },
      revision: null,
      breaking: 1,
      risky: 0,
      compatible: 0,
      changes: [{ ...change, base: { file: 'docs/owners.yaml', line: 4 } }],
    }
    const printed = JSON.parse(run.stdout)
    expect(printed).toMatchObject({ version: 1, breaking: 2, risky: 0, compatible: 3 })
    expect(Object.keys(printed)).toEqual(['version', 'breaking', 'risky', 'compatible', 'documents'])
    expect(printed.documents[0]).toMatchObject(removed)
    expect(Object.keys(printed.documents[0])).toEqual(Object.keys(removed))
    expect(printed.documents[1]).toMatchObject({ kind: 'compared', base: { version: '1.0.0' }, revision: { version: '1.1.0' } })
    expect(printed.documents[4]).toMatchObject({ kind: 'added', base: null, revision: { document: 'docs/v2/vets.yaml' } })
  })

  test('prints the changes of each document, and counts them together', async () => {
    const { folder } = makeDocsHistory()
    const run = await runInFolder(folder, ['changes', 'main', 'HEAD'])
    expect(run.stdout).toMatch(/^docs\/owners\.yaml \(removed, 1\.0\.0\) {2}1 breaking\n─+\n\nGET \/owners {2}1 breaking\n/)
    expect(run.stdout).toMatch(/\n\ndocs\/pets\.yaml \(1\.0\.0 → 1\.1\.0\) {2}1 breaking, 1 compatible\n─+\n/)
    expect(run.stdout).not.toContain('docs/stores.yaml')
    const end = `✖ 2 breaking, 3 compatible changes (main → HEAD, 4 of 5 documents)
hint: Set \`info.version\` of docs/pets.yaml to 2.0.0. Breaking changes need a new major version
`
    expect(run.stdout.slice(-end.length)).toBe(end)
    const none = await runInFolder(folder, ['changes', 'HEAD', 'docs'])
    expect(none).toEqual({ exitCode: 0, stdout: '✔ No changes for API clients (HEAD → docs, 4 documents)\n', stderr: '' })
  })

  test.each([
    [
      'markdown',
      /^### API changes: 2 breaking, 3 compatible\n\n- `docs\/owners\.yaml` \(removed\), version 1\.0\.0\n- `docs\/pets\.yaml`, /,
    ],
    [
      'html',
      /<title>API changes in 5 documents<\/title>.*4 of 5 documents.*<h2><code>docs\/owners\.yaml<\/code> <small>removed, version 1\.0\.0, 1 breaking<\/small>/s,
    ],
    ['github', /^::error file=docs\/pets\.yaml,line=3.*operation-removed::.*\n/m],
    ['sarif', /"uri": "docs\/v2\/vets\.yaml"/],
    [
      'junit',
      /<testsuites name="API changes in 5 documents" tests="5" failures="2".*<testsuite name="docs\/owners\.yaml: GET \/owners"/s,
    ],
  ])('prints %s for several documents', async (format, expected) => {
    const { folder } = makeDocsHistory()
    const run = await runInFolder(folder, ['changes', 'main', 'HEAD', '--format', format])
    expect(run.exitCode).toBe(0)
    expect(run.stdout).toMatch(expected)
  })

  test('limits the comparison to some operations and levels', async () => {
    const { folder } = makeDocsHistory()
    const only = await listDocuments(folder, 'main', 'HEAD', '--only', 'breaking', '--path', '/c*')
    expect(only.filter((row) => row.includes('operation-'))).toEqual(['docs/pets.yaml compared operation-removed'])
  })

  test('compares each docs directory of a repository with its own settings, and a moved one with its new place', async () => {
    const history = makeHistory()
    const write = (folder: string, path: string) => ({
      [`${folder}/docs.json`]: toDocs('api.yaml'),
      [`${folder}/api.yaml`]: toPets(folder, '1.0.0', path),
    })
    history.commit({ ...write('a', '/a'), ...write('b', '/b') })
    history.git('mv', 'b', 'c')
    history.commit({
      ...write('a', '/x'),
      'c/api.yaml': toPets('b', '1.0.0', '/y/z'),
      'a/openapi-pages.config.yaml': 'changes: {levels: {operation-removed: risky}}\n',
      'c/openapi-pages.config.yaml': 'changes: {failOn: breaking}\n',
    })
    const run = await runInFolder(history.folder, ['changes', 'HEAD~1', 'HEAD', '--format', 'json'])
    expect(run.exitCode).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      breaking: 1,
      risky: 1,
      documents: [
        { document: 'a/api.yaml', risky: 1 },
        { document: 'c/api.yaml', base: { document: 'b/api.yaml' }, breaking: 1 },
      ],
    })
  })

  test('compares all documents of a repository without a docs.json', async () => {
    const history = makeHistory()
    history.commit({
      'api/pets.yaml': toPets('Pets', '1.0.0', '/pets'),
      'package.json': '{}',
      'api/owners.json': '{"openapi": "3.1.0"}',
    })
    history.commit({ 'api/pets.yaml': toPets('Pets', '1.0.0', '/dogs/{id}') })
    expect(await listDocuments(history.folder, 'HEAD~1', 'HEAD')).toEqual([
      'api/owners.json compared',
      'api/pets.yaml compared operation-removed operation-added',
    ])
  })

  test('compares two directories on the disk', async () => {
    const files = { 'docs.json': toDocs('a.yaml'), 'a.yaml': toPets('A', '1.0.0', '/a') }
    const before = makeTemporaryFolder(files)
    const after = makeTemporaryFolder({ ...files, 'a.yaml': toPets('A', '1.0.0', '/b/c') })
    const [row] = await listDocuments(after, before, '.')
    expect(row).toBe('a.yaml compared operation-removed operation-added')
  })

  test('compares a document with its version in a revision', async () => {
    const { folder } = makeDocsHistory()
    const run = await runInFolder(join(folder, 'docs'), ['changes', 'main', 'pets.yaml', '--format', 'json'])
    expect(JSON.parse(run.stdout)).toMatchObject({ base: { document: 'pets.yaml', version: '1.0.0' }, breaking: 1 })
  })

  test('says in which revision a document is missing', async () => {
    const { folder } = makeDocsHistory()
    writeFileSync(join(folder, 'docs/new.yaml'), 'openapi: 3.1.0')
    const run = await runInFolder(join(folder, 'docs'), ['changes', 'main', 'new.yaml'])
    expect(run.stderr).toMatch(/^Errors at main:\nopenapi-pages: cannot read new\.yaml: no such file\n/)
  })

  test('reports a document that cannot be read, and lists the changes of the others', async () => {
    const history = makeDocsHistory()
    writeFileSync(join(history.folder, 'docs/stores.yaml'), 'openapi: [')
    const run = await runInFolder(history.folder, ['changes', 'main', 'docs', '--format', 'json'])
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toMatch(/^docs\/stores\.yaml:1:/)
    history.commit({})
    const committed = await runInFolder(history.folder, ['changes', 'main', 'HEAD', '--quiet'])
    expect(committed).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^Errors at HEAD:\ndocs\/stores\.yaml:1:/) })
    const { breaking, documents } = JSON.parse(run.stdout)
    expect(breaking).toBe(2)
    expect(documents[2]).toMatchObject({
      document: 'docs/stores.yaml',
      kind: 'unreadable',
      base: null,
      revision: null,
      changes: [],
    })
  })

  test('compares nothing if a docs.json or a configuration file cannot be read', async () => {
    const history = makeDocsHistory()
    const run = () => runInFolder(history.folder, ['changes', 'main', 'docs'])
    writeFileSync(join(history.folder, 'docs/openapi-pages.config.yaml'), 'changes: {failOn: always}\n')
    expect(await run()).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('openapi-pages.config.yaml:1:19'),
    })
    writeFileSync(join(history.folder, 'docs/openapi-pages.config.yaml'), '')
    writeFileSync(join(history.folder, 'docs/docs.json'), '{')
    const reversed = await runInFolder(history.folder, ['changes', 'docs', 'main'])
    expect(reversed).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(/^docs\/docs\.json:1:/) })
    expect(await run()).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('docs/docs.json:1:') })
  })

  test('explains that a revision needs a repository', async () => {
    const run = await runInFolder(makeTemporaryFolder(files), ['changes', 'main', 'openapi.yaml'])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toBe(
      'openapi-pages: cannot find main: no such file, directory or git revision\n  Check its name. The working directory is not in a Git repository with commits\n',
    )
  })

  test('rejects a word that is a directory and a revision', async () => {
    const history = makeDocsHistory()
    history.git('branch', 'docs', 'main')
    const run = await runInFolder(history.folder, ['changes', 'docs', 'HEAD'])
    expect(run).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'openapi-pages: docs is a directory and a git revision\n  Write `./docs` for the directory, or `docs:` for the revision\n',
    })
    expect(await listDocuments(history.folder, 'docs:', './docs')).toEqual(expected)
  })

  test.each([
    [
      'none',
      'HEAD',
      'cannot find none: no such file, directory or git revision\n  Check its name. If the clone does not have this branch',
    ],
    ['stable', 'HEAD', 'cannot find stable: no such file, directory or git revision\n  Did you mean `origin/stable`?'],
    ['main:none', 'HEAD', 'cannot read main:none: no such file or directory in this revision'],
    ['none:docs', 'HEAD', 'cannot find the git revision `none`'],
    ['main:docs/pets.yaml', 'docs', 'cannot compare the directory docs with the document main:docs/pets.yaml'],
    [
      'main',
      'https://example.com/a.yaml',
      'cannot tell which file or directory of main to read: https://example.com/a.yaml is a URL',
    ],
    [
      'main',
      '../outside.yaml',
      'cannot tell which file or directory of main to read: ../outside.yaml is not in the repository of this directory',
    ],
    ['main:docs/v2', 'empty', 'cannot read main:docs/v2: no such file or directory in this revision'],
    ['HEAD:empty', 'empty', 'cannot find an OpenAPI document in HEAD:empty and empty'],
  ])('exits with code 2 for %s and %s', async (base, revision, message) => {
    const history = makeDocsHistory()
    history.commit({ 'empty/readme.txt': 'empty' })
    history.git('update-ref', 'refs/remotes/origin/stable', 'main')
    const run = await runInFolder(history.folder, ['changes', base, revision])
    expect(run).toMatchObject({ exitCode: 2, stdout: '' })
    expect(run.stderr).toContain(message)
  })
})
