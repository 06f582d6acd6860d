import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadProgram } from '../../src/cli/run-cli.ts'
import texts from '../../texts/commands.json' with { type: 'json' }
import { isWindows, makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const program = join(import.meta.dirname, '../../bin/openapi-pages.cjs')
const preload = pathToFileURL(join(import.meta.dirname, '../support/signal-at.mjs')).href

const page = (title: string, openapi = '') => `---\ntitle: ${title}\n${openapi}---\n\nText of ${title}.\n`
const docs = { ...tinyDocs(['List pets', 'List cats', 'Add a dog']) } as { [path: string]: string }
const pages = ['start', 'guides/one', 'guides/two']
const site = {
  'docs.json': JSON.stringify({ name: 'Tiny', navigation: { pages } }),
  ...Object.fromEntries(pages.map((path) => [`${path}.mdx`, page(path)])),
}
const faulty = docs['openapi.json']?.replaceAll('"summary"', '"sumary"') ?? ''
const bound = {
  'api/pets.mdx': page('Pets', 'openapi: GET /list-pets\n'),
  'api/cats.mdx': page('Cats', 'openapi: GET /list-cats\n'),
}

interface Row {
  readonly words: readonly string[]
  readonly files: { readonly [path: string]: string }
  /** Runs before, and then files that change. */
  readonly earlier?: readonly string[]
  readonly changed?: { readonly [path: string]: string | undefined }
}

const laterDocs = (() => {
  const { paths, ...rest } = JSON.parse(tinyDocument('List cats', 'Add a dog', 'List birds'))
  Object.assign(paths['/list-cats'].get, { description: 'All cats' })
  Object.assign(paths['/add-a-dog'].get, { tags: ['Dogs'] })
  return { 'openapi.json': JSON.stringify({ ...rest, paths }) }
})()
const laterSite = {
  'docs.json': JSON.stringify({ name: 'Tiny', navigation: { pages: ['start', 'guides/one', 'one', 'guides'] } }),
  'start.mdx': page('Start again'),
  'one.mdx': page('One'),
  'guides.mdx': page('All guides'),
}
const build = { words: ['build', '--no-cache'], files: site, earlier: ['build'], changed: laterSite }
const accepting = { 'base.json': docs['openapi.json'] ?? '', 'new.json': tinyDocument('List pets') }

const listing = { request: { method: 'GET', url: '/list-cats' }, response: { status: 200, content: {} } }

/** What each command writes, or why it needs no row. */
const rows: Readonly<Record<keyof typeof texts, readonly Row[] | string>> = {
  init: [
    { words: ['init', '--yes'], files: { 'openapi.json': docs['openapi.json'] ?? '' } },
    { words: ['init', '--yes', '--baseline'], files: { 'openapi.json': faulty } },
    { words: ['init', '--yes', '--host', 'gitlab', '--baseline'], files: { 'openapi.json': faulty } },
    {
      words: ['init', '--yes'],
      files: { 'openapi.json': docs['openapi.json'] ?? '', 'docs.json': '{"name":"Tiny","navigation":{"pages":[]}}' },
    },
    { words: ['init', '--undo'], files: { 'openapi.json': docs['openapi.json'] ?? '' }, earlier: ['init', '--yes'] },
  ],
  'openapi-check': [
    { words: ['check', '--fix', '--allow-dirty', 'a.json', 'b.json'], files: { 'a.json': faulty, 'b.json': faulty } },
    { words: ['check', 'a.json', '--baseline', 'known.json', '--write-baseline'], files: { 'a.json': faulty } },
    { words: ['check', 'a.json', '--format', 'sarif', '-o', 'report.json'], files: { 'a.json': faulty } },
  ],
  changes: 'writes no file',
  clients: [
    {
      words: ['clients', 'record', 'web', 'web.har'],
      files: { 'openapi.json': docs['openapi.json'] ?? '', 'web.har': JSON.stringify({ log: { entries: [listing] } }) },
    },
  ],
  accept: [{ words: ['accept', 'base.json', 'new.json', '--all', '--reason', 'Unused', '--author', 'Grace'], files: accepting }],
  review: [{ words: ['review', 'base.json', 'new.json'], files: accepting }],
  update: [
    { words: ['update'], files: docs },
    { words: ['update'], files: docs, earlier: ['update'], changed: laterDocs },
  ],
  ci: 'writes the files of `update`, in a clone',
  status: 'writes no file',
  adopt: [{ words: ['adopt'], files: { ...docs, ...bound } }],
  'openapi-file': [
    { words: ['openapi-file', 'openapi.json', '-o', 'pages'], files: docs },
    {
      words: ['openapi-file', 'openapi.json', '-o', 'pages', '--overwrite'],
      files: docs,
      earlier: ['openapi-file', 'openapi.json', '-o', 'pages'],
      changed: laterDocs,
    },
  ],
  bundle: [
    { words: ['bundle', 'openapi.json', '-o', 'bundle.yaml'], files: docs },
    {
      words: ['bundle', 'openapi.json', '-o', 'bundle.yaml'],
      files: docs,
      earlier: ['bundle', 'openapi.json', '-o', 'bundle.yaml'],
      changed: laterDocs,
    },
  ],
  build: [{ words: ['build', '-o', 'out/site'], files: site }, build, { ...build, words: ['build'] }],
  preview: 'writes no file',
  lsp: 'writes no file',
  mcp: 'writes no file',
  wait: 'writes no file',
  doctor: 'writes no file',
  explain: 'writes no file',
  rules: 'writes no file',
  completion: 'writes no file',
}
const table = Object.values(rows)
  .flatMap((row) => (typeof row === 'string' ? [] : row))
  .map((row) => ({ ...row, name: `${row.words.join(' ')}${row.earlier ? ', again' : ''}` }))

/** A folder before the command, and one after it without a failure. */
async function prepare({ files, earlier, changed = {}, words }: Row) {
  const before = makeTemporaryFolder(files)
  if (earlier) expect(run(before, earlier).status).toBe(0)
  for (const [path, text] of Object.entries(changed)) writeFileSync(join(before, path), text ?? '')
  const after = makeTemporaryFolder()
  cpSync(before, after, { recursive: true })
  const { status } = run(after, words)
  expect(status).toBeLessThan(2)
  return { before: textsOf(before), after: textsOf(after), folder: before, status }
}

/** The caches of the user are outside of the tested folder. */
const environment = () => ({ PATH: process.env['PATH'], HOME: makeTemporaryFolder(), TMPDIR: process.env['TMPDIR'] })

const shell = (words: readonly string[]) => [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ')

function run(folder: string, words: readonly string[], toCommand = (command: string) => command) {
  return spawnSync('bash', ['-c', toCommand(shell(words))], { cwd: folder, env: environment(), encoding: 'utf8' })
}

function textsOf(folder: string): Record<string, string> {
  const untimed = (text: string) => text.replace(/^\S+ /, '').replace(/"?(?:confirmedAt|at)"?: "?\d{4}-[^,\n]*/g, 'TIME')
  return Object.fromEntries(Object.entries(snapshotOf(folder)).map(([path, text]) => [path, untimed(text)]))
}

test('each command and each option that names an output has a row', async () => {
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(texts).toSorted())
  const outputs = (await loadProgram({ stdout: { columns: 80 } } as never)).commands.filter(({ options }) =>
    options.some(({ long }) => /^--(?:out|write|fix|undo|overwrite)/i.test(long ?? '')),
  )
  expect(outputs.map((command) => command.name()).filter((name) => typeof rows[name as keyof typeof texts] === 'string')).toEqual(
    [],
  )
})

/** Whether this user can mount a disk of its own, in a mount namespace. */
const canMount = !isWindows && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0
if (!canMount) console.log('Skipped: small and read-only disks, which need root and `unshare`')

/** Runs a command on a disk of its own with a copy of a folder, and returns its files afterwards. */
function runOnDisk(folder: string, words: readonly string[], limit: string) {
  const [disk, copy] = [makeTemporaryFolder(), makeTemporaryFolder()]
  const script = `mount -t tmpfs -o size=16m tmpfs ${disk} && cp -a ${folder}/. ${disk} && cd ${disk} && ${limit} || exit 99; `
  const command = `${shell(words)}; code=$?; cp -a ${disk}/. ${copy}; rm -f ${copy}/filler; exit $code`
  const { status, stderr } = spawnSync('unshare', ['-m', 'bash', '-c', script + command], {
    env: environment(),
    encoding: 'utf8',
  })
  return { status, stderr, texts: textsOf(copy) }
}

/** Leaves blocks of 4 kB on the disk. */
const leave = (blocks: number) =>
  `{ cat /dev/zero > filler 2> /dev/null; truncate -s $(( ($(stat -c %s filler) / 4096 - ${blocks}) * 4096 )) filler; }`

/** Copies a folder, runs a command in the copy with a changed command line, and returns its files afterwards. */
function runInCopy({ folder }: { readonly folder: string }, words: readonly string[], toCommand: (command: string) => string) {
  const copy = makeTemporaryFolder()
  cpSync(folder, copy, { recursive: true })
  const { status, stderr } = run(copy, words, toCommand)
  return { status, stderr, texts: textsOf(copy) }
}

describe.skipIf(isWindows)('a command changes nothing and exits with 2, or writes everything', () => {
  type Result = { readonly status: number | null; readonly stderr: string; readonly texts: Record<string, string> }
  type States = Awaited<ReturnType<typeof prepare>>
  function judge({ status, stderr, texts: found }: Result, { before, after, status: expected }: States) {
    expect(stderr).not.toContain('This is a bug')
    if (status === expected) {
      expect(found, stderr).toEqual(after)
      return 'complete'
    }
    expect(found, stderr).toEqual(before)
    expect(status, stderr).toBe(2)
    return 'unchanged'
  }

  test.skipIf(!canMount).each(table)('$name: on a full or read-only disk', async (row) => {
    const states = await prepare(row)
    expect(judge(runOnDisk(states.folder, row.words, 'mount -o remount,ro "$PWD"'), states)).toBe('unchanged')
    const seen = [0, 1, 2, 4, 8, 16, 64, 1024].map((blocks) => judge(runOnDisk(states.folder, row.words, leave(blocks)), states))
    expect(seen.at(-1)).toBe('complete')
  })

  test.each(table)('$name: with a limit of file sizes or open files', async (row) => {
    const states = await prepare(row)
    for (const limit of ['-f 0', '-f 1', '-f 16', '-n 24', '-n 26', '-n 28', '-n 32'])
      judge(
        runInCopy(states, row.words, (command) => `ulimit ${limit}; ${command}`),
        states,
      )
  })

  test.skipIf(process.platform !== 'linux').each(table)('$name: with output to /dev/full', async (row) => {
    const states = await prepare(row)
    const { status, stderr, texts: found } = runInCopy(states, row.words, (command) => `${command} > /dev/full`)
    // Output follows the files, which are then complete.
    expect([states.before, states.after], stderr).toContainEqual(found)
    if (status !== states.status)
      expect([status, stderr]).toEqual([2, expect.stringContaining('cannot write the output: ENOSPC')])
  })

  test.each(table)('$name: killed at any change of the disk, then run again', async (row) => {
    const states = await prepare(row)
    // A build changes hundreds of files.
    for (let at = 0; ; at += row.words[0] === 'build' ? 1 + (at >> 1) : 1) {
      const folder = makeTemporaryFolder()
      cpSync(states.folder, folder, { recursive: true })
      const [, signal] = await once(start(folder, row.words, { name: 'SIGKILL', path: folder, at }), 'exit')
      if (signal === null) {
        expect(at).toBeGreaterThan(0)
        return
      }
      const again = run(folder, row.words)
      // Only an update removes the staging folder of a killed run although it has nothing to write.
      const isLeftover = ([path]: readonly [string, string]) =>
        row.words[0] !== 'update' && path.startsWith('.openapi-pages-update-')
      const found = Object.fromEntries(Object.entries(textsOf(folder)).filter((file) => !isLeftover(file)))
      expect([again.status, found], `change ${at}: ${again.stderr}`).toEqual([states.status, states.after])
    }
  })
})

/** Starts a command that sends itself a signal at its change number `at` of a path. */
function start(folder: string, words: readonly string[], signal: { name: string; path: string; at: number }) {
  const child = spawn(process.execPath, ['--import', preload, program, ...words], {
    cwd: folder,
    env: { ...environment(), SIGNAL: signal.name, SIGNAL_AT: String(signal.at), SIGNAL_PATH: signal.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('the second of two builds into one directory reports that another build is running, and the first ends', async () => {
  const folder = makeTemporaryFolder(docs)
  const staging = join(folder, '.openapi-pages-site-')
  const first = start(folder, ['build', '-o', 'site'], { name: 'SIGSTOP', path: staging, at: 1 })
  await once(first.stdout, 'data')
  const { exitCode, stderr } = await runInFolder(folder, ['build', '-o', 'site'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('another build is running there')])
  first.kill('SIGCONT')
  expect(await once(first, 'exit')).toEqual([0, null])
  expect(Object.keys(snapshotOf(folder)).filter((path) => path.includes('openapi-pages-site'))).toEqual([])
})
