import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from './support/action-harness.ts'
import { git, makeGitRemote } from './support/git-remote.ts'
import { readWorkflow, type Workflow } from './support/run-workflow.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

const folder = join(projectFolder, '.github/workflows')
const files = readdirSync(folder)
const read = (name: string): Workflow => readWorkflow(readFileSync(join(folder, name), 'utf8'))
const release = read('release.yml')
const scriptOf = (name: RegExp) => release.jobs['release']?.steps.find((step) => name.test(step.name ?? ''))?.run ?? ''

describe('the workflows of this repository', () => {
  test.each(files)('%s pins actions to commits and has read permissions by default', (name) => {
    const workflow = read(name)
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const uses = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
    expect(uses.filter((one) => one !== './' && !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([])
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [line] of text.matchAll(/^ *- uses: \w.*/gm)) expect(line).toMatch(/ # v\d+\.\d+\.\d+$/)
  })

  test('CI runs the committed bundle, a fresh one, and every check', () => {
    const ci = read('ci.yml')
    expect(ci.jobs['action']).toMatchObject({ strategy: { matrix: { bundle: ['committed', 'fresh'] } } })
    expect(ci.jobs['action']?.steps.map(({ uses }) => uses).at(-1)).toBe('./')
    const checks = readFileSync(join(projectFolder, '.ci/run'), 'utf8')
    const tests = ['npm test', 'vitest run --project e2e', 'vitest run --project soak', 'npm run test:real']
    const commands = ['npm ci', ...tests, 'npm run --silent types']
    for (const command of commands) expect(checks).toContain(command)
    expect(read('check-dist.yml').jobs['check-dist']?.steps.at(-1)).toMatchObject({ run: 'npm run check:dist' })
  })
})

describe('a release', () => {
  test('runs after the tests and the Action, and is the only job with write permission', () => {
    expect(release.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
    expect(release.jobs['release']).toMatchObject({ needs: ['test', 'action'], permissions: { contents: 'write' } })
    const names = release.jobs['release']?.steps.map(({ name }) => name ?? '')
    expect(names?.findIndex((name) => /^Create the release/.test(name))).toBeLessThan(
      names?.findIndex((name) => /^Move/.test(name)) ?? -1,
    )
  })

  test('moves only the tags of the major and minor version', () => {
    const remote = makeGitRemote({ 'package.json': '{"version":"1.2.3"}' })
    git(remote.path, 'tag', 'v1', 'main')
    const old = remote.tip()
    const tip = remote.push({ 'x.txt': 'x' })
    git(remote.path, 'tag', 'v1.2.3', tip)
    git(remote.path, 'tag', 'v0.9.0', old)
    const checkout = remote.checkOut()
    const run = (script: string, environment: object) =>
      spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
        cwd: checkout,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: '/nonexistent', GITHUB_REF_NAME: 'v1.2.3', GITHUB_SHA: tip, ...environment },
      })
    expect(run(scriptOf(/^Check that the tag/), {})).toMatchObject({ status: 0 })
    expect(run(scriptOf(/^Move/), {})).toMatchObject({ status: 0 })
    const tags = git(remote.path, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/tags').split('\n')
    expect(tags).toEqual([`v0.9.0 ${old}`, `v1 ${tip}`, `v1.2 ${tip}`, `v1.2.3 ${tip}`])
    // Another version, or a commit that is not on main, is not a release.
    expect(run(scriptOf(/^Check that the tag/), { GITHUB_REF_NAME: 'v1.3.0' })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('v1.3.0'),
    })
    const aside = remote.push({ 'y.txt': 'y' }, 'aside')
    git(checkout, 'fetch', '--quiet', 'origin', 'aside')
    expect(run(scriptOf(/^Check that the tag/), { GITHUB_SHA: aside })).toMatchObject({ status: 1 })
  })

  test('has the release notes of its version', () => {
    const changelog = join(makeTemporaryFolder(), 'CHANGELOG.md')
    writeFileSync(
      changelog,
      '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.3 (2026-11-20)\n\n- one\n- two\n\n## 1.2.2\n\n- old\n',
    )
    const notes = (version: string) =>
      execFileSync(process.execPath, [join(projectFolder, 'scripts/release-notes.ts'), version], {
        encoding: 'utf8',
        env: { CHANGELOG: changelog },
        stdio: 'pipe',
      })
    expect([notes('v1.2.3'), notes('v1.2.2')]).toEqual(['- one\n- two\n', '- old\n'])
    expect(() => notes('v9.9.9')).toThrow('has no entry')
  })
})
