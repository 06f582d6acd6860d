import { describe, expect, test } from 'vitest'
import { toCheckRunEvent, toPullRequestEvent } from '../../support/fake-github/payloads.ts'
import { type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const writer = { contents: 'write', metadata: 'read', checks: 'write', pull_requests: 'write' } as const
const acceptedFile = 'openapi-pages.accepted.yaml'
const failing = { 'openapi-pages.config.yaml': 'changes: { failOn: breaking }\n' }
const withoutOperations = validDocument.replace(/paths:[\s\S]*/, 'paths: {}\n')
const button = { label: 'Accept changes', description: 'Record the breaking changes as accepted', identifier: 'accept-changes' }

const toDocument = (count: number) =>
  validDocument +
  Array.from({ length: count }, (_, index) => `  /p${index}: { get: { responses: { '200': { description: a } } } }\n`).join('')

type FileContents = { readonly [path: string]: string | { readonly content: string; readonly mode: '120000' } }

interface Given {
  readonly root?: string
  /** Files of the base besides the documents, relative to the docs directory. */
  readonly base?: FileContents
  /** Files of the branch. */
  readonly files?: FileContents
  readonly document?: string
  readonly branch?: string
  readonly pull?: boolean
  readonly permissions?: Record<string, 'read' | 'write'>
}

async function connect(given: Given = {}, options: ConnectOptions = {}) {
  const { root = '', base = {}, files = { 'openapi.yaml': withoutOperations }, branch = 'topic', pull = true } = given
  const connected = await connectApp({
    github: { permissions: given.permissions ?? writer },
    ...options,
  })
  const { github } = connected
  const below = (all: FileContents) => Object.fromEntries(Object.entries(all).map(([path, text]) => [`${root}${path}`, text]))
  const repository = github.createRepository('acme/api', {
    files: below({ 'docs.json': docsConfig, 'openapi.yaml': given.document ?? validDocument, ...failing, ...base }),
  })
  repository.setPermission('hubot', 'write')
  const { sha } = await repository.push({ files: below(files), branch })
  await connected.idle()
  if (pull && branch !== 'main') {
    const opened = repository.openPullRequest({ head: branch })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', opened))
    await connected.idle()
  }
  const run = repository.checkRuns.find(({ headSha }) => headSha === sha)
  if (!run) throw new Error('No check')
  const ask = async (login: string) => {
    const request = { action: 'requested_action', identifier: 'accept-changes' } as const
    await github.deliver('check_run', toCheckRunEvent(github, repository, run, request, login))
  }
  const resultOf = () => repository.checkRuns.findLast(({ name }) => name.endsWith(': accept'))
  const press = async (login = 'hubot') => {
    await ask(login)
    await connected.idle()
    return resultOf()
  }
  /** Delivers the push of the commit that the button made. */
  const deliver = async () => {
    const push = { ref: `refs/heads/${branch}`, before: sha, after: repository.tipOf(branch), forced: false }
    await github.deliver('push', repository.pushPayload({ ...push, pusher: 'openapi-pages[bot]' }))
    await connected.idle()
    return repository.checkRuns.findLast(({ headSha }) => headSha === repository.tipOf(branch))
  }
  const readAccepted = () => repository.readText(repository.tipOf(branch), `${root}${acceptedFile}`)
  return { ...connected, repository, run, sha, ask, resultOf, press, deliver, readAccepted }
}

describe('the button "Accept changes"', () => {
  test('commits the file that accepts the breaking changes, and the next check passes', async () => {
    const { repository, run, sha, press, deliver, readAccepted, store } = await connect({}, { checkProcesses: true })
    expect(run).toMatchObject({ conclusion: 'failure', actions: expect.arrayContaining([button]) })
    const shown = await press()
    const tip = repository.tipOf('topic')
    expect(repository.git.commit(tip)).toMatchObject({ parents: [sha], author: 'openapi-pages[bot]' })
    expect(repository.git.commit(tip).message).toBe(
      `docs: accept 1 breaking change\n\nRequested by hubot in the check of ${sha.slice(0, 7)}.`,
    )
    expect(readAccepted()?.replace(/^#.*\n/gm, '')).toMatch(
      new RegExp(
        [
          '^\n- fingerprint: "?[0-9a-f]{16}"?',
          '  code: operation-removed',
          '  operation: GET /pets',
          '  message: .+',
          '  document: openapi.yaml',
          '  reason: "Pull request #1"',
          '  author: hubot',
          '  date: \\d{4}-\\d\\d-\\d\\d\n$',
        ].join('\n'),
      ),
    )
    expect(shown).toMatchObject({
      name: 'openapi-pages: accept',
      headSha: sha,
      conclusion: 'success',
      output: { title: 'Accepted: 1 breaking change' },
    })
    expect(await store.audit.list()).toMatchObject([{ actor: 'github:hubot', action: 'changes.accept' }])
    const after = await deliver()
    expect(after).toMatchObject({ name: 'openapi-pages', conclusion: 'success' })
    expect(after?.output.title).toContain('1 accepted API change')
    expect(after?.actions).not.toContainEqual(button)
  })

  test('adds to a file with other entries, in a docs directory', async () => {
    const entry = [
      '# Agreed in March',
      '- fingerprint: 0123456789abcdef',
      '  code: operation-removed',
      '  message: Removed',
      '  reason: Unused',
      '  author: Ada',
      '  date: 2026-03-01',
      '',
    ].join('\n')
    const { press, deliver, readAccepted } = await connect({ root: 'docs/', base: { [acceptedFile]: entry } })
    expect(await press()).toMatchObject({ name: 'openapi-pages (docs/): accept', conclusion: 'success' })
    expect(readAccepted()).toContain(entry)
    expect(readAccepted()).toContain('author: hubot')
    expect(await deliver()).toMatchObject({ conclusion: 'success' })
  })

  test('accepts all changes if the store has only the first of them', async () => {
    const { press, deliver, readAccepted } = await connect({ document: toDocument(700) })
    expect(await press()).toMatchObject({ conclusion: 'success', output: { title: 'Accepted: 701 breaking changes' } })
    expect(readAccepted()?.match(/^- fingerprint/gm)).toHaveLength(701)
    expect(await deliver()).toMatchObject({ conclusion: 'success' })
  })

  test('names the branch if it has no pull request', async () => {
    const { press, readAccepted } = await connect({ pull: false })
    expect(await press()).toMatchObject({ conclusion: 'success' })
    expect(readAccepted()).toContain('reason: Branch topic\n')
  })

  test('commits once if GitHub cannot store the result at first', async () => {
    let shiftMs = 0
    const { github, repository, sha, store, ask, resultOf } = await connect({}, { now: () => new Date(Date.now() + shiftMs) })
    const route = 'POST /repos/{owner}/{repo}/check-runs'
    github.fault({ route, status: 502, when: (body) => JSON.stringify(body).includes(': accept') })
    await ask('hubot')
    for (;;) {
      const { waiting, leased } = await store.queue.stats()
      if (waiting + leased === 0) break
      // The next attempt waits for its time. A shorter step than a lease, which may just begin.
      if (leased === 0) shiftMs += 20_000
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(resultOf()).toMatchObject({ conclusion: 'success', output: { title: 'Accepted: 1 breaking change' } })
    expect(repository.git.commit(repository.tipOf('topic')).parents).toEqual([sha])
    expect(github.requestsTo('POST /graphql')).toHaveLength(1)
  })
})

describe('there is no button', () => {
  test('without `contents: write`, and a forged action commits nothing', async () => {
    const { repository, run, sha, press } = await connect({ permissions: { ...writer, contents: 'read' } })
    expect(run.actions).toEqual([])
    const shown = await press()
    expect(shown).toMatchObject({ conclusion: 'neutral' })
    expect(shown?.output.title).toContain('Not accepted: the app does not have `contents: write`')
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('on the default branch, and a forged action commits nothing', async () => {
    const { repository, run, sha, press } = await connect({ branch: 'main' })
    expect(run.actions).toEqual([])
    expect((await press())?.output.title).toMatch(/^Not accepted: the app does not commit to the default branch/)
    expect(repository.tipOf('main')).toBe(sha)
  })

  test('without breaking changes, and a forged action commits nothing', async () => {
    const { repository, run, sha, press } = await connect({ files: { 'openapi.yaml': toDocument(1) } })
    expect(run.actions).not.toContainEqual(button)
    expect((await press())?.output.title).toBe('Not accepted: this commit has no breaking changes to accept.')
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('for a fork, and a forged action commits nothing', async () => {
    const { github, idle, repository } = await connect()
    const fork = github.createRepository('mallory/api', { forkOf: repository, installed: false })
    const { after } = fork.commit({ files: { 'openapi.yaml': withoutOperations }, branch: 'topic' })
    const pull = repository.openPullRequest({ head: 'topic', headRepository: fork, author: 'mallory' })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull))
    await idle()
    const run = repository.checkRuns.find(({ headSha }) => headSha === after)
    if (!run) throw new Error('No check')
    expect(run.actions).not.toContainEqual(button)
    const request = { action: 'requested_action', identifier: 'accept-changes' } as const
    await github.deliver('check_run', toCheckRunEvent(github, repository, run, request, 'hubot'))
    await idle()
    expect(repository.checkRuns.at(-1)?.output.title).toMatch(
      /^Not accepted: the app does not commit to the default branch, forks/,
    )
    expect(github.requestsTo('POST /graphql')).toEqual([])
  })
})

describe('nothing is committed', () => {
  test.each(['octocat', 'outsider'])('for %s, who has no write access', async (login) => {
    const { repository, sha, press } = await connect()
    const shown = await press(login)
    expect(shown).toMatchObject({ conclusion: 'neutral' })
    expect(shown?.output.title).toBe(`Not accepted: ${login} has no write access to this repository.`)
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the login of the person belongs to another account now', async () => {
    const { github, repository, sha, press } = await connect()
    github.fault({
      route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
      status: 200,
      body: { permission: 'write', role_name: 'write', user: { id: 1, login: 'hubot' } },
    })
    expect((await press())?.output.title).toContain('hubot has no write access')
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the branch has a newer commit', async () => {
    const { repository, press } = await connect()
    const { after } = repository.commit({ files: { 'guide.mdx': 'Pets' }, branch: 'topic' })
    expect((await press())?.output.title).toBe(
      'Not accepted: the branch topic has a newer commit. Use the button in the check of that commit.',
    )
    expect(repository.tipOf('topic')).toBe(after)
  })

  test('if a commit arrives at the same time', async () => {
    const { github, repository, press } = await connect()
    let after = ''
    github.fault({
      route: 'POST /graphql',
      meanwhile: () => {
        ;({ after } = repository.commit({ files: { 'guide.mdx': 'Pets' }, branch: 'topic' }))
      },
    })
    expect((await press())?.output.title).toContain('the branch topic has a newer commit')
    expect(repository.tipOf('topic')).toBe(after)
  })

  test('if the branch was deleted', async () => {
    const { repository, press, sha } = await connect()
    repository.moveBranches([{ branch: 'topic', from: sha, to: '0'.repeat(40) }])
    expect((await press())?.output.title).toBe('Not accepted: the branch topic no longer exists.')
  })

  test('if the branch is protected', async () => {
    const { repository, press, sha } = await connect()
    repository.rules.set('topic', { kind: 'classic', reason: 'Changes must be made through a pull request.' })
    const shown = await press()
    expect(shown).toMatchObject({ conclusion: 'neutral' })
    expect(shown?.output.title).toMatch(/^Not accepted: cannot commit on `acme\/api` branch `topic`/)
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test.each([
    ['has errors', '- reason: Unused\n', 'it has errors. Correct them first.'],
    ['is no YAML', '- [', 'it has errors. Correct them first.'],
    [
      'has an unexpected layout',
      '# Ours\n[{fingerprint: 0123456789abcdef, code: a, message: a, reason: a, author: a, date: "2026-01-01"}]',
      'its entries have an unexpected layout. Write each entry as lines after a dash, not in brackets.',
    ],
    ['is too large', `# ${'a'.repeat(1024 * 1024)}\n`, 'it has errors. Correct them first.'],
    ['would be too large', `# ${'a'.repeat(1024 * 1024 - 100)}\n[]\n`, 'it would have more than 1 MB.'],
  ])('if the file %s', async (_case, text, reason) => {
    const { repository, press, sha, readAccepted } = await connect({ base: { [acceptedFile]: text } })
    expect((await press())?.output.title).toContain(`Not accepted: cannot change ${acceptedFile}: ${reason}`)
    expect(repository.tipOf('topic')).toBe(sha)
    expect(readAccepted()).toBe(text)
  })

  test('if the file is a symbolic link', async () => {
    const link = { [acceptedFile]: { content: 'accepted/list.yaml', mode: '120000' as const } }
    const { repository, press, sha } = await connect({ base: { ...link, 'accepted/list.yaml': '[]\n' } })
    expect((await press())?.output.title).toBe(`Not accepted: the file ${acceptedFile} is a symbolic link.`)
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the commit was not compared', async () => {
    const { repository, press, sha } = await connect({ files: { 'docs.json': '{' } })
    expect((await press())?.output.title).toBe('Not accepted: the changes of this commit are not stored. Re-run the check.')
    expect(repository.tipOf('topic')).toBe(sha)
  })

  test('if the base no longer exists', async () => {
    const { github, repository, press, sha } = await connect()
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404, after: 1 })
    expect((await press())?.output.title).toMatch(/^Not accepted: cannot read archive on `acme\/api`@`/)
    expect(repository.tipOf('topic')).toBe(sha)
  })
})
