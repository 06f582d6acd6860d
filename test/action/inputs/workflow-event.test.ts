import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ActionEvent, readEvent } from '../../../src/action/inputs/workflow-event.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const [before, after, noCommit] = ['b'.repeat(40), 'a'.repeat(40), '0'.repeat(40)]
const repository = { full_name: 'acme/docs' }

function read(name: string, ref: string, payload: object, { actor, headRef }: { actor?: string; headRef?: string } = {}) {
  const context = { eventName: name, ref, sha: after, actor: actor ?? 'ada', payload: { repository, ...payload } }
  return readEvent(context, headRef)
}

const pull = (full_name: string | null, more: object = {}) => ({
  pull_request: {
    number: 7,
    state: 'open',
    head: { ref: 'topic', sha: after, repo: full_name === null ? null : { full_name } },
    base: { sha: before },
    ...more,
  },
})
const fromPull = { headRef: 'topic' }

test.each<[string, ActionEvent, Partial<ActionEvent>]>([
  [
    'a push',
    read('push', 'refs/heads/main', { before }),
    { branch: 'main', base: { kind: 'commit', sha: before }, isReadOnly: false },
  ],
  [
    'a push of a new branch',
    read('push', 'refs/heads/x/y', { before: noCommit, created: true }),
    { branch: 'x/y', base: { kind: 'none', reason: 'the branch is new' } },
  ],
  ['a forced push', read('push', 'refs/heads/main', { before, forced: true }), { base: { kind: 'commit', sha: before } }],
  ['a deleted branch', read('push', 'refs/heads/main', { before, deleted: true }), { isDeleted: true }],
  ['a tag', read('push', 'refs/tags/v1', { before: noCommit }), { branch: undefined }],
  [
    'a push by Dependabot',
    read('push', 'refs/heads/dependabot/x', { before }, { actor: 'dependabot[bot]' }),
    { isReadOnly: true, isFork: false },
  ],
  [
    'a pull request',
    read('pull_request', 'refs/pull/7/merge', pull('acme/docs'), fromPull),
    {
      branch: 'topic',
      isFork: false,
      isReadOnly: false,
      pullNumber: 7,
      base: { kind: 'pull-request', baseSha: before, headSha: after },
    },
  ],
  [
    'a pull request of a fork',
    read('pull_request', 'refs/pull/7/merge', pull('mallory/docs'), fromPull),
    { isFork: true, forkName: 'mallory/docs', isReadOnly: true },
  ],
  [
    'a pull request of a fork that is gone',
    read('pull_request', 'refs/pull/7/merge', pull(null), fromPull),
    { isFork: true, forkName: undefined, isReadOnly: true },
  ],
  [
    'a pull request by Dependabot',
    read('pull_request', 'refs/pull/7/merge', pull('acme/docs'), { ...fromPull, actor: 'dependabot[bot]' }),
    { isFork: false, isReadOnly: true },
  ],
  [
    'a closed pull request',
    read('pull_request', 'refs/pull/7/merge', pull('acme/docs', { state: 'closed' }), fromPull),
    { isClosed: true },
  ],
  [
    'a target of a fork',
    read('pull_request_target', 'refs/heads/main', pull('mallory/docs'), fromPull),
    { isFork: true, isReadOnly: false, pullNumber: 7 },
  ],
  [
    'a merge queue',
    read('merge_group', 'refs/heads/gh-readonly-queue/main/pr-1', { merge_group: { base_sha: before } }),
    { base: { kind: 'commit', sha: before } },
  ],
  [
    'a schedule',
    read('schedule', 'refs/heads/main', {}),
    { branch: 'main', base: { kind: 'none', reason: 'the event `schedule` has no commit to compare with' } },
  ],
  ['a click', read('workflow_dispatch', 'refs/heads/next', {}), { branch: 'next', isPullRequest: false }],
  [
    'the run of a fork',
    read('workflow_run', 'refs/heads/main', { workflow_run: { head_repository: { full_name: 'mallory/docs' } } }),
    { isFork: true, forkName: 'mallory/docs', isReadOnly: false },
  ],
  [
    'the run of this repository',
    read('workflow_run', 'refs/heads/main', { workflow_run: { head_repository: repository } }),
    { isFork: false },
  ],
  ['no runner at all', readEvent({}), { name: '', ref: '', sha: undefined, branch: undefined, isFork: false }],
])('%s', (_, event, expected) => {
  expect(event).toMatchObject(expected)
})

test('fails if the event file is not JSON', () => {
  const path = join(makeTemporaryFolder({ 'event.json': '{' }), 'event.json')
  const program = join(import.meta.dirname, '../../../src/action/main.ts')
  const run = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: path },
  })
  expect(run.status).toBe(1)
  expect(run.stdout).toContain('::error title=API pages::Cannot read the event of this run')
  expect(run.stdout).toContain('`GITHUB_EVENT_PATH`')
})
