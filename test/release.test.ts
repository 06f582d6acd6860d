import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
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
const nightly = read('nightly.yml')
const scriptOf = (job: string, name: RegExp) => release.jobs[job]?.steps.find((step) => name.test(step.name ?? ''))?.run ?? ''

describe('the workflows of this repository', () => {
  test.each(files)('%s pins actions to commits and has read permissions by default', (name) => {
    const workflow = read(name)
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const uses = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap((step) => step.uses ?? []))
    expect(uses.filter((one) => one !== './' && !/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/.test(one))).toEqual([])
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
    const tests = [
      'vitest run --project unit --project programs --project push',
      '--project by-path',
      '--project nightly',
      '--project real',
    ]
    const commands = ['npm ci', ...tests, 'npm run --silent types']
    for (const command of commands) expect(checks).toContain(command)
    expect(read('check-dist.yml').jobs['check-dist']?.steps.at(-1)).toMatchObject({ run: 'node scripts/check-dist.ts' })
  })

  test.each([
    ['codeql.yml', { contents: 'read', 'security-events': 'write' }],
    ['osv-scanner.yml', undefined],
  ])('%s scans main every week and changes before a merge, runs no code, and is marked as not run here', (name, permissions) => {
    const { on, jobs } = read(name)
    expect(on).toMatchObject({ push: { branches: ['main'] }, schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* \d$/) }] })
    expect(on).toHaveProperty('pull_request')
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual([permissions])
    const steps = Object.values(jobs).flatMap((job) => job.steps)
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual([])
    expect(steps[0]).toMatchObject({ uses: expect.stringMatching(/^actions\/checkout@/), with: { 'persist-credentials': false } })
    const [, subject = ''] = /^(\w+)/.exec(name) ?? []
    expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^# Not run here: /m)
    expect(readFileSync(join(projectFolder, '.ci/run'), 'utf8').toLowerCase()).not.toContain(subject)
  })

  test('OSV-Scanner reads every lock file of npm', () => {
    const steps = Object.values(read('osv-scanner.yml').jobs).flatMap((job) => job.steps)
    const paths = globSync('**/{package-lock,npm-shrinkwrap}.json', {
      cwd: projectFolder,
      ignore: ['**/node_modules/**', 'build/**'],
    })
    expect(steps.at(-1)?.with).toEqual({ 'scan-args': paths.map((path) => `--lockfile=${path}`).join('\n') })
  })

  test('the nightly tests open one issue if they fail, and add a comment while it is open', () => {
    expect(nightly.jobs['test']?.steps.at(-1)).toMatchObject({ run: 'bash .ci/run nightly' })
    expect(release.jobs['test']?.steps.at(-1)).toMatchObject({ run: 'bash .ci/run nightly' })
    const script = nightly.jobs['report']?.steps[0]?.run ?? ''
    const { run } = makeStubs('gh')
    const report = (answers: string) =>
      run(script, makeTemporaryFolder(), { TITLE: 'Nightly tests fail', BODY: 'a run' }, answers).calls.at(-1)
    expect(report('')).toBe('gh issue create --title Nightly tests fail --body a run')
    expect(report('[ "$2" != list ] || echo 7')).toBe('gh issue comment 7 --body a run')
  })
})

/** Programs that record their arguments, in front of the others in `PATH`. They answer with what `answers` prints. */
function makeStubs(...names: readonly string[]) {
  const bin = makeTemporaryFolder({ log: '' })
  const log = join(bin, 'log')
  // Like the real commands, they read a password, or `echo` could fail on the closed pipe.
  const read = '[[ $* != *--password-stdin* ]] || cat > /dev/null'
  const script = `#!/bin/bash\necho "\${0##*/} $*" >> '${log}'\n${read}\n[ ! -e '${bin}/answers' ] || source '${bin}/answers'\n`
  for (const name of names) writeFileSync(join(bin, name), script, { mode: 0o755 })
  const run = (script: string, cwd: string, environment: object = {}, answers = '') => {
    writeFileSync(log, '')
    writeFileSync(join(bin, 'answers'), answers)
    const { status, stdout } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env['PATH']}`, HOME: '/nonexistent', GITHUB_REF_NAME: 'v1.2.3', ...environment },
    })
    return { status, stdout, calls: readFileSync(log, 'utf8').split('\n').filter(Boolean) }
  }
  return { run }
}

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
      platforms: ['image'],
      verify: ['npm', 'platforms'],
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
      image: { contents: 'read', packages: 'write' },
      platforms: { packages: 'write', ...toAttest },
      verify: { contents: 'read', packages: 'read', attestations: 'read' },
      'move-tags': { contents: 'write', packages: 'write' },
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
    const folder = makeTemporaryFolder({ 'a.tgz': 'a', 'b.cdx.json': 'b', 'notes.md': 'new', 'base-image.txt': 'c' })
    const hash = (name: string) =>
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
    const sums = ['a.tgz', 'b.cdx.json'].map((name) => `${hash(name)}  ${name}\n`)
    writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
    const { run } = makeStubs('gh', 'npm')
    const [create, publish] = [scriptOf('release', /^Create the release/), scriptOf('npm', /^Publish/)]
    expect(run(create, folder)).toMatchObject({
      status: 0,
      calls: [
        'gh release create v1.2.3 --draft --verify-tag --title v1.2.3 --notes-file notes.md a.tgz b.cdx.json base-image.txt SHA256SUMS',
        'gh release edit v1.2.3 --draft=false',
      ],
    })
    const oneIsNew = `case "$2 $3" in 'openapi-pages-app@1.2.3 version') exit 1;; *attestations*) echo https://registry.example/x;; esac`
    expect(run(publish, folder, {}, oneIsNew)).toMatchObject({
      status: 0,
      calls: [
        'npm view openapi-pages@1.2.3 version',
        'npm view openapi-pages@1.2.3 dist.attestations.url',
        'npm view openapi-pages-app@1.2.3 version',
        'npm publish ./openapi-pages-app-1.2.3.tgz --provenance --access public --ignore-scripts',
      ],
    })
    // Someone has published the first package without the workflow.
    const withoutProvenance = run(publish, folder)
    expect(withoutProvenance.status).toBe(1)
    expect(withoutProvenance.stdout).toContain('::error::openapi-pages@1.2.3 was published without provenance.')
    writeFileSync(join(folder, 'a.tgz'), 'changed')
    for (const script of [create, publish]) expect(run(script, folder)).toMatchObject({ status: 1, calls: [] })
  })

  test('resolves the base image once, names it in the release, and builds each platform from it', () => {
    const text = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8')
    const [, base] = /^ARG NODE_IMAGE=(\S+)$/m.exec(text) ?? []
    const digest = `sha256:${'a'.repeat(64)}`
    const folder = makeTemporaryFolder({ Dockerfile: text, 'release/notes.md': '- one\n', 'release/SHA256SUMS': '' })
    const { run } = makeStubs('docker')
    const [resolve, build] = [scriptOf('prepare', /^Resolve the base image/), scriptOf('image', /^Build/)]
    for (const answer of ['exit 1', 'echo', 'echo sha256:abc']) expect(run(resolve, folder, {}, answer).status).not.toBe(0)
    expect(run(resolve, folder, {}, `echo ${digest}`)).toMatchObject({
      status: 0,
      calls: [`docker buildx imagetools inspect --format {{.Manifest.Digest}} ${base}`],
    })
    expect(readFileSync(join(folder, 'release/base-image.txt'), 'utf8')).toBe(`${base}@${digest}\n`)
    expect(readFileSync(join(folder, 'release/notes.md'), 'utf8')).toBe(`- one\n\nBase of the image: \`${base}@${digest}\`\n`)
    const environment = { IMAGE: 'ghcr.io/acme/pages', PLATFORM: 'arm64' }
    const [built = ''] = run(build, folder, environment).calls
    expect(built).toContain(`docker build --build-arg NODE_IMAGE=${base}@${digest} --tag ghcr.io/acme/pages:1.2.3-arm64 `)
    expect(built).toContain(` --label org.opencontainers.image.base.digest=${digest} `)
    writeFileSync(join(folder, 'release/base-image.txt'), 'other')
    expect(run(build, folder, environment)).toMatchObject({ status: 1, calls: [] })
    const upload = release.jobs['prepare']?.steps.at(-1)?.with?.['path']
    expect(upload).toContain('release/base-image.txt')
    expect(scriptOf('release', /^Create the release/)).toContain(' base-image.txt ')
  })

  test('builds the image natively for two platforms, and joins them under one tag', () => {
    expect(release.jobs['image']).toMatchObject({
      strategy: {
        matrix: {
          include: [
            { os: 'ubuntu-latest', platform: 'amd64' },
            { os: 'ubuntu-24.04-arm', platform: 'arm64' },
          ],
        },
      },
    })
    expect(release.jobs['verify']).toMatchObject({ strategy: { matrix: { os: ['ubuntu-latest', 'ubuntu-24.04-arm'] } } })
    const { run } = makeStubs('docker')
    const folder = makeTemporaryFolder()
    const environment = { IMAGE: 'ghcr.io/acme/pages', GITHUB_OUTPUT: join(folder, 'output'), PLATFORM: 'arm64' }
    expect(run(scriptOf('image', /^Push/), folder, environment).calls).toEqual([
      'docker login ghcr.io --username  --password-stdin',
      'docker push ghcr.io/acme/pages:1.2.3-arm64',
    ])
    const joined = run(scriptOf('platforms', /^Join/), folder, environment, '[ "$3" != inspect ] || echo sha256:abc')
    expect(joined.calls.slice(1)).toEqual([
      'docker buildx imagetools create --tag ghcr.io/acme/pages:1.2.3 ghcr.io/acme/pages:1.2.3-amd64 ghcr.io/acme/pages:1.2.3-arm64',
      'docker buildx imagetools inspect --format {{.Manifest.Digest}} ghcr.io/acme/pages:1.2.3',
    ])
    expect(readFileSync(environment.GITHUB_OUTPUT, 'utf8')).toBe('digest=sha256:abc\n')
  })

  test('moves the tags of the newest version only, which no tag rule blocks', () => {
    const remote = makeGitRemote({ 'package.json': '{"version":"1.2.3"}' })
    const old = remote.tip()
    for (const tag of ['v1', 'v0.9.0', 'v1.2.2', 'v1.2.10-rc.1']) git(remote.path, 'tag', tag, 'main')
    const tip = remote.push({ 'x.txt': 'x' })
    const checkout = remote.checkOut()
    const { run } = makeStubs('docker')
    const output = join(makeTemporaryFolder(), 'output')
    const find = (name: string) => {
      writeFileSync(output, '')
      expect(run(scriptOf('move-tags', /^Find/), checkout, { GITHUB_REF_NAME: name, GITHUB_OUTPUT: output }).status).toBe(0)
      return readFileSync(output, 'utf8').trim().replace('tags=', '')
    }
    git(remote.path, 'tag', 'v1.2.3', tip)
    const tags = find('v1.2.3')
    expect(tags).toBe('v1.2 v1 latest')
    const environment = { TAGS: tags, GITHUB_SHA: tip, IMAGE: 'ghcr.io/acme/pages' }
    expect(run(scriptOf('move-tags', /^Move the tags of the Action/), checkout, environment)).toMatchObject({ status: 0 })
    const list = () => git(remote.path, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/tags').split('\n')
    expect(list()).toEqual([`v0.9.0 ${old}`, `v1 ${tip}`, `v1.2 ${tip}`, `v1.2.10-rc.1 ${old}`, `v1.2.2 ${old}`, `v1.2.3 ${tip}`])
    expect(run(scriptOf('move-tags', /^Move the tags of the image/), checkout, environment).calls.slice(1)).toEqual(
      ['1.2', '1', 'latest'].map(
        (tag) => `docker buildx imagetools create --tag ghcr.io/acme/pages:${tag} ghcr.io/acme/pages:1.2.3`,
      ),
    )
    // Patches of older versions.
    for (const tag of ['v2.0.0', 'v1.3.0']) git(remote.path, 'tag', tag, tip)
    expect([find('v2.0.0'), find('v1.3.0'), find('v1.2.3'), find('v1.2.2')]).toEqual(['v2.0 v2 latest', 'v1.3 v1', 'v1.2', ''])

    // A commit that is not on main is not a release.
    const isOnMain = (sha: string) => run(scriptOf('prepare', /^Check that the tag/), checkout, { GITHUB_SHA: sha }).status
    const aside = remote.push({ 'y.txt': 'y' }, 'aside')
    git(checkout, 'fetch', '--quiet', 'origin', 'aside')
    expect([isOnMain(tip), isOnMain(aside)]).toEqual([0, 1])
  })

  test('is protected by a rule for the tags of versions only', () => {
    const path = join(projectFolder, '.github/rulesets/release-tags.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      target: 'tag',
      enforcement: 'active',
      bypass_actors: [],
      conditions: { ref_name: { include: ['refs/tags/v*.*.*'], exclude: [] } },
      rules: expect.arrayContaining([{ type: 'update' }]),
    })
  })

  test('has placeholder packages with the version that no release can have', () => {
    const to = makeTemporaryFolder()
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [join(projectFolder, 'scripts/release.ts'), ...args, '--to', to], { encoding: 'utf8' })
    expect(run('--placeholder')).toMatchObject({ status: 0, stderr: '' })
    for (const name of ['openapi-pages', 'openapi-pages-app']) {
      const manifest = JSON.parse(readFileSync(join(to, name, 'package.json'), 'utf8'))
      expect(manifest).toMatchObject({ name, version: '0.0.0', license: expect.any(String), repository: expect.anything() })
    }
    expect(run('v0.0.0').stderr).toContain('0.0.0 is the version of the placeholder packages')
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
