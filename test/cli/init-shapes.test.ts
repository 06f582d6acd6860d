import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { findHost, toHostname } from '../../src/cli/setup/setup-survey.ts'
import { installCommand } from '../../src/docs/config/config-files.ts'
import { answerQuestions } from '../support/answer-questions.ts'
import { readTree } from '../support/read-tree.ts'
import { runProgram } from '../support/small-process/run-program.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'
import { runInFolder } from './run-in-folder.ts'

// What `init` writes for repositories of different hosts and shapes, and that its result passes the checks that it sets up.

const document = tinyDocument('List pets')
const other = tinyDocument('List shops')
const docsConfig = (openapi: unknown) => JSON.stringify({ name: 'Pets', navigation: { tabs: [{ tab: 'API', openapi }] } })
const settings = ['docs.json', 'openapi-pages.config.yaml']
const github = 'https://github.com/acme/docs.git'

function makeRepository(files: Readonly<Record<string, string>>, remote?: string): string {
  const folder = makeTemporaryFolder(files)
  const git = (...args: readonly string[]) => runProgram('git', args, { cwd: folder })
  git('init', '--quiet', '--initial-branch', 'main')
  if (remote !== undefined) git('remote', 'add', 'origin', remote)
  return folder
}

const readText = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8')
const readYaml = (folder: string, path: string) => parse(readText(folder, path))

async function setUp(folder: string, ...more: readonly string[]) {
  const before = Object.keys(readTree(folder))
  const run = await runInFolder(folder, ['init', '--yes', ...more])
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  const isNew = (path: string) => !before.includes(path) && !path.startsWith('.openapi-pages-cache/')
  return { ...run, written: Object.keys(readTree(folder)).filter(isNew).sort() }
}

test.each([
  ['git@github.com:acme/docs.git', 'github.com', 'github'],
  ['https://user@github.example.com/acme/docs', 'github.example.com', 'github'],
  ['https://acme.ghe.com/acme/docs', 'acme.ghe.com', 'github'],
  ['ssh://git@gitlab.com:2222/acme/docs.git', 'gitlab.com', 'gitlab'],
  ['git@git-gitlab.example.com:acme/docs.git', 'git-gitlab.example.com', 'gitlab'],
  ['git@bitbucket.org:acme/docs.git', 'bitbucket.org', 'bitbucket'],
  ['https://bitbucket.example.com/scm/acme/docs.git', 'bitbucket.example.com', undefined],
  ['https://git.example.com/acme/github-docs', 'git.example.com', undefined],
  ['/srv/git/docs.git', undefined, undefined],
  ['../docs.git', undefined, undefined],
  ['file:///srv/git/docs.git', undefined, undefined],
  ['C:\\git\\docs', undefined, undefined],
])('the remote %s is at %s', (url, hostname, host) => {
  expect(toHostname(url)).toBe(hostname)
  expect(hostname && findHost(hostname)).toBe(host)
})

test('a remote on this machine is not called missing', async () => {
  const { stdout } = await setUp(makeRepository({ 'openapi.json': document }, '/srv/git/pets.git'))
  expect(stdout).toContain('Host        the remote is on this machine, so init writes no jobs. Name the host with --host')
})

describe('GitLab', () => {
  const gitlab = 'git@gitlab.com:acme/docs.git'

  test('a bare document gets a job for merge requests and a Pages job, without questions about GitHub', async () => {
    const folder = makeRepository({ 'api/pets.json': document }, gitlab)
    const questions = answerQuestions(['Publish a site on GitLab Pages, and check merge requests'], 'yes')
    const { exitCode, stdout } = await runInFolder(folder, ['init'], { questions })
    expect([exitCode, stdout]).toEqual([0, expect.not.stringMatching(/github(?!\.com\/openapi-pages)/i)])
    expect(questions.asked[0]?.message).toBe('What do you want GitLab CI to do?')
    const { 'openapi-pages': check, pages, ...others } = readYaml(folder, '.gitlab-ci.yml')
    expect([others, check.stage, pages.stage, pages.artifacts.paths]).toEqual([{}, 'test', 'deploy', ['public']])
    expect(pages.script).toEqual(['openapi-pages build "$DOCS" --output public --url "$CI_PAGES_URL/"'])
    expect((await runInFolder(folder, ['check', check.variables.DOCS])).exitCode).toBe(0)
    expect((await runInFolder(folder, ['build', pages.variables.DOCS, '--output', 'public'])).exitCode).toBe(0)
  })

  test('a docs.json gets a job that commits pages once its token exists', async () => {
    const folder = makeRepository({ 'my docs/docs.json': docsConfig('a.json'), 'my docs/a.json': document }, gitlab)
    const { stdout, written } = await setUp(folder)
    expect(written).toEqual(['.gitlab-ci.yml', 'my docs/openapi-pages.config.yaml'])
    const { 'openapi-pages-commit': commit } = readYaml(folder, '.gitlab-ci.yml')
    expect(commit).toMatchObject({
      variables: { DOCS: 'my docs' },
      rules: [
        {
          if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $OPENAPI_PAGES_TOKEN',
          changes: ['my docs/**/*', '.gitlab-ci.yml'],
        },
      ],
    })
    expect(stdout).toContain('save it as the masked CI/CD variable OPENAPI_PAGES_TOKEN')
  })

  test('an existing pipeline stays, and includes a file with jobs in its stages', async () => {
    const pipeline = 'stages: [lint, release]\nlint: { stage: lint, script: [x] }\n'
    const folder = makeRepository({ 'openapi.json': document, '.gitlab-ci.yml': pipeline }, 'https://git.example.com/a/b.git')
    const { stdout, written } = await setUp(folder)
    expect(written).toEqual(['.gitlab/openapi-pages.yml', ...settings])
    const jobs = readYaml(folder, '.gitlab/openapi-pages.yml')
    expect([jobs['openapi-pages'].stage, jobs.pages.stage]).toEqual(['lint', 'release'])
    const include = /jobs in stages `lint` and `release`, add this to \.gitlab-ci\.yml: `(.*)`\n/.exec(stdout)?.[1] ?? ''
    writeFileSync(join(folder, '.gitlab-ci.yml'), `${include}\n${pipeline}`)
    expect(readYaml(folder, '.gitlab-ci.yml').include).toEqual([{ local: '.gitlab/openapi-pages.yml' }])
    expect((await setUp(folder)).stdout).toContain('✔ Already set up, nothing to write\n')
  })

  test('an existing Pages job stays the only one', async () => {
    const folder = makeRepository({ 'openapi.json': document, '.gitlab-ci.yml': 'pages: { script: [x] }\n' }, gitlab)
    expect((await setUp(folder)).stdout).toContain(
      '.gitlab-ci.yml deploys to GitLab Pages, so init does not deploy a site there\n',
    )
    expect(Object.keys(readYaml(folder, '.gitlab/openapi-pages.yml'))).toEqual(['openapi-pages'])
  })
})

describe('Bitbucket', () => {
  const bitbucket = 'git@bitbucket.org:acme/docs.git'

  test('a bare document is checked in pull requests', async () => {
    const folder = makeRepository({ 'openapi.json': document }, bitbucket)
    expect((await setUp(folder)).written).toEqual(['bitbucket-pipelines.yml', ...settings])
    expect(Object.keys(readYaml(folder, 'bitbucket-pipelines.yml').pipelines)).toEqual(['pull-requests'])
  })

  test('the pages of a docs.json are committed', async () => {
    const folder = makeRepository({ 'docs/docs.json': docsConfig('a.json'), 'docs/a.json': document }, bitbucket)
    await setUp(folder)
    const { pipelines } = readYaml(folder, 'bitbucket-pipelines.yml')
    const { script, condition } = pipelines.branches.main[0].step
    expect(script).toEqual([installCommand, expect.stringMatching(/openapi-pages ci docs --commit/)])
    expect(condition.changesets.includePaths).toEqual(['docs/**', 'bitbucket-pipelines.yml'])
  })

  test('files of an extension start the job in the directory and below it', async () => {
    const folder = makeRepository({ 'a/openapi.json': document, 'b/openapi.json': other }, bitbucket)
    await setUp(folder)
    const [{ step }] = readYaml(folder, 'bitbucket-pipelines.yml').pipelines['pull-requests']['**']
    const { includePaths } = step.condition.changesets
    expect(includePaths).toEqual(expect.arrayContaining(['a/*.json', 'a/**/*.json', 'b/*.json', '*.mdx', '**/*.mdx']))
  })

  test('an existing pipeline stays', async () => {
    const folder = makeRepository({ 'openapi.json': document, 'bitbucket-pipelines.yml': 'pipelines: {}\n' }, bitbucket)
    const { stdout, written } = await setUp(folder)
    expect([stdout, written]).toEqual([
      expect.stringContaining('bitbucket-pipelines.yml exists, and init changes no file'),
      settings,
    ])
  })
})

test.each(['gitlab.com', 'bitbucket.org', 'github.com'])('jobs on %s install the command before they run it', async (host) => {
  const folder = makeRepository({ 'openapi.json': document }, `git@${host}:acme/docs.git`)
  const { written } = await setUp(folder)
  const text = written.map((path) => readFileSync(join(folder, path), 'utf8')).find((each) => each.includes(installCommand)) ?? ''
  expect(text.indexOf(installCommand)).toBeLessThan(text.search(/openapi-pages (?:check|build) /))
  expect(text).toContain(installCommand)
})

describe('no known host', () => {
  test.each([undefined, 'https://git.example.com/acme/docs.git'])(
    'with the remote %s, gets no jobs unless it is named',
    async (remote) => {
      const folder = makeRepository({ 'openapi.json': document }, remote)
      const { stdout, written } = await setUp(folder)
      expect(stdout).toContain(
        `Host        ${remote === undefined ? 'no remote' : 'git.example.com'}, so init writes no jobs. Name the host with --host`,
      )
      expect(written).toEqual(settings)
      // Now there is a docs.json, whose pages the site generates.
      expect((await setUp(folder, '--host', 'gitlab')).written).toEqual(['.gitlab-ci.yml'])
      expect(Object.keys(readYaml(folder, '.gitlab-ci.yml'))).toEqual(['openapi-pages', 'pages'])
    },
  )

  test('is asked for at a terminal', async () => {
    const folder = makeRepository({ 'openapi.json': document })
    const questions = answerQuestions(['Bitbucket'], 'yes')
    await runInFolder(folder, ['init'], { questions })
    expect(questions.asked.map(({ message }) => message)).toEqual([
      'Where will this repository be hosted?',
      'Write these 3 files?',
    ])
    const other = answerQuestions(['Somewhere else'], 'yes')
    await runInFolder(makeRepository({ 'openapi.json': document }), ['init'], { questions: other })
    expect(other.asked[1]?.message).toBe('Write these 2 files?')
  })
})

test('documents at URLs are found in docs.json, and followed every day', async () => {
  const files = { 'docs.json': docsConfig('https://example.invalid/openapi.json') }
  const folder = makeRepository(files, github)
  const { stdout } = await setUp(folder, '--force')
  expect(stdout).toContain('  OpenAPI     https://example.invalid/openapi.json\n')
  expect(stdout).toContain('  ✖ openapi-pages check .\n')
  expect(stdout).not.toContain('--baseline')
  const { on } = readYaml(folder, '.github/workflows/api-pages.yml')
  expect(on).toEqual({ push: { branches: ['main'] }, schedule: [{ cron: '17 5 * * *' }], workflow_dispatch: null })
  expect((await setUp(makeRepository(files, 'git@gitlab.com:a/b.git'), '--force')).stdout).toContain(
    'add a schedule for the default branch',
  )
})

test('a document that does not exist is named, and no baseline hides it', async () => {
  const folder = makeRepository({ 'docs.json': docsConfig('openapi.yaml') }, github)
  const { stdout } = await setUp(folder, '--force')
  expect(stdout).toContain('      hint: Add the file, or correct the path')
  expect(stdout).not.toContain('--baseline')
  const again = await setUp(folder, '--baseline')
  expect(again.written).toEqual([])
  expect((await runInFolder(folder, ['check'])).exitCode).toBe(1)
})

test('a checkout of another user is not set up as if it were no repository', async () => {
  const folder = makeRepository({ 'openapi.json': document }, github)
  vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const { exitCode, stderr } = await runInFolder(folder, ['init', '--yes'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the checkout belongs to another user')])
})

test('the command that commits the setup includes documents that are not committed', async () => {
  const folder = makeRepository({ 'api/openapi.json': document, 'src/main.ts': '' }, '/srv/git/docs.git')
  const commands = ({ stdout }: { readonly stdout: string }) => / {2}(git add .*?) &&/.exec(stdout)?.[1]
  expect(commands(await setUp(folder))).toBe('git add docs.json openapi-pages.config.yaml api/openapi.json')
  expect(commands(await setUp(folder, '--host', 'gitlab'))).toBe(
    'git add .gitlab-ci.yml api/openapi.json docs.json openapi-pages.config.yaml',
  )
  runProgram('git', ['add', '--all'], { cwd: folder })
  expect(commands(await setUp(folder, '--undo', '--yes'))).toBeUndefined()
  expect(commands(await setUp(folder))).toBe('git add docs.json openapi-pages.config.yaml api/openapi.json')
})

test('without any OpenAPI document, nothing is written', async () => {
  const folder = makeRepository(
    { 'docs.json': '{"name": "Guides", "navigation": {"pages": ["index"]}}', 'index.mdx': '# Hi\n' },
    github,
  )
  const { stdout, written } = await setUp(folder)
  expect(written).toEqual([])
  expect(stdout).toContain('Nothing to set up: there is no OpenAPI document here, and no docs.json names one\n')
  const division = /a division such as `(.*?)`/.exec(stdout)?.[1] ?? ''
  writeFileSync(join(folder, 'docs.json'), JSON.stringify({ name: 'Guides', navigation: { tabs: [JSON.parse(division)] } }))
  writeFileSync(join(folder, 'openapi.yaml'), document)
  expect((await setUp(folder)).written).toContain('.github/workflows/api-pages.yml')
})

test('with only Swagger 2.0, names the command that converts it', async () => {
  const folder = makeRepository({ 'api/swagger.json': '{"swagger": "2.0"}' }, github)
  const { exitCode, stderr } = await runInFolder(folder, ['init'])
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('npx swagger2openapi api/swagger.json --outfile openapi.yaml')])
})

describe('documents with errors', () => {
  const faulty = document.replace('"summary"', '"sumary"')

  test('are counted, and accepted in a baseline on request, also after the first run', async () => {
    const folder = makeRepository({ 'openapi.json': faulty }, github)
    const refused = await runInFolder(folder, ['init', '--yes'])
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('✖ Nothing was written: the jobs would fail') })
    const { stdout } = await setUp(folder, '--force')
    expect((await runInFolder(folder, ['check', '.'])).exitCode).toBe(1)
    const [, command = ''] = /run `openapi-pages (init --yes --baseline)`/.exec(stdout) ?? []
    expect(await runInFolder(folder, command.split(' '))).toMatchObject({ exitCode: 0 })
    expect(readYaml(folder, 'openapi-pages.config.yaml')).toEqual({
      materialize: false,
      baseline: 'openapi-baseline.json',
      update: { onError: 'operation' },
    })
    expect((await runInFolder(folder, ['check', '.'])).exitCode).toBe(0)
    expect((await runInFolder(folder, ['build', '.'])).exitCode).toBe(0)
    await runInFolder(folder, ['init', '--undo'])
    expect(Object.keys(readTree(folder)).filter((path) => !path.startsWith('site/'))).toEqual(['openapi.json'])
  })

  test('are accepted at once with a question', async () => {
    const folder = makeRepository(
      { 'docs/docs.json': docsConfig('a.json'), 'docs/a.json': faulty, 'docs/x.mdx': '[x](/nope)\n' },
      github,
    )
    const questions = answerQuestions(['Check pull requests'], 'yes', 'yes')
    await runInFolder(folder, ['init'], { questions })
    expect(questions.asked[1]?.message).toBe(
      'The check finds errors. Accept them in a baseline, so that only new ones are reported?',
    )
    expect((await runInFolder(folder, ['check', 'docs'])).exitCode).toBe(0)
  })

  test('stop pages, so the settings that would add pages are named with their number', async () => {
    const files = {
      'docs.json': docsConfig('a.json'),
      'a.json': document.replace('"paths"', '"security": [{"key": []}], "paths"'),
    }
    const folder = makeRepository({ ...files, 'openapi-pages.config.yaml': 'materialize: true\n' }, github)
    const { stdout } = await setUp(folder, '--force')
    expect(stdout).toContain(
      'To update pages until they are fixed, set `rules: { security-scheme: warning }` in the configuration file',
    )
  })

  test('keep a configuration file in JSON', async () => {
    const folder = makeRepository(
      { 'docs.json': docsConfig('a.json'), 'a.json': faulty, 'openapi-pages.config.json': '{}' },
      github,
    )
    expect((await setUp(folder, '--baseline', '--force')).stdout).not.toContain('To accept the errors')
    expect(readText(folder, 'openapi-pages.config.json')).toBe('{}')
  })
})

test('in a monorepo, jobs start only for changes of docs and documents', async () => {
  const folder = makeRepository(
    {
      'docs/docs.json': docsConfig('../services/pets/openapi.json'),
      'services/pets/openapi.json': document.replace('"description": "Good"', '"$ref": "../../shared/good.json"'),
      'shared/good.json': '{"description": "Good"}',
      'services/pets/main.ts': '',
      'package.json': '{}',
    },
    github,
  )
  await setUp(folder, '--force')
  const paths = ['docs/**', 'services/pets/**.json', 'shared/**.json']
  expect(readYaml(folder, '.github/workflows/api-pages.yml').on.push.paths).toEqual([...paths, '.github/workflows/api-pages.yml'])
  expect(readYaml(folder, '.github/workflows/api-check.yml').on.pull_request.paths).toEqual([
    ...paths,
    '.github/workflows/api-check.yml',
  ])

  const bare = makeRepository({ 'a/x.json': document, 'b/y.json': other }, github)
  await setUp(bare)
  expect(readYaml(bare, '.github/workflows/github-pages.yml').on.push.paths).toEqual(
    expect.arrayContaining(['docs.json', 'openapi-pages.config.yaml', 'a/**.json', 'b/**.json', '**.mdx']),
  )
})

test('in a monorepo, jobs also start for changes of rulesets outside of docs', async () => {
  const folder = makeRepository(
    {
      'docs/docs.json': docsConfig('../services/pets/openapi.json'),
      'docs/.spectral.yaml': 'extends: spectral:oas\n',
      'services/pets/openapi.json': document,
      'services/.spectral.yaml': 'extends: [spectral:oas, ../style/base.yaml]\nfunctions: [check-title]\n',
      'services/functions/check-title.js': 'export default () => []\n',
      'style/base.yaml': 'rules: {}\n',
    },
    github,
  )
  await setUp(folder)
  expect(readYaml(folder, '.github/workflows/api-check.yml').on.pull_request.paths).toEqual([
    'docs/**',
    'services/pets/**.json',
    'services/.spectral.yaml',
    'services/functions/check-title.js',
    'style/base.yaml',
    '.github/workflows/api-check.yml',
  ])
})

test('--undo says nothing of files that another branch has in their place', async () => {
  const folder = makeRepository({ 'openapi.json': document }, github)
  await setUp(folder)
  const record = readText(folder, '.openapi-pages-cache/init.json')
  await runInFolder(folder, ['init', '--undo'])
  const other = makeRepository({ 'openapi.json': document, '.openapi-pages-cache/init.json': record }, github)
  const { stdout } = await runInFolder(other, ['init', '--undo'])
  expect(stdout).toBe('Nothing to undo: the files that `openapi-pages init` wrote are gone already\n')
})
