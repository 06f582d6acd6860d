import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeExampleRemote, projectFolder, pullRequestFrom, readActionFile } from '../support/action-harness.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git } from '../support/git-remote.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow, runWorkflow } from '../support/run-workflow.ts'

/** The workflow that a newcomer copies: the first block of YAML in the README. */
function readReadmeWorkflow(): string {
  const block = /```yaml\n([\s\S]*?)```/.exec(readFileSync(join(projectFolder, 'README.md'), 'utf8'))?.[1]
  if (block === undefined) throw new Error('The README has no block of YAML')
  return block
}

test('the workflow of the README, pasted into a repository made from an example, runs unchanged', async () => {
  const text = readReadmeWorkflow()
  const path = '.github/workflows/api-pages.yml'
  const remote = makeExampleRemote('petstore', { [path]: text })
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/docs', { bare: remote.path })
  const runner = { github, repository, folder: remote.folder }
  const runPush = () => {
    const event = { name: 'push', ref: 'refs/heads/main', sha: remote.tip(), payload: { ref: 'refs/heads/main' } }
    // What GitHub runs is the file of the commit that was pushed.
    return runWorkflow(readWorkflow(remote.read(path) ?? ''), { ...runner, event })
  }

  // The first push: every page is written and committed.
  const before = remote.tip()
  const [first] = await runPush()
  expect(first).toMatchObject({ failed: false, runs: [{ code: 0, outputs: { committed: 'true', 'pages-added': '8' } }] })
  expect(Object.keys(first?.runs[0]?.outputs ?? {}).sort()).toEqual(Object.keys(readActionFile().outputs).sort())
  expect(remote.log('%P')).toBe(before)
  expect(remote.read(path)).toBe(text)
  const changed = git(remote.path, 'diff', '--name-only', before, 'main').split('\n')
  expect(changed.filter((file) => !file.startsWith('api-reference/')).sort()).toEqual(['docs.json', 'openapi-pages.lock.json'])
  expect(remote.read('api-reference/pets/list-pets.mdx')).toContain('openapi: openapi.yaml GET /pets\n')
  // The same files as the command line writes.
  const byHand = remote.checkOut()
  git(byHand, 'fetch', '--quiet', 'origin', before)
  git(byHand, 'checkout', '--quiet', before)
  execFileSync(process.execPath, [join(projectFolder, 'bin/openapi-pages.cjs'), 'update'], { cwd: byHand, stdio: 'pipe' })
  expect(readTree(byHand)).toEqual(readTree(remote.checkOut()))

  // Its own commit, where a token of an app makes it start another run: nothing to do.
  const tip = remote.tip()
  const [second] = await runPush()
  expect(second).toMatchObject({ failed: false, runs: [{ code: 0, outputs: { changed: 'false', committed: 'false' } }] })
  expect(remote.tip()).toBe(tip)

  // A pull request with a new operation and a mistake: checked, and nothing is written.
  const document = remote.read('openapi.yaml') ?? ''
  const head = remote.push({ 'openapi.yaml': document.replace('summary:', 'sumary:') }, 'topic')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', head)
  const pull = { ...pullRequestFrom('topic'), sha: head }
  const [third] = await runWorkflow(readWorkflow(text), { ...runner, event: pull })
  expect(third).toMatchObject({ failed: true, runs: [{ code: 1, outputs: { committed: 'false', 'error-count': '1' } }] })
  expect(third?.runs[0]?.commands).toContainEqual(
    expect.objectContaining({ name: 'error', properties: expect.objectContaining({ file: 'openapi.yaml', line: '18' }) }),
  )
  expect([remote.tip(), remote.tip('topic')]).toEqual([tip, head])
})
