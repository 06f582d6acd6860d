import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explainFailure } from '../../../src/action/report/summary.ts'
import { git } from '../../support/git-remote.ts'
import { makeGitHubRemote, makeUpdatedRemote, runInProcess } from '../../support/github-remote.ts'
import { messageOf, page, pagesIn } from '../../support/pets-remote.ts'
import { readTimes, readTree } from '../../support/read-tree.ts'
import { tinyDocs, tinyDocument } from '../../support/tiny-docs.ts'

describe('on its own commit', () => {
  test('ends immediately without requests and changes', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    const checkout = at.checkOut()
    const [tree, times, requests] = [readTree(checkout), readTimes(checkout), at.github.requests.length]
    const report = await runInProcess(at, checkout)
    expect(report.delivery?.notes).toEqual(['Nothing to do: the newest commit already contains the pages for these documents.'])
    expect([report.update, at.github.requests.length]).toEqual([undefined, requests])
    expect([readTree(checkout), readTimes(checkout)]).toEqual([tree, times])
  })

  test('checks again if a step changed a file, the inputs differ, or the trailer does not match', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    const checkout = at.checkOut()
    const other = await runInProcess(at, checkout, { directory: 'elsewhere' })
    expect([other.update?.changes.length, other.delivery?.operation]).toEqual([0, 'none'])
    writeFileSync(join(checkout, 'openapi.json'), tinyDocument('List pets', 'List dogs'))
    const dirty = await runInProcess(at, checkout)
    expect(dirty.update?.pages.map(({ kind }) => kind).sort()).toEqual(['added', 'unchanged'])
    const copied = messageOf(at)
    at.remote.push({ 'openapi.json': tinyDocument('List pets', 'List dogs', 'List cats') })
    const person = join(at.remote.folder, 'person')
    git(person, 'commit', '--quiet', '--amend', `--message=${copied}`)
    git(person, 'push', '--quiet', '--force', 'origin', 'HEAD:main')
    const amended = await runInProcess(at, at.checkOut())
    expect(amended.delivery?.operation).toBe('committed')
    expect(pagesIn(at)).toEqual(['api-reference/list-cats.mdx', 'api-reference/list-dogs.mdx', page])
  })

  test('checks again if there were diagnostics', async () => {
    const at = await makeGitHubRemote({ ...tinyDocs(['List pets']), 'broken.json': '{"openapi": "3.1.0"}' })
    const inputs = { documents: ['broken.json'] }
    expect((await runInProcess(at, at.checkOut(), inputs)).delivery?.operation).toBe('committed')
    const again = await runInProcess(at, at.checkOut(), inputs)
    expect([again.delivery?.operation, (again.update?.diagnostics.length ?? 0) > 0]).toEqual(['none', true])
  })

  test('adds [skip ci] only if requested, and never at the head of a pull request', async () => {
    const at = await makeUpdatedRemote(tinyDocs(['List pets']))
    expect(messageOf(at)).not.toMatch(/skip/i)
    at.remote.push({ 'openapi.json': tinyDocument('List cats') })
    const pull = { isPullRequest: true, name: 'pull_request' }
    const cases = [
      [{ skipCi: true }, pull],
      [{ mode: 'pull-request', skipCi: true }, {}],
      [{ mode: 'pull-request', commitMessage: 'docs: x [ci skip]' }, {}],
    ] as const
    for (const [inputs, event] of cases) {
      const report = await runInProcess(at, at.checkOut(), { mode: 'commit', ...inputs }, event)
      expect(report.failures.map((failure) => explainFailure(failure).message)).toEqual([
        expect.stringMatching(/^Unexpected .*: the commit becomes the head of a pull request$/),
      ])
    }
    await runInProcess(at, at.checkOut(), { skipCi: true })
    expect(at.remote.log('%s')).toBe('docs: update API pages [skip ci]')
  })
})
