import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ActionEvent, readEvent } from '../../src/action/workflow-event.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const [before, after, noCommit] = ['b'.repeat(40), 'a'.repeat(40), '0'.repeat(40)]
const repository = { full_name: 'acme/docs' }

function read(name: string, ref: string, payload: object, more: NodeJS.ProcessEnv = {}) {
  return () => readPayload(name, ref, payload, more)
}

function readPayload(name: string, ref: string, payload: object, more: NodeJS.ProcessEnv): Promise<ActionEvent> {
  const path = join(makeTemporaryFolder(), 'event.json')
  writeFileSync(path, JSON.stringify({ repository, ...payload }))
  return readEvent({ GITHUB_EVENT_NAME: name, GITHUB_REF: ref, GITHUB_SHA: after, GITHUB_EVENT_PATH: path, ...more })
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
const fromPull = { GITHUB_HEAD_REF: 'topic' }

test.each<[string, () => Promise<ActionEvent>, Partial<ActionEvent>]>([
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
    read('push', 'refs/heads/dependabot/x', { before }, { GITHUB_ACTOR: 'dependabot[bot]' }),
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
    read('pull_request', 'refs/pull/7/merge', pull('acme/docs'), { ...fromPull, GITHUB_ACTOR: 'dependabot[bot]' }),
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
    { branch: 'main', base: { kind: 'none', reason: 'the event `schedule` names no commit to compare with' } },
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
  ['no runner at all', () => readEvent({}), { name: '', ref: '', sha: undefined, branch: undefined, isFork: false }],
  [
    'an event that is no JSON',
    () => readEvent({ GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: import.meta.filename }),
    { name: 'push' },
  ],
])('%s', async (_, readIt, expected) => {
  expect(await readIt()).toMatchObject(expected)
})
