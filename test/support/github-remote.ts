import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createGitHubAccess, unknownAccess } from '../../src/action/inputs/github-access.ts'
import { type ActionInputs, readInputs } from '../../src/action/inputs/inputs.ts'
import type { ActionEvent } from '../../src/action/inputs/workflow-event.ts'
import type { ActionReport } from '../../src/action/report/summary.ts'
import { decideRun, runAction } from '../../src/action/run/run-action.ts'
import { openConfiguredSources } from '../../src/action/run/stored-source.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import type { PublicNetwork } from '../../src/files/network.ts'
import { type FakeGitHub, startFakeGitHub } from './fake-github/fake-github.ts'
import type { FakeRepository } from './fake-github/fake-repository.ts'
import type { Permissions } from './fake-github/types.ts'
import { type FileContents, type GitRemote, git, makeGitRemote } from './git-remote.ts'
import { fastPace } from './github-app.ts'
import { addTemplate, hasTemplate, readHead } from './repository-template.ts'

/** A push that creates the branch `main`. */
export const pushEvent: ActionEvent = {
  name: 'push',
  ref: 'refs/heads/main',
  branch: 'main',
  sha: undefined,
  isPullRequest: false,
  isFork: false,
  forkName: undefined,
  isReadOnly: false,
  isDeleted: false,
  isClosed: false,
  pullNumber: undefined,
  defaultBranch: undefined,
  base: { kind: 'none', reason: 'the branch is new' },
}

/**
 * A repository on a fake GitHub backed by a real Git repository: API commits can be cloned, and pushed commits can be read
 * through the API.
 */
export interface GitHubRemote {
  readonly remote: GitRemote
  readonly github: FakeGitHub
  readonly repository: FakeRepository
  /** A token like the one of a job. */
  token(permissions?: Permissions): string
  /** A clone as `actions/checkout` creates it, from its URL on GitHub. */
  checkOut(branch?: string): string
  /** The environment that the runner sets for a job in this repository. */
  readonly environment: { readonly [name: string]: string }
}

export const allPermissions: Permissions = { contents: 'write', pull_requests: 'write', actions: 'read' }

/** Creates it with these files on `main`. Everything is removed when the running test has ended. */
export async function makeGitHubRemote(files: FileContents, template?: string): Promise<GitHubRemote> {
  const remote = makeGitRemote(files, template)
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/docs', { bare: remote.path })
  return {
    remote,
    github,
    repository,
    token: (permissions = allPermissions) => github.createJobToken(repository, permissions),
    checkOut: (branch) => remote.checkOut(branch, `${github.url}/acme/docs.git`),
    environment: {
      GITHUB_API_URL: `${github.url}/api/v3`,
      GITHUB_SERVER_URL: github.url,
      GITHUB_REPOSITORY: 'acme/docs',
      GITHUB_RUN_ID: '77',
      GITHUB_RUN_NUMBER: '7',
      GITHUB_WORKFLOW_REF: 'acme/docs/.github/workflows/docs.yml@refs/heads/main',
    },
  }
}

/** The same with up-to-date pages, as the Action has committed them to another fake GitHub, once for all tests. */
export async function makeUpdatedRemote(files: FileContents): Promise<GitHubRemote> {
  const key = `updated: ${JSON.stringify(files)}`
  if (!hasTemplate(key)) {
    const at = await makeGitHubRemote(files)
    const { delivery } = await runInProcess(at, at.checkOut())
    if (delivery?.operation !== 'committed') throw new Error('The Action has not committed pages')
    addTemplate(key, (made) => {
      for (const name of ['remote.git', 'person'])
        cpSync(join(at.remote.folder, name), join(made, name), { recursive: true, verbatimSymlinks: true })
    })
  }
  return await makeGitHubRemote(files, key)
}

export const noReport: ActionReport = {
  mode: 'check',
  eventName: 'push',
  links: { webUrl: 'https://github.test/acme/docs', runUrl: 'https://github.test/acme/docs/actions/runs/77' },
  branch: undefined,
  note: undefined,
  boundary: toOwnPath(''),
  update: undefined,
  updates: [],
  plannedAt: '',
  filesChanged: undefined,
  commitSha: undefined,
  delivery: undefined,
  failures: [],
  app: undefined,
  addedFiles: [],
  apiChanges: undefined,
  troubles: [],
  access: unknownAccess,
}

/** Values of inputs, of whatever kind. */
export type InputValues = Partial<
  Pick<ActionInputs, 'mode'> & ActionInputs['docs'] & ActionInputs['delivery'] & ActionInputs['tokens'] & ActionInputs['report']
>

/** Replaces values of inputs. */
export function setInputs(inputs: ActionInputs, values: InputValues): ActionInputs {
  const set = <Group extends object>(group: Group): Group => {
    return { ...group, ...Object.fromEntries(Object.entries(values).filter(([name]) => name in group)) }
  }
  const { mode, docsRepository, ...groups } = inputs
  return {
    docsRepository,
    mode: 'mode' in values ? values.mode : mode,
    docs: set(groups.docs),
    delivery: set(groups.delivery),
    tokens: set(groups.tokens),
    report: set(groups.report),
  }
}

/** Runs the Action in this process, without its waits. By default the token has all permissions. */
export async function runInProcess(
  { environment, token }: Pick<GitHubRemote, 'environment' | 'token'>,
  checkout: string,
  more: InputValues = {},
  eventMore: Partial<ActionEvent> = {},
  { network }: { readonly network?: PublicNetwork } = {},
): Promise<ActionReport> {
  const read = readInputs()
  if (read.kind === 'refused') throw new Error('Expected the defaults of the inputs')
  const inputs = setInputs(read.inputs, { githubToken: token(), ...more })
  const { mode, delivery, tokens } = inputs
  const sha = eventMore.sha ?? readHead(join(checkout, '.git')) ?? git(checkout, 'rev-parse', 'HEAD')
  const event: ActionEvent = { ...pushEvent, ...eventMore, sha }
  const run = decideRun({ mode, base: delivery.base, token: tokens.token, pullRequest: delivery.pullRequest }, event)
  if (run.kind === 'skip') return { ...noReport, note: run.note }
  const { connect, variables } = createGitHubAccess(tokens, environment, fastPace)
  const storedSource = openConfiguredSources(tokens, event, variables)
  onTestFinished(() => storedSource?.close())
  return runAction(toOwnPath(checkout), inputs, {
    run,
    event,
    github: { open: async () => undefined, connect, variables },
    start: noReport,
    storedSource,
    ...(network && { network }),
  })
}
