import { expect, test } from 'vitest'
import type { Mode } from '../../../src/action/inputs/inputs.ts'
import type { ActionEvent } from '../../../src/action/inputs/workflow-event.ts'
import { decideDocsRun, decideRun } from '../../../src/action/run/run-action.ts'
import { pushEvent as push } from '../../support/github-remote.ts'

const tag: ActionEvent = { ...push, ref: 'refs/tags/v1', branch: undefined }
const pull: ActionEvent = { ...push, name: 'pull_request', ref: 'refs/pull/1/merge', branch: 'topic', isPullRequest: true }
const fork: ActionEvent = { ...pull, branch: 'main', isFork: true }
const target: ActionEvent = { ...fork, name: 'pull_request_target', ref: 'refs/heads/main', forkName: 'mallory/docs' }
const dependabot: ActionEvent = { ...push, branch: 'dependabot/npm/x', isReadOnly: true }
const queue: ActionEvent = {
  ...push,
  name: 'merge_group',
  ref: 'refs/heads/gh-readonly-queue/main/pr-1',
  branch: 'gh-readonly-queue/main/pr-1',
}

const pullRequest = { headBranch: 'openapi-pages/<branch>' }

test.each<[string, ActionEvent, Mode | undefined, string | undefined, string]>([
  ['a push', push, undefined, undefined, 'commit main'],
  ['a push, to another branch', push, undefined, 'docs', 'commit docs (may be made)'],
  ['a push, asked to check', push, 'check', undefined, 'check'],
  ['a pull request', pull, undefined, undefined, 'check'],
  ['a pull request, asked to commit', pull, 'commit', undefined, 'commit topic'],
  ['a pull request, asked for a dry run', pull, 'dry-run', undefined, 'dry-run'],
  ['a fork with a branch of the same name', fork, 'commit', undefined, 'check: Check only: this pull request comes from a fork'],
  ['a fork, with a branch', fork, 'commit', 'main', 'check: Check only: this pull request comes from a fork'],
  [
    'the target of a fork',
    target,
    'commit',
    undefined,
    'check: Check only: this pull request comes from the fork `mallory/docs`, and the token of `pull_request_target`',
  ],
  ['the target of a fork, with a branch', target, 'commit', 'main', 'check: Check only: this pull request comes from the fork'],
  [
    'the run of a fork, in workflow_run',
    { ...target, name: 'workflow_run', isPullRequest: false },
    'commit',
    'main',
    'check: Check only: this pull request comes from the fork',
  ],
  ['Dependabot', dependabot, undefined, undefined, 'check: Check only: Dependabot runs get a read-only token'],
  [
    'a pull request that is closed',
    { ...pull, isClosed: true },
    'commit',
    undefined,
    'check: Check only: this pull request is closed',
  ],
  ['a deleted branch', { ...push, isDeleted: true }, 'check', undefined, 'skip: Nothing to check: `refs/heads/main` was deleted'],
  ['a schedule', { ...push, name: 'schedule' }, undefined, undefined, 'commit main'],
  [
    'a manual run',
    { ...push, name: 'workflow_dispatch', ref: 'refs/heads/next', branch: 'next' },
    undefined,
    undefined,
    'commit next',
  ],
  ['a merge queue', queue, undefined, undefined, 'check'],
  ['a merge queue, asked to commit', queue, 'commit', undefined, 'check: Check only: this is a merge queue branch'],
  ['a tag', tag, undefined, undefined, 'skip: Cannot commit: `refs/tags/v1` is a tag'],
  ['a tag, asked to check', tag, 'check', undefined, 'check'],
  ['a tag, with a branch', tag, 'commit', 'main', 'commit main (may be made)'],
  ['no ref at all', { ...tag, ref: '' }, undefined, undefined, 'skip: Cannot commit: `` is not a branch'],
])('%s', (_, event, mode, base, expected) => {
  const decision = decideRun({ mode, base, token: undefined, pullRequest }, event)
  expect(print(decision).slice(0, expected.length)).toBe(expected)
  if (!expected.includes(':')) expect(print(decision)).toBe(expected)
})

function print(decision: ReturnType<typeof decideRun>): string {
  if (decision.kind === 'skip') return `skip: ${decision.note}`
  if (decision.mode === 'commit' || decision.mode === 'pull-request')
    return `${decision.mode} ${decision.branch}${decision.mayCreateBranch ? ' (may be made)' : ''}`
  return decision.note === undefined ? decision.mode : `${decision.mode}: ${decision.note}`
}

test('treats Dependabot normally if it has a token that can write', () => {
  expect(print(decideRun({ mode: undefined, base: undefined, token: 'x', pullRequest }, dependabot))).toBe(
    'commit dependabot/npm/x',
  )
})

const main = { ...push, defaultBranch: 'main' }

test.each<[string, ActionEvent, Mode | undefined, string]>([
  ['a push to the default branch', main, undefined, 'pull-request with a token'],
  ['a push to the default branch, asked to commit', main, 'commit', 'commit with a token'],
  ['a push to the default branch, asked to check', main, 'check', 'check with a token'],
  ['a schedule, which does not name the default branch', push, undefined, 'pull-request with a token'],
  [
    'a push to another branch',
    { ...main, branch: 'topic' },
    undefined,
    'check with a token: Check only: `topic` is not the default branch',
  ],
  ['a push to another branch, asked to propose', { ...main, branch: 'topic' }, 'pull-request', 'pull-request with a token'],
  ['a tag', { ...tag, defaultBranch: 'main' }, undefined, 'pull-request with a token'],
  ['a pull request', pull, undefined, 'check with a token'],
  ['a pull request, asked to commit', pull, 'commit', 'check with a token'],
  ['a pull request, asked for a dry run', pull, 'dry-run', 'dry-run with a token'],
  ['a fork', fork, 'commit', 'check: Check only: this pull request comes from a fork'],
  ['the target of a fork', target, undefined, 'check: Check only: this pull request comes from the fork `mallory/docs`'],
  ['a merge queue', queue, 'commit', 'check with a token'],
  ['a deleted branch', { ...main, isDeleted: true }, undefined, 'skip: Nothing to do: `refs/heads/main` was deleted.'],
])('with `docs-repository`, %s', (_, event, mode, expected) => {
  const decision = decideDocsRun({ mode, token: 'x' }, event)
  const what = decision.kind === 'skip' ? 'skip' : `${decision.mode}${decision.hasToken ? ' with a token' : ''}`
  const printed = decision.note === undefined ? what : `${what}: ${decision.note}`
  expect(printed.slice(0, expected.length)).toBe(expected)
  if (!expected.includes(':')) expect(printed).toBe(expected)
})
