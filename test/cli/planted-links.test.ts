import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifestName } from '../../src/files/files.ts'
import { makeHistory } from '../support/git-history.ts'
import { readTimes, readTree } from '../support/read-tree.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { runInFolder } from './run-in-folder.ts'

const paths = "{/pets: {get: {summary: List pets, tags: [Pets], responses: {'200': {description: ok}}}}}"
const document = `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: ${paths}\n`
const docsConfig = (division: object) => JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', ...division }] } })
const clone = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  'old.yaml': document.replace('}}}}}', "}}}, post: {responses: {'200': {description: ok}}}}}"),
  'openapi.yaml': document,
  'docs/docs.json': docsConfig({ openapi: 'openapi.yaml' }),
  'docs/openapi.yaml': document,
}
const alone = { 'openapi.yaml': document }
const adopted = {
  ...clone,
  'docs/docs.json': docsConfig({ openapi: 'openapi.yaml', pages: ['api/pets'] }),
  'docs/api/pets.mdx': '---\ntitle: Pets\nopenapi: GET /pets\n---\n',
}

interface WritingCommand {
  readonly argv: readonly string[]
  readonly files?: { readonly [path: string]: string }
  /** Runs first, without planted links. */
  readonly earlier?: readonly string[]
  /** Limits a command that writes many files. */
  readonly some?: RegExp
  /** The clone is a repository of Git, and its newest commit has the links too. */
  readonly isCommitted?: true
  /** The command skips some files with a link in their place, and does the rest. */
  readonly mayPass?: true
}

const site =
  /^(?:site|public\/api)(?:\/(?:index\.html|\.openapi-pages\.json|(?:docs\/)?api-reference\/pets\/list-pets\/index\.html))?$/
const commands: { readonly [name: string]: WritingCommand } = {
  'build of a docs directory': { argv: ['build', 'docs'], some: site },
  'build of a document': { argv: ['build', 'openapi.yaml', '-o', 'public/api'], some: site },
  'second build': { argv: ['build', 'docs'], earlier: ['build', 'openapi.yaml'], some: site },
  'forced build': { argv: ['build', 'docs', '--force'], some: site },
  update: { argv: ['update', 'docs'] },
  'second update': {
    argv: ['update', 'docs'],
    files: { ...clone, 'docs/docs.json': docsConfig({ openapi: { source: 'openapi.yaml', directory: 'api/v1' } }) },
  },
  adopt: { argv: ['adopt', 'docs'], files: adopted },
  init: { argv: ['init', '--yes', '--host', 'github'], files: alone, isCommitted: true, mayPass: true },
  'init --undo': { argv: ['init', '--undo'], files: alone, isCommitted: true, earlier: ['init', '--yes'], mayPass: true },
  'openapi-file': { argv: ['openapi-file', 'openapi.yaml', '-o', 'pages/api'] },
  'openapi-file --overwrite': {
    argv: ['openapi-file', 'openapi.yaml', '--overwrite'],
    files: { ...clone, 'pets/list-pets.mdx': 'old' },
  },
  bundle: { argv: ['bundle', 'openapi.yaml', '-o', 'out/bundle.yaml'], files: { ...clone, 'out/bundle.yaml': 'old' } },
  'check -o': { argv: ['check', 'openapi.yaml', '-o', 'out/report.txt'], files: { ...clone, 'out/keep': '' } },
  'check --write-baseline': {
    argv: ['check', 'openapi.yaml', '--baseline', 'out/baseline.json', '--write-baseline'],
    files: { ...clone, 'out/keep': '' },
  },
  review: { argv: ['review', 'old.yaml', 'openapi.yaml', '-o', 'out/review.html'], files: { ...clone, 'out/keep': '' } },
  accept: { argv: ['accept', 'old.yaml', 'openapi.yaml', '--all', '--reason', 'Nobody uses it', '--author', 'Ada'] },
}

/** A home folder with a clone in it, and what the command changes in the clone. */
async function prepare({ files = clone, earlier, isCommitted }: WritingCommand) {
  const home = makeTemporaryFolder({ 'mine/.bashrc': 'alias ls=ls\n', 'mine/dir/notes.txt': 'mine' })
  const folder = join(home, 'clone')
  cpSync(makeTemporaryFolder(files), folder, { recursive: true })
  const history = isCommitted && makeHistory(folder)
  history?.commit({})
  const env = { HOME: join(home, 'user'), XDG_CACHE_HOME: join(home, 'user/cache') }
  if (earlier) expect((await runInFolder(folder, earlier, { env })).exitCode).toBe(0)
  return { home, folder, env, history }
}

async function findWritten(command: WritingCommand): Promise<readonly string[]> {
  const { folder, env } = await prepare(command)
  const before = readTree(folder)
  const run = await runInFolder(folder, command.argv, { env })
  expect(run).toMatchObject({ exitCode: 0 })
  const after = readTree(folder)
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path])
  const all = new Set(changed)
  for (const path of changed) for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) all.add(parent)
  return [...all].filter((path) => command.some?.test(path) ?? true).sort()
}

const reasons =
  /symbolic link|outside the|inside `\.git`|contains other files|it is a file|not a writable file|cannot (?:read|find)/

/** A link to a folder or file of the user, to nothing, or into `.git`. With `moved`, the target has the content that the command expects. */
const kinds = ['moved', 'file', 'directory', 'dangling', 'git'] as const

/** Replaces a path of the clone with a link. */
function plant(home: string, path: string, kind: (typeof kinds)[number]): void {
  const targets = {
    moved: 'mine/moved',
    file: 'mine/.bashrc',
    directory: 'mine/dir',
    dangling: 'mine/nothing',
    git: 'clone/.git/hooks/post-checkout',
  }
  const [at, target] = [join(home, 'clone', path), join(home, targets[kind])]
  mkdirSync(dirname(at), { recursive: true })
  if (kind === 'moved' && existsSync(at)) renameSync(at, target)
  else if (kind === 'moved') mkdirSync(target)
  else rmSync(at, { recursive: true, force: true })
  symlinkSync(target, at)
}

/** All that a command in the clone must not touch. */
function listForeign(home: string) {
  const [mine, git] = [join(home, 'mine'), join(home, 'clone/.git')]
  return [readTree(mine), readTimes(mine), readTree(git), readdirSync(home).filter((name) => name !== 'user')]
}

describe.each(Object.entries(commands))('%s', (_name, command) => {
  test('changes nothing outside the clone or in .git through a link in the clone, and names the problem', async () => {
    const written = await findWritten(command)
    expect(written.length).toBeGreaterThan(0)
    for (const [path, kind] of written.flatMap((path) => kinds.map((kind) => [path, kind] as const))) {
      const { home, folder, env, history } = await prepare(command)
      plant(home, path, kind)
      history?.commit({})
      const before = listForeign(home)
      const { exitCode, stdout, stderr } = await runInFolder(folder, command.argv, { env })
      expect([path, kind, listForeign(home)]).toEqual([path, kind, before])
      if (exitCode === 0) expect([path, kind, command.mayPass]).toEqual([path, kind, true])
      // A job of the plan can name the problem, in a clone.
      else if (exitCode === 1 && command.isCommitted) expect(stdout).toMatch(/cannot read .*Nothing was written/is)
      else expect([path, kind, exitCode, stderr]).toEqual([path, kind, 2, expect.stringMatching(reasons)])
    }
  })
})

test('build does not write through links with the names of its temporary files', async () => {
  const { home, folder, env } = await prepare({ argv: [] })
  mkdirSync(join(folder, 'site'))
  for (const name of [`${manifestName}.new`, `${manifestName}.tmp`])
    symlinkSync(join(home, 'mine/.bashrc'), join(folder, 'site', name))
  symlinkSync(join(home, 'mine/dir'), join(folder, 'site/.openapi-pages-new-abc'))
  const before = listForeign(home)
  const run = await runInFolder(folder, ['build', 'docs', '--force'], { env })
  expect([run.exitCode, listForeign(home)]).toEqual([0, before])
  expect(JSON.parse(readFileSync(join(folder, 'site', manifestName), 'utf8'))).toMatchObject({ version: 1 })
})

const outputs: readonly (readonly [name: string, argv: readonly string[], file: string])[] = [
  ['build', ['build', 'docs', '-o', 'OUT'], 'index.html'],
  ['bundle', ['bundle', 'openapi.yaml', '-o', 'OUT/a.yaml'], 'a.yaml'],
  ['check', ['check', 'openapi.yaml', '-o', 'OUT/a.txt'], 'a.txt'],
  ['openapi-file', ['openapi-file', 'openapi.yaml', '-o', 'OUT'], 'pets/list-pets.mdx'],
]

test.each(outputs)('%s writes to a link of the user outside of repositories', async (_name, argv, file) => {
  const { home, folder, env } = await prepare({ argv })
  mkdirSync(join(home, 'mine/out'))
  symlinkSync('mine/out', join(home, 'link'))
  for (const out of [join(home, 'link'), '../link']) {
    const run = await runInFolder(
      folder,
      argv.map((word) => word.replace('OUT', out)),
      { env },
    )
    expect(run).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(home, 'mine/out', file))).toBe(true)
  }
})

test.each(outputs)(
  '%s follows a link of the repository to a directory in it only if it replaces no whole directory',
  async (name, argv, file) => {
    const { folder, env } = await prepare({ argv })
    mkdirSync(join(folder, 'out'))
    symlinkSync('out', join(folder, 'link'))
    const run = await runInFolder(
      folder,
      argv.map((word) => word.replace('OUT', 'link')),
      { env },
    )
    expect(existsSync(join(folder, 'out', file))).toBe(name !== 'build')
    if (name === 'build')
      expect(run.stderr).toBe(
        'openapi-pages: cannot write link: it is a symbolic link in the repository\n  Remove the link, or name another path. If you trust the link, name its target\n',
      )
  },
)

test('without Git, the working directory counts as the repository', async () => {
  const home = makeTemporaryFolder({ 'here/openapi.yaml': document, 'mine/a.txt': 'mine' })
  symlinkSync('../mine', join(home, 'here/site'))
  for (const argv of [['build'], ['bundle', 'openapi.yaml', '-o', 'site/a.txt'], ['check', 'openapi.yaml', '-o', 'site/a.txt']]) {
    const run = await runInFolder(join(home, 'here'), argv)
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining('is a symbolic link that leaves the repository')])
  }
  expect(readTree(join(home, 'mine'))).toEqual({ 'a.txt': 'mine' })
})
