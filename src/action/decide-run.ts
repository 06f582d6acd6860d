import { isHeadBranch, isTemporaryBranch } from './delivery/delivery-branches.ts'
import type { ActionInputs, Mode } from './inputs.ts'
import type { ActionEvent } from './workflow-event.ts'

/** What a run does. `note` says why that is less than was asked for. */
export type RunDecision =
  | { readonly kind: 'run'; readonly mode: 'check' | 'dry-run'; readonly note?: string }
  | { readonly kind: 'run'; readonly mode: 'commit'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'run'; readonly mode: 'pull-request'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'skip'; readonly note: string }

/** Decides from inputs and event what a run does: it writes only where there is a branch that the changes belong on. */
export function decideRun(inputs: Pick<ActionInputs, 'mode' | 'branch' | 'token'>, event: ActionEvent): RunDecision {
  const { mode, branch } = inputs
  if (event.isDeleted) return { kind: 'skip', note: `\`${event.ref}\` was deleted, so there is nothing to check.` }
  const pushed = event.isPullRequest ? undefined : event.branch
  if (pushed !== undefined && isTemporaryBranch(pushed)) {
    return { kind: 'skip', note: `\`${pushed}\` stands only while another run makes its commits, so there is nothing to do.` }
  }
  const wanted = mode ?? defaultMode(event)
  if (wanted !== 'commit' && wanted !== 'pull-request') return { kind: 'run', mode: wanted }
  const reason = findReasonNotToCommit(inputs, event)
  if (reason !== undefined) return { kind: 'run', mode: 'check', note: reason }
  const target = branch ?? event.branch
  if (target !== undefined && wanted === 'pull-request' && isHeadBranch(target)) {
    return { kind: 'skip', note: `\`${target}\` is the branch of a pull request of ours, so there is nothing to propose for it.` }
  }
  if (target !== undefined) return { kind: 'run', mode: wanted, branch: target, mayCreateBranch: branch !== undefined }
  const what = event.ref.startsWith('refs/tags/') ? 'a tag' : 'no branch'
  const note = `\`${event.ref}\` is ${what}, and a commit needs a branch. Name one with the input \`branch\`, or use \`mode: check\`.`
  return { kind: 'skip', note }
}

/** Why nothing may be committed, whatever was asked for. */
function findReasonNotToCommit(
  { branch, token }: Pick<ActionInputs, 'branch' | 'token'>,
  event: ActionEvent,
): string | undefined {
  const { name, isFork, forkName, isReadOnly, isClosed } = event
  if (isFork) {
    const fork = forkName === undefined ? 'a fork' : `the fork \`${forkName}\``
    const why =
      name === 'pull_request'
        ? 'nothing is committed'
        : `nothing is written: the token of \`${name}\` may write to this repository, and the files may be those of the fork`
    return `The head of this pull request is in ${fork}, so ${why}.`
  }
  if (isClosed) return 'This pull request is closed, so nothing is committed.'
  if (isReadOnly && token === undefined) {
    return 'GitHub gives the runs of Dependabot a token that can only read, so nothing is committed. One that can write can be given with the input `token`.'
  }
  if (name === 'merge_group' && branch === undefined) return 'This is the branch of a merge queue, so nothing is committed.'
  return undefined
}

function defaultMode({ isPullRequest, name }: ActionEvent): Mode {
  return isPullRequest || name === 'merge_group' ? 'check' : 'commit'
}
