import { describe, expect, test } from 'vitest'
import type { FakeRepository } from '../../support/fake-github/fake-repository.ts'
import { type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }

/** `validDocument` breaks it once, in line 2. */
const ruleset = `rules:
  contact:
    severity: error
    message: Add the contact of your team
    given: $.info
    then: { field: contact, function: truthy }
  description:
    severity: warn
    given: $.paths.*.get
    then: { field: description, function: truthy }
`

const withDate = (date: string) => `x-new-problems-only-until: ${date}\n${ruleset}`

interface Options extends ConnectOptions {
  /** The file `.spectral.yaml` of the organization. */
  readonly rules?: string | undefined
  readonly organizationFiles?: Record<string, string>
  readonly files?: Record<string, string>
  readonly isPrivate?: { readonly organization: boolean; readonly repository: boolean }
}

async function connect(options: Options = {}) {
  const { rules = ruleset, isPrivate = { organization: false, repository: false } } = options
  const connected = await connectApp(options)
  const { github, store } = connected
  const organization = github.createRepository('acme/.github', {
    private: isPrivate.organization,
    files: options.organizationFiles ?? { '.spectral.yaml': rules },
  })
  const repository = github.createRepository('acme/api', { private: isPrivate.repository, files: options.files ?? files })
  const last = async () => {
    const updates = await connected.idle()
    // A push to the organization's own repository has records too.
    const projects = await store.projects.findByRepository(repository.id)
    const stored = updates.findLast(({ update }) => projects.some(({ id }) => id === update.projectId))
    if (!stored) throw new Error('No update')
    return { ...stored, line: stored.update.logs.find((one) => /rules? of acme/i.test(one)) }
  }
  return { ...connected, organization, repository, last }
}

const annotations = (repository: FakeRepository) =>
  repository.checkRuns.at(-1)?.annotations.map(({ start_line: line, annotation_level: level, title }) => [line, level, title])

const withOperation = `${validDocument}  /owners:\n    get: { summary: List owners, responses: { '200': { description: Owners. } } }\n`

describe('the rules of an organization', () => {
  test.each([
    ['with docs.json', files],
    ['without docs.json', { 'openapi.yaml': validDocument }],
  ])('apply to each repository %s', async (_name, contents) => {
    const { organization, repository, last } = await connect({ files: contents })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    const { update, line } = await last()
    expect(update).toMatchObject({ status: 'failure', summary: expect.stringContaining('1 error') })
    const sha = organization.tipOf('main')
    expect(line).toBe(`2 rules of acme/.github (.spectral.yaml at ${sha.slice(0, 7)}): 2 problems`)
    expect(annotations(repository)).toEqual([
      [2, 'failure', 'contact'],
      [7, 'warning', 'description'],
    ])
  })

  test('are those of the default branch at the time of the check', async () => {
    const { organization, repository, last } = await connect()
    await organization.push({ files: { '.spectral.yaml': 'rules: {}' }, branch: 'topic' })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# 1\n` } })
    expect((await last()).update.status).toBe('failure')
    organization.commit({ files: { '.spectral.yaml': ruleset.replace('severity: error', 'severity: info') } })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# 2\n` } })
    expect((await last()).update.status).toBe('success')
  })

  test('can be at another path, and extend files of their repository', async () => {
    const { repository, last } = await connect({
      env: { ORGANIZATION_RULESET: 'api/rules.yaml' },
      organizationFiles: { 'api/rules.yaml': 'extends: [../base.yaml]', 'base.yaml': ruleset },
    })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    expect((await last()).line).toMatch(/^2 rules of acme\/\.github \(api\/rules\.yaml at /)
    expect(annotations(repository)).toHaveLength(2)
  })

  test('take one request if there are none, and none if the server turns them off', async () => {
    const { github, repository, last } = await connect({ organizationFiles: { 'README.md': 'Hi' } })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    expect(await last()).toMatchObject({ update: { status: 'success' }, line: undefined })
    const asked = github.requests.filter(({ url }) => url.includes('/repos/acme/.github'))
    expect(asked.map(({ method, status }) => [method, status])).toEqual([['GET', 404]])
    const other = await connect({ env: { ORGANIZATION_RULESET: 'off' } })
    await other.repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    expect(await other.last()).toMatchObject({ update: { status: 'success' }, line: undefined })
    expect(other.github.requests.filter(({ url }) => url.includes('/repos/acme/.github'))).toEqual([])
  })

  test.each([
    [{ organization: true, repository: true }, 'failure', '2 rules of'],
    [{ organization: true, repository: false }, 'success', 'The rules of acme/.github do not apply: it is private'],
    [{ organization: false, repository: true }, 'failure', '2 rules of'],
  ])('of a private repository do not apply to public ones: %j', async (isPrivate, status, line) => {
    const { repository, last } = await connect({ isPrivate })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    const end = await last()
    expect(end.update.status).toBe(status)
    expect(end.line).toContain(line)
  })

  test('of another owner do not apply, if the repository was transferred', async () => {
    const { github, organization, repository, last } = await connect()
    const route = 'GET /repos/{owner}/{repo}'
    const owner = { login: 'rival', id: 9 }
    github.fault({ route, status: 200, body: { id: organization.id, owner, name: '.github', default_branch: 'main' } })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    expect(await last()).toMatchObject({ update: { status: 'success' }, line: undefined })
  })

  test('with mistakes do not fail the check because of them', async () => {
    const { repository, last } = await connect({ rules: 'rules: [' })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# Changed\n` } })
    const { update } = await last()
    expect(update.status).toBe('success')
    expect(update.logs).toContain('1 problem in the ruleset. Run `openapi-pages rules list` there to list them')
  })

  test('that GitHub refuses to return do not fail the check', async () => {
    const { github, repository, last } = await connect()
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# 1\n` } })
    await last()
    const forbidden = { status: 403, body: { message: 'Resource not accessible by integration' } }
    github.fault({ route: 'GET /repos/{owner}/{repo}', ...forbidden, times: 10 })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# 2\n` } })
    const { update, line } = await last()
    expect(update.status).toBe('success')
    expect(line).toMatch(/^The rules of acme\/\.github were not applied: cannot read repository/)
  })

  test('that were removed apply no longer', async () => {
    const { organization, repository, last } = await connect()
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# 1\n` } })
    expect((await last()).update.status).toBe('failure')
    organization.commit({ files: { '.spectral.yaml': null } })
    await repository.push({ files: { 'openapi.yaml': `${validDocument}# 2\n` } })
    expect((await last()).update.status).toBe('success')
  })
})

describe('new problems only', () => {
  test('reports the problems of a pull request, and counts those of its base', async () => {
    const { repository, last } = await connect({ rules: withDate('9999-01-01') })
    await repository.push({ files: { 'openapi.yaml': withOperation }, branch: 'topic' })
    const { update, line } = await last()
    expect(update.status).toBe('success')
    expect(annotations(repository)).toEqual([[14, 'warning', 'description']])
    expect(line).toMatch(/: 3 problems\. Only new ones are reported until 9999-01-01$/)
  })

  test('compares a push to the default branch with the commit before', async () => {
    const { repository, last } = await connect({ rules: withDate('9999-01-01') })
    await repository.push({ files: { 'openapi.yaml': validDocument.replace('version: 1.0.0', 'version: 1.0.1') } })
    const { update } = await last()
    expect([update.status, annotations(repository)]).toEqual(['success', []])
  })

  test('needs no second archive if no document changed', async () => {
    const { github, repository, last } = await connect({ rules: withDate('9999-01-01') })
    await repository.push({ files: { 'logo.svg': '<svg/>' } })
    expect(await last()).toMatchObject({ update: { status: 'success' } })
    // The commit and the ruleset.
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(2)
  })

  test('downloads the base once for the rules and the comparison', async () => {
    const { github, repository, last } = await connect({ rules: withDate('9999-01-01') })
    await repository.push({ files: { 'openapi.yaml': withOperation } })
    expect((await last()).update.logs).toContainEqual(expect.stringMatching(/^API changes since .+: 1 compatible$/))
    expect(github.requestsTo('GET /repos/{owner}/{repo}/tarball/{ref}')).toHaveLength(3)
  })

  test('reports all problems from the date on', async () => {
    const { repository, last } = await connect({ rules: withDate('2020-01-01') })
    await repository.push({ files: { 'logo.svg': '<svg/>' } })
    expect((await last()).update.status).toBe('failure')
  })

  test('reports nothing if the base cannot be read', async () => {
    const { github, repository, last } = await connect({ rules: withDate('9999-01-01') })
    github.fault({ route: 'GET /repos/{owner}/{repo}/tarball/{ref}', status: 404, after: 2 })
    await repository.push({ files: { 'openapi.yaml': withOperation } })
    const { update, line } = await last()
    expect(update.status).toBe('success')
    expect(line).toMatch(/None is reported, because the base of the commit cannot be read$/)
  })
})
