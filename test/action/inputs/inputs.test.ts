import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { placeRulesets, readInputs } from '../../../src/action/inputs/inputs.ts'
import { readDefaults } from '../../support/action-harness.ts'

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('INPUT_')) delete process.env[name]
})

function readWith(inputs: { readonly [name: string]: string }) {
  for (const [name, value] of Object.entries(inputs)) process.env[`INPUT_${name.toUpperCase()}`] = value
  return readInputs()
}

const defaults = {
  docs: {
    workingDirectory: '.',
    roots: [],
    documents: [],
    directory: 'api-reference',
    rulesets: undefined,
    inlineIgnore: true,
    remove: false,
  },
  mode: undefined,
  delivery: {
    base: undefined,
    commitMessage: 'docs: update API pages',
    addPaths: { documents: true, patterns: [] },
    committer: { name: 'github-actions[bot]', email: '41898282+github-actions[bot]@users.noreply.github.com' },
    commitMethod: 'api',
    pullRequest: {
      headBranch: 'openapi-pages/<branch>',
      title: undefined,
      body: '',
      labels: [],
      assignees: [],
      reviewers: [],
      isDraft: false,
    },
    signoff: false,
    onProtected: 'pull-request',
    requireSigned: false,
    skipCi: false,
  },
  tokens: { token: undefined, githubToken: undefined },
  report: { comment: undefined, sarifFile: undefined, hasReview: false, failOn: 'error', filter: 'none', failOnDrift: false },
}

test('uses the defaults of action.yml', () => {
  expect(readWith({})).toEqual({ kind: 'read', inputs: defaults })
  expect(readWith(readDefaults())).toEqual({ kind: 'read', inputs: defaults })
})

test('reads every input', () => {
  const result = readWith({
    'working-directory': 'docs',
    root: 'a, packages/*/docs\n!packages/old/docs',
    openapi: 'a.yaml\n\n  specs/*.json\nhttps://example.com/x.json',
    directory: 'reference',
    mode: 'Dry-Run',
    base: 'refs/heads/docs/next',
    'commit-message': 'docs: pages\n\nby us',
    'add-paths': 'documents, schemas/*.json\n!schemas/draft.json',
    committer: 'Docs Bot  <docs@example.com>',
    'commit-method': 'git',
    'on-protected': 'fail',
    'require-signed': 'true',
    'skip-ci': 'true',
    token: 'secret',
    'app-url': 'https://pages.example.com/',
    'app-token': 'opk_x',
    'pull-request-branch': 'docs/<branch>',
    title: 'Update the pages',
    body: 'Please review',
    labels: 'docs, needs review',
    assignees: 'octocat',
    reviewers: 'hubot\nacme/docs',
    draft: 'true',
    signoff: 'true',
    filter: 'added',
    'inline-ignore': 'false',
    'fail-on': 'never',
    'fail-on-drift': 'True',
    review: 'true',
  })
  expect(result).toEqual({
    kind: 'read',
    inputs: {
      docs: {
        workingDirectory: 'docs',
        roots: ['a', 'packages/*/docs', '!packages/old/docs'],
        documents: ['a.yaml', 'specs/*.json', 'https://example.com/x.json'],
        directory: 'reference',
        inlineIgnore: false,
        remove: false,
      },
      mode: 'dry-run',
      delivery: {
        base: 'docs/next',
        commitMessage: 'docs: pages\n\nby us',
        addPaths: { documents: true, patterns: ['schemas/*.json', '!schemas/draft.json'] },
        committer: { name: 'Docs Bot', email: 'docs@example.com' },
        commitMethod: 'git',
        pullRequest: {
          headBranch: 'docs/<branch>',
          title: 'Update the pages',
          body: 'Please review',
          labels: ['docs', 'needs review'],
          assignees: ['octocat'],
          reviewers: ['hubot', 'acme/docs'],
          isDraft: true,
        },
        signoff: true,
        onProtected: 'fail',
        requireSigned: true,
        skipCi: true,
      },
      tokens: { token: 'secret' },
      report: {
        appUrl: 'https://pages.example.com',
        appToken: 'opk_x',
        failOn: 'never',
        filter: 'added',
        failOnDrift: true,
        hasReview: true,
      },
    },
  })
})

test.each(['none', '', ' '])('adds no files for `add-paths: %j`', (value) => {
  expect(readWith({ 'add-paths': value })).toMatchObject({
    inputs: { delivery: { addPaths: { documents: false, patterns: [] } } },
  })
})

describe('rejects', () => {
  test.each([
    ['mode', 'chek', 'expected `commit`, `pull-request`, `check` or `dry-run`', 'Did you mean `check`?'],
    ['fail-on', 'errors', 'expected `error`, `warning` or `never`', 'Did you mean `error`?'],
    ['fail-on-drift', 'yes', 'expected `true` or `false`', undefined],
    ['committer', 'Docs Bot', 'expected `Name <email>`', 'Use a value such as `Docs Bot <docs@example.com>`'],
    ['committer', 'a\nb <x@example.com>', 'expected `Name <email>`', 'Use a value such as `Docs Bot <docs@example.com>`'],
    ['base', 'a..b', 'expected a branch name', 'Use a name such as `main`'],
    ['base', '-x', 'expected a branch name', 'Use a name such as `main`'],
    ['base', 'refs/tags/v1', 'expected a branch name', 'Use a name such as `main`'],
    ['base', 'a:b', 'expected a branch name', 'Use a name such as `main`'],
    ['base', 'a.lock', 'expected a branch name', 'Use a name such as `main`'],
    ['pull-request-branch', '<branch>', 'expected a branch name', 'Use a name such as `docs/<branch>`'],
    ['pull-request-branch', 'a b', 'expected a branch name', 'Use a name such as `docs/<branch>`'],
    ['title', 'a\nb', 'expected one line of at most 256 characters', undefined],
    ['labels', 'x'.repeat(51), 'expected labels of at most 50 characters', undefined],
    ['assignees', 'Pat Doe', 'expected user names', 'Use names such as `octocat`'],
    ['reviewers', 'a/b/c', 'expected names of users and teams', 'Use names such as `octocat` and `acme/docs`'],
    ['filter', 'lines', 'expected `added`, `changed`, `file` or `none`', undefined],
    ['working-directory', '/etc', 'expected a relative path', undefined],
    ['directory', 'C:\\docs', 'expected a relative path', undefined],
    ['root', 'a,/b', 'expected relative paths', undefined],
    ['add-paths', 'none, a.json', 'expected either `none` or paths', undefined],
    ['ruleset', '/style.yaml', 'expected relative paths', undefined],
    ['ruleset', 'none, style.yaml', 'expected either `none` or rulesets', undefined],
  ])('%s %j', (name, value, expected, hint) => {
    const result = readWith({ [name]: value })
    if (result.kind !== 'refused') throw new Error('Expected a refusal')
    expect(result.errors.map((error) => error.message)).toEqual([
      `Unexpected \`${value}\` for the input \`${name}\`, ${expected}`,
    ])
    expect(result.errors[0]?.hint).toBe(hint)
  })

  test('reports all invalid inputs at once and shortens long values', () => {
    const result = readWith({ mode: 'x'.repeat(1000), 'fail-on': 'y', committer: 'z' })
    if (result.kind !== 'refused') throw new Error('Expected a refusal')
    expect(result.errors.map((error) => /the input `([\w-]+)`/.exec(error.message)?.[1])).toEqual([
      'mode',
      'committer',
      'fail-on',
    ])
    expect(result.errors[0]?.message.length).toBeLessThan(300)
  })
})

test.each([
  ['style.yaml, more.yaml', ['style.yaml', 'more.yaml']],
  ['https://example.com/rules.yaml', ['https://example.com/rules.yaml']],
  ['none', 'none'],
])('reads the rulesets %j', (ruleset, rulesets) => {
  expect(readWith({ ruleset })).toMatchObject({ inputs: { docs: { rulesets } } })
})

test('places paths of rulesets in the boundary', () => {
  const names = ['style.yaml', '../style.yaml', 'spectral:oas', 'https://example.com/rules.yaml']
  expect(placeRulesets(names, 'apis')).toEqual([
    'apis/style.yaml',
    'style.yaml',
    'spectral:oas',
    'https://example.com/rules.yaml',
  ])
  expect(placeRulesets('none', 'apis')).toBe('none')
})

test('uses the bot of a GitHub Enterprise Server', () => {
  vi.stubEnv('GITHUB_SERVER_URL', 'https://github.acme.example:8443')
  onTestFinished(() => void vi.unstubAllEnvs())
  const email = '41898282+github-actions[bot]@users.noreply.github.acme.example'
  expect(readWith({})).toMatchObject({ inputs: { delivery: { committer: { name: 'github-actions[bot]', email } } } })
})

test('never quotes the app token, and requires a secure app URL', () => {
  const result = readWith({ 'app-token': 'opk_secret\nopk_other', 'app-url': 'http://pages.example.com' })
  const messages = result.kind === 'refused' ? result.errors.map(({ message }) => message) : []
  expect(messages).toEqual([
    'Unexpected `http://pages.example.com` for the input `app-url`, expected an `https:` URL',
    'Unexpected characters in the input `app-token`, expected only the token',
  ])
})

test('reads the inputs about the docs repository, and refuses those that it does not use', () => {
  const given = {
    'docs-repository': 'acme/docs',
    'docs-ref': 'refs/heads/next',
    'docs-directory': 'site',
    'document-path': 'a.json\nb/c.yaml',
  }
  expect(readWith(given)).toMatchObject({
    kind: 'read',
    inputs: { docsRepository: { name: 'acme/docs', branch: 'next', directory: 'site', paths: ['a.json', 'b/c.yaml'] } },
  })
  const refused = (inputs: { readonly [name: string]: string }) => {
    for (const name of Object.keys(process.env)) if (name.startsWith('INPUT_')) delete process.env[name]
    const result = readWith(inputs)
    return result.kind === 'refused' ? result.errors.map(({ message }) => message) : []
  }
  expect(refused({ 'docs-ref': 'next' })).toEqual([
    'Unexpected `next` for the input `docs-ref`, expected nothing without `docs-repository`',
  ])
  const all = {
    'docs-repository': 'docs',
    'document-path': '.github/x.yml',
    root: 'a',
    base: 'b',
    'app-url': 'https://a.example',
    filter: 'added',
  }
  expect(refused(all)).toEqual([
    'Unexpected `docs` for the input `docs-repository`, expected `owner/name`',
    'Unexpected `.github/x.yml` for the input `document-path`, expected a path in the docs directory that ends with `.json`, `.yaml` or `.yml`, without hidden directories',
    'Unexpected `a` for the input `root`, expected nothing with `docs-repository`',
    'Unexpected `b` for the input `base`, expected nothing with `docs-repository`',
    'Unexpected `https://a.example` for the input `app-url`, expected nothing with `docs-repository`',
    'Unexpected `added` for the input `filter`, expected `none` with `docs-repository`',
  ])
})
