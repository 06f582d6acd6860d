import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeExampleRemote, projectFolder, pullRequestFrom, readActionFile } from '../support/action-harness.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git, makeGitRemote } from '../support/git-remote.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow, runWorkflow } from '../support/run-workflow.ts'

test('the workflow generates pages on a push and checks a pull request', async () => {
  const [text = ''] = readBlocks('Add the Action to a `docs.json` repository', 'yaml')
  const path = '.github/workflows/api-pages.yml'
  const remote = makeExampleRemote('petstore', { [path]: text })
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/docs', { bare: remote.path })
  const runner = { github, repository, folder: remote.folder }
  const runPush = () => {
    const event = { name: 'push', ref: 'refs/heads/main', sha: remote.tip(), payload: { ref: 'refs/heads/main' } }
    // GitHub runs the workflow file of the pushed commit.
    return runWorkflow(readWorkflow(remote.read(path) ?? ''), { ...runner, event })
  }

  // The first push adds every page.
  const before = remote.tip()
  const [first] = await runPush()
  expect(first).toMatchObject({ failed: false, runs: [{ code: 0, outputs: { committed: 'true', 'pages-added': '8' } }] })
  expect(Object.keys(first?.runs[0]?.outputs ?? {}).sort()).toEqual(Object.keys(readActionFile().outputs).sort())
  expect(remote.log('%P')).toBe(before)
  expect(remote.read(path)).toBe(text)
  const changed = git(remote.path, 'diff', '--name-only', before, 'main').split('\n')
  expect(changed.filter((file) => !file.startsWith('api-reference/')).sort()).toEqual(['docs.json', 'openapi-pages.lock.json'])
  expect(remote.read('api-reference/pets/list-pets.mdx')).toContain('openapi: openapi.yaml GET /pets\n')
  // The command line writes the same files.
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', 'origin', before)
  git(checkout, 'checkout', '--quiet', before)
  execFileSync(process.execPath, [join(projectFolder, 'bin/openapi-pages.cjs'), 'update'], { cwd: checkout, stdio: 'pipe' })
  expect(readTree(checkout)).toEqual(readTree(remote.checkOut()))

  // The commit of the Action can start another run, which finds nothing to do.
  const tip = remote.tip()
  const [second] = await runPush()
  expect(second).toMatchObject({ failed: false, runs: [{ code: 0, outputs: { changed: 'false', committed: 'false' } }] })
  expect(remote.tip()).toBe(tip)

  // A pull request with a typo is checked only.
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

test('the workflow for API teams checks a repository without `docs.json`', async () => {
  const [text = '', config = ''] = readBlocks('4. Check every pull request', 'yaml', 'docs/start-api-team.md')
  const document = readFileSync(join(projectFolder, 'examples/petstore/openapi.yaml'), 'utf8')
  const files = { 'openapi.yaml': document, 'openapi-pages.config.yaml': config, '.github/workflows/openapi.yml': text }
  const remote = makeGitRemote(files)
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/api', { bare: remote.path })
  for (const [content, isValid] of [
    [document, true],
    [document.replace('summary:', 'sumary:'), false],
  ] as const) {
    const head = remote.push({ 'openapi.yaml': content }, 'topic')
    git(remote.path, 'update-ref', 'refs/pull/1/merge', head)
    const event = { ...pullRequestFrom('topic', 'acme/api'), sha: head }
    const [job] = await runWorkflow(readWorkflow(text), { github, repository, folder: remote.folder, event })
    const outputs = { changed: 'false', 'error-count': isValid ? '0' : '1' }
    expect(job).toMatchObject({ failed: !isValid, runs: [{ outputs }] })
  }
})
