import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findUpdateTargets } from '../../docs/read/find-docs.ts'
import type { UpdateWithSources } from '../../docs/types.ts'
import { runUpdates } from '../../docs/update/run-update.ts'
import { mergeUpdates } from '../../docs/update/update-results.ts'
import { type Committer, commitLocally, findRemote, parseCommitter } from '../../git/commit.ts'
import { findGit, type Git, openTrustedGit } from '../../git/git.ts'
import {
  addDigest,
  type CommitAndPushOptions,
  commitAndPush,
  createPush,
  type PlannedCommit,
  proposeOnTip,
  readHeadCommit,
  toChangesDigest,
} from '../../git/push.ts'
import { createLinkCheck } from '../../site/make/links/docs-links.ts'
import { ConfigError, GitError } from '../../text/errors.ts'
import { readOwn } from '../../text/json/json-values.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addCommonOptions, type CommonOptions, collect, type DefineCommand } from '../base/command-options.ts'
import { openDirectory, type Workspace } from '../open/workspace.ts'
import { writeChanges } from '../open/write-output.ts'
import { countPages } from '../print/format-update.ts'
import { type PrintedUpdate, printUpdate, removeHelp } from './update-command.ts'

interface CiCommandOptions extends CommonOptions {
  readonly commit: boolean
  /** Default: the branch that the CI system names, or the checked-out one. */
  readonly branch?: string
  /** The branch to push to instead. */
  readonly pushTo?: string
  readonly mergeRequest: boolean
  readonly remove?: boolean
  readonly pushOption: readonly string[]
  readonly message: string
  /** `Name <email>`. Default: the configured user of Git. */
  readonly author?: string
}

/** The options of `ci`. */
export const defineCiCommand: DefineCommand = (command) => {
  command
    .option('--commit', 'commit changed pages and push them', false)
    .option('--branch <branch>', 'branch of the checked-out commit (default: named by the CI system)')
    .option('--push-to <branch>', 'push to this branch instead, and replace its generated commit')
    .option('--merge-request', 'push to openapi-pages/<branch> and let GitLab open a merge request', false)
    .option('--push-option <option>', 'option for the server, as with `git push -o` (repeatable)', collect, [])
    .option('--remove', removeHelp)
    .option('--message <text>', 'commit message (default: docs: update API pages)', 'docs: update API pages')
    .option('--author <author>', 'author of the commit, as `Name <email>` (default: the configured user of Git)')
  addCommonOptions(command, ['text', 'json'])
  return runCiCommand
}

async function runCiCommand(argument: string, options: CiCommandOptions, context: CliContext): Promise<ExitCode> {
  if (!options.commit && (options.pushTo !== undefined || options.mergeRequest)) {
    throw new ConfigError(`unexpected ${options.mergeRequest ? '--merge-request' : '--push-to'} without --commit`)
  }
  const { progress, workspace, root } = openDirectory(argument, 'update', options, context)
  if (options.commit && !existsSync(join(workspace.boundary, '.git'))) {
    throw new ConfigError(`cannot commit: ${argument} is not in a Git work tree, or --boundary is not its root`)
  }
  const targets = await findUpdateTargets(root, workspace.access)
  const isChecked = targets.checkedDocuments.length > 0
  let update: PrintedUpdate | undefined
  const plan = async (): Promise<PlannedCommit> => {
    // Files that were already read can be different now.
    const { access, terms, reporting } = openDirectory(argument, 'update', options, context).workspace
    const updateOptions = {
      documents: targets.checkedDocuments,
      ...(options.remove && { remove: true }),
      ...(isChecked && { materialize: false }),
    }
    update = mergePlanned(await runUpdates(targets.roots, updateOptions, access, terms, reporting, createLinkCheck()))
    const counts = countPages(update.pages)
    const isWhole = options.message.includes('\n') || counts === ''
    return { changes: update.changes, added: [], message: isWhole ? options.message : `${options.message}\n\n${counts}` }
  }
  let result: string | undefined
  if (options.commit && !isChecked) {
    try {
      result = await deliver(workspace, targets.roots, plan, options, context)
    } catch (error) {
      throw error instanceof GitError ? forAnyHost(error, options) : error
    }
  } else await plan()
  if (options.commit && isChecked) result = 'Nothing to commit: there is no docs.json, so no pages are generated'
  progress.clear()
  if (!update) throw new Error('Expected a planned update')
  const shown = await workspace.show(update.diagnostics, update.sourceOf)
  const printed = { ...options, check: !options.commit, dryRun: false }
  const exitCode = await printUpdate(update, shown, workspace, printed, context)
  if (result !== undefined && !options.quiet) context.stderr.write(`${result}\n`)
  return exitCode
}

/** Replaces the advice of the Action for GitHub. */
function forAnyHost(error: GitError, { pushTo, mergeRequest }: CiCommandOptions): GitError {
  const propose =
    pushTo !== undefined || mergeRequest
      ? ''
      : '. Or propose the pages with `--push-to <branch>`, or in GitLab with `--merge-request`'
  if (error.lacksAccess) {
    return new GitError(error.message, {
      hint: `Give Git a token that can push, for example in the URL of the remote \`origin\`${propose}`,
    })
  }
  if (!error.isProtected) return error
  return new GitError(error.message, { hint: `Let the owner of the token push to this branch${propose}` })
}

function mergePlanned(updates: readonly UpdateWithSources[]): PrintedUpdate {
  const merged = mergeUpdates(updates)
  if (!merged) throw new Error('Expected at least one docs directory')
  return {
    ...merged,
    parts: updates,
    sourceOf: (file) => updates.map(({ sourceOf }) => sourceOf(file)).find((source) => source !== undefined),
    table: updates.flatMap(({ table }) => table),
  }
}

/** Commits and pushes, and returns a sentence about the result. */
async function deliver(
  workspace: Workspace,
  roots: readonly string[],
  plan: () => Promise<PlannedCommit>,
  options: CiCommandOptions,
  context: CliContext,
): Promise<string> {
  const git = openTrustedGit(workspace.boundary)
  const branch = options.branch ?? (await findBranch(git, context))
  const head = options.pushTo ?? (options.mergeRequest ? `openapi-pages/${branch}` : branch)
  const shared = {
    knownSha: findVariable(context, shaVariables),
    token: undefined,
    plan,
    committer: await findCommitter(git, options.author),
    write: (changes) => writeChanges(workspace.boundary, changes, workspace.toShown, ...roots),
    restore: async () => {},
    onStale: () => context.stderr.write(`${branch} has new commits, generating again\n`),
  } satisfies Partial<CommitAndPushOptions>
  if (head === branch) {
    const publish = createPush(options.pushOption)
    const result = await commitAndPush(git, { ...shared, branch, mayCreateBranch: false, publish })
    return result.kind === 'pushed' ? `Committed ${result.sha.slice(0, 7)} to ${branch}` : 'Nothing to commit'
  }
  const request = options.mergeRequest
    ? [
        'merge_request.create',
        `merge_request.target=${branch}`,
        `merge_request.title=${options.message.split('\n', 1)[0]}`,
        'merge_request.remove_source_branch',
      ]
    : []
  return await proposeByPush(git, { ...shared, base: branch, head, pushOptions: [...request, ...options.pushOption] })
}

/** Pushes the changes to another branch, and returns a sentence about the result. Keeps commits of others on that branch. */
async function proposeByPush(
  git: Git,
  options: Omit<CommitAndPushOptions, 'branch' | 'mayCreateBranch'> & {
    readonly base: string
    readonly head: string
    readonly pushOptions: readonly string[]
    readonly onStale: () => void
  },
): Promise<string> {
  const { base, head, committer, write, restore, pushOptions } = options
  const remote = await findRemote(git, undefined)
  const proposed = await proposeOnTip(git, {
    ...options,
    remote,
    propose: async ({ planned, baseSha, headSha }) => {
      const existing = headSha === undefined ? undefined : await readHeadCommit(git, remote, head)
      if (existing && !existing.isGenerated) {
        return `Not updated: ${head} has a commit that openapi-pages did not create. Merge it, or delete the branch to start over`
      }
      if (existing?.digest === toChangesDigest(planned)) return `Already up to date: ${head}`
      const { changes, added } = planned
      const target = { remote, branch: head, expectedSha: headSha }
      const publish: Parameters<typeof commitLocally>[1]['publish'] = (commit) => createPush(pushOptions)(git, commit, target)
      const sha = await commitLocally(git, { changes, added, message: addDigest(planned), committer, write, restore, publish })
      if (sha === undefined) return undefined
      await git.run(['reset', '--keep', baseSha])
      return `Pushed ${sha.slice(0, 7)} to ${head}`
    },
  })
  return proposed.kind === 'proposed' ? proposed.result : `Nothing to propose: the pages of ${base} are up to date`
}

/** GitLab and Woodpecker, Bitbucket, CircleCI, Azure Pipelines, Jenkins, GitHub and Gitea. */
const branchVariables = [
  'CI_COMMIT_BRANCH',
  'BITBUCKET_BRANCH',
  'CIRCLE_BRANCH',
  'BUILD_SOURCEBRANCH',
  'BRANCH_NAME',
  'GITHUB_REF',
]
const shaVariables = ['CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'CIRCLE_SHA1', 'BUILD_SOURCEVERSION', 'GIT_COMMIT', 'GITHUB_SHA']

function findVariable({ env }: CliContext, names: readonly string[]): string | undefined {
  return names.map((name) => readOwn(env, name)).find((value) => value !== undefined && value !== '')
}

/**
 * @throws {ConfigError} if neither the CI system nor Git names a branch.
 * @throws {GitError} if Git cannot read the repository.
 */
async function findBranch(git: Git, context: CliContext): Promise<string> {
  const named = findVariable(context, branchVariables)?.replace(/^refs\/heads\//, '')
  if (named !== undefined && !named.startsWith('refs/')) return named
  const checkedOut = await findGit(git, 'read the checked-out branch', ['symbolic-ref', '--short', '--quiet', 'HEAD'])
  if (checkedOut !== undefined) return checkedOut.trim()
  throw new ConfigError('cannot commit: unknown branch', { hint: 'Name the branch of the checked-out commit with --branch.' })
}

/** @throws {ConfigError} if the option has another form. */
async function findCommitter(git: Git, author: string | undefined): Promise<Committer> {
  if (author === undefined) {
    const read = async (key: string) => (await findGit(git, 'read the configuration of Git', ['config', key]))?.trim()
    return {
      name: (await read('user.name')) || 'openapi-pages',
      email: (await read('user.email')) || 'openapi-pages@noreply.invalid',
    }
  }
  const committer = parseCommitter(author)
  if (committer) return committer
  throw new ConfigError(`unexpected value ${author} for --author, expected \`Name <email>\``)
}
