import type { ActionEvent } from './event.ts'
import type { ActionInputs, Mode } from './inputs.ts'

/** What a run does. `note` says why that is less than was asked for. */
export type RunDecision =
  | { readonly kind: 'run'; readonly mode: 'check' | 'dry-run'; readonly note?: string }
  | { readonly kind: 'run'; readonly mode: 'commit'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'skip'; readonly note: string }

/** Decides from inputs and event what a run does: it commits only where there is a branch that a commit belongs on. */
export function decideRun({ mode, branch }: Pick<ActionInputs, 'mode' | 'branch'>, event: ActionEvent): RunDecision {
  const wanted = mode ?? defaultMode(event)
  if (wanted !== 'commit') return { kind: 'run', mode: wanted }
  if (event.isFork) {
    return { kind: 'run', mode: 'check', note: 'The head of this pull request is in a fork, so nothing is committed.' }
  }
  if (branch !== undefined) return { kind: 'run', mode: 'commit', branch, mayCreateBranch: true }
  if (event.name === 'merge_group') {
    return { kind: 'run', mode: 'check', note: 'This is the branch of a merge queue, so nothing is committed.' }
  }
  if (event.branch !== undefined) return { kind: 'run', mode: 'commit', branch: event.branch, mayCreateBranch: false }
  const what = event.ref.startsWith('refs/tags/') ? 'a tag' : 'no branch'
  const note = `\`${event.ref}\` is ${what}, and a commit needs a branch. Name one with the input \`branch\`, or use \`mode: check\`.`
  return { kind: 'skip', note }
}

function defaultMode({ isPullRequest, name }: ActionEvent): Mode {
  return isPullRequest || name === 'merge_group' ? 'check' : 'commit'
}
