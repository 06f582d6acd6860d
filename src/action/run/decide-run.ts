import { isHeadBranch, isTemporaryBranch } from '../delivery/delivery-branches.ts'
import type { ActionInputs, DeliveryInputs, Mode, TokenInputs } from '../inputs/inputs.ts'
import type { ActionEvent } from '../inputs/workflow-event.ts'

/** What a run does. `note` explains why it does less than requested. */
export type RunDecision =
  | { readonly kind: 'run'; readonly mode: 'check' | 'dry-run'; readonly note?: string }
  | { readonly kind: 'run'; readonly mode: 'commit'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'run'; readonly mode: 'pull-request'; readonly branch: string; readonly mayCreateBranch: boolean }
  | { readonly kind: 'skip'; readonly note: string }

/** Decides from inputs and event what a run does. It writes only if there is a branch to write to. */
export function decideRun(
  inputs: Pick<ActionInputs, 'mode'> &
    Pick<DeliveryInputs, 'base'> &
    Pick<TokenInputs, 'token'> & { readonly pullRequest: Pick<DeliveryInputs['pullRequest'], 'headBranch'> },
  event: ActionEvent,
): RunDecision {
  const { mode, base } = inputs
  if (event.isDeleted) return { kind: 'skip', note: `Nothing to check: \`${event.ref}\` was deleted.` }
  const pushed = event.isPullRequest ? undefined : event.branch
  if (pushed !== undefined && isTemporaryBranch(pushed)) {
    return { kind: 'skip', note: `Nothing to do: \`${pushed}\` is a temporary branch of another run.` }
  }
  const wanted = mode ?? defaultMode(event)
  if (wanted !== 'commit' && wanted !== 'pull-request') return { kind: 'run', mode: wanted }
  const reason = findReasonNotToCommit(inputs, event)
  if (reason !== undefined) return { kind: 'run', mode: 'check', note: reason }
  const target = base ?? event.branch
  if (target !== undefined && wanted === 'pull-request' && isHeadBranch(target, inputs.pullRequest)) {
    return { kind: 'skip', note: `Nothing to do: \`${target}\` is the head branch of a pull request from openapi-pages.` }
  }
  if (target !== undefined) return { kind: 'run', mode: wanted, branch: target, mayCreateBranch: base !== undefined }
  const what = event.ref.startsWith('refs/tags/') ? 'a tag' : 'not a branch'
  const note = `Cannot commit: \`${event.ref}\` is ${what}. Name a branch with the input \`base\`, or use \`mode: check\`.`
  return { kind: 'skip', note }
}

/** Returns why the run must not commit, whatever the inputs request. */
function findReasonNotToCommit(
  { base, token }: Pick<DeliveryInputs, 'base'> & Pick<TokenInputs, 'token'>,
  event: ActionEvent,
): string | undefined {
  const { name, isFork, forkName, isReadOnly, isClosed } = event
  if (isFork) {
    const fork = forkName === undefined ? 'a fork' : `the fork \`${forkName}\``
    return name === 'pull_request'
      ? `Check only: this pull request comes from ${fork}.`
      : `Check only: this pull request comes from ${fork}, and the token of \`${name}\` could write to this repository.`
  }
  if (isClosed) return 'Check only: this pull request is closed.'
  if (isReadOnly && token === undefined) {
    return 'Check only: Dependabot runs get a read-only token. To commit, set the input `token`.'
  }
  if (name === 'merge_group' && base === undefined) return 'Check only: this is a merge queue branch.'
  return undefined
}

/** A run that updates `docs-repository`. It writes to no branch of this repository. */
export type DocsRunDecision =
  | { readonly kind: 'run'; readonly mode: Mode; readonly note?: string; readonly hasToken: boolean }
  | Extract<RunDecision, { kind: 'skip' }>

/**
 * Decides what a run with `docs-repository` does. Runs on pull requests and on other branches than the default one propose nothing: their documents
 * are not published yet.
 */
export function decideDocsRun(
  inputs: Pick<ActionInputs, 'mode'> & Pick<TokenInputs, 'token'>,
  event: ActionEvent,
): DocsRunDecision {
  const { mode, token } = inputs
  const { name, isPullRequest, branch, defaultBranch } = event
  if (event.isDeleted) return { kind: 'skip', note: `Nothing to do: \`${event.ref}\` was deleted.` }
  // A run on files of a fork must not use the token, even if the event gives it one.
  const hasToken = token !== undefined && !event.isFork
  const isReading = mode === 'check' || mode === 'dry-run'
  if (isPullRequest || name === 'merge_group' || event.isFork) {
    const reason = findReasonNotToCommit({ base: undefined, token }, event)
    const used = isReading ? mode : 'check'
    return { kind: 'run', mode: used, hasToken, ...(event.isFork && reason !== undefined ? { note: reason } : {}) }
  }
  if (isReading) return { kind: 'run', mode, hasToken }
  const isOther = branch !== undefined && defaultBranch !== undefined && branch !== defaultBranch
  if (!isOther || mode !== undefined) return { kind: 'run', mode: mode ?? 'pull-request', hasToken }
  const note = `Check only: \`${branch}\` is not the default branch. To propose its documents too, set \`mode: pull-request\`.`
  return { kind: 'run', mode: 'check', note, hasToken }
}

function defaultMode({ isPullRequest, name }: ActionEvent): Mode {
  return isPullRequest || name === 'merge_group' ? 'check' : 'commit'
}
