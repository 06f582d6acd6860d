import { describe, expect, test } from 'vitest'
import { toCheckRunEvent, toPullRequestEvent } from '../../../support/fake-github/payloads.ts'
import { acceptedFile, button, connect, toDocument, withoutOperations, writer } from './accept-fixture.ts'

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
