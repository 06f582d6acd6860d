import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ActionReport } from '../../../src/action/action-report.ts'
import { explainFailure } from '../../../src/action/explain-failure.ts'
import { git } from '../../support/git-remote.ts'
import { allPermissions, type GitHubRemote, makeGitHubRemote, runHere } from '../../support/github-remote.ts'
import { readTimes, readTree } from '../../support/read-tree.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

const graphql = 'POST /graphql'
const page = 'api-reference/list-pets.mdx'
const head = 'openapi-pages/main'
const protectedByRule = { kind: 'ruleset', reason: 'Changes must be made through a pull request.' } as const

const makePets = () => makeGitHubRemote(tinyDocs(['List pets']))

function expectNoFailure(report: ActionReport): void {
  expect(report.failures.map((failure) => explainFailure(failure))).toEqual([])
}

const branchesOf = ({ repository }: GitHubRemote) => [...repository.branches].map(([name]) => name).sort()
const writesOf = ({ github }: GitHubRemote) => github.requests.filter(({ method }) => method !== 'GET').length
const readsOf = ({ github }: GitHubRemote) => github.requests.filter(({ method }) => method === 'GET').length
const messageOf = (at: GitHubRemote, branch = 'main') => at.remote.log('%B', branch)
const pagesIn = (at: GitHubRemote, branch = 'main') =>
  git(at.remote.path, 'ls-tree', '-r', '--name-only', branch)
    .split('\n')
    .filter((path) => path.endsWith('.mdx'))

describe('requirement 5: a commit by the API', () => {
  test('is signed, on top of the push, and the work tree is at it', async () => {
    const at = await makePets()
    const before = at.remote.tip()
    const checkout = at.checkOut()
    const report = await runHere(at, checkout)
    expectNoFailure(report)
    expect(report.delivery).toMatchObject({ operation: 'committed', commitSha: at.remote.tip(), isVerified: true, notes: [] })
    expect(at.remote.log('%P|%an|%cn')).toBe(`${before}|github-actions[bot]|GitHub`)
    expect(messageOf(at)).toMatch(
      /^docs: update API pages\n\n1 page added, 1 added to the navigation\.\n\nOpenapi-Pages-Source: [0-9a-f]{64}$/,
    )
    expect(pagesIn(at)).toEqual([page])
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(at.remote.tip())
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    expect([writesOf(at), readsOf(at)]).toEqual([1, 1])
  })

  test('has the same files as a push would have made, filters and byte order marks included', async () => {
    const files = tinyDocs(['List pets'])
    const attributes = { '.gitattributes': 'api-reference/*.mdx text eol=crlf\n' }
    const withMark = { ...files, ...attributes, 'docs.json': `\uFEFF${files['docs.json']}` }
    const trees = []
    for (const commitMethod of ['api', 'git'] as const) {
      const at = await makeGitHubRemote(withMark)
      const checkout = at.checkOut()
      expectNoFailure(await runHere(at, checkout, { commitMethod, token: at.token() }))
      trees.push(git(at.remote.path, 'rev-parse', 'main^{tree}'))
      expect(at.remote.read('docs.json')?.startsWith('\uFEFF')).toBe(true)
    }
    expect(trees[0]).toBe(trees[1])
  })

  test('refuses executable files and links, which it would turn into plain ones', async () => {
    const at = await makePets()
    const person = join(at.remote.folder, 'person')
    git(person, 'update-index', '--chmod=+x', 'docs.json')
    git(person, 'commit', '--quiet', '--message=Executable')
    git(person, 'push', '--quiet', 'origin', 'HEAD:main')
    const checkout = at.checkOut()
    const [tree, tip] = [readTree(checkout), at.remote.tip()]
    const report = await runHere(at, checkout)
    expect(report.failures.map((failure) => explainFailure(failure))).toEqual([
      {
        message: 'Cannot commit `docs.json` by the API: it is executable, which would be lost',
        hint: 'the API of GitHub writes plain files only; use `commit-method: git`, or make it a plain file',
      },
    ])
    expect([readTree(checkout), at.remote.tip(), git(checkout, 'status', '--porcelain')]).toEqual([tree, tip, ''])
    const pushed = await runHere(at, checkout, { commitMethod: 'git', token: at.token() })
    expectNoFailure(pushed)
    expect(git(at.remote.path, 'ls-tree', 'main', 'docs.json')).toMatch(/^100755/)
  })

  test('is that of the token, with another committer as co-author', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut(), { committer: { name: 'Docs Bot', email: 'docs@example.com' } })
    expect([at.remote.log('%an'), messageOf(at).split('\n').at(-1)]).toEqual([
      'github-actions[bot]',
      'Co-authored-by: Docs Bot <docs@example.com>',
    ])
    expect((await runHere(at, at.checkOut())).delivery?.operation).toBe('none')
    expect(at.github.requestsTo(graphql)).toHaveLength(1)
  })

  test('fails the run that asks for a signature where GitHub made none, and says what is there', async () => {
    const at = await makePets()
    at.repository.signsCommits = false
    const report = await runHere(at, at.checkOut(), { requireSigned: true })
    expect(report.delivery).toMatchObject({ operation: 'committed', isVerified: false, commitSha: at.remote.tip() })
    expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
      `The commit \`${at.remote.tip().slice(0, 7)}\` is made, but \`require-signed\` is set and GitHub does not show it as verified`,
    ])
    const pets = await makePets()
    const pushed = await runHere(pets, pets.checkOut(), { requireSigned: true, commitMethod: 'git', token: pets.token() })
    expect(pushed.delivery?.isVerified).toBe(false)
    expect(pushed.failures).toHaveLength(1)
  })

  test('without a token, or for another remote, becomes a push that says so, or a refusal where it must be signed', async () => {
    const at = await makePets()
    const checkout = at.remote.checkOut()
    const report = await runHere(at, checkout, { requireSigned: true })
    expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
      `Cannot commit signed by GitHub, as \`require-signed\` asks for: the remote \`origin\` is not on ${at.github.url}`,
    ])
    const pushed = await runHere(at, checkout, { githubToken: undefined })
    expect(pushed.delivery?.notes).toEqual([
      'The commit was pushed by git and is not signed: there is no token, so the API of GitHub cannot be used.',
    ])
    expect(pushed.delivery).toMatchObject({ operation: 'committed', commitSha: at.remote.tip() })
    expect(at.github.requests).toEqual([])
  })

  test('of many pages moves the branch once, within 14 requests', async () => {
    const at = await makeGitHubRemote(tinyDocs(Array.from({ length: 405 }, (_, index) => `List ${index}`)))
    const before = at.remote.tip()
    const report = await runHere(at, at.checkOut())
    expectNoFailure(report)
    expect(git(at.remote.path, 'log', '--format=%s', `${before}..main`).split('\n')).toEqual([
      'docs: update API pages (3/3)',
      'docs: update API pages (2/3)',
      'docs: update API pages (1/3)',
    ])
    expect(pagesIn(at)).toHaveLength(405)
    expect(branchesOf(at)).toEqual(['main'])
    expect(at.github.requests.length).toBeLessThanOrEqual(14)
    const again = await runHere(at, at.checkOut())
    expect(again.delivery?.operation).toBe('none')
  })

  test('makes a branch that is asked for and not there', async () => {
    const at = await makePets()
    const report = await runHere(at, at.checkOut(), { branch: 'docs/next' })
    expectNoFailure(report)
    expect(pagesIn(at, 'docs/next')).toEqual([page])
    expect([pagesIn(at), branchesOf(at)]).toEqual([[], ['docs/next', 'main']])
  })
})

describe('requirement 4: on its own commit', () => {
  test('has nothing to do, at once, without a request and without touching a file', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut())
    const checkout = at.checkOut()
    const [tree, times, requests] = [readTree(checkout), readTimes(checkout), at.github.requests.length]
    const report = await runHere(at, checkout)
    expect(report.delivery?.notes).toEqual(['The newest commit is one of ours and was made from these documents: nothing to do.'])
    expect([report.update, at.github.requests.length]).toEqual([undefined, requests])
    expect([readTree(checkout), readTimes(checkout)]).toEqual([tree, times])
  })

  test('looks again where a step before has changed a file, the inputs are others, or the trailer is not of this tree', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut())
    const checkout = at.checkOut()
    const other = await runHere(at, checkout, { directory: 'elsewhere' })
    expect([other.update?.changes.length, other.delivery?.operation]).toEqual([0, 'none'])
    writeFileSync(join(checkout, 'openapi.json'), tinyDocument('List pets', 'List dogs'))
    const dirty = await runHere(at, checkout)
    expect(dirty.update?.pages.map(({ kind }) => kind).sort()).toEqual(['added', 'unchanged'])
    const copied = messageOf(at)
    at.remote.push({ 'openapi.json': tinyDocument('List pets', 'List dogs', 'List cats') })
    const person = join(at.remote.folder, 'person')
    git(person, 'commit', '--quiet', '--amend', `--message=${copied}`)
    git(person, 'push', '--quiet', '--force', 'origin', 'HEAD:main')
    const amended = await runHere(at, at.checkOut())
    expect(amended.delivery?.operation).toBe('committed')
    expect(pagesIn(at)).toEqual(['api-reference/list-cats.mdx', 'api-reference/list-dogs.mdx', page])
  })

  test('looks again where there was something to say', async () => {
    const at = await makeGitHubRemote({ ...tinyDocs(['List pets']), 'broken.json': '{"openapi": "3.1.0"}' })
    const inputs = { documents: ['broken.json'] }
    expect((await runHere(at, at.checkOut(), inputs)).delivery?.operation).toBe('committed')
    const again = await runHere(at, at.checkOut(), inputs)
    expect([again.delivery?.operation, (again.update?.diagnostics.length ?? 0) > 0]).toEqual(['none', true])
  })

  test('asks for no runs to be skipped where that was not asked for, and never at the head of a pull request', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut())
    expect(messageOf(at)).not.toMatch(/skip/i)
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const pull = { isPullRequest: true, name: 'pull_request' }
    const cases = [
      [{ skipCi: true }, pull],
      [{ mode: 'pull-request', skipCi: true }, {}],
      [{ mode: 'pull-request', commitMessage: 'docs: x [ci skip]' }, {}],
    ] as const
    for (const [inputs, event] of cases) {
      const report = await runHere(at, at.checkOut(), { mode: 'commit', ...inputs }, event)
      expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
        expect.stringMatching(/^Unexpected .*: the commit becomes the head of a pull request$/),
      ])
    }
    await runHere(at, at.checkOut(), { skipCi: true })
    expect(at.remote.log('%s')).toBe('docs: update API pages [skip ci]')
  })
})

describe('requirement 6: when the branch moves meanwhile', () => {
  test.each(['api', 'git'] as const)(
    'generates again from its newest commit, from a depth-1 clone (%s)',
    async (commitMethod) => {
      const at = await makePets()
      const checkout = at.checkOut()
      at.remote.push({ 'openapi.json': tinyDocument('List pets', 'List dogs'), 'guide.mdx': 'mine' })
      const report = await runHere(at, checkout, { commitMethod, token: at.token() })
      expectNoFailure(report)
      expect(pagesIn(at)).toEqual(['api-reference/list-dogs.mdx', page, 'guide.mdx'])
      expect(git(at.remote.path, 'log', '-1', '--format=%s', 'main^')).toBe('A change by Pat')
    },
  )

  test('also where it moves in the moment of the commit', async () => {
    const at = await makePets()
    at.github.fault({
      route: graphql,
      meanwhile: () => at.remote.push({ 'openapi.json': tinyDocument('List cats') }),
    })
    const report = await runHere(at, at.checkOut())
    expectNoFailure(report)
    expect(pagesIn(at)).toEqual(['api-reference/list-cats.mdx'])
    expect(git(at.remote.path, 'log', '--format=%an', 'main').split('\n')).toEqual(['github-actions[bot]', 'Pat', 'Pat'])
  })

  test('gives up after five times with the branch as others left it', async () => {
    const at = await makePets()
    let count = 0
    at.github.fault({ route: graphql, times: 99, meanwhile: () => at.remote.push({ 'guide.mdx': String(++count) }) })
    const report = await runHere(at, at.checkOut())
    expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
      'Cannot push to `main`: it moved 5 times while the pages were generated',
    ])
    expect(pagesIn(at)).toEqual(['guide.mdx'])
  })

  test('is one commit where the answer is lost', async () => {
    const at = await makePets()
    at.github.fault({ route: graphql, cut: 'after' })
    const report = await runHere(at, at.checkOut())
    expect(report.delivery).toMatchObject({ operation: 'committed', commitSha: at.remote.tip() })
    expect(git(at.remote.path, 'rev-list', '--count', 'main')).toBe('2')
  })
})

describe('requirement 7: a newer run', () => {
  const addRun = (at: GitHubRemote, number: number, sha: string) =>
    at.repository.workflowRuns.push({
      id: number,
      workflow: 'docs.yml',
      number,
      branch: 'main',
      sha,
      status: 'queued',
      conclusion: null,
    })

  test.each(['commit', 'pull-request'] as const)(
    'does the work where the documents are others: superseded, a success (%s)',
    async (mode) => {
      const at = await makePets()
      const checkout = at.checkOut()
      const tip = at.remote.push({ 'openapi.json': tinyDocument('List cats') })
      addRun(at, 8, tip)
      const report = await runHere(at, checkout, { mode })
      expectNoFailure(report)
      expect([report.delivery?.operation, report.update]).toEqual(['superseded', undefined])
      expect([at.remote.tip(), writesOf(at)]).toEqual([tip, 0])
    },
  )

  test.each<[string, (at: GitHubRemote, tip: string) => void, string, { [name: string]: 'read' | 'write' }]>([
    ['there is only an older one', (at, tip) => addRun(at, 6, tip), tinyDocument('List cats'), allPermissions],
    ['it is for another commit', (at) => addRun(at, 8, 'f'.repeat(40)), tinyDocument('List cats'), allPermissions],
    ['the token may not ask', (at, tip) => addRun(at, 8, tip), tinyDocument('List cats'), { contents: 'write' }],
    ['the documents are the same', (at, tip) => addRun(at, 8, tip), tinyDocument('List pets'), allPermissions],
  ])('is not waited for where %s', async (_, prepare, document, permissions) => {
    const at = await makePets()
    const checkout = at.checkOut()
    prepare(at, at.remote.push({ 'openapi.json': document, 'guide.mdx': 'mine' }))
    const report = await runHere(at, checkout, { githubToken: at.token(permissions) })
    expect(report.delivery?.operation).toBe('committed')
  })
})

describe('requirement 8: a pull request', () => {
  const proposal = { mode: 'pull-request' } as const

  test('is opened once, kept up to date, left alone while nothing changes, and closed when nothing is left to do', async () => {
    const at = await makePets()
    const first = await runHere(at, at.checkOut(), proposal)
    expectNoFailure(first)
    expect(first.delivery).toMatchObject({ operation: 'pull-request-created', branch: head, isVerified: true })
    const [pull] = at.repository.pullRequests
    expect([pull?.title, pull?.base, pull?.head, pull?.author]).toEqual([
      'docs: update API pages',
      'main',
      head,
      'github-actions[bot]',
    ])
    expect(pull?.body).toMatch(/^<!-- openapi-pages:v1 pull-request head=[0-9a-f]{40} changes=[0-9a-f]{64} -->\n/)
    expect(pull?.body).toContain('`api-reference/list-pets.mdx`')
    expect([pagesIn(at), pagesIn(at, head)]).toEqual([[], [page]])

    const writes = writesOf(at)
    at.remote.push({ 'guide.mdx': 'nothing to do with it' })
    const same = await runHere(at, at.checkOut(), proposal)
    expect([same.delivery?.operation, same.delivery?.pullRequest?.number]).toEqual(['pull-request-unchanged', 1])
    expect(writesOf(at)).toBe(writes)

    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const next = await runHere(at, at.checkOut(), proposal)
    expect([next.delivery?.operation, next.delivery?.commitSha]).toEqual(['pull-request-updated', at.remote.tip(head)])
    expect(pagesIn(at, head)).toEqual(['api-reference/list-cats.mdx', 'guide.mdx'])
    expect(at.remote.log('%P', head)).toBe(at.remote.tip())
    expect(pull?.body).toContain('list-cats.mdx')

    git(at.remote.path, 'update-ref', 'refs/heads/main', at.remote.tip(head))
    at.remote.push({ 'guide.mdx': 'after the merge' })
    const done = await runHere(at, at.checkOut(), proposal)
    expect([done.delivery?.operation, done.delivery?.pullRequest?.number]).toEqual(['pull-request-closed', 1])
    expect([pull?.state, branchesOf(at)]).toEqual(['closed', ['main']])
    expect(at.repository.comments.map(({ body }) => body)).toEqual([
      'Nothing is left to do: the API pages of `main` are up to date.',
    ])
    expect(at.repository.pullRequests).toHaveLength(1)
    const requests = at.github.requests.length
    expect((await runHere(at, at.checkOut(), proposal)).delivery?.operation).toBe('none')
    expect(at.github.requests.length).toBe(requests)
  })

  test('is closed on a commit of ours too, where another run has brought the branch up to date, unless it has moved on', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut(), proposal)
    await runHere(at, at.checkOut(), { mode: 'commit', onProtected: 'fail' })
    expect([at.repository.pullRequests[0]?.state, branchesOf(at)]).toEqual(['open', ['main', head]])
    const stale = at.checkOut()
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    expect((await runHere(at, stale, proposal)).delivery?.operation).toBe('none')
    git(at.remote.path, 'update-ref', 'refs/heads/main', git(stale, 'rev-parse', 'HEAD'))
    const done = await runHere(at, at.checkOut(), proposal)
    expect([done.delivery?.operation, done.delivery?.pullRequest?.number]).toEqual(['pull-request-closed', 1])
    expect([at.repository.pullRequests[0]?.state, branchesOf(at)]).toEqual(['closed', ['main']])
  })

  test('by git is the same, and the work tree is at the base afterwards', async () => {
    const at = await makePets()
    const inputs = { ...proposal, commitMethod: 'git', token: at.token() } as const
    const checkout = at.checkOut()
    expectNoFailure(await runHere(at, checkout, inputs))
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(at.remote.tip())
    expect(git(checkout, 'status', '--porcelain')).toBe('')
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const next = await runHere(at, at.checkOut(), inputs)
    expect(next.delivery?.operation).toBe('pull-request-updated')
    expect([pagesIn(at, head), at.remote.log('%P', head)]).toEqual([['api-reference/list-cats.mdx'], at.remote.tip()])
  })

  test('keeps the commits that somebody has added to its branch, and says so', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut(), proposal)
    const foreign = at.remote.push({ [page]: 'better words' }, head)
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    for (const files of [{}, { 'openapi.json': tinyDocument() }]) {
      at.remote.push(files)
      const report = await runHere(at, at.checkOut(), proposal)
      expectNoFailure(report)
      expect(report.delivery).toMatchObject({ operation: 'pull-request-kept', pullRequest: { number: 1 } })
      expect(report.delivery?.notes[0]).toContain(foreign.slice(0, 7))
      expect([at.remote.tip(head), at.repository.pullRequests[0]?.state]).toEqual([foreign, 'open'])
    }
  })

  test('knows an amended commit from its own, and a commit that comes in the moment of the update', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut(), proposal)
    const person = join(at.remote.folder, 'person')
    git(person, 'fetch', '--quiet', 'origin', head)
    git(person, 'reset', '--quiet', '--hard', 'FETCH_HEAD')
    writeFileSync(join(person, page), 'amended')
    git(person, 'commit', '--quiet', '--all', '--amend', '--no-edit')
    git(person, 'push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${head}`)
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    expect((await runHere(at, at.checkOut(), proposal)).delivery?.operation).toBe('pull-request-kept')
    expect(at.remote.read(page, head)).toBe('amended')

    const other = await makePets()
    await runHere(other, other.checkOut(), proposal)
    other.remote.push({ 'openapi.json': tinyDocument('List cats') })
    other.github.fault({ route: 'GET /repos/{owner}/{repo}', meanwhile: () => other.remote.push({ 'x.md': 'mine' }, head) })
    expect((await runHere(other, other.checkOut(), proposal)).delivery?.operation).toBe('pull-request-kept')
    expect(other.remote.read('x.md', head)).toBe('mine')
    expect(branchesOf(other)).toEqual(['main', head])
  })

  test('that somebody else has opened from its branch keeps its words', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut(), proposal)
    const [ours] = at.repository.pullRequests
    if (ours) ours.state = 'closed'
    const theirs = at.repository.openPullRequest({ head, title: 'Mine', body: 'My words', author: 'pat' })
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const report = await runHere(at, at.checkOut(), proposal)
    expect(report.delivery).toMatchObject({ operation: 'pull-request-updated', pullRequest: { number: theirs.number } })
    expect([theirs.title, theirs.body]).toEqual(['Mine', 'My words'])
    at.remote.push({ 'openapi.json': tinyDocument() })
    expect((await runHere(at, at.checkOut(), proposal)).delivery?.operation).toBe('pull-request-kept')
    expect(theirs.state).toBe('open')
  })

  test('is not closed because a document is broken', async () => {
    const at = await makePets()
    await runHere(at, at.checkOut(), proposal)
    at.remote.push({ 'openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}\n' })
    const report = await runHere(at, at.checkOut(), proposal)
    expect([report.delivery?.operation, at.repository.pullRequests[0]?.state]).toEqual(['none', 'open'])
  })

  test('shows what a document says as text only, within the limit of GitHub', async () => {
    const titles = ['@octocat <img src=x> | `x`', '::error::x']
    const at = await makeGitHubRemote(
      tinyDocs([...titles, ...Array.from({ length: 1_200 }, (_, index) => `List ${index} ${'x'.repeat(60)}`)]),
    )
    expectNoFailure(await runHere(at, at.checkOut(), proposal))
    const body = at.repository.pullRequests[0]?.body ?? ''
    // Inside of code nothing has a meaning.
    expect(body.replaceAll(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)|\]\([^)]*\)/g, '')).not.toMatch(/@octocat|<img/)
    expect(Buffer.byteLength(body)).toBeLessThan(65_000)
    expect(body).toMatch(/… and \d[\d,]* more pages/)
  })

  test('needs a token, and a permission that the error names', async () => {
    const at = await makePets()
    const without = await runHere(at, at.checkOut(), { ...proposal, githubToken: undefined })
    expect(explainFailure(without.failures[0]).message).toBe('Cannot open a pull request: there is no token')
    const reading = await runHere(at, at.checkOut(), {
      ...proposal,
      githubToken: at.token({ contents: 'write', pull_requests: 'read' }),
    })
    expect(explainFailure(reading.failures[0])).toMatchObject({
      message: expect.stringContaining('403 Resource not accessible by integration'),
      hint: expect.stringContaining('`permissions: pull-requests: write`'),
    })
    const again = await runHere(at, at.checkOut(), proposal)
    expect([again.delivery?.operation, at.repository.pullRequests.length]).toEqual(['pull-request-created', 1])
  })

  test('is never proposed for its own branch, nor for one that stands only for a moment', async () => {
    const at = await makePets()
    const event = (branch: string) => ({ branch, ref: `refs/heads/${branch}` })
    const own = await runHere(at, at.checkOut(), proposal, event(head))
    const temporary = await runHere(at, at.checkOut(), {}, event('openapi-pages-temporary/77-1-ab'))
    expect([own.note, temporary.note].map((note) => note?.slice(0, 40))).toEqual([
      '`openapi-pages/main` is the branch of a ',
      '`openapi-pages-temporary/77-1-ab` stands',
    ])
    expect(at.github.requests).toEqual([])
  })
})

describe('requirement 8: a protected branch', () => {
  test.each(['api', 'git'] as const)('gets a pull request instead, which names the rule (%s)', async (commitMethod) => {
    const at = await makePets()
    at.repository.rules.set('main', protectedByRule)
    at.remote.setHook(
      'update',
      `[ "$1" != refs/heads/main ] || { echo 'error: GH013: Repository rule violations found for refs/heads/main.' >&2
       echo '- ${protectedByRule.reason}' >&2; exit 1; }`,
    )
    const tip = at.remote.tip()
    const report = await runHere(at, at.checkOut(), { commitMethod, token: at.token(), commitMessage: 'docs: pages [skip ci]' })
    expectNoFailure(report)
    expect(report.delivery).toMatchObject({ operation: 'pull-request-created', pullRequest: { number: 1 } })
    expect(report.delivery?.notes[0]).toContain('Changes must be made through a pull request')
    expect([at.remote.tip(), pagesIn(at, head), at.remote.log('%s', head)]).toEqual([tip, [page], 'docs: pages'])
    const again = await runHere(at, at.checkOut(), { commitMethod, token: at.token() })
    expect([again.delivery?.operation, at.repository.pullRequests.length]).toEqual(['pull-request-unchanged', 1])
  })

  test('fails the run where that is asked for, or there is nobody to open one', async () => {
    const at = await makePets()
    at.repository.rules.set('main', { kind: 'classic', reason: 'At least 1 approving review is required.' })
    const report = await runHere(at, at.checkOut(), { onProtected: 'fail' })
    expect(explainFailure(report.failures[0])).toEqual({
      message: expect.stringContaining('At least 1 approving review is required.'),
      hint: expect.stringContaining('`on-protected: pull-request`'),
    })
    expect(at.repository.pullRequests).toEqual([])
  })

  test('that takes commits again leaves no pull request behind', async () => {
    const at = await makePets()
    at.repository.rules.set('main', protectedByRule)
    await runHere(at, at.checkOut())
    at.repository.rules.clear()
    const report = await runHere(at, at.checkOut())
    expect(report.delivery?.operation).toBe('committed')
    expect([at.repository.pullRequests[0]?.state, branchesOf(at)]).toEqual(['closed', ['main']])
  })
})

describe('says what GitHub refuses and what helps', () => {
  test.each<[string, number, object, { [name: string]: string }, string, string]>([
    [
      '403',
      403,
      { message: 'Resource not accessible by integration' },
      {},
      '403 Resource not accessible',
      '`permissions: contents: write`',
    ],
    ['401', 401, { message: 'Bad credentials' }, {}, '401 Bad credentials', 'check the input `token`'],
    ['404', 404, { message: 'Not Found' }, {}, '404 Not Found', '`permissions: contents: write`'],
    ['409', 409, { message: 'Git Repository is empty.' }, {}, '409 Git Repository is empty.', 'run again'],
    ['422', 422, { message: 'Validation Failed' }, {}, '422 Validation Failed', 'please report it'],
    ['503', 503, {}, {}, '503', 'githubstatus.com'],
    ['429', 429, { message: 'slow down' }, { 'retry-after': '900' }, '429 slow down', 'run again in 900 s'],
    [
      'a limit',
      403,
      { message: 'You have exceeded a secondary rate limit' },
      { 'retry-after': '61' },
      'secondary rate limit',
      'run again in 61 s',
    ],
  ])('%s', async (_, status, body, headers, message, hint) => {
    const at = await makePets()
    const checkout = at.checkOut()
    const tree = readTree(checkout)
    at.github.fault({ route: graphql, status, body, headers, times: 9 })
    const report = await runHere(at, checkout)
    const said = explainFailure(report.failures[0])
    expect([said.message.includes(message), said.hint?.includes(hint), said]).toEqual([true, true, said])
    expect([readTree(checkout), git(checkout, 'status', '--porcelain')]).toEqual([tree, ''])
  })

  test('that Actions may not open pull requests', async () => {
    const at = await makePets()
    const body = { message: 'GitHub Actions is not permitted to create or approve pull requests.' }
    at.github.fault({ route: 'POST /repos/{owner}/{repo}/pulls', status: 403, body })
    const report = await runHere(at, at.checkOut(), { mode: 'pull-request' })
    expect(explainFailure(report.failures[0]).hint).toContain('Allow GitHub Actions to create and approve pull requests')
  })

  test('and waits where GitHub asks for a wait that is short', async () => {
    const at = await makePets()
    at.github.fault({ route: graphql, status: 429, headers: { 'retry-after': '1' } })
    expect((await runHere(at, at.checkOut())).delivery?.operation).toBe('committed')
  })
})

describe('requirement 13: several docs roots', () => {
  const files = { ...tinyDocs(['List pets'], 'a/docs/'), ...tinyDocs(['List cats'], 'b/docs/') }

  test('are one commit, with a result each', async () => {
    const at = await makeGitHubRemote(files)
    const report = await runHere(at, at.checkOut())
    expectNoFailure(report)
    expect(git(at.remote.path, 'rev-list', '--count', 'main')).toBe('2')
    expect(pagesIn(at)).toEqual(['a/docs/api-reference/list-pets.mdx', 'b/docs/api-reference/list-cats.mdx'])
    expect(report.updates.map(({ root, changes }) => [root, changes.length > 0])).toEqual([
      ['a/docs', true],
      ['b/docs', true],
    ])
    expect(report.update?.pages.map(({ path }) => path)).toEqual(pagesIn(at))
    expect((await runHere(at, at.checkOut())).delivery?.operation).toBe('none')
  })

  test('of which one is broken: the others are written', async () => {
    const at = await makeGitHubRemote({ ...files, 'a/docs/openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}\n' })
    const report = await runHere(at, at.checkOut())
    expect(report.delivery?.operation).toBe('committed')
    expect(pagesIn(at)).toEqual(['b/docs/api-reference/list-cats.mdx'])
    expect(report.update?.diagnostics.map(({ file }) => file)).toContain('a/docs/openapi.json')
  })

  test('with documents outside of them, but in the repository', async () => {
    const docs = tinyDocs([], 'docs/')
    const at = await makeGitHubRemote({
      'docs/docs.json': (docs['docs/docs.json'] ?? '').replace('openapi.json', '../services/pets/openapi.json'),
      'services/pets/openapi.json': tinyDocument('List pets'),
    })
    const report = await runHere(at, at.checkOut())
    expectNoFailure(report)
    expect(pagesIn(at)).toEqual(['docs/api-reference/list-pets.mdx'])
    expect(at.remote.read('docs/api-reference/list-pets.mdx')).toContain('../services/pets/openapi.json GET /list-pets')
  })

  test('that write the same file are told apart by an error', async () => {
    const at = await makeGitHubRemote({ ...tinyDocs(['List pets']), ...tinyDocs(['List pets'], 'api-reference/') })
    const nested = (tinyDocs([], '')['docs.json'] ?? '').replace('"openapi.json"', '{"source": "openapi.json", "directory": "."}')
    at.remote.push({ 'api-reference/docs.json': nested })
    const report = await runHere(at, at.checkOut(), { roots: ['.', 'api-reference'] })
    expect(explainFailure(report.failures[0]).message).toBe(
      'Cannot update `api-reference/list-pets.mdx`: the docs roots `.` and `api-reference` both write it',
    )
  })
})

test('on a pull request commits to its head, where a check would be the default', async () => {
  const at = await makePets()
  at.remote.push({ 'openapi.json': tinyDocument('List pets', 'List dogs') }, 'topic')
  const event = { isPullRequest: true, name: 'pull_request', branch: 'topic', ref: 'refs/pull/1/merge' }
  const report = await runHere(at, at.checkOut('topic'), { mode: 'commit' }, event)
  expectNoFailure(report)
  expect([pagesIn(at, 'topic').length, pagesIn(at).length]).toEqual([2, 0])
  expect(readFileSync(join(at.remote.path, 'HEAD'), 'utf8')).toContain('main')
})
