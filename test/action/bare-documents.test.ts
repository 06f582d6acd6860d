import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderSummary } from '../../src/action/report/summary.ts'
import { applyFileChanges } from '../../src/files/apply-file-changes.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { runInFolder } from '../cli/run-in-folder.ts'
import { git, makeGitRemote } from '../support/git-remote.ts'
import { runInProcess } from '../support/github-remote.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { tinyDocument } from '../support/tiny-docs.ts'

// Repositories of API teams: OpenAPI documents and no docs.json.

const noGitHub = { environment: {}, token: () => '' }
const document = tinyDocument('List pets')

function makeRepository(files: { readonly [path: string]: string }): string {
  const folder = makeTemporaryFolder(files)
  git(folder, 'init', '--quiet')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message=First')
  return folder
}

test.each([undefined, 'check', 'dry-run'] as const)('in mode %s, checks all documents and writes nothing', async (mode) => {
  const folder = makeRepository({ 'a/openapi.json': document, 'b/pets.json': document })
  const report = await runInProcess(noGitHub, folder, { mode })
  expect(report).toMatchObject({ failures: [], update: { changes: [], diagnostics: [] } })
  expect(report.update?.documents.map(({ path }) => path)).toEqual(['a/openapi.json', 'b/pets.json'])
  expect(git(folder, 'status', '--porcelain')).toBe('')
  expect(report.note ?? '').toMatch(mode === undefined ? /^Check only: there is no `docs\.json`/ : /^$/)
  const summary = renderSummary(report)
  expect(summary).toMatch(/^### API documents: no errors\n/)
  expect(summary).not.toContain('openapi-pages update')
})

test('reports errors of all documents', async () => {
  const folder = makeRepository({ 'a/openapi.json': '{"openapi": "3.1.0", "info": 7, "paths": {}}', 'b/openapi.json': document })
  const report = await runInProcess(noGitHub, folder)
  expect(report.update?.diagnostics.map(({ file }) => file)).toContain('a/openapi.json')
  expect(renderSummary(report)).toMatch(/^### API documents: \d+ errors? in 1 of 2 documents\n/)
})

test('in a mode that the workflow sets and that writes, needs a docs.json', async () => {
  const checkout = makeGitRemote({ 'openapi.json': document }).checkOut()
  const report = await runInProcess(noGitHub, checkout, { mode: 'commit' })
  expect(report.update?.diagnostics).toMatchObject([
    { code: 'docs-config-missing', hint: expect.stringContaining('Run `openapi-pages init` to write one') },
  ])
})

test('a check of `openapi` asks for pages only after a run wrote some, and names a command that works', async () => {
  const folder = makeRepository({ 'openapi.json': document })
  const check = async () => await runInProcess(noGitHub, folder, { mode: 'check', documents: ['openapi.json'] })
  expect(await check()).toMatchObject({ failures: [], update: { changes: [], pages: [] } })
  expect(renderSummary(await check())).toMatch(/^### API documents: no errors\n/)

  const dryRun = await runInProcess(noGitHub, folder, { mode: 'dry-run', documents: ['openapi.json'] })
  expect(dryRun.update?.pages).toMatchObject([{ kind: 'added' }])
  await applyFileChanges(toOwnPath(folder), dryRun.update?.changes ?? [])
  expect((await check()).update?.changes).toEqual([])
  writeFileSync(join(folder, 'openapi.json'), tinyDocument('List cats'))
  const drifted = await check()
  expect(drifted.update?.changes).toHaveLength(2)
  expect(renderSummary(drifted)).toContain('or run `openapi-pages update`')
  const update = await runInFolder(folder, ['update'])
  expect(update).toMatchObject({ exitCode: 0, stderr: '' })
  expect((await check()).update?.changes).toEqual([])
})
