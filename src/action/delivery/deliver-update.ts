import { ConfigError, GitError, GitHubError } from '../../errors.ts'
import type { AddedFile } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import { commitAndPush, type PlannedCommit, type PublishCommit, pushCommit } from '../../git/push.ts'
import type { FileChange } from '../../text/file-change.ts'
import type { ActionInputs } from '../inputs.ts'
import { restoreAddedFiles } from './added-files.ts'
import { closeLeftover } from './close-leftover.ts'
import { type ConnectResult, connectGitHub } from './connect-github.ts'
import { type Delivery, toDelivery } from './delivery.ts'
import { createIsSuperseded } from './is-superseded.ts'
import { isHeadBranch } from './own-branches.ts'
import type { RunVariables } from './run-variables.ts'
import { verifyCommit } from './verify-commit.ts'

/** An update as it is delivered. */
export interface PlannedUpdate extends PlannedCommit {
  /** Documents have errors: their pages were left as they are, so that no changes does not mean that all is well. */
  readonly hasErrors: boolean
  /** What a pull request shows, with the commit that has the pages. */
  readonly renderBody: (commit: { readonly sha: string; readonly baseSha: string; readonly digest: string }) => string
}

export interface DeliverOptions {
  readonly mode: 'commit' | 'pull-request'
  /** Where the changes are to get to. */
  readonly branch: string
  readonly mayCreateBranch: boolean
  /** A commit that the remote is known to have: that of the event. */
  readonly knownSha: string | undefined
  readonly inputs: Pick<
    ActionInputs,
    'token' | 'githubToken' | 'commitMethod' | 'committer' | 'onProtected' | 'requireSigned' | 'commitMessage'
  >
  readonly variables: RunVariables
  /** Plans from the work tree; again each time that it has moved. See `CommitAndPushOptions.plan`. */
  readonly plan: (outdated: readonly AddedFile[]) => Promise<PlannedUpdate>
  readonly write: (changes: readonly FileChange[]) => Promise<void>
  /** Told what goes on, a line each. */
  readonly log: (line: string) => void
  /** Tests wait less. */
  readonly pace?: Parameters<typeof connectGitHub>[1]['pace']
}

/** What both ways of delivering have in common. */
export interface DeliveryTools extends DeliverOptions {
  readonly git: Git
  readonly connect: () => Promise<ConnectResult>
  /** By the API or by a push, as the inputs say and as can be done. */
  readonly publish: PublishCommit
  readonly isSuperseded: () => Promise<boolean>
  readonly restore: (files: readonly AddedFile[]) => Promise<void>
}

/**
 * Brings an update to where it belongs: as a commit to the branch, or as a pull request where that is asked for or the branch allows
 * nothing else.
 *
 * Whatever races with it, it is planned anew from the newest commit of the branch, and no commit of somebody else is lost.
 *
 * @throws {ConfigError | GitError | GitHubError}
 */
export async function deliverUpdate(git: Git, options: DeliverOptions): Promise<Delivery> {
  const notes: string[] = []
  const replaced: AddedFile[] = []
  const plan: DeliverOptions['plan'] = (outdated) => {
    replaced.push(...outdated)
    return options.plan(replaced)
  }
  const tools = createTools(git, { ...options, plan }, (note) => notes.push(note))
  let delivery: Delivery
  try {
    delivery = options.mode === 'commit' ? await commitUpdate(tools) : await propose(tools)
  } finally {
    // The steps after this one find what the steps before it left.
    await tools.restore(replaced)
  }
  const verified = await verifyCommit(tools, delivery)
  return { ...verified, notes: [...notes, ...verified.notes] }
}

function createTools(git: Git, options: DeliverOptions, addNote: (note: string) => void): DeliveryTools {
  const { inputs, variables, pace } = options
  let connected: Promise<ConnectResult> | undefined
  const connect = () => {
    connected ??= connectGitHub(git, { token: inputs.token ?? inputs.githubToken, variables, pace })
    return connected
  }
  let chosen: PublishCommit | undefined
  const publish: PublishCommit = async (...args) => {
    chosen ??= await choosePublish(inputs, variables, await connect(), addNote)
    return chosen(...args)
  }
  const restore = (files: readonly AddedFile[]) => restoreAddedFiles(git, files)
  return { ...options, git, connect, publish, restore, isSuperseded: createIsSuperseded(git, connect, options) }
}

/** @throws {ConfigError} where commits have to be signed and cannot be. */
async function choosePublish(
  { commitMethod, committer, requireSigned }: DeliverOptions['inputs'],
  variables: RunVariables,
  connected: ConnectResult,
  addNote: (note: string) => void,
): Promise<PublishCommit> {
  if (commitMethod === 'git') return pushCommit
  if (connected.kind === 'connected') {
    const { createPublishByApi } = await import('./publish-by-api.ts')
    return createPublishByApi(connected.connection, variables, committer)
  }
  if (requireSigned) {
    throw new ConfigError(`Cannot commit signed by GitHub, as \`require-signed\` asks for: ${connected.reason}`, {
      hint: 'leave the input `github-token` as it is, or give a token in `token`',
    })
  }
  addNote(`The commit was pushed by git and is not signed: ${connected.reason}, so the API of GitHub cannot be used.`)
  return pushCommit
}

async function propose(tools: DeliveryTools): Promise<Delivery> {
  const { proposeUpdate } = await import('./propose-update.ts')
  return proposeUpdate(tools)
}

async function commitUpdate(tools: DeliveryTools): Promise<Delivery> {
  const { git, branch, inputs, log } = tools
  let planned: PlannedUpdate | undefined
  const plan: DeliverOptions['plan'] = async (outdated) => {
    planned = await tools.plan(outdated)
    return planned
  }
  try {
    const result = await commitAndPush(git, {
      ...tools,
      committer: inputs.committer,
      token: inputs.token,
      plan,
      onStale: () => log('The branch has moved: generating again from its newest commit'),
    })
    if (result.kind === 'superseded') return toSuperseded(branch)
    const sha = result.kind === 'pushed' ? result.sha : undefined
    const isDone = inputs.onProtected === 'pull-request' && planned?.hasErrors === false
    const left = isDone ? await closeLeftover(git, tools, tools.connect) : undefined
    if (sha === undefined) return left ?? toDelivery({ operation: 'none' })
    return toDelivery({ operation: 'committed', branch, commitSha: sha, notes: left?.notes ?? [] })
  } catch (error) {
    if (!isProtected(error) || inputs.onProtected !== 'pull-request' || isHeadBranch(branch)) throw error
    const connected = await tools.connect()
    if (connected.kind === 'none') throw error
    log(`${error.message}: opening a pull request instead`)
    const proposed = await propose(tools)
    return { ...proposed, notes: [`${error.message}.`, ...proposed.notes] }
  }
}

/** What to say where a newer run does the work. */
export function toSuperseded(branch: string): Delivery {
  const notes = [`\`${branch}\` has moved, and a newer run of this workflow brings it up to date: this one left it alone.`]
  return toDelivery({ operation: 'superseded', notes })
}

function isProtected(error: unknown): error is GitError | GitHubError {
  return (error instanceof GitError && error.isProtected) || (error instanceof GitHubError && error.failure === 'protected')
}
