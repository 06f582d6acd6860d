import { expect, test } from 'vitest'
import { decideRun } from '../../src/action/decide-run.ts'
import type { ActionEvent } from '../../src/action/event.ts'
import type { Mode } from '../../src/action/inputs.ts'

const push: ActionEvent = {
  name: 'push',
  ref: 'refs/heads/main',
  branch: 'main',
  sha: undefined,
  isPullRequest: false,
  isFork: false,
}
const tag: ActionEvent = { ...push, ref: 'refs/tags/v1', branch: undefined }
const pull: ActionEvent = { ...push, name: 'pull_request', ref: 'refs/pull/1/merge', branch: 'topic', isPullRequest: true }
const fork: ActionEvent = { ...pull, branch: 'main', isFork: true }
const queue: ActionEvent = {
  ...push,
  name: 'merge_group',
  ref: 'refs/heads/gh-readonly-queue/main/pr-1',
  branch: 'gh-readonly-queue/main/pr-1',
}

test.each<[string, ActionEvent, Mode | undefined, string | undefined, string]>([
  ['a push', push, undefined, undefined, 'commit main'],
  ['a push, to another branch', push, undefined, 'docs', 'commit docs (may be made)'],
  ['a push, asked to check', push, 'check', undefined, 'check'],
  ['a pull request', pull, undefined, undefined, 'check'],
  ['a pull request, asked to commit', pull, 'commit', undefined, 'commit topic'],
  ['a pull request, asked for a dry run', pull, 'dry-run', undefined, 'dry-run'],
  ['a fork whose branch is called as ours', fork, 'commit', undefined, 'check: The head of this pull request is in a fork'],
  ['a fork, with a branch', fork, 'commit', 'main', 'check: The head of this pull request is in a fork'],
  ['a merge queue', queue, undefined, undefined, 'check'],
  ['a merge queue, asked to commit', queue, 'commit', undefined, 'check: This is the branch of a merge queue'],
  ['a tag', tag, undefined, undefined, 'skip: `refs/tags/v1` is a tag'],
  ['a tag, asked to check', tag, 'check', undefined, 'check'],
  ['a tag, with a branch', tag, 'commit', 'main', 'commit main (may be made)'],
  ['no ref at all', { ...tag, ref: '' }, undefined, undefined, 'skip: `` is no branch'],
])('%s', (_, event, mode, branch, expected) => {
  const decision = decideRun({ mode, branch }, event)
  expect(print(decision).slice(0, expected.length)).toBe(expected)
  if (!expected.includes(':')) expect(print(decision)).toBe(expected)
})

function print(decision: ReturnType<typeof decideRun>): string {
  if (decision.kind === 'skip') return `skip: ${decision.note}`
  if (decision.mode === 'commit') return `commit ${decision.branch}${decision.mayCreateBranch ? ' (may be made)' : ''}`
  return decision.note === undefined ? decision.mode : `${decision.mode}: ${decision.note}`
}
