import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askGit } from '../../src/git/commit.ts'
import { type GitHistory, makeHistory } from '../support/git-history.ts'
import { fc, propertyRuns } from '../support/properties.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocs } from '../support/tiny-docs.ts'
import { runInFolder, snapshotOf } from './run-in-folder.ts'

const titles = ['List pets', 'List cats', 'List dogs']
const toPage = (title: string) => `api-reference/${title.toLowerCase().replace(' ', '-')}`

/** Ways in which git refuses to answer: what is done to the `.git` of a clone, or the environment of git, and what the message says. */
const refusals: Readonly<
  Record<string, { readonly harm?: (git: string) => void; readonly env?: NodeJS.ProcessEnv; readonly says: RegExp }>
> = {
  'another owner': { env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }, says: /belongs to another user[\s\S]*safe\.directory/ },
  'no git': { env: { PATH: '/nonexistent' }, says: /Cannot start git[\s\S]*Install git/ },
  'a `.git` file to nowhere': {
    harm: (git) => {
      renameSync(git, `${git}-away`)
      writeFileSync(git, 'gitdir: /nonexistent\n')
    },
    says: /its Git directory is missing, damaged or not readable: \/nonexistent/,
  },
  'an index of other bytes': {
    harm: (git) => writeFileSync(join(git, 'index'), 'other bytes'),
    says: /index of the repository is damaged/,
  },
  'a short index': { harm: (git) => truncateSync(join(git, 'index'), 150), says: /index of the repository is damaged or lost/ },
  'a lost index': { harm: (git) => rmSync(join(git, 'index')), says: /index of the repository is damaged or lost/ },
  'an unknown extension': {
    harm: (git) => appendFileSync(join(git, 'config'), '[core]\nrepositoryformatversion = 1\n[extensions]\nfuture = true\n'),
    says: /Cannot read the repository: unknown repository extension found: future\n[\s\S]*Update git/,
  },
  'a newer format': {
    harm: (git) => appendFileSync(join(git, 'config'), '[core]\nrepositoryformatversion = 99\n'),
    says: /expected git repo version/i,
  },
  'a broken configuration': { harm: (git) => appendFileSync(join(git, 'config'), '\n[broken\n'), says: /bad config line/ },
  'a broken HEAD': {
    harm: (git) => writeFileSync(join(git, 'HEAD'), 'nonsense\n'),
    says: /not a Git work tree|missing, damaged/,
  },
  'a `.git` link to nowhere': {
    harm: (git) => {
      renameSync(git, `${git}-away`)
      symlinkSync('/nonexistent', git)
    },
    says: /its Git directory is missing, damaged or not readable/,
  },
  'a lost HEAD': { harm: (git) => rmSync(join(git, 'HEAD')), says: /its Git directory is missing, damaged or not readable/ },
}

function plantGitNames(folder: string): void {
  for (const name of ['HEAD', 'objects/x', 'refs/x']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), '')
  }
}

let origin: GitHistory

beforeAll(async () => {
  origin = makeHistory(mkdtempSync(join(tmpdir(), 'openapi-pages-test-')))
  const files = Object.entries(tinyDocs(titles)).map(([path, text]) => [`docs/${path}`, String(text)])
  origin.commit({ ...Object.fromEntries(files), 'docs/specs/note.txt': 'A\n', 'docs/guide.mdx': '---\ntitle: Guide\n---\n' })
  expect((await runInFolder(origin.folder, ['update', 'docs'])).exitCode).toBe(0)
  origin.commit({})
  origin.git('config', 'uploadpack.allowFilter', 'true')
})

afterAll(() => rmSync(origin.folder, { recursive: true }))

type Checkout = 'full' | 'sparse' | 'shallow' | 'partial' | 'shallow, partial and sparse'

function clone(checkout: Checkout | 'none'): Pick<GitHistory, 'folder' | 'git'> {
  const folder = join(makeTemporaryFolder(), 'clone')
  const options = [
    ...(checkout.includes('shallow') ? ['--depth=1'] : []),
    ...(checkout.includes('partial') ? ['--filter=blob:none'] : []),
  ]
  origin.git('clone', '--quiet', '--no-checkout', ...options, pathToFileURL(origin.folder).href, folder)
  const git = (...args: string[]) => origin.git('-C', folder, ...args)
  if (checkout.includes('sparse')) git('sparse-checkout', 'set', 'docs/specs')
  if (checkout !== 'none') git('checkout', '--quiet', 'main')
  return { folder, git }
}

/** Runs a command while git refuses to answer. */
async function runRefused(folder: string, refusal: string, ...argv: readonly string[]) {
  const { harm, env = {} } = refusals[refusal] ?? {}
  const git = join(folder, '.git')
  const kept = `${folder}-git`
  cpSync(git, kept, { recursive: true })
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
  harm?.(git)
  Object.assign(process.env, env)
  try {
    return await runInFolder(folder, argv)
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    rmSync(git, { recursive: true })
    rmSync(`${git}-away`, { recursive: true, force: true })
    renameSync(kept, git)
  }
}

const readDocs = (folder: string) => readFileSync(join(folder, 'docs/docs.json'), 'utf8')

describe.each(Object.keys(refusals))('with %s', (refusal) => {
  test('an update keeps the pages that a sparse checkout leaves out, and says what to do', async () => {
    const { folder } = clone('sparse')
    const before = snapshotOf(join(folder, 'docs'))
    const { exitCode, stdout } = await runRefused(folder, refusal, 'update', 'docs')
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('pages-left-out')])
    expect(stdout).toMatch(refusals[refusal]?.says ?? /^$/)
    expect(snapshotOf(join(folder, 'docs'))).toEqual(before)
  })

  test('a complete checkout is updated', async () => {
    const { folder } = clone('full')
    writeFileSync(join(folder, 'docs/openapi.json'), String(tinyDocs([...titles, 'List birds'])['openapi.json']))
    const { exitCode } = await runRefused(folder, refusal, 'update', 'docs')
    expect([exitCode, readDocs(folder)]).toEqual([0, expect.stringContaining(toPage('List birds'))])
  })
})

type Clone = ReturnType<typeof clone>

/** States of a clone in which a page is absent, and what an update does with its entry. */
test.each<[state: string, expected: 'removed' | 'kept', Checkout | 'none', prepare: (clone: Clone, page: string) => void]>([
  ['an index without the docs directory', 'removed', 'full', ({ git }) => git('rm', '-rq', '--cached', 'docs')],
  [
    'a conflict that the other side deleted',
    'removed',
    'full',
    ({ folder, git }, page) => {
      git('checkout', '--quiet', '-b', 'other')
      git('rm', '--quiet', page)
      git('commit', '--quiet', '--message', 'delete')
      git('checkout', '--quiet', 'main')
      appendFileSync(join(folder, page), 'By hand.\n')
      git('commit', '--quiet', '--all', '--message', 'edit')
      expect(() => git('merge', '--quiet', 'other')).toThrow()
    },
  ],
  ['the names of a Git directory in docs', 'kept', 'sparse', ({ folder }) => plantGitNames(join(folder, 'docs'))],
  [
    'an index with a few files of the commit',
    'kept',
    'none',
    ({ git }) => git('checkout', '--quiet', 'HEAD', '--', 'docs/docs.json', 'docs/openapi.json', 'docs/openapi-pages.lock.json'),
  ],
])('the entry of an absent page, with %s, is %s', async (_state, expected, checkout, prepare) => {
  const copy = clone(checkout)
  const page = `docs/${toPage('List pets')}.mdx`
  prepare(copy, page)
  rmSync(join(copy.folder, page), { force: true })
  const { exitCode, stdout } = await runInFolder(copy.folder, ['update', 'docs'])
  const isKept = readDocs(copy.folder).includes(toPage('List pets'))
  expect([exitCode, isKept, stdout]).toEqual(
    expected === 'kept' ? [1, true, expect.stringContaining('pages-left-out')] : [0, false, expect.stringContaining('deleted')],
  )
})

test('Git tells which documents it ignores, although others are in a submodule or behind a link', async () => {
  const folder = makeTemporaryFolder({ '.gitignore': 'made.json\n', 'made.json': '', 'kept.json': '', 'real/a.json': '' })
  const history = makeHistory(folder)
  history.commit({})
  const head = history.git('rev-parse', 'HEAD').trim()
  history.git('update-index', '--add', '--cacheinfo', `160000,${head},module`)
  symlinkSync('real', join(folder, 'link'))
  const others = ['module/a.json', 'module/b/c.json', 'link/a.json', 'link/b/c.json']
  const lines: string[] = []
  const paths = [...others, 'made.json', 'kept.json', ...others]
  const answer = await askGit(folder, (line) => lines.push(line)).findIgnored(paths)
  expect([answer, lines]).toEqual([{ kind: 'known', value: ['made.json'] }, []])
})

test('`init` says once why Git refuses', async () => {
  const { folder } = clone('full')
  const { exitCode, stdout, stderr } = await runRefused(folder, 'a broken configuration', 'init', '--dry-run')
  expect([exitCode, `${stdout}${stderr}`.match(/bad config line/g)]).toEqual([2, ['bad config line']])
})

test.each([
  ['the names of a Git directory', plantGitNames, 0],
  ['a damaged `.git` in a parent', (folder: string) => mkdirSync(join(folder, '../.git/objects'), { recursive: true }), 1],
  ['an empty folder `.git`', (folder: string) => mkdirSync(join(folder, '.git')), 0],
  ['no Git', () => undefined, 0],
])('pages that are missing in a folder with %s', async (_title, prepare, expected) => {
  const { folder } = clone('sparse')
  rmSync(join(folder, '.git'), { recursive: true })
  prepare(folder)
  const { exitCode } = await runInFolder(folder, ['update', 'docs'])
  expect([exitCode, readDocs(folder).includes(toPage('List pets'))]).toEqual([expected, expected === 1])
})

test.each(['assume-unchanged', 'skip-worktree'])('an absent page that Git does not look at (%s) is not deleted', async (flag) => {
  const { folder, git } = clone('full')
  const page = `docs/${toPage('List pets')}.mdx`
  git('update-index', `--${flag}`, page)
  rmSync(join(folder, page))
  expect(await runInFolder(folder, ['update', 'docs'])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(page) })
})

test('an update brings back pages that an earlier one recorded as deleted, although they are there', async () => {
  const { folder, git } = clone('full')
  const before = snapshotOf(join(folder, 'docs'))
  const [first, second] = titles.map((title) => `docs/${toPage(title)}.mdx`)
  for (const page of [first, second]) rmSync(join(folder, page ?? ''))
  expect(await runInFolder(folder, ['update', 'docs'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('deleted') })
  git('checkout', '--quiet', 'HEAD', '--', first ?? '', second ?? '')
  expect((await runInFolder(folder, ['update', 'docs'])).exitCode).toBe(0)
  const texts = (files: { [path: string]: string }) =>
    Object.entries(files).map(([path, text]) => [path, text.replace(/^\S+ /, '')])
  expect(texts(snapshotOf(join(folder, 'docs')))).toEqual(texts(before))
})

const pageStates = ['untouched', 'edited', 'deleted', 'deletion staged'] as const

test('no update removes the entry of a page that the commit has and no person deleted', async () => {
  const state = fc.record({
    checkout: fc.constantFrom<Checkout>('full', 'sparse', 'shallow', 'partial', 'shallow, partial and sparse'),
    refusal: fc.option(fc.constantFrom(...Object.keys(refusals)), { nil: undefined }),
    pages: fc.tuple(fc.constantFrom(...pageStates), fc.constantFrom(...pageStates), fc.constantFrom(...pageStates)),
  })
  await fc.assert(
    fc.asyncProperty(state, async ({ checkout, refusal, pages }) => {
      const { folder, git } = clone(checkout)
      for (const [index, title] of titles.entries()) {
        const page = join(folder, 'docs', `${toPage(title)}.mdx`)
        if (!existsSync(page)) continue
        if (pages[index] === 'edited') appendFileSync(page, 'By hand.\n')
        if (pages[index] === 'deleted') rmSync(page)
        if (pages[index] === 'deletion staged') git('rm', '--quiet', page)
      }
      const isWhole = !checkout.includes('sparse')
      const kept = titles.filter((_, index) => !isWhole || pages[index] === 'untouched' || pages[index] === 'edited')
      const lost = () => kept.filter((title) => !readDocs(folder).includes(toPage(title)))
      const before = readDocs(folder)
      const run =
        refusal === undefined
          ? await runInFolder(folder, ['update', 'docs'])
          : await runRefused(folder, refusal, 'update', 'docs')
      const mayConclude = refusal === undefined ? isWhole : kept.length === titles.length && isWhole
      expect([run.exitCode, lost()]).toEqual([mayConclude ? 0 : 1, []])
      if (!mayConclude) expect(readDocs(folder)).toBe(before)
      if (!isWhole) git('sparse-checkout', 'disable')
      expect([(await runInFolder(folder, ['update', 'docs'])).exitCode, lost()]).toEqual([0, []])
      expect((await runInFolder(folder, ['update', 'docs', '--check'])).exitCode).toBe(0)
    }),
    { numRuns: propertyRuns(100) },
  )
})
