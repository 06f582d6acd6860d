import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readInputs } from '../../../src/action/inputs/inputs.ts'
import type { ActionEvent } from '../../../src/action/inputs/workflow-event.ts'
import { compareWithBase } from '../../../src/action/run/compare-with-base.ts'
import { runUpdate } from '../../../src/docs/update/run-update.ts'
import { toOwnPath } from '../../../src/files/boundary.ts'
import { openDiskFiles } from '../../../src/files/disk-files.ts'
import { git, makeGitRemote } from '../../support/git-remote.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { makeReport } from '../report/example-report.ts'

const toDocument = (...paths: string[]) =>
  `openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths:\n${paths.map((path) => `  ${path}: {get: {responses: {"200": {description: OK}}}}\n`).join('')}`
const docs = { 'docs.json': JSON.stringify({ navigation: { tabs: [{ tab: 'API', openapi: 'openapi.yaml' }] } }) }

async function compareCheckout(checkout: string, event: Partial<ActionEvent>) {
  const read = readInputs()
  if (read.kind === 'refused') throw new Error('the inputs are refused')
  const fetchDocument = () => Promise.reject(new Error('nothing is fetched'))
  const access = { files: openDiskFiles(toOwnPath(checkout)), fetchDocument }
  const update = await runUpdate({ root: '', documents: [], directory: 'api' }, access)
  const report = makeReport({
    boundary: toOwnPath(checkout),
    updates: [update],
    plannedAt: git(checkout, 'rev-parse', 'HEAD').trim(),
  })
  const { apiChanges, trouble, review } = await compareWithBase(
    toOwnPath(checkout),
    read.inputs,
    event as ActionEvent,
    report,
    async () => undefined,
  )
  const found = apiChanges?.get('')
  const changes = found?.documents.flatMap(({ comparison }) => comparison?.changes.map(({ code, path }) => `${code} ${path}`))
  return { base: found?.baseSha, failOn: found?.failOn, changes, trouble, ...(review !== undefined && { review }) }
}

const remoteWith = () => {
  const remote = makeGitRemote({ ...docs, 'openapi.yaml': toDocument('/pets', '/owners') })
  const before = remote.tip()
  return { remote, before }
}

test('compares a push with the commit before it, also in a shallow clone', async () => {
  const { remote, before } = remoteWith()
  remote.push({ 'openapi.yaml': toDocument('/pets'), 'openapi-pages.config.yaml': 'changes: {failOn: breaking}\n' })
  const checkout = remote.checkOut()
  expect(git(checkout, 'rev-parse', '--is-shallow-repository').trim()).toBe('true')
  expect(await compareCheckout(checkout, { base: { kind: 'commit', sha: before } })).toEqual({
    base: before,
    failOn: 'breaking',
    changes: ['operation-removed /owners'],
    trouble: undefined,
  })
})

test('compares nothing if no document can differ', async () => {
  const { remote, before } = remoteWith()
  remote.push({ 'README.md': 'text' })
  const found = await compareCheckout(remote.checkOut(), { base: { kind: 'commit', sha: before } })
  expect(found).toEqual({ base: before, failOn: 'never', changes: [], trouble: undefined })
})

describe('with `review: true`', () => {
  beforeEach(() => {
    vi.stubEnv('INPUT_REVIEW', 'true')
    vi.stubEnv('RUNNER_TEMP', makeTemporaryFolder({}))
  })
  afterEach(() => vi.unstubAllEnvs())

  test('writes the changed operations and guides of what every reader of a site may see', async () => {
    const { remote, before } = remoteWith()
    const hidden = toDocument('/pets', '/salaries').replace('/salaries: {get: {', '/salaries: {get: {x-mint: {groups: [staff]}, ')
    remote.push({ 'openapi.yaml': hidden, 'index.mdx': 'Hello' })
    const { review, trouble } = await compareCheckout(remote.checkOut(), { base: { kind: 'commit', sha: before } })
    expect(trouble).toBeUndefined()
    expect(readdirSync(review ?? '')).toEqual(['review.html'])
    const html = readFileSync(join(review ?? '', 'review.html'), 'utf8')
    expect(html).toContain('operation-removed')
    expect(html).toContain(`openapi-pages accept ${before.slice(0, 7)}`)
    expect(html).toMatch(/Added page.*Hello/)
    expect(html).not.toContain('salaries')
  })

  test('writes nothing if readers see no difference', async () => {
    const { remote, before } = remoteWith()
    remote.push({ 'README.txt': 'text' })
    const found = await compareCheckout(remote.checkOut(), { base: { kind: 'commit', sha: before } })
    expect(found).not.toHaveProperty('review')
  })
})

test('compares the merge commit of a pull request with its first parent', async () => {
  const { remote } = remoteWith()
  const head = remote.push({ 'openapi.yaml': toDocument('/pets') }, 'topic')
  const base = remote.push({ 'other.yaml': 'a: 1' })
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', '--unshallow', 'origin', 'main', 'topic')
  git(checkout, '-c', 'user.name=x', '-c', 'user.email=x@example.com', 'merge', '--quiet', '--no-ff', '-m', 'merge', head)
  const sha = git(checkout, 'rev-parse', 'HEAD').trim()
  const event = { sha, base: { kind: 'pull-request', baseSha: base, headSha: head } } as const
  expect(await compareCheckout(checkout, event)).toMatchObject({ base, changes: ['operation-removed /owners'] })
})

test('compares the head of a pull request with the merge base', async () => {
  const { remote, before } = remoteWith()
  const head = remote.push({ 'openapi.yaml': toDocument('/pets', '/owners', '/toys') }, 'topic')
  const base = remote.push({ 'openapi.yaml': toDocument('/pets') })
  const checkout = remote.checkOut('topic')
  git(checkout, 'fetch', '--quiet', '--unshallow', 'origin', 'main', 'topic')
  const event = { sha: 'f'.repeat(40), base: { kind: 'pull-request', baseSha: base, headSha: head } } as const
  expect(await compareCheckout(checkout, event)).toMatchObject({ base: before, changes: ['operation-added /toys'] })
})

test('explains how to get a commit that cannot be fetched, and does not fail', async () => {
  const { remote } = remoteWith()
  const found = await compareCheckout(remote.checkOut(), { base: { kind: 'commit', sha: 'd'.repeat(40) } })
  expect(found).toMatchObject({
    changes: undefined,
    trouble:
      'No API changes listed: cannot fetch `ddddddd`: the remote has no such commit. Set `fetch-depth: 0` for `actions/checkout`',
  })
})

test('compares nothing for an event without a base', async () => {
  const { remote } = remoteWith()
  const found = await compareCheckout(remote.checkOut(), { base: { kind: 'none', reason: 'the branch is new' } })
  expect(found).toMatchObject({ changes: undefined, trouble: undefined })
})
