import { describe, expect, test } from 'vitest'
import { explainFailure, renderSummary } from '../../src/action/report/summary.ts'
import { type FileContents, git, makeGitRemote } from '../support/git-remote.ts'
import { makeGitHubRemote, runInProcess } from '../support/github-remote.ts'
import { settle } from '../support/memory-tree.ts'
import { branchesOf, expectNoFailure, head, protectedByRule } from '../support/pets-remote.ts'
import { tinyDocs, tinyDocument } from '../support/tiny-docs.ts'

const { tree: published } = await settle(tinyDocs(['List pets', 'List cats']) as { [path: string]: string })
const sources = 'sources:\n  - { repository: acme/api, path: spec/pets.json, to: openapi.json }\n'
const document = (...titles: readonly string[]) => ({ 'spec/pets.json': tinyDocument(...titles) })

/** A docs repository that follows a document of a private repository. */
async function makeFollower(api: FileContents = document('List pets', 'List dogs', 'List fish'), docs: FileContents = {}) {
  const at = await makeGitHubRemote({ ...published, 'openapi-pages.config.yaml': sources, ...docs })
  const source = makeGitRemote(api)
  const repository = at.github.createRepository('acme/api', { bare: source.path, private: true })
  const sourcesToken = at.github.createJobToken(repository, { contents: 'read' })
  const run = (inputs: Parameters<typeof runInProcess>[2] = {}, event: Parameters<typeof runInProcess>[3] = {}) =>
    runInProcess(at, at.checkOut(), { sourcesToken, ...inputs }, { name: 'schedule', ...event })
  return { ...at, source, run }
}

const proposal = { mode: 'pull-request' } as const

describe('documents of other repositories', () => {
  test('are committed with their pages, on a schedule, a dispatch or a push', async () => {
    const at = await makeFollower()
    const sha = at.source.tip()
    const first = await at.run()
    expectNoFailure(first)
    expect(first.delivery).toMatchObject({ operation: 'committed', branch: 'main', isVerified: true })
    expect(at.remote.read('openapi.json')).toBe(tinyDocument('List pets', 'List dogs', 'List fish'))
    expect(at.remote.read('api-reference/list-fish.mdx')).toBeDefined()
    expect(at.remote.log('%B')).toContain(`Openapi-Pages-From: acme/api@${sha}`)
    const summary = renderSummary(first)
    expect(summary).toContain(`of [\`acme/api@${sha.slice(0, 7)}\`](${at.github.url}/acme/api/commit/${sha})`)
    expect(summary).toContain('### API changes: 1 breaking, 2 compatible')

    // The newest commit has the pages of its documents, but the other repository may have changed.
    const tip = at.remote.tip()
    expect((await at.run({}, { name: 'repository_dispatch' })).delivery?.operation).toBe('none')
    at.source.push(document('List pets'))
    expect((await at.run({}, { name: 'push' })).delivery?.operation).toBe('committed')
    expect(at.remote.log('%P')).toBe(tip)
    expect(at.remote.read('api-reference/list-fish.mdx')).toBeUndefined()
    expect(at.github.gitRequests).not.toContain('push')
  })

  test('can be new, and are proposed in one pull request, which is closed once nothing is left to change', async () => {
    const docs = { 'openapi-pages.config.yaml': `${sources}  - { repository: acme/api, path: users.yaml }\n` }
    const users = `openapi: 3.1.0\ninfo: {title: Users, version: '1'}\npaths: {}\n`
    const at = await makeFollower({ ...document('List pets', 'List dogs'), 'users.yaml': users }, docs)
    const first = await at.run(proposal)
    expectNoFailure(first)
    expect([first.delivery?.operation, first.update?.diagnostics]).toEqual(['pull-request-created', []])
    expect(at.remote.read('users.yaml', head)).toBe(users)
    const [pull] = at.repository.pullRequests
    expect(pull?.body).toContain('- `openapi.json` is [`spec/pets.json`]')
    expect(pull?.body).toContain('### API changes: 1 breaking')

    expect((await at.run(proposal)).delivery?.operation).toBe('pull-request-unchanged')
    if (pull) pull.state = 'closed'
    expect((await at.run(proposal)).delivery).toMatchObject({ operation: 'pull-request-declined', pullRequest: { number: 1 } })
    at.source.push(document('List pets', 'List birds'))
    expect((await at.run(proposal)).delivery).toMatchObject({ operation: 'pull-request-created', pullRequest: { number: 2 } })
    at.source.push(document('List pets', 'List cats'))
    at.remote.push({ 'users.yaml': users })
    expect((await at.run(proposal)).delivery).toMatchObject({ operation: 'pull-request-closed', pullRequest: { number: 2 } })
    expect(branchesOf(at)).toEqual(['main'])
  })

  test('are read again if a branch moves during the run', async () => {
    const at = await makeFollower()
    at.github.fault({
      route: 'POST /graphql',
      meanwhile: () => {
        at.source.push(document('List pets', 'List birds'))
        at.remote.push({ 'guide.mdx': 'new' })
      },
    })
    const report = await at.run()
    expectNoFailure(report)
    expect(at.remote.read('openapi.json')).toBe(tinyDocument('List pets', 'List birds'))
    expect(at.remote.read('guide.mdx')).toBe('new')

    // Another run is faster, with a newer document.
    const other = await makeFollower()
    other.github.fault({
      route: 'POST /repos/{owner}/{repo}/git/refs',
      meanwhile: async () => {
        other.source.push(document('List pets', 'List birds'))
        await other.run(proposal)
      },
    })
    expectNoFailure(await other.run(proposal))
    expect(other.remote.read('openapi.json', head)).toBe(tinyDocument('List pets', 'List birds'))
    expect(other.repository.pullRequests).toHaveLength(1)
  })

  test('go to a pull request if a branch rule rejects the commit', async () => {
    const at = await makeFollower()
    at.repository.rules.set('main', protectedByRule)
    expect((await at.run()).delivery).toMatchObject({ operation: 'pull-request-created', branch: head })
  })

  test('with errors, or that cannot be read, change nothing and fail the run, after the others were updated', async () => {
    const config = `${sources}  - { repository: acme/api, path: users.json }
  - { repository: acme/api, ref: v9, path: spec/pets.json, to: old.json }
  - { repository: acme/api, path: nothing.json }
`
    const broken = document('List pets')['spec/pets.json'].replace('"title"', '"titel"')
    const at = await makeFollower(
      { 'spec/pets.json': broken, 'users.json': tinyDocument('List users') },
      { 'openapi-pages.config.yaml': config },
    )
    const report = await at.run()
    expect(report.delivery?.operation).toBe('committed')
    expect([at.remote.read('openapi.json'), at.remote.read('users.json')]).toEqual([
      published['openapi.json'],
      tinyDocument('List users'),
    ])
    const place = `\`acme/api\` at \`main\` (\`${at.source.tip().slice(0, 7)}\`)`
    expect(report.failures.map((failure) => explainFailure(failure))).toEqual([
      {
        message: `Cannot update \`openapi.json\`: \`spec/pets.json\` in ${place} has 1 error. The first is in \`spec/pets.json:4\`: Unexpected field \`titel\` in an Info Object`,
        hint: 'Correct the document in `acme/api`. `openapi.json` and its pages were not changed',
      },
      {
        message: 'Cannot read `acme/api`: it has no branch or tag `v9`. Its default branch is `main`',
        hint: 'Name another one, or none to follow the default branch',
      },
      { message: `Cannot read \`nothing.json\`: no such file in ${place}`, hint: 'Correct `path` in `sources`' },
    ])

    // An open pull request stays open while a document cannot be read.
    const open = await makeFollower()
    await open.run(proposal)
    open.source.push({ 'spec/pets.json': broken })
    const failed = await open.run(proposal)
    expect([failed.failures.length, failed.delivery?.operation, open.repository.pullRequests[0]?.state]).toEqual([
      1,
      'none',
      'open',
    ])
  })

  test('that lost many operations change nothing until the input `remove` confirms it', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `List ${index}`)
    const { tree } = await settle(tinyDocs(titles) as { [path: string]: string })
    const at = await makeFollower(document('List 0', 'List 1'), tree)
    const tip = at.remote.tip()
    const line = '10 of 12 pages of `API` would be removed'
    for (const mode of ['check', 'commit', 'pull-request'] as const) {
      const report = await at.run({ mode })
      expect(report.update?.diagnostics).toContainEqual(
        expect.objectContaining({ code: 'mass-removal', severity: 'error', message: expect.stringContaining(line) }),
      )
      expect(renderSummary(report)).toContain(line)
    }
    expect([at.remote.tip(), branchesOf(at), at.repository.pullRequests]).toEqual([tip, ['main'], []])
    const confirmed = await at.run({ remove: true })
    expectNoFailure(confirmed)
    expect(confirmed.delivery?.operation).toBe('committed')
    expect(at.remote.read('api-reference/list-2.mdx')).toBeUndefined()
  })

  test('need a token that can read them', async () => {
    const at = await makeFollower()
    for (const sourcesToken of [undefined, 'ghp_expired']) {
      const report = await at.run({ sourcesToken })
      expect(report.failures.map((failure) => explainFailure(failure))).toEqual([
        {
          message: expect.stringMatching(/^Cannot read `acme\/api`: /),
          hint: expect.stringMatching(/^(Set the|The) input `sources-token` .*`Contents: read` in `acme\/api`/),
        },
      ])
      expect(report.delivery?.operation).toBe('none')
    }
    // A public repository needs none.
    const source = at.github.findRepository('acme/api')
    if (source) source.private = false
    expectNoFailure(await at.run({ sourcesToken: undefined }))
  })

  test('are not read on pull requests, which have their own documents', async () => {
    const at = await makeFollower()
    const tip = at.remote.tip()
    git(at.remote.path, 'update-ref', 'refs/pull/1/merge', tip)
    for (const event of [
      { name: 'pull_request', isPullRequest: true },
      { name: 'pull_request_target', isPullRequest: true, isFork: true },
    ]) {
      const report = await at.run({ mode: 'check' }, event)
      expect([report.failures, report.update?.changes]).toEqual([[], []])
    }
    // A check of the branch reads them, and writes nothing.
    const drifted = await at.run({ mode: 'check' }, { name: 'schedule' })
    expect(drifted.update?.changes.map(({ path }) => path)).toContain('openapi.json')
    expect(at.remote.tip()).toBe(tip)
  })
})
