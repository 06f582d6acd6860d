import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTree } from '../support/read-tree.ts'
import { pactRecordings, recordings } from '../support/recordings.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const document = `openapi: 3.1.0
info: {title: T, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get:
      responses: {'200': {description: Pets, content: {application/json: {schema: {properties: {name: {type: string}}}}}}}
    post:
      deprecated: true
      requestBody: {content: {application/json: {schema: {properties: {name: {type: [string, 'null']}}}}}}
      responses: {'201': {description: Made}}
  /stores: {get: {responses: {'200': {description: Stores}}}}
`

const secret = 'secret-7f3a'
const entry = (method: string, path: string, status: number, sent: unknown, received: unknown) => ({
  startedDateTime: '2026-01-31T10:00:00Z',
  request: {
    method,
    url: `https://api.example.com${path}`,
    headers: [{ name: 'Authorization', value: secret }],
    ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
  },
  response: { status, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(received) } },
})
const recording = JSON.stringify({
  log: { entries: [entry('GET', '/pets', 200, undefined, { name: null }), entry('POST', '/pets', 201, { name: secret }, {})] },
})
const session = { 'openapi.yaml': document, 'tests/session.har': recording, 'tests/other.json': '{}', 'broken.har': '{' }

test('compares the recordings that `--traffic` names, and those of the configuration file without it', async () => {
  const named = await runInFolder(makeTemporaryFolder(session), ['check', 'openapi.yaml', '--traffic', 'tests/session.har'])
  expect(named.exitCode).toBe(0)
  expect(named.stdout).toContain('openapi.yaml:7:110 warning traffic-response')
  expect(named.stdout).toContain('Recordings: 2 exchanges of 1 file compared\n')
  const configured = makeTemporaryFolder({ ...session, 'openapi-pages.config.yaml': 'traffic: {recordings: [tests]}' })
  const { stdout } = await runInFolder(configured, ['check', 'openapi.yaml', '--format', 'json'])
  const { diagnostics }: { diagnostics: readonly { code: string; file: string; severity: string }[] } = JSON.parse(stdout)
  expect(diagnostics.map(({ code, file, severity }) => `${severity} ${code} ${file}`)).toEqual([
    'warning traffic-response openapi.yaml',
    'info traffic-unreadable tests/other.json',
  ])
})

test('compares nothing without recordings', async () => {
  const { stdout } = await runInFolder(makeTemporaryFolder(session), ['check', 'openapi.yaml'])
  expect(stdout).toBe('✔ openapi.yaml is valid (OpenAPI 3.1.0, 3 operations)\n')
})

test.each(['check', 'update'])('`%s` compares the documents of a docs directory', async (command) => {
  const docs = {
    'docs.json': '{"navigation": {"openapi": "openapi.yaml"}}',
    'openapi-pages.config.yaml': 'traffic: {recordings: [tests]}',
  }
  const { stdout } = await runInFolder(makeTemporaryFolder({ ...session, ...docs }), [command, '.', '--format', 'json'])
  expect(stdout).toContain('traffic-response')
})

test('leaves out older recordings with `--since`, and refuses what is no date', async () => {
  const folder = makeTemporaryFolder(session)
  const check = async (since: string) =>
    await runInFolder(folder, ['check', 'openapi.yaml', '--traffic', 'tests/session.har', '--since', since])
  expect((await check('2026-02-01')).stdout).toContain('0 exchanges of 1 file compared, 2 too old')
  for (const wrong of ['yesterday', '2026-02-31', '2026-13-01'])
    expect(await check(wrong)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('expected a date') })
})

test('accepts drift in a baseline, whatever the count and dates are, and by an exception in the document', async () => {
  const folder = makeTemporaryFolder({ ...session, 'more.har': recording.replaceAll('2026-01-31', '2026-05-01') })
  const check = async (...more: readonly string[]) =>
    (await runInFolder(folder, ['check', 'openapi.yaml', '--baseline', 'known.json', '--traffic', 'tests/session.har', ...more]))
      .stdout
  expect(await check('--write-baseline')).toContain('1 known problem')
  expect(await check('--traffic', 'more.har')).toContain('1 known problem')
  const excepted = document.replace('{name: {type: string}}', '{name: {type: string, x-lint-ignore: {traffic-response: Known}}}')
  const other = makeTemporaryFolder({ ...session, 'openapi.yaml': excepted })
  const { stdout } = await runInFolder(other, ['check', 'openapi.yaml', '--traffic', 'tests/session.har'])
  expect(stdout).not.toContain('traffic-response')
})

test('records a client, keeps its `reads`, and lists who uses what', async () => {
  const folder = makeTemporaryFolder(session)
  const record = async (...more: readonly string[]) =>
    await runInFolder(folder, ['clients', 'record', 'web', 'tests/session.har', ...more])
  const shown = await record('--dry-run')
  expect(shown).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^# What `web` sends/) })
  expect((await runInFolder(folder, ['clients'])).stdout).toContain('No recorded clients in clients')
  expect(await record()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('clients/web.yaml was written') })
  const written = readFileSync(join(folder, 'clients/web.yaml'), 'utf8')
  expect(written).toBe(shown.stdout)
  expect((await record()).stdout).toContain('clients/web.yaml is up to date')
  writeFileSync(join(folder, 'clients/web.yaml'), written.replace('GET /pets:', 'GET /pets:\n      reads: [name]'))
  await record()
  expect(readFileSync(join(folder, 'clients/web.yaml'), 'utf8')).toMatch(/reads: \[ ?name ?\]/)
  const { exitCode, stdout } = await runInFolder(folder, ['clients'])
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: [
      'GET /pets\n  web   1 request, last on 2026-01-31\n',
      'POST /pets   deprecated, still used\n  web   1 request, last on 2026-01-31\n',
      '\n1 operation in no recording. Clients that were not recorded may use them\n  GET /stores\n',
    ].join(''),
  })
})

test.each([
  ['too much is unknown', ['web', 'tests/session.har', 'broken.har'], 1, '1 of 3 exchanges are unknown'],
  [
    'nothing matches',
    ['web', 'tests/session.har', '--host', 'api.example.org'],
    1,
    'the effect of changes on this client is unknown',
  ],
  ['there is no document', ['web', 'tests/session.har', '--document', 'tests/other.json'], 2, 'cannot read'],
  ['the name could be a path', ['../web', 'tests/session.har'], 2, 'unexpected name of a client'],
  ['recordings are missing', ['web'], 2, 'missing recordings'],
] as const)('`clients record` fails if %s', async (_, args, exitCode, text) => {
  const run = await runInFolder(makeTemporaryFolder(session), ['clients', 'record', ...args])
  expect(run).toMatchObject({ exitCode, stderr: expect.stringContaining(text) })
})

test('what a person wrote under `reads` is not lost', async () => {
  const folder = makeTemporaryFolder(session)
  const record = ['clients', 'record', 'web', 'tests/session.har']
  await runInFolder(folder, record)
  const path = join(folder, 'clients/web.yaml')
  const written = readFileSync(path, 'utf8')
  // Of an operation that no recording has.
  writeFileSync(path, written.replace('    GET /pets:', '    GET /stores: { reads: [id] }\n    GET /pets:'))
  await runInFolder(folder, record)
  expect(readFileSync(path, 'utf8')).toMatch(/GET \/stores: \{ ?reads: \[ ?id ?\] ?\}/)
  for (const broken of ['documents: [', 'client:']) {
    writeFileSync(path, broken)
    const { exitCode, stderr } = await runInFolder(folder, record)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot read the clients file clients/web.yaml')])
    expect(readFileSync(path, 'utf8')).toBe(broken)
  }
})

test('lists what a client uses of a document that has moved, and every client of a name', async () => {
  const folder = makeTemporaryFolder(session)
  await runInFolder(folder, ['clients', 'record', 'web', 'tests/session.har'])
  const written = readFileSync(join(folder, 'clients/web.yaml'), 'utf8')
  writeFileSync(join(folder, 'clients/web.yaml'), written.replace('openapi.yaml', 'api/openapi.yaml'))
  writeFileSync(join(folder, 'clients/copy.yaml'), written)
  const { stdout } = await runInFolder(folder, ['clients'])
  expect(stdout).toContain('GET /pets\n  web   1 request, last on 2026-01-31\n  web   1 request')
  expect(stdout).not.toContain('in no document')
})

test('a recording that does not exist is an error', async () => {
  const { exitCode, stderr } = await runInFolder(makeTemporaryFolder({ 'openapi.yaml': 'openapi: 3.1.0' }), [
    ...['clients', 'record', 'web', 'tests/cassettes'],
  ])
  expect([exitCode, stderr]).toEqual([2, 'openapi-pages: cannot read tests/cassettes: no such file or directory\n'])
})

test('no output and no file has a recorded text', async () => {
  const folder = makeTemporaryFolder(session)
  const runs = [
    ['check', 'openapi.yaml', '--traffic', 'tests'],
    ['check', 'openapi.yaml', '--traffic', 'tests', '--format', 'sarif'],
    ['clients', 'record', 'web', 'tests'],
    ['clients'],
  ]
  const outputs: string[] = []
  for (const args of runs) {
    const { stdout, stderr } = await runInFolder(folder, args)
    outputs.push(stdout, stderr)
  }
  outputs.push(readFileSync(join(folder, 'clients/web.yaml'), 'utf8'))
  expect(outputs.filter((text) => text.includes(secret))).toEqual([])
})

test('no recording and no clients file is published, whatever its format is and however a page links to it', async () => {
  const folder = makeTemporaryFolder(session)
  await runInFolder(folder, ['clients', 'record', 'web', 'tests/session.har'])
  const clients = readFileSync(join(folder, 'clients/web.yaml'), 'utf8')
  const all = { ...recordings, ...pactRecordings }
  const recorded = Object.fromEntries(Object.entries(all).map(([name, text]) => [`tests/${name}`, text]))
  const others = { 'other.json': '{"a": 1}', 'clients/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  const links = [
    ...Object.keys(recorded),
    'clients/web.yaml',
    'link.json',
    'data/vcr.yml',
    'data/pact.json',
    ...Object.keys(others),
  ]
  const docs = makeTemporaryFolder({
    ...recorded,
    ...others,
    'clients/web.yaml': clients.replace(/^#.*\n/, ''),
    // Not named by the configuration file.
    'data/vcr.yml': recordings['vcr.yml'] ?? '',
    'data/pact.json': pactRecordings['pact-2.json'] ?? '',
    'docs.json': '{"name": "T", "theme": "mint", "colors": {"primary": "#000000"}, "navigation": {"pages": ["index"]}}',
    'index.mdx': `---\ntitle: T\n---\n\n${links.map((path) => `- [${path}](/${path})`).join('\n')}\n`,
    'openapi-pages.config.yaml': 'traffic: {recordings: [Tests]}',
  })
  symlinkSync('tests/vcr.json', join(docs, 'link.json'))
  const refused = links.filter((path) => !(path in others)).sort()
  for (const command of ['build', 'check']) {
    const { stdout } = await runInFolder(docs, [command, '--format', 'json'])
    const { diagnostics }: { diagnostics: readonly { code: string; message: string }[] } = JSON.parse(stdout)
    const found = diagnostics.filter(({ code }) => code === 'asset-refused').map(({ message }) => /`(.*)`/.exec(message)?.[1])
    expect(found.sort(), command).toEqual(refused)
  }
  const published = Object.keys(readTree(join(docs, 'site')))
  expect(published.filter((path) => links.includes(path)).sort()).toEqual(Object.keys(others).sort())
})
