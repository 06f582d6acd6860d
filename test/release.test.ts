import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readReleaseNotes } from '../scripts/release-notes.ts'
import { projectFolder } from './support/action-harness.ts'
import { git, makeGitRemote } from './support/git-remote.ts'
import { readWorkflow, type Workflow } from './support/run-workflow.ts'
import { makeTemporaryFolder } from './support/temporary-folder.ts'

const folder = join(projectFolder, '.github/workflows')
const files = readdirSync(folder)
const read = (name: string): Workflow => readWorkflow(readFileSync(join(folder, name), 'utf8'))
const release = read('release.yml')
const scriptOf = (job: string, name: RegExp) => release.jobs[job]?.steps.find((step) => name.test(step.name ?? ''))?.run ?? ''

describe('the workflows of this repository', () => {
  test.each(files)('%s pins actions to commits and has read permissions by default', (name) => {
    const workflow = read(name)
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const uses = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
    expect(uses.filter((one) => one !== './' && !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([])
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [line] of text.matchAll(/^ *- uses: \w.*/gm)) expect(line).toMatch(/ # v\d+\.\d+\.\d+$/)
  })

  test('CI runs the command line and a dry run of a release on Windows and macOS', () => {
    const job = read('ci.yml').jobs['platforms']
    expect(job).toMatchObject({ strategy: { matrix: { os: ['windows-latest', 'macos-latest'] } } })
    const commands = job?.steps.flatMap(({ run }) => run ?? []) ?? []
    expect(commands.at(-1)).toBe('node scripts/release.ts --dry-run')
    const paths = commands.find((command) => command.includes('vitest'))?.match(/test\/\S+/g) ?? []
    expect(paths.length).toBeGreaterThan(5)
    for (const path of paths) expect([path, existsSync(join(projectFolder, path))]).toEqual([path, true])
  })

  test('CI runs the committed bundle, a fresh one, and every check', () => {
    const ci = read('ci.yml')
    expect(ci.jobs['action']).toMatchObject({ strategy: { matrix: { bundle: ['committed', 'fresh'] } } })
    expect(ci.jobs['action']?.steps.map(({ uses }) => uses).at(-1)).toBe('./')
    const checks = readFileSync(join(projectFolder, '.ci/run'), 'utf8')
    const tests = ['npm test -- --project e2e', 'vitest run --project real --project soak']
    const commands = ['npm ci', ...tests, 'npm run --silent types']
    for (const command of commands) expect(checks).toContain(command)
    expect(read('check-dist.yml').jobs['check-dist']?.steps.at(-1)).toMatchObject({ run: 'node scripts/check-dist.ts' })
  })
})

describe('a release', () => {
  test('publishes after all checks, and moves the tags after a run of what it published', () => {
    expect(release.on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
    const needs = Object.entries(release.jobs).map(([id, { needs = [] }]) => [id, needs])
    expect(Object.fromEntries(needs)).toEqual({
      test: [],
      action: [],
      prepare: [],
      release: ['test', 'action', 'prepare'],
      npm: ['release'],
      image: ['release'],
      verify: ['npm', 'image'],
      'move-tags': ['verify'],
    })
  })

  test('gives each job only the permissions that it needs', () => {
    const permissions = Object.entries(release.jobs).map(([id, job]) => [id, job.permissions])
    const toAttest = { 'id-token': 'write', attestations: 'write' }
    expect(Object.fromEntries(permissions)).toEqual({
      test: undefined,
      action: undefined,
      prepare: undefined,
      release: { contents: 'write', ...toAttest },
      npm: { 'id-token': 'write' },
      image: { contents: 'read', packages: 'write', ...toAttest },
      verify: { contents: 'read', packages: 'read', attestations: 'read' },
      'move-tags': { contents: 'write' },
    })
    // Code of dependencies runs only in jobs without the permission to write.
    for (const { permissions: granted, steps } of Object.values(release.jobs)) {
      const canWrite = Object.values(granted ?? {}).includes('write')
      const commands = steps.map(({ run = '' }) => run).join('\n')
      expect([canWrite, /npm (ci|install|run)|npx|node /.test(commands)]).not.toEqual([true, true])
    }
  })

  test('refuses a tag with another version', () => {
    const to = makeTemporaryFolder()
    const result = spawnSync(process.execPath, [join(projectFolder, 'scripts/release.ts'), 'v9.9.9', '--to', to], {
      encoding: 'utf8',
    })
    expect(result).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/package\.json has version [\d.]+, expected 9\.9\.9/),
    })
  })

  test('publishes the checked files, and skips packages that an earlier attempt published', () => {
    const folder = makeTemporaryFolder({ 'a.tgz': 'a', 'b.cdx.json': 'b', 'notes.md': 'new' })
    const hash = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
    const sums = ['a.tgz', 'b.cdx.json'].map((name) => `${hash(name)}  ${name}\n`)
    writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
    const bin = makeTemporaryFolder()
    const stub = `#!/bin/bash\necho "\${0##*/} $*" >> '${join(bin, 'log')}'\n[ "$1 $2" != 'view openapi-pages-app@1.2.3' ]\n`
    for (const name of ['gh', 'npm']) writeFileSync(join(bin, name), stub, { mode: 0o755 })
    const run = (job: string, name: RegExp) => {
      writeFileSync(join(bin, 'log'), '')
      const { status } = spawnSync('bash', ['-eo', 'pipefail', '-c', scriptOf(job, name)], {
        cwd: folder,
        env: { PATH: `${bin}:${process.env['PATH']}`, GITHUB_REF_NAME: 'v1.2.3' },
      })
      return { status, calls: readFileSync(join(bin, 'log'), 'utf8').trimEnd().split('\n') }
    }
    expect(run('release', /^Create the release/)).toEqual({
      status: 0,
      calls: [
        'gh release create v1.2.3 --draft --verify-tag --title v1.2.3 --notes-file notes.md a.tgz b.cdx.json SHA256SUMS',
        'gh release edit v1.2.3 --draft=false',
      ],
    })
    expect(run('npm', /^Publish/)).toEqual({
      status: 0,
      calls: [
        'npm view openapi-pages@1.2.3 version',
        'npm view openapi-pages-app@1.2.3 version',
        'npm publish ./openapi-pages-app-1.2.3.tgz --provenance --access public --ignore-scripts',
      ],
    })
    writeFileSync(join(folder, 'a.tgz'), 'changed')
    for (const [job, name] of [
      ['release', /^Create the release/],
      ['npm', /^Publish/],
    ] as const)
      expect(run(job, name)).toEqual({ status: 1, calls: [''] })
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
    expect(run(scriptOf('prepare', /^Check that the tag/), {})).toMatchObject({ status: 0 })
    expect(run(scriptOf('move-tags', /^Move/), {})).toMatchObject({ status: 0 })
    const tags = git(remote.path, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/tags').split('\n')
    expect(tags).toEqual([`v0.9.0 ${old}`, `v1 ${tip}`, `v1.2 ${tip}`, `v1.2.3 ${tip}`])
    // A commit that is not on main is not a release.
    const aside = remote.push({ 'y.txt': 'y' }, 'aside')
    git(checkout, 'fetch', '--quiet', 'origin', 'aside')
    expect(run(scriptOf('prepare', /^Check that the tag/), { GITHUB_SHA: aside })).toMatchObject({ status: 1 })
  })

  test('has the release notes of its version', () => {
    const changelog = join(makeTemporaryFolder(), 'CHANGELOG.md')
    writeFileSync(
      changelog,
      '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.3 (2026-11-20)\n\n- one\n- two\n\n## 1.2.2\n\n- old\n',
    )
    const read = (tag: string, orUnreleased = false) => readReleaseNotes(tag, { path: changelog, orUnreleased })
    expect([read('v1.2.3'), read('v1.2.2')]).toEqual(['- one\n- two', '- old'])
    expect(() => read('v9.9.9')).toThrow('has no entry')
    expect(read('v9.9.9', true)).toBe('- new')
  })
})
