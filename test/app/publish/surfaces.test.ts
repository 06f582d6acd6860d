import { describe, expect, test } from 'vitest'
import { appPermissions } from '../../../src/app/base/manifest.ts'
import { newCheckRun } from '../../support/fake-github/feedback-routes.ts'
import { brokenDocument, type ConnectOptions, connectApp, docsConfig, validDocument } from '../support/connected-app.ts'

const config = (text: string) => ({ 'openapi-pages.config.yaml': `github: { ${text} }\n` })
const files = { 'docs.json': docsConfig, 'openapi.yaml': validDocument }
const granted = { ...appPermissions, deployments: 'write' } as const

async function connect(options: ConnectOptions & { files?: Record<string, string> } = {}) {
  const connected = await connectApp({ ...options, github: { permissions: appPermissions, ...options.github } })
  const repository = connected.github.createRepository('acme/api', { files: { ...files, ...options.files } })
  return { ...connected, repository }
}

test('creates no commit status or deployment by default', async () => {
  const { idle, repository } = await connect({ github: { permissions: granted } })
  await repository.push({ files: { a: 'a' } })
  await idle()
  expect(repository.commitStatuses).toEqual([])
  expect(repository.deployments).toEqual([])
})

test('the manifest does not request permission for deployments', () => {
  expect(Object.keys(appPermissions)).not.toContain('deployments')
})

describe('a commit status', () => {
  test('has the name and result of the check, and links to the page of the record', async () => {
    const { idle, repository } = await connect({ files: config('commit-status: true') })
    const first = await repository.push({ files: { a: 'a' } })
    await idle()
    const second = await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    const [, failed] = await idle()
    expect(repository.commitStatuses.map(({ sha, state }) => [sha, state])).toEqual([
      // The configuration of the first commit is not known before its run.
      [first.sha, 'success'],
      [second.sha, 'pending'],
      [second.sha, 'failure'],
    ])
    const [, run] = repository.checkRuns
    expect(repository.commitStatuses.at(-1)).toMatchObject({
      context: 'openapi-pages',
      description: failed?.update.summary,
      targetUrl: run?.detailsUrl,
    })
  })

  test('truncates a summary over 140 characters', async () => {
    const name = `${'a'.repeat(120)}.yaml`
    const { idle, repository } = await connect({ files: config('commit-status: true') })
    await repository.push({
      files: { 'docs.json': docsConfig.replace('openapi.yaml', name), 'openapi.yaml': null, [name]: brokenDocument },
    })
    await idle()
    const [status] = repository.commitStatuses
    expect(status?.description).toMatch(/^Failed: 1 error in a+…$/)
    expect(status?.description).toHaveLength(140)
  })

  test('is a success if errors do not block', async () => {
    const { idle, repository } = await connect({ files: config('commit-status: true, check: neutral') })
    await repository.push({ files: { 'openapi.yaml': brokenDocument } })
    await idle()
    expect(repository.commitStatuses).toMatchObject([{ state: 'success' }])
  })

  test('ends after it was pending, even if the commit disables it', async () => {
    const { idle, repository } = await connect({ files: config('commit-status: true') })
    await repository.push({ files: { a: 'a' } })
    await idle()
    const { sha } = await repository.push({ files: config('commit-status: false') })
    await idle()
    const later = await repository.push({ files: { a: 'b' } })
    await idle()
    expect(repository.commitStatuses.filter((status) => status.sha === sha).map(({ state }) => state)).toEqual([
      'pending',
      'success',
    ])
    expect(repository.commitStatuses.filter((status) => status.sha === later.sha)).toEqual([])
  })

  test('is pending for the commit after one whose run ended before its check was created', async () => {
    const { github, idle, repository, updates } = await connect({ files: config('commit-status: true') })
    await repository.push({ files: { a: 'a' } })
    await idle()
    const readState = async () => (await updates()).at(-1)?.update.status
    const meanwhile = () => expect.poll(readState).toBe('success')
    github.fault({ route: 'POST /repos/{owner}/{repo}/check-runs', meanwhile })
    await repository.push({ files: { a: 'b' } })
    await idle()
    const { sha } = await repository.push({ files: { a: 'c' } })
    await idle()
    const states = repository.commitStatuses.filter((status) => status.sha === sha).map(({ state }) => state)
    expect(states).toEqual(['pending', 'success'])
  })

  test('ends although its record was lost, and the configuration no longer asks for it', async () => {
    const { github, idle, repository } = await connect()
    const { sha } = await repository.push({ files: { a: 'a' } })
    const ids = { id: github.nextId(), suiteId: github.nextId() }
    repository.checkRuns.push(newCheckRun({ ...ids, name: 'openapi-pages', headSha: sha, externalId: 'lost' }))
    const pending = { id: github.nextId(), state: 'pending', context: 'openapi-pages', description: '', targetUrl: '' }
    repository.commitStatuses.push({ sha, ...pending, createdAt: github.nextDate() })
    await idle()
    expect(repository.checkRuns).toHaveLength(1)
    expect(repository.commitStatuses.at(-1)).toMatchObject({ sha, state: 'success' })
  })

  test('replaces the check if the app may not write checks', async () => {
    const { idle, repository, logLines } = await connect({
      github: { permissions: { contents: 'read', metadata: 'read', statuses: 'write' } },
    })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.checkRuns).toEqual([])
    expect(repository.commitStatuses.at(-1)).toMatchObject({ state: 'success', context: 'openapi-pages' })
    expect(logLines.join('')).toContain('checks: write')
  })

  test('does not keep the record from ending if it may not be written, and the log names the permission', async () => {
    const { idle, repository, logLines } = await connect({
      github: { permissions: { contents: 'read', metadata: 'read', checks: 'write' } },
      files: config('commit-status: true'),
    })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'success' }])
    expect(logLines.join('')).toContain('statuses: write')
  })

  test('is written once although the connection was lost', async () => {
    const route = 'POST /repos/{owner}/{repo}/statuses/{sha}'
    const { github, idle, repository } = await connect({ files: config('commit-status: true') })
    github.fault({ route, cut: 'after' })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.commitStatuses.map(({ state }) => state)).toEqual(['success'])
  })
})

describe('a deployment', () => {
  const deploying = { github: { permissions: granted }, files: config('deployment: true') }

  test('uses production for the default branch and preview for the others', async () => {
    const { idle, repository } = await connect(deploying)
    const main = await repository.push({ files: { a: 'a' } })
    await idle()
    const topic = await repository.push({ files: { 'openapi.yaml': brokenDocument }, branch: 'topic' })
    const [first, second] = await idle()
    expect(repository.deployments).toMatchObject([
      {
        sha: main.sha,
        environment: 'docs (production)',
        isProduction: true,
        isTransient: false,
        payload: { statusId: first?.update._id },
        statuses: [{ state: 'success', description: first?.update.summary, logUrl: repository.checkRuns[0]?.detailsUrl }],
      },
      {
        sha: topic.sha,
        environment: 'docs (preview)',
        isProduction: false,
        isTransient: true,
        statuses: [{ state: 'failure', description: second?.update.summary }],
      },
    ])
  })

  test('needs the permission, and the log explains how to grant it', async () => {
    const { github, idle, repository, logLines } = await connect({ files: deploying.files })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(github.requestsTo('POST /repos/{owner}/{repo}/deployments')).toEqual([])
    expect(logLines.join('')).toContain('deployments: write')
  })

  test('is created once although the connection was lost', async () => {
    const { github, idle, repository } = await connect(deploying)
    github.fault({ route: 'POST /repos/{owner}/{repo}/deployments', cut: 'after' })
    github.fault({ route: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses', cut: 'after' })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.deployments).toMatchObject([{ statuses: [{ state: 'success' }] }])
    expect(repository.checkRuns).toHaveLength(1)
  })

  test('does not fail the record if GitHub refuses it, and is created later', async () => {
    const { github, idle, repository, logLines } = await connect(deploying)
    github.fault({ route: 'POST /repos/{owner}/{repo}/deployments', status: 422, body: { message: 'Validation Failed' } })
    await repository.push({ files: { a: 'a' } })
    const [stored] = await idle()
    expect(stored?.update.status).toBe('success')
    expect(repository.checkRuns).toMatchObject([{ conclusion: 'success' }])
    expect(logLines.join('')).toContain('422 Validation Failed')
    await expect.poll(() => repository.deployments).toMatchObject([{ statuses: [{ state: 'success' }] }])
  })
})
