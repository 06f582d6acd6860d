import { ConfigError, GitError, GitHubError } from '../../errors.ts'
import type { AddedFile } from '../../git/commit.ts'
import type { Git } from '../../git/git.ts'
import { commitAndPush, type PublishCommit, pushCommit } from '../../git/push.ts'
import { readHead } from '../../git/refs.ts'
import { type ConnectResult, connectGitHub } from '../github-access.ts'
import type { RunVariables } from '../workflow-event.ts'
import { restoreAddedFiles } from './added-files.ts'
import {
  type DeliverOptions,
  type Delivery,
  type DeliveryTools,
  type PlannedUpdate,
  toDelivery,
  toSuperseded,
} from './delivery.ts'
import { isHeadBranch } from './delivery-branches.ts'
import { closeLeftover, proposeUpdate } from './propose-update.ts'
import { createPublishByApi, verifyCommit } from './publish-by-api.ts'
import { readSourceHash } from './source-trailer.ts'

/**
 * Brings an update to where it belongs: as a commit to the branch, or as a pull request where that is asked for or the branch allows
 * nothing else.
 *
 * After a race it plans again from the newest commit of the branch. No commit of another author is lost.
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
    delivery = options.mode === 'commit' ? await commitUpdate(tools) : await proposeUpdate(tools)
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
    const proposed = await proposeUpdate(tools)
    return { ...proposed, notes: [`${error.message}.`, ...proposed.notes] }
  }
}

function isProtected(error: unknown): error is GitError | GitHubError {
  return (error instanceof GitError && error.isProtected) || (error instanceof GitHubError && error.failure === 'protected')
}

/**
 * Makes the question, asked after the work tree has moved to a newer commit, whether that is left to a newer run: the documents are others
 * there, and a newer run of the workflow is at work on that commit. Where GitHub does not tell (`actions: read`), it is not.
 */
function createIsSuperseded(
  git: Git,
  connect: () => Promise<ConnectResult>,
  { variables }: Pick<DeliverOptions, 'variables'>,
): () => Promise<boolean> {
  const { workflow, runNumber } = variables
  if (workflow === undefined || runNumber === 0) return async () => false
  return async () => {
    // Git keeps where the work tree was before it was moved.
    if ((await readSourceHash(git, [])) === (await readSourceHash(git, [], [], 'ORIG_HEAD'))) return false
    const connected = await connect()
    if (connected.kind === 'none') return false
    const { hasNewerRun } = await import('../../github/repository.ts')
    const { open, repository } = connected.connection
    return (await hasNewerRun(await open(), repository, { workflow, sha: await readHead(git), runNumber })) ?? false
  }
}
