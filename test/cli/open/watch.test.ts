import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CliContext } from '../../../src/cli/base/cli-context.ts'
import { runAndWatch } from '../../../src/cli/open/watch.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { ConfigError } from '../../../src/text/errors.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { runInFolder } from '../run-in-folder.ts'

/** Watches a folder until `stop` is called. `run` returns the paths that it wrote. */
function watchIn(folder: string, run: () => readonly string[], hasLookedFor?: (path: string) => boolean) {
  let printed = ''
  const output = {
    write(text: string) {
      printed += text
    },
    isTerminal: false,
    columns: undefined,
  }
  const context: CliContext = {
    workingDirectory: toOwnPath(folder),
    env: {},
    readStdin: () => Promise.resolve(new Uint8Array()),
    stdout: output,
    stderr: output,
  }
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  let count = 0
  const watched = {
    folders: [toOwnPath(folder)],
    run: async () => {
      count++
      return run()
    },
    ...(hasLookedFor && { hasLookedFor }),
  }
  const ended = runAndWatch(watched, { quiet: false }, context, stopped)
  const waitFor = (expected: RegExp) => vi.waitFor(() => expect(printed).toMatch(expected), { timeout: 120_000 })
  return { waitFor, stop, ended, printed: () => printed, count: () => count }
}

test('runs again after a change, prints the time and the file, and ends with 0', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': '1', 'notes.txt': '1' })
  const { waitFor, stop, ended, count, printed } = watchIn(folder, () => [])
  await waitFor(/^\d\d:\d\d:\d\d {2}Watching for changes\. Press Ctrl-C to stop\.\n$/)
  writeFileSync(join(folder, 'notes.txt'), '2')
  mkdirSync(join(folder, 'pages'))
  writeFileSync(join(folder, 'a.yaml'), '2')
  await waitFor(/\n\d\d:\d\d:\d\d {2}a\.yaml changed\n$/)
  writeFileSync(join(folder, 'pages/new.mdx'), '1')
  await waitFor(/ pages\/new\.mdx changed\n$/)
  expect(count()).toBe(3)
  expect(printed()).not.toContain('notes')
  stop()
  expect(await ended).toBe(0)
})

test('runs again after a new folder with files', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': '1' })
  const { waitFor, stop, ended } = watchIn(folder, () => [])
  await waitFor(/Watching/)
  mkdirSync(join(folder, 'apis/pets'), { recursive: true })
  writeFileSync(join(folder, 'apis/pets/openapi.yaml'), '1')
  await waitFor(/ apis\/pets\/openapi\.yaml changed\n$/)
  stop()
  await ended
})

test('its own output starts no other run', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': '1' })
  const { waitFor, stop, ended, printed } = watchIn(folder, () => {
    writeFileSync(join(folder, 'page.mdx'), String(Math.random()))
    return [join(folder, 'page.mdx')]
  })
  await waitFor(/Watching/)
  writeFileSync(join(folder, 'a.yaml'), '2')
  await waitFor(/a\.yaml changed/)
  writeFileSync(join(folder, 'b.yaml'), '1')
  await waitFor(/b\.yaml changed/)
  stop()
  await ended
  expect(printed()).not.toContain('page.mdx')
})

test('runs again after a change of a script that it has read', async () => {
  const folder = makeTemporaryFolder({ 'functions/check.js': '1', 'main.js': '1' })
  const { waitFor, stop, ended, printed } = watchIn(
    folder,
    () => [],
    (path) => path === join(folder, 'functions/check.js'),
  )
  await waitFor(/Watching/)
  writeFileSync(join(folder, 'main.js'), '2')
  writeFileSync(join(folder, 'functions/check.js'), '2')
  await waitFor(/functions\/check\.js changed\n$/)
  expect(printed()).not.toContain('main.js')
  stop()
  await ended
})

test('check --watch applies a function of a ruleset that is created and changed later', async () => {
  const toFunction = (message: string) => `export default () => [{ message: '${message}' }]\n`
  const cwd = makeTemporaryFolder({
    'openapi.yaml': 'openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n',
    '.spectral.yaml': 'functions: [check]\nrules: { title: { given: $.info.title, then: { function: check } } }\n',
  })
  const program = join(import.meta.dirname, '../../../bin/openapi-pages.cjs')
  const child = spawn(process.execPath, [program, 'check', 'openapi.yaml', '--watch', '--boundary', '.'], { cwd })
  onTestFinished(() => void child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  await vi.waitFor(() => expect(output).toMatch(/Cannot read the function[\s\S]*Press Ctrl-C/), { timeout: 120_000 })
  mkdirSync(join(cwd, 'functions'))
  writeFileSync(join(cwd, 'functions/check.js'), toFunction('Too short'))
  await vi.waitFor(() => expect(output).toMatch(/functions\/check\.js changed\n[\s\S]*Too short/), { timeout: 120_000 })
  writeFileSync(join(cwd, 'functions/check.js'), toFunction('Too long'))
  await vi.waitFor(() => expect(output).toMatch(/functions\/check\.js changed\n[\s\S]*Too long/), { timeout: 120_000 })
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})

test('an error of the first run ends the command, and a later one is printed', async () => {
  const folder = makeTemporaryFolder({ 'a.yaml': '1' })
  const fail = () => {
    throw new ConfigError('cannot read docs.json')
  }
  await expect(watchIn(folder, fail).ended).rejects.toThrow('cannot read docs.json')
  let isBroken = false
  const { waitFor, stop, ended } = watchIn(folder, () => (isBroken ? fail() : []))
  await waitFor(/Watching/)
  isBroken = true
  writeFileSync(join(folder, 'a.yaml'), '2')
  await waitFor(/changed\nopenapi-pages: cannot read docs\.json\n$/)
  isBroken = false
  writeFileSync(join(folder, 'a.yaml'), '3')
  await waitFor(/a\.yaml changed\n$/)
  stop()
  expect(await ended).toBe(0)
})

test.each([
  [['check', '-', '--watch'], 'cannot use --watch with a document on stdin'],
  [['check', 'https://example.com/a.yaml', '--watch'], 'cannot use --watch with URLs only'],
])('rejects %j', async (argv, message) => {
  expect(await runInFolder(makeTemporaryFolder({}), argv)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `openapi-pages: ${message}\n`,
  })
})

test('update --watch adds a page for a new operation, and Ctrl-C ends it with 0', async () => {
  const toDocument = (path: string) =>
    `openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: { ${path}: { get: { summary: List pets, responses: { '200': { description: Pets } } } } }\n`
  const docsConfig = JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'a.yaml' }] } })
  const cwd = makeTemporaryFolder({ 'docs.json': docsConfig, 'a.yaml': toDocument('/pets') })
  const program = join(import.meta.dirname, '../../../bin/openapi-pages.cjs')
  const child = spawn(process.execPath, [program, 'update', '--watch', '--boundary', '.'], { cwd })
  onTestFinished(() => void child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise((resolve) => child.once('close', resolve))
  await vi.waitFor(() => expect(output).toMatch(/✔ 1 page added\n[\s\S]*Press Ctrl-C/), { timeout: 120_000 })
  writeFileSync(join(cwd, 'a.yaml'), toDocument('/dogs'))
  await vi.waitFor(
    () => expect(output).toMatch(/a\.yaml changed\n[\s\S]*renamed: GET \/pets → GET \/dogs[\s\S]*✔ 1 page changed/),
    { timeout: 120_000 },
  )
  child.kill('SIGINT')
  expect(await ended).toBe(0)
})
