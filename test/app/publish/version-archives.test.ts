import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAnswerHistory } from '../../../src/app/publish/version-archives.ts'
import { joinOwned } from '../../../src/files/boundary.ts'
import type { Archive } from '../../../src/github/repositories/archives.ts'
import type { Project } from '../../../src/status/update-record.ts'
import { startFakeGitHub } from '../../support/fake-github/fake-github.ts'
import { createGitHubApp } from '../../support/github-app.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

async function start() {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const files = { 'openapi.yaml': '1', 'guide.mdx': '# Guide', 'logo.png': 'logo' }
  const repository = github.createRepository('acme/api', { files })
  const older = repository.tipOf('main')
  const { after: newer } = repository.commit({ files: { 'openapi.yaml': '2' } })
  const own = makeTemporaryFolder()
  const context = { github: { app: createGitHubApp(github), credentials: undefined } }
  const project = { owner: 'acme', repo: 'api', installationId: repository.installation?.id } as Partial<Project> as Project
  const current = {
    sha: newer,
    folder: joinOwned(own, 'files'),
    archive: { kept: ['openapi.yaml'], leftOut: [], links: {}, refused: [] } as Partial<Archive> as Archive,
  }
  const { answer } = createAnswerHistory(context, { project, own, current })
  const { signal } = new AbortController()
  return { github, repository, own, older, newer, current, ask: (question: unknown) => answer(question, signal) }
}

test('unpacks the documents of listed commits', async () => {
  const { ask, older, newer, own, current, repository } = await start()
  expect(await ask({ kind: 'open', sha: older })).toEqual({ kind: 'failed', reason: 'Unexpected commit' })
  repository.tags.set('v1', { sha: older })
  expect(await ask({ kind: 'tags' })).toMatchObject({ value: { tags: [{ tag: 'v1', sha: older }] } })
  const folder = join(own, 'versions', older)
  const archive = { kept: ['openapi.yaml'], leftOut: ['guide.mdx', 'logo.png'], links: {}, refused: [] }
  expect(await ask({ kind: 'open', sha: older })).toMatchObject({ kind: 'answered', value: { folder, archive } })
  expect(readFileSync(join(folder, 'openapi.yaml'), 'utf8')).toBe('1')
  const { folder: own2, archive: kept } = current
  expect(await ask({ kind: 'open', sha: newer })).toEqual({ kind: 'answered', value: { folder: own2, archive: kept } })
  expect(await ask({ kind: 'commits', paths: ['openapi.yaml'], limit: 5 })).toMatchObject({
    value: { commits: [{ sha: newer }, { sha: older }] },
  })
  expect(await ask({ kind: 'earlier-path', path: 'openapi.yaml', older, newer })).toEqual({ kind: 'answered', value: undefined })
})

test('refuses other questions, and too many', async () => {
  const { ask, older, github } = await start()
  for (const question of [
    undefined,
    'tags',
    { kind: 'open', sha: 'main' },
    { kind: 'open', sha: '../../secret' },
    { kind: 'write' },
  ])
    expect(await ask(question)).toEqual({ kind: 'failed', reason: 'Unexpected question' })
  expect(await ask({ kind: 'earlier-path', path: 'a', older, newer: 'f'.repeat(40) })).toMatchObject({ kind: 'failed' })
  for (let count = 6; count < 300; count++) await ask(undefined)
  expect(await ask({ kind: 'tags' })).toEqual({ kind: 'failed', reason: 'The history needs more than 300 requests' })
  expect(github.requestsTo('POST /graphql')).toEqual([])
})

test('repeats the job after a temporary error of GitHub, and not after others', async () => {
  const { ask, github, repository, older } = await start()
  github.fault({ route: 'POST /graphql', status: 502, times: 20 })
  await expect(ask({ kind: 'tags' })).rejects.toMatchObject({ failure: 'unavailable' })
  github.faults.length = 0
  repository.tags.set('v1', { sha: older })
  await ask({ kind: 'tags' })
  repository.tarballs.set(older, Buffer.from('no archive'))
  expect(await ask({ kind: 'open', sha: older })).toMatchObject({ kind: 'failed', reason: expect.stringContaining('archive') })
})
