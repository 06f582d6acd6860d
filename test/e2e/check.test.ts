import { describe, expect, test } from 'vitest'
import { makeExampleRemote, pullRequestFrom, readActionFile, runAction } from '../support/action-harness.ts'
import { git } from '../support/git-remote.ts'
import { readTimes, readTree } from '../support/read-tree.ts'

/** Runs on the example with what it needs to show that nothing was written or pushed. */
async function runWithoutTrace(options: Partial<Parameters<typeof runAction>[1]>) {
  const remote = makeExampleRemote('petstore')
  remote.push({}, 'topic')
  const checkout = remote.checkOut('topic')
  const [tree, times, tips] = [readTree(checkout), readTimes(checkout), git(remote.path, 'for-each-ref')]
  const run = await runAction(checkout, { temporaryFolder: remote.folder, ...options })
  expect([readTree(checkout), readTimes(checkout)]).toEqual([tree, times])
  expect(git(remote.path, 'for-each-ref')).toBe(tips)
  expect(git(checkout, 'status', '--porcelain')).toBe('')
  return run
}

describe('on a pull request', () => {
  test('only checks, and reports outdated files', async () => {
    const run = await runWithoutTrace({ event: pullRequestFrom('topic') })
    expect(run.code).toBe(0)
    expect(run.outputs).toMatchObject({ changed: 'true', committed: 'false', 'commit-sha': '', 'pages-added': '8' })
    expect(run.summary).toContain('### API pages: 10 files out of date')
    expect(run.summary).toContain('| 8 to add |')
    expect(run.summary).toContain('**API pages would become files in this repository.**')
    expect(run.commands).toEqual([])
  })

  test('fails for outdated pages if requested', async () => {
    const run = await runWithoutTrace({ event: pullRequestFrom('topic'), inputs: { 'fail-on-drift': 'true' } })
    expect(run.code).toBe(1)
    expect(run.commands.map(({ name, data }) => `${name} ${data}`)).toEqual([
      'error 10 files out of date\nRun `openapi-pages update` and commit the changes',
    ])
  })

  test('commits nothing from a fork, even if requested and with the same branch name', async () => {
    const run = await runWithoutTrace({ event: pullRequestFrom('main', 'mallory/docs'), inputs: { mode: 'commit' } })
    expect([run.code, run.outputs['committed']]).toEqual([0, 'false'])
    expect(run.summary).toContain('Check only: this pull request comes from the fork `mallory/docs`.')
  })

  test('commits to its branch if requested, without the merged changes', async () => {
    const remote = makeExampleRemote('petstore')
    const head = remote.push({ 'topic.txt': 'topic' }, 'topic')
    const base = remote.push({ 'main.txt': 'main' })
    // What GitHub checks out for a pull request: the merge of its head into the base.
    git(remote.path, '-c', 'user.name=x', 'update-ref', 'refs/pull/1/merge', mergeOf(remote.path, base, head))
    const checkout = remote.checkOut()
    git(checkout, 'fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/1/merge')
    git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
    const run = await runAction(checkout, {
      temporaryFolder: remote.folder,
      event: { ...pullRequestFrom('topic'), sha: git(checkout, 'rev-parse', 'HEAD') },
      inputs: { mode: 'commit' },
    })
    expect([run.code, run.outputs['commit-sha']]).toEqual([0, remote.tip('topic')])
    expect(remote.log('%P', 'topic')).toBe(head)
    expect(remote.read('api-reference/pets/list-pets.mdx', 'topic')).toBeDefined()
    expect(remote.tip()).toBe(base)
  })
})

function mergeOf(repository: string, base: string, head: string): string {
  return git(repository, 'commit-tree', `${head}^{tree}`, '-p', base, '-p', head, '-m', 'Merge')
}

test('a dry run only lists the files', async () => {
  const run = await runWithoutTrace({ inputs: { mode: 'dry-run' } })
  expect([run.code, run.outputs['changed'], run.outputs['pages-added']]).toEqual([0, 'true', '8'])
  expect(Object.keys(run.outputs).sort()).toEqual(Object.keys(readActionFile().outputs).sort())
  expect(run.text).toMatch(/^ {2}add +api-reference\/pets\/list-pets\.mdx$/m)
  expect(run.text).toMatch(/^ {2}modify +docs\.json$/m)
  expect(run.summary).toContain('(dry run)')
})

test('skips a tag and reports the reason', async () => {
  const run = await runWithoutTrace({ event: { name: 'push', ref: 'refs/tags/v1' } })
  expect([run.code, run.outputs['changed'], run.outputs['committed']]).toEqual([0, 'false', 'false'])
  expect(run.commands.map(({ name, data }) => `${name} ${data}`)).toEqual([
    expect.stringContaining('notice Cannot commit: `refs/tags/v1` is a tag'),
  ])
})
