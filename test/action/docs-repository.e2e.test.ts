import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../src/action/report/summary.ts'
import { type DocsRepositories, makeDocsRepositories } from '../support/docs-repositories.ts'
import { type FileContents, git } from '../support/git-remote.ts'
import { settle } from '../support/memory-tree.ts'
import { expectNoFailure, protectedByRule } from '../support/pets-remote.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'

/** Docs that have the pages of two operations. */
const { tree: published } = await settle(tinyDocs(['List pets', 'List cats']) as { [path: string]: string })
const head = 'openapi-pages/from/acme/api/main'
const document = (...titles: readonly string[]) => ({ 'spec/openapi.json': tinyDocument(...titles) })
const make = (api: FileContents = document('List pets', 'List dogs', 'List fish'), docs: FileContents = published) =>
  makeDocsRepositories({ api, docs })

const pullRequest = { name: 'pull_request', ref: 'refs/pull/1/merge', isPullRequest: true, pullNumber: 1 }
const pullsOf = ({ docs }: DocsRepositories) =>
  docs.repository.pullRequests.map(({ state, head: from, base }) => `${state} ${from} → ${base}`)
const branchesOf = ({ docs }: DocsRepositories) => [...docs.repository.branches].map(([name]) => name).sort()
const writesOf = ({ github }: DocsRepositories) => github.requests.filter(({ method }) => method !== 'GET').length
const explain = ({ failures }: { readonly failures: readonly unknown[] }) => failures.map((failure) => explainFailure(failure))
const headline = ({ summary }: { readonly summary: string }) => summary.split('\n', 1)[0]

describe('a push to the default branch', () => {
  test('opens one pull request, updates it on changes, and closes it once nothing is left to change', async () => {
    const at = await make()
    const sha = at.api.remote.tip()
    const first = await at.run()
    expectNoFailure(first)
    expect(first.delivery).toMatchObject({ operation: 'pull-request-created', branch: head, warnings: [] })
    const [pull] = at.docs.repository.pullRequests
    expect(pull).toMatchObject({ base: 'main', head, author: 'docs-app[bot]', title: 'docs: update API pages' })
    expect(pull?.body).toContain(
      `\`openapi.json\` is [\`spec/openapi.json\`](${at.github.url}/acme/api/blob/${sha}/spec/openapi.json) of [\`acme/api@${sha.slice(0, 7)}\`](${at.github.url}/acme/api/commit/${sha})`,
    )
    expect(pull?.body).toContain('### API changes: 1 breaking, 2 compatible')
    expect(pull?.body).toMatch(/revision \[`openapi\.json:\d+`\]/)
    expect(pull?.body).toContain('`api-reference/list-dogs.mdx`')
    expect(at.docs.remote.log('%B', head)).toMatch(new RegExp(`\\nOpenapi-Pages-From: acme/api@${sha}$`))
    expect(at.docs.remote.read('openapi.json', head)).toBe(tinyDocument('List pets', 'List dogs', 'List fish'))
    expect(at.docs.remote.read('docs.json', head)).toContain('list-fish')
    expect(headline(first)).toBe('### API pages: pull request #1 in `acme/docs`: 3 pages change, 1 breaking change')
    expect(readdirSync(at.api.remote.folder).filter((name) => name.startsWith('openapi-pages-docs-'))).toEqual([])

    // The same document changes nothing, whatever else was pushed.
    const writes = writesOf(at)
    at.api.remote.push({ 'src/main.go': 'package main' })
    at.docs.remote.push({ 'guide.mdx': 'unrelated' })
    expect((await at.run()).delivery).toMatchObject({ operation: 'pull-request-unchanged', pullRequest: { number: 1 } })
    expect(writesOf(at)).toBe(writes)

    at.api.remote.push(document('List pets', 'List cats', 'List fish'))
    expect((await at.run()).delivery).toMatchObject({ operation: 'pull-request-updated', pullRequest: { number: 1 } })
    expect(at.docs.remote.log('%P', head)).toBe(at.docs.remote.tip())
    expect(at.docs.remote.read('guide.mdx', head)).toBe('unrelated')

    // The document goes back to what the docs have.
    at.api.remote.push(document('List pets', 'List cats'))
    const done = await at.run()
    expect(done.delivery).toMatchObject({ operation: 'pull-request-closed', pullRequest: { number: 1 } })
    expect([pullsOf(at), branchesOf(at)]).toEqual([[`closed ${head} → main`], ['main']])
    expect(at.docs.repository.comments.map(({ body }) => body)).toEqual(['The API pages of `main` are up to date.'])
    const quiet = await at.run()
    expect([quiet.delivery?.operation, headline(quiet)]).toEqual(['none', '### API pages: `acme/docs` is up to date'])
  })

  test('opens another pull request after the first was merged, and none for a merged document', async () => {
    const at = await make()
    await at.run()
    git(at.docs.remote.path, 'update-ref', 'refs/heads/main', at.docs.remote.tip(head))
    at.docs.repository.deleteBranch(head)
    const [pull] = at.docs.repository.pullRequests
    if (pull) Object.assign(pull, { state: 'closed', isMerged: true })
    expect((await at.run()).delivery?.operation).toBe('none')
    at.api.remote.push(document('List pets'))
    expect((await at.run()).delivery).toMatchObject({ operation: 'pull-request-created', pullRequest: { number: 2 } })
  })

  test('leaves a pull request closed that a person closed, until the documents or pages differ', async () => {
    const at = await make()
    await at.run()
    const [pull] = at.docs.repository.pullRequests
    if (pull) pull.state = 'closed'
    // GitHub also closes a pull request whose branch is deleted.
    at.docs.repository.deleteBranch(head)
    at.api.remote.push({ 'README.md': 'unrelated' })
    const declined = await at.run()
    expectNoFailure(declined)
    expect(declined.delivery).toMatchObject({
      operation: 'pull-request-declined',
      pullRequest: { number: 1 },
      commitSha: undefined,
    })
    expect(branchesOf(at)).toEqual(['main'])
    at.api.remote.push(document('List pets'))
    expect((await at.run()).delivery).toMatchObject({ operation: 'pull-request-created', pullRequest: { number: 2 } })
  })

  test('keeps commits of others on its branch', async () => {
    const at = await make()
    await at.run()
    const foreign = at.docs.remote.push({ 'guide.mdx': 'better words' }, head)
    at.api.remote.push(document('List pets'))
    const kept = await at.run()
    expect(kept.delivery).toMatchObject({ operation: 'pull-request-kept', pullRequest: { number: 1 } })
    expect(at.docs.remote.tip(head)).toBe(foreign)
  })

  test('changes nothing if a document lost many operations, until the input `remove` confirms it', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `List ${index}`)
    const { tree } = await settle(tinyDocs(titles) as { [path: string]: string })
    const at = await make(document('List 0', 'List 1'), tree)
    const stopped = await at.run()
    const line = '10 of 12 pages of `API` would be removed'
    expect(stopped.update?.diagnostics).toMatchObject([{ code: 'mass-removal', message: expect.stringContaining(line) }])
    expect(stopped.summary).toContain(line)
    expect([pullsOf(at), branchesOf(at)]).toEqual([[], ['main']])
    expect((await at.run({ inputs: { remove: true } })).delivery?.operation).toBe('pull-request-created')
    expect(at.docs.remote.read('api-reference/list-2.mdx', head)).toBeUndefined()
  })

  test('bundles a document in several files, and stores each of several documents', async () => {
    const api = {
      'pets/openapi.yaml': `openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths:\n  /pets: {$ref: ../shared/pets.yaml}\n`,
      'shared/pets.yaml': "get:\n  summary: List pets\n  responses: {'200': {description: Fine}}\n",
      'users.json': tinyDocument('List users'),
    }
    const at = await make(api, tinyDocs(['List pets', 'List cats'], 'docs/'))
    const inputs = { documents: ['users.json', 'pets/openapi.yaml'] }
    const report = await at.run({ inputs, docs: { paths: ['openapi.json', 'api/pets.json'] } })
    expectNoFailure(report)
    expect(report.note).toBe('No `docs.json` of `acme/docs` names `docs/api/pets.json`, so no page belongs to it.')
    expect(at.docs.remote.read('docs/openapi.json', head)).toBe(tinyDocument('List users'))
    expect(JSON.parse(at.docs.remote.read('docs/api/pets.json', head) ?? '')).toMatchObject({
      paths: { '/pets': { get: { summary: 'List pets' } } },
    })
    expect(at.docs.remote.read('docs/api-reference/list-users.mdx', head)).toBeDefined()
    expect(at.docs.remote.log('%B', head)).toContain('1 page added, 2 added to the navigation'.slice(0, 12))
  })

  test('can commit to the docs repository, and proposes a pull request if a branch rule rejects that', async () => {
    const at = await make()
    const committed = await at.run({ inputs: { mode: 'commit' } })
    expect(committed.delivery).toMatchObject({ operation: 'committed', branch: 'main' })
    expect([at.docs.remote.read('openapi.json'), pullsOf(at)]).toEqual([tinyDocument('List pets', 'List dogs', 'List fish'), []])
    at.docs.repository.rules.set('main', protectedByRule)
    at.api.remote.push(document('List pets'))
    expect((await at.run({ inputs: { mode: 'commit' } })).delivery).toMatchObject({ operation: 'pull-request-created' })
  })
})

describe('concurrent changes', () => {
  test('the docs branch moves: the pages are planned again from its newest commit', async () => {
    const at = await make()
    const meanwhile = () =>
      at.docs.remote.push({ 'guide.mdx': 'new', 'docs.json': (published['docs.json'] ?? '').replace('"Tiny"', '"Docs"') })
    at.github.fault({ route: 'GET /repos/{owner}/{repo}/pulls', meanwhile })
    const report = await at.run()
    expectNoFailure(report)
    // The next run sees the new commit, and no change of the proposal is lost.
    expect((await at.run()).delivery?.operation).toBe('pull-request-updated')
    expect(at.docs.remote.read('docs.json', head)).toMatch(/"Docs"[\s\S]*list-fish/)
    expect(at.docs.remote.log('%P', head)).toBe(at.docs.remote.tip())
  })

  test('two pushes at once end with the newest document, whichever run is last', async () => {
    const at = await make()
    const older = at.api.remote.checkOut()
    const newest = at.api.remote.push(document('List pets', 'List birds'))
    // The older run reads the newest commit, so both propose the same.
    const first = await at.run({ checkout: older })
    expectNoFailure(first)
    expect(first.update?.stored).toMatchObject([{ origin: { sha: newest } }])
    expect((await at.run()).delivery?.operation).toBe('pull-request-unchanged')
    expect(at.docs.remote.read('openapi.json', head)).toBe(tinyDocument('List pets', 'List birds'))

    // A run is overtaken while it creates its branch: it reads the documents again.
    const late = await make()
    late.github.fault({
      route: 'POST /repos/{owner}/{repo}/git/refs',
      meanwhile: async () => {
        late.api.remote.push(document('List pets', 'List birds'))
        await late.run()
      },
    })
    const overtaken = await late.run()
    expectNoFailure(overtaken)
    expect(late.docs.remote.read('openapi.json', head)).toBe(tinyDocument('List pets', 'List birds'))
    expect(pullsOf(late)).toEqual([`open ${head} → main`])
  })

  test('a generated document is stored by the newest run only', async () => {
    const at = await make({ 'README.md': 'x', '.gitignore': 'build/\n' })
    const generate = (...titles: readonly string[]) => {
      const checkout = at.api.remote.checkOut()
      git(checkout, 'config', 'core.excludesFile', '/dev/null')
      writeFileSync(join(checkout, 'openapi.json'), tinyDocument(...titles))
      return checkout
    }
    const older = generate('List pets', 'List old')
    const tip = at.api.remote.push({ 'README.md': 'y' })
    const run = { id: 8, workflow: 'docs.yml', number: 8, branch: 'main', sha: tip, conclusion: null }
    at.api.repository.workflowRuns.push({ ...run, status: 'in_progress' })
    const superseded = await at.run({ checkout: older, inputs: { documents: ['openapi.json'] } })
    expect(superseded.delivery).toMatchObject({
      operation: 'superseded',
      notes: [expect.stringContaining('which a newer run of this workflow handles')],
    })
    expect(pullsOf(at)).toEqual([])
    const newest = await at.run({ checkout: generate('List pets', 'List new'), runNumber: 8 })
    expect(newest.delivery?.operation).toBe('pull-request-created')
    expect(at.docs.remote.read('openapi.json', head)).toBe(tinyDocument('List pets', 'List new'))
    // No newer run: a `paths` filter has skipped the newest commit.
    at.api.repository.workflowRuns.length = 0
    const again = await at.run({ checkout: older, inputs: { documents: ['openapi.json'] } })
    expect(again.delivery?.operation).toBe('pull-request-updated')
  })

  test('deleted branches: of the documents is nothing to do, of the docs is an error', async () => {
    const at = await make()
    const checkout = at.api.remote.checkOut()
    at.api.repository.moveBranch('trunk', at.api.remote.tip())
    at.api.repository.deleteBranch('main')
    const gone = await at.run({ checkout })
    expect(gone.delivery).toMatchObject({ operation: 'superseded', notes: ['Nothing to do: `main` was deleted.'] })
    const deleted = await at.run({ checkout, event: { isDeleted: true } })
    expect(deleted.note).toBe('Nothing to do: `refs/heads/main` was deleted.')

    const other = await make()
    expect(explain(await other.run({ docs: { branch: 'next' } }))).toEqual([
      {
        message: 'Cannot read `acme/docs`: it has no branch or tag `next`. Its default branch is `main`',
        hint: 'Name another one, or none to follow the default branch',
      },
    ])
    git(other.docs.remote.path, 'tag', 'v1', 'main')
    expect(explain(await other.run({ docs: { branch: 'v1' } }))[0]?.message).toContain('expected a branch of `acme/docs`')
    // A renamed default branch is followed.
    git(other.docs.remote.path, 'branch', '--move', 'main', 'trunk')
    git(other.docs.remote.path, 'symbolic-ref', 'HEAD', 'refs/heads/trunk')
    expectNoFailure(await other.run())
    expect(pullsOf(other)).toEqual(['open openapi-pages/from/acme/api/trunk → trunk'])
  })
})

describe('a pull request', () => {
  test('pushes nothing, and reports what would change', async () => {
    const guide = '[cats](/api-reference/list-cats)\n\n[pets](/api-reference/list-pets)\n'
    const at = await make(document('List pets', 'Send birds'), {
      ...published,
      'guide.mdx': guide,
      'other.mdx': '[x](/nowhere)\n',
    })
    for (const mode of [undefined, 'pull-request', 'commit'] as const) {
      const report = await at.run({ event: pullRequest, inputs: { mode, token: at.docsToken({ contents: 'read' }) } })
      expectNoFailure(report)
      expect(headline(report)).toBe('### API pages: `acme/docs`: 2 pages change, 1 link breaks, 1 breaking change')
      expect(report.summary).toContain(
        'Nothing was pushed. A run on the default branch proposes these changes in [the docs repository]',
      )
      expect(report.summary).toContain('the update removes the page of `GET /list-cats`')
      // No commit of the docs repository has the new document.
      expect(report.summary).toMatch(/; base \[`openapi\.json:\d+`\]\(\S+\)/)
      expect(report.summary).not.toMatch(/revision \[/)
    }
    expect([pullsOf(at), branchesOf(at), at.github.requests, at.github.gitRequests.includes('push')]).toEqual([
      [],
      ['main'],
      [],
      false,
    ])
  })

  test('from a fork has no secrets: a private docs repository is not read, a public one is', async () => {
    const at = await make()
    const fork = { ...pullRequest, isFork: true, forkName: 'mallory/api', isReadOnly: true }
    const closed = await at.run({ event: fork, inputs: { token: undefined } })
    expectNoFailure(closed)
    expect([headline(closed), closed.note]).toEqual([
      '### API pages: 1 valid document',
      'Only the documents were checked. Pull requests from forks get no secrets, so the run cannot read `acme/docs`. A run on the default branch updates it.',
    ])
    const dependabot = await at.run({ event: { ...pullRequest, isReadOnly: true }, inputs: { token: undefined } })
    expect([dependabot.failures, dependabot.note]).toEqual([[], expect.stringContaining('Dependabot runs get no secrets')])
    // `pull_request_target` has secrets, which a run on files of a fork must not use.
    const target = await at.run({ event: { ...fork, name: 'pull_request_target', isReadOnly: false } })
    expect([target.failures, target.update]).toEqual([[], undefined])
    at.docs.repository.private = false
    const open = await at.run({ event: fork, inputs: { token: undefined } })
    expect(headline(open)).toBe('### API pages: `acme/docs`: 3 pages change, 1 breaking change')
    expect(open.note).toContain('this pull request comes from the fork `mallory/api`')
  })

  test('fails because of errors in its document, at their lines', async () => {
    const at = await make({ 'spec/openapi.json': tinyDocument('List pets').replace('"title"', '"titel"') })
    const report = await at.run({ event: pullRequest })
    expect([headline(report), report.update, report.failures]).toEqual([
      '### API pages: 1 error in `spec/openapi.json`, so nothing changes in `acme/docs`',
      undefined,
      [],
    ])
    expect(report.source?.diagnostics).toMatchObject([
      { severity: 'error', file: 'spec/openapi.json', range: { start: { line: 4 } } },
    ])
    expect(report.summary).toContain(`/acme/api/blob/${at.api.remote.tip()}/spec/openapi.json?plain=1#L4`)
    // The same holds for a push. The docs repository is not even read.
    expect((await at.run()).update).toBeUndefined()
    expect(existsSync(join(at.docs.remote.folder, 'openapi.json'))).toBe(false)
    expect(pullsOf(at)).toEqual([])
  })

  test('of another branch than the default one proposes nothing, unless that is requested', async () => {
    const at = await make()
    at.api.remote.push(document('List pets'), 'feature')
    const checked = await at.run({ event: { branch: 'feature' } })
    expect([checked.mode, checked.note, pullsOf(at)]).toEqual([
      'check',
      'Check only: `feature` is not the default branch. To propose its documents too, set `mode: pull-request`.',
      [],
    ])
    expect((await at.run({ event: { branch: 'feature' }, inputs: { mode: 'pull-request' } })).delivery?.operation).toBe(
      'pull-request-created',
    )
    // A release has a tag, which does not move.
    const released = await at.run({
      event: { branch: undefined, ref: 'refs/tags/v1', name: 'release' },
      checkout: at.api.remote.checkOut(),
    })
    expect(released.delivery?.operation).toBe('pull-request-updated')
  })
})

describe('errors', () => {
  const hint =
    'The input `token` needs `Contents: write` and `Pull requests: write` in `acme/docs`. Use the token of a GitHub App that is installed on `acme/docs`, or a fine-grained token for it'

  test('name all permissions at once', async () => {
    const at = await make()
    const other = at.github.createJobToken(at.api.repository, { contents: 'write', pull_requests: 'write' })
    for (const token of [
      at.docsToken({ contents: 'read', pull_requests: 'write' }),
      at.docsToken({ contents: 'write', pull_requests: 'read' }),
      at.docsToken({ contents: 'write' }),
      other,
      'ghs_expired',
    ]) {
      expect(explain(await at.run({ inputs: { token } }))).toEqual([{ message: expect.stringMatching(/^Cannot /), hint }])
      expect(pullsOf(at)).toEqual([])
    }
    expect(explain(await at.run({ inputs: { token: undefined } }))).toEqual([
      {
        message: 'Cannot update `acme/docs`: the input `token` is missing',
        hint: 'Set the input `token` to the token of a GitHub App that is installed on `acme/docs`, or a fine-grained token for it, with `Contents: write` and `Pull requests: write`',
      },
    ])
    expect(explain(await at.run({ event: pullRequest, inputs: { token: undefined } }))[0]?.hint).toMatch(/with `Contents: read`$/)
    // After the permission was granted, the next run completes the work.
    expect((await at.run()).delivery?.operation).toBe('pull-request-created')
  })

  test.each<[string, FileContents, FileContents, Parameters<DocsRepositories['run']>[0], string]>([
    ['no document', { 'README.md': 'x' }, published, {}, 'Cannot find an OpenAPI document in this repository'],
    [
      'several documents',
      { 'a.json': tinyDocument('A'), 'b/c.json': tinyDocument('B') },
      published,
      {},
      'Cannot choose a document: this repository has 2: `a.json`, `b/c.json`',
    ],
    [
      'a glob',
      document('List pets'),
      published,
      { inputs: { documents: ['spec/*.json'] } },
      'Unexpected `spec/*.json` for the input `openapi` with `docs-repository`, expected the path of a document',
    ],
    ['no docs.json', document('List pets'), { 'README.md': 'x' }, {}, 'Cannot find `docs.json` in `acme/docs`'],
    [
      'a missing docs directory',
      document('List pets'),
      published,
      { docs: { directory: 'site' } },
      'Unexpected `site` for the input `docs-directory`: `acme/docs` has no such directory',
    ],
    [
      'several docs directories',
      document('List pets'),
      { ...tinyDocs(['A'], 'a/'), ...tinyDocs(['B'], 'b/') },
      {},
      'Cannot choose a docs directory: `acme/docs` has 2: `a`, `b`',
    ],
    [
      'errors in docs.json',
      document('List pets'),
      { 'docs.json': '{"navigation": {' },
      {},
      'Cannot update `acme/docs`: `docs.json` has 1 error. The first is in line 1: Cannot read the JSON',
    ],
    [
      'no document in docs.json',
      document('List pets'),
      { 'docs.json': '{"navigation": {"pages": []}}' },
      {},
      'Cannot choose a file for `spec/openapi.json` in `acme/docs`: its `docs.json` names no document',
    ],
    [
      'more paths than documents',
      document('List pets'),
      published,
      { docs: { paths: ['a.json', 'b.json'] } },
      'Unexpected 2 paths in the input `document-path`, expected 1: one for each document',
    ],
    [
      'the same path twice',
      document('List pets'),
      published,
      { docs: { paths: ['a.json', './a.json'] } },
      'Unexpected second document for `a.json`',
    ],
  ])('%s', async (_, api, docs, options, message) => {
    const at = await make(api, docs)
    const report = await at.run(options)
    expect(explain(report)[0]?.message).toContain(message)
    expect([pullsOf(at), branchesOf(at)]).toEqual([[], ['main']])
  })

  test('a missing document is reported with the nearest name', async () => {
    const at = await make()
    const report = await at.run({ inputs: { documents: ['spec/openapi.jsn'] } })
    expect(report.source?.diagnostics).toMatchObject([{ code: 'file-missing', hint: 'Did you mean `openapi.json`?' }])
    expect(pullsOf(at)).toEqual([])
  })

  test('problems that the docs had before are not those of this run', async () => {
    const at = await make(document('List pets'), {
      ...published,
      'bad.json': '{"openapi": "3.1.0"}',
      'x.mdx': '---\nopenapi: bad.json GET /x\n---\n',
      'cats.mdx': '---\nopenapi: openapi.json GET /list-cats\n---\n',
    })
    const report = await at.run()
    expectNoFailure(report)
    expect(report.update?.diagnostics).toMatchObject([{ code: 'binding-unresolved', file: 'cats.mdx' }])
    expect(report.update?.documents.map(({ path }) => path)).toEqual(['openapi.json'])
    expect(headline(report)).toContain('1 page loses its operation, 1 breaking change')
    expect(report.delivery?.operation).toBe('pull-request-created')
  })
})
