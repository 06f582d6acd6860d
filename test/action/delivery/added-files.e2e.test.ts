import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileContents } from '../../support/git-remote.ts'
import { git } from '../../support/git-remote.ts'
import {
  type GitHubRemote,
  type InputValues,
  makeGitHubRemote,
  makeUpdatedRemote,
  runInProcess,
} from '../../support/github-remote.ts'
import { branchesOf, expectNoFailure, head, messageOf, pagesIn, protectedByRule, writesOf } from '../../support/pets-remote.ts'
import { localNetwork, serveHttps } from '../../support/serve-https.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

const pets = tinyDocument('List pets')
const petsAndStores = tinyDocument('List pets', 'List stores')
const both = ['api-reference/list-pets.mdx', 'api-reference/list-stores.mdx']
const documents = { documents: true, patterns: [] }
const none = { documents: false, patterns: [] }

/** A checkout in which an earlier step has written files. */
function checkOutAfterStep(at: GitHubRemote, files: { [path: string]: string }, branch?: string): string {
  const checkout = at.checkOut(branch)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(checkout, path, '..'), { recursive: true })
    writeFileSync(join(checkout, path), content)
  }
  return checkout
}

/** Runs with an up-to-date page of `List pets` in the repository, and a document that a step has given one more operation. */
async function runAfterStep(inputs: InputValues, more: FileContents = {}, files = { 'openapi.json': petsAndStores }) {
  const at = await makeUpdatedRemote({ ...tinyDocs(['List pets']), ...more })
  const checkout = checkOutAfterStep(at, files)
  return { at, checkout, report: await runInProcess(at, checkout, inputs) }
}

const readHere = (checkout: string) => readFileSync(join(checkout, 'openapi.json'), 'utf8')
const codesOf = ({ update }: Awaited<ReturnType<typeof runInProcess>>) => update?.diagnostics.map(({ code }) => code) ?? []

describe('a git-ignored document', () => {
  const ignoring = { ...tinyDocs([]), 'openapi.json': null, '.gitignore': 'openapi.json\n' }

  test('is read in each run, even on a generated commit', async () => {
    const { 'openapi.json': _, ...files } = ignoring
    const at = await makeGitHubRemote(files)
    expectNoFailure(await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': pets })))
    expect(pagesIn(at)).toEqual(['api-reference/list-pets.mdx'])
    const report = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': petsAndStores }))
    expectNoFailure(report)
    expect([report.delivery?.operation, pagesIn(at), codesOf(report)]).toEqual(['committed', both, []])
    expect(at.remote.read('openapi.json')).toBeUndefined()
    const again = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': petsAndStores }))
    expect([again.delivery?.operation, again.update?.changes]).toEqual(['none', []])
  })

  test('is read if a tracked document references it or links to it', async () => {
    const part = (summary: string) => JSON.stringify({ get: { summary, responses: { 200: { description: 'Good' } } } })
    const entry = { openapi: '3.1.0', info: { title: 'Tiny', version: '1' }, paths: { '/pets': { $ref: './build/pets.json' } } }
    const { 'docs.json': docs = '' } = tinyDocs([])
    const at = await makeGitHubRemote({ 'docs.json': docs, 'openapi.json': JSON.stringify(entry), '.gitignore': 'build/\n' })
    await runInProcess(at, checkOutAfterStep(at, { 'build/pets.json': part('List pets') }))
    await runInProcess(at, checkOutAfterStep(at, { 'build/pets.json': part('List all pets') }))
    expect(at.remote.read('openapi-pages.lock.json')).toContain('list-pets')
    expect(at.remote.read('api-reference/list-pets.mdx') ?? at.remote.read('api-reference/list-all-pets.mdx')).toContain(
      'List all pets',
    )
  })

  test('is read if git is configured to ignore changes to it', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    const checkout = checkOutAfterStep(at, { 'openapi.json': petsAndStores })
    git(checkout, 'update-index', '--assume-unchanged', 'openapi.json')
    const report = await runInProcess(at, checkout)
    expect(report.update?.pages.map(({ path }) => path)).toEqual(both)
  })

  test('does not matter if it is a dependency', async () => {
    const at = await makeUpdatedRemote({ ...tinyDocs(['List pets']), '.gitignore': 'node_modules/\n' })
    const report = await runInProcess(at, checkOutAfterStep(at, { 'node_modules/a/package.json': '{}' }))
    expect(report.delivery?.notes.join()).toContain('Nothing to do')
  })
})

test('a document from a URL is read in each run, even on a generated commit', async () => {
  let document = pets
  const origin = await serveHttps((_, response) => response.end(document))
  const docs = { name: 'Tiny', navigation: { tabs: [{ tab: 'API', openapi: `${origin}/openapi.json` }] } }
  const at = await makeGitHubRemote({ 'docs.json': `${JSON.stringify(docs, null, 2)}\n` })
  const network = { network: localNetwork }
  expectNoFailure(await runInProcess(at, at.checkOut(), {}, {}, network))
  expect(pagesIn(at)).toEqual(['api-reference/list-pets.mdx'])
  document = petsAndStores
  const report = await runInProcess(at, at.checkOut(), {}, {}, network)
  expectNoFailure(report)
  expect([report.delivery?.operation, pagesIn(at)]).toEqual(['committed', both])
})

describe('a tracked document that a step regenerated', () => {
  test.each(['api', 'git'] as const)('is committed once together with the pages by %s', async (commitMethod) => {
    const at = await makeGitHubRemote(tinyDocs(['List pets']))
    const inputs = { commitMethod, token: at.token() }
    await runInProcess(at, at.checkOut(), inputs)
    const checkout = checkOutAfterStep(at, { 'openapi.json': petsAndStores })
    const report = await runInProcess(at, checkout, inputs)
    expectNoFailure(report)
    expect([report.delivery?.operation, report.addedFiles, codesOf(report)]).toEqual(['committed', ['openapi.json'], []])
    expect([at.remote.read('openapi.json'), readHere(checkout), pagesIn(at)]).toEqual([petsAndStores, petsAndStores, both])
    expect(messageOf(at)).toContain('1 page added, 1 added to the navigation, 1 other file updated.')
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    const again = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': petsAndStores }), inputs)
    expect([again.delivery?.operation, again.delivery?.notes.join()]).toEqual(['none', expect.stringContaining('Nothing to do')])
  })

  test('is committed with its referenced files, at the target of symbolic links', async () => {
    const entry = { openapi: '3.1.0', info: { title: 'Tiny', version: '1' }, paths: { '/pets': { $ref: 'pets.json' } } }
    const part = (summary: string) => JSON.stringify({ get: { summary, responses: { 200: { description: 'Good' } } } })
    const { 'docs.json': docs = '' } = tinyDocs([])
    const files = { 'docs/docs.json': docs, 'api/openapi.json': JSON.stringify(entry), 'api/pets.json': part('List pets') }
    const at = await makeGitHubRemote(files)
    const first = at.checkOut()
    for (const name of ['openapi.json', 'pets.json']) symlinkSync(`../api/${name}`, join(first, 'docs', name))
    git(first, 'add', '--all')
    git(first, '-c', 'user.name=Pat', '-c', 'user.email=pat@example.com', 'commit', '-qm', 'Links')
    git(first, 'push', '--quiet', at.remote.path, 'HEAD:refs/heads/main')
    const inputs = { workingDirectory: 'docs' }
    await runInProcess(at, at.checkOut(), inputs)
    const report = await runInProcess(at, checkOutAfterStep(at, { 'api/pets.json': part('List all pets') }), inputs)
    expectNoFailure(report)
    expect([report.addedFiles, at.remote.read('api/pets.json')]).toEqual([['api/pets.json'], part('List all pets')])
  })

  test('is part of the pull request, and stays modified in the work tree', async () => {
    for (const inputs of [{ mode: 'pull-request' } as const, {}]) {
      const at = await makeUpdatedRemote(tinyDocs(['List pets']))
      const tip = at.remote.tip()
      at.repository.rules.set('main', protectedByRule)
      const checkout = checkOutAfterStep(at, { 'openapi.json': petsAndStores })
      const report = await runInProcess(at, checkout, inputs)
      expectNoFailure(report)
      expect([report.delivery?.operation, at.remote.tip()]).toEqual(['pull-request-created', tip])
      expect([at.remote.read('openapi.json', head), pagesIn(at, head), readHere(checkout)]).toEqual([
        petsAndStores,
        both,
        petsAndStores,
      ])
      const writes = writesOf(at)
      const again = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': petsAndStores }), { mode: 'pull-request' })
      expect([again.delivery?.operation, writesOf(at)]).toEqual(['pull-request-unchanged', writes])
    }
  })

  test('is not committed if it has errors', async () => {
    const broken = petsAndStores.replace('"summary"', '"sumary"')
    const { at, report } = await runAfterStep({}, {}, { 'openapi.json': broken })
    expect([report.addedFiles, at.remote.read('openapi.json'), codesOf(report)]).toEqual([[], pets, ['unknown-field']])
  })

  test('is committed without page changes, but not in the run started by that commit', async () => {
    const stamped = (time: string) => pets.replace('"version": "1"', `"version": "${time}"`)
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    at.remote.push({ 'index.mdx': 'A page by Pat' })
    const report = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': stamped('2') }))
    expect([report.delivery?.operation, at.remote.read('openapi.json')]).toEqual(['committed', stamped('2')])
    const tip = at.remote.tip()
    const next = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': stamped('3') }))
    expectNoFailure(next)
    expect([next.delivery?.operation, at.remote.tip(), next.addedFiles]).toEqual(['none', tip, []])
    expect(next.note).toContain('prevent an endless loop')
    const scheduled = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': stamped('4') }), {}, { name: 'schedule' })
    expect([scheduled.delivery?.operation, at.remote.read('openapi.json')]).toEqual(['committed', stamped('4')])
  })

  test('is listed in a dry run and ignored in a check', async () => {
    for (const [mode, files] of [
      ['dry-run', ['openapi.json']],
      ['check', []],
    ] as const) {
      const { at, report } = await runAfterStep({ mode })
      expect([report.addedFiles, at.remote.read('openapi.json')]).toEqual([files, pets])
    }
  })
})

describe('if the branch moves', () => {
  const moveOnce = (at: GitHubRemote, files: FileContents) => {
    at.repository.rules.clear()
    at.remote.push(files)
  }

  test('commits a regenerated document onto the newest commit', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    const checkout = checkOutAfterStep(at, { 'openapi.json': petsAndStores })
    const knownSha = git(checkout, 'rev-parse', 'HEAD')
    moveOnce(at, { 'index.mdx': 'Meanwhile' })
    const report = await runInProcess(at, checkout, {}, { sha: knownSha })
    expectNoFailure(report)
    expect([at.remote.read('openapi.json'), at.remote.read('index.mdx'), pagesIn(at)]).toEqual([
      petsAndStores,
      'Meanwhile',
      [...both, 'index.mdx'],
    ])
  })

  test.each(['commit', 'pull-request'] as const)(
    'a newer version of the document is not overwritten in mode %s',
    async (mode) => {
      const more = { 'other.json': tinyDocument('List ships') }
      const docs = {
        name: 'Two',
        navigation: {
          tabs: [
            { tab: 'A', openapi: 'openapi.json' },
            { tab: 'B', openapi: { source: 'other.json', directory: 'b' } },
          ],
        },
      }
      const at = await makeUpdatedRemote({ ...tinyDocs(['List pets']), ...more, 'docs.json': JSON.stringify(docs, null, 2) })
      const otherSteps = { 'openapi.json': petsAndStores, 'other.json': tinyDocument('List ships', 'List ports') }
      const checkout = checkOutAfterStep(at, otherSteps)
      const theirs = tinyDocument('List pets', 'List owners')
      moveOnce(at, { 'openapi.json': theirs })
      const report = await runInProcess(at, checkout, { mode })
      expectNoFailure(report)
      const branch = mode === 'commit' ? 'main' : head
      expect(at.remote.read('openapi.json', branch)).toBe(theirs)
      expect(at.remote.read('other.json', branch)).toBe(otherSteps['other.json'])
      expect(pagesIn(at, branch)).toEqual(['api-reference/list-pets.mdx', 'b/list-ports.mdx', 'b/list-ships.mdx'])
      expect(report.update?.diagnostics).toMatchObject([
        { severity: 'error', message: expect.stringContaining('has a newer version') },
      ])
      expect(readHere(checkout)).toBe(petsAndStores)
      expect(branchesOf(at)).toEqual(mode === 'commit' ? ['main'] : ['main', head])
    },
  )

  test('accepts the same version on the branch', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    const checkout = checkOutAfterStep(at, { 'openapi.json': petsAndStores })
    moveOnce(at, { 'openapi.json': petsAndStores })
    const report = await runInProcess(at, checkout)
    expectNoFailure(report)
    expect([report.addedFiles, codesOf(report), pagesIn(at)]).toEqual([[], [], both])
  })
})

describe('`add-paths`', () => {
  test('if switched off, warns about operations missing in the committed document', async () => {
    const { at, checkout, report } = await runAfterStep({ addPaths: none })
    expectNoFailure(report)
    expect([at.remote.read('openapi.json'), pagesIn(at), readHere(checkout)]).toEqual([pets, both, petsAndStores])
    expect(report.update?.diagnostics).toMatchObject([
      {
        code: 'document-not-committed',
        severity: 'warning',
        file: 'openapi.json',
        message: 'The committed `openapi.json` lacks an operation that has a page: `GET /list-stores`',
        hint: expect.stringContaining('`add-paths`'),
      },
    ])
    const line = report.update?.diagnostics[0]?.range.start.line ?? 0
    expect(petsAndStores.split('\n')[line - 1]).toContain('"get"')
  })

  test('adds new and changed files that match, but no workflows or ignored files', async () => {
    const files = {
      'openapi.json': petsAndStores,
      'schemas/pet.json': '{}',
      'schemas/pet.log': 'x',
      'schemas/draft.json': '{}',
      '.github/workflows/evil.json': '{}',
    }
    const patterns = ['**/*.json', '.github/**', '!schemas/draft.json']
    const { at, report } = await runAfterStep({ addPaths: { documents: false, patterns } }, { '.gitignore': '*.log\n' }, files)
    expectNoFailure(report)
    expect([report.addedFiles, codesOf(report)]).toEqual([['openapi.json', 'schemas/pet.json'], []])
    expect([at.remote.read('schemas/pet.json'), at.remote.read('.github/workflows/evil.json')]).toEqual(['{}', undefined])
  })

  test('rejects paths outside the repository', async () => {
    const { at, report } = await runAfterStep({ addPaths: { documents: true, patterns: ['../*.json'] } })
    expect(String(report.failures[0])).toContain('expected a path inside the repository')
    expect(pagesIn(at)).toEqual(['api-reference/list-pets.mdx'])
  })

  test('reports an untracked document', async () => {
    const { 'docs.json': docs = '' } = tinyDocs([])
    const at = await makeGitHubRemote({ 'docs.json': docs })
    const report = await runInProcess(at, checkOutAfterStep(at, { 'openapi.json': pets }), { addPaths: documents })
    expect(report.update?.diagnostics.map(({ message }) => message)).toEqual([
      '`openapi.json` is not committed, but pages show its operations: `GET /list-pets`',
    ])
  })

  test('skips and reports files that the API cannot commit', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    const checkout = checkOutAfterStep(at, { 'openapi.json': petsAndStores })
    chmodSync(join(checkout, 'openapi.json'), 0o755)
    const report = await runInProcess(at, checkout)
    expectNoFailure(report)
    expect([report.addedFiles, codesOf(report), at.remote.read('openapi.json')]).toEqual([[], ['document-not-committed'], pets])
  })

  test('skips a document in Git LFS', async () => {
    const { report } = await runAfterStep({}, { '.gitattributes': 'openapi.json filter=lfs\n' })
    expect([report.addedFiles, codesOf(report)]).toEqual([[], ['document-not-committed']])
  })
})
