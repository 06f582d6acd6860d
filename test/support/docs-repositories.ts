import { onTestFinished } from 'vitest'
import { updateDocsRepository } from '../../src/action/docs-repository/update-docs-repository.ts'
import { createGitHubAccess } from '../../src/action/inputs/github-access.ts'
import { type ActionInputs, readInputs } from '../../src/action/inputs/inputs.ts'
import type { ActionEvent } from '../../src/action/inputs/workflow-event.ts'
import { type ActionReport, renderSummary } from '../../src/action/report/summary.ts'
import { decideDocsRun } from '../../src/action/run/run-action.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { type FakeGitHub, startFakeGitHub } from './fake-github/fake-github.ts'
import type { FakeRepository } from './fake-github/fake-repository.ts'
import type { Permissions } from './fake-github/types.ts'
import { type FileContents, type GitRemote, git, makeGitRemote } from './git-remote.ts'
import { fastPace } from './github-app.ts'
import { type InputValues, noReport, pushEvent, setInputs } from './github-remote.ts'

/** A repository with a document and one with the docs, on a fake GitHub. */
export interface DocsRepositories {
  readonly github: FakeGitHub
  /** The repository `acme/api`, which runs the workflow. */
  readonly api: { readonly remote: GitRemote; readonly repository: FakeRepository }
  /** The private repository `acme/docs`. */
  readonly docs: { readonly remote: GitRemote; readonly repository: FakeRepository }
  /** The token of a GitHub App that is installed on the docs repository. */
  docsToken(permissions?: Permissions): string
  /** Runs the Action in a checkout of `acme/api`. */
  run(options?: RunOptions): Promise<ActionReport & { readonly summary: string }>
}

interface RunOptions {
  readonly inputs?: InputValues
  readonly docs?: Partial<NonNullable<ActionInputs['docsRepository']>>
  readonly event?: Partial<ActionEvent>
  /** Default: a new checkout of the branch of the event. */
  readonly checkout?: string
  readonly runNumber?: number
}

const writing: Permissions = { contents: 'write', pull_requests: 'write' }

export async function makeDocsRepositories(files: {
  readonly api: FileContents
  readonly docs: FileContents
}): Promise<DocsRepositories> {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const make = (name: string, isPrivate: boolean) => {
    const remote = makeGitRemote(files[name === 'acme/api' ? 'api' : 'docs'])
    return { remote, repository: github.createRepository(name, { bare: remote.path, private: isPrivate }) }
  }
  const [api, docs] = [make('acme/api', false), make('acme/docs', true)]
  const docsToken = (permissions = writing) => github.createJobToken(docs.repository, permissions, 'docs-app[bot]')
  const environment = {
    GITHUB_API_URL: `${github.url}/api/v3`,
    GITHUB_SERVER_URL: github.url,
    GITHUB_REPOSITORY: 'acme/api',
    GITHUB_RUN_ID: '77',
    GITHUB_WORKFLOW_REF: 'acme/api/.github/workflows/docs.yml@refs/heads/main',
  }
  return {
    github,
    api,
    docs,
    docsToken,
    run: async ({ inputs: more = {}, docs: docsInputs = {}, event: eventMore = {}, runNumber = 7, ...options } = {}) => {
      const read = readInputs()
      if (read.kind === 'refused') throw new Error('Expected the defaults of the inputs')
      const branch = 'branch' in eventMore ? eventMore.branch : 'main'
      const checkout = options.checkout ?? api.remote.checkOut(branch)
      git(checkout, 'remote', 'set-url', 'origin', `${github.url}/acme/api.git`)
      const githubToken = github.createJobToken(api.repository, { contents: 'read', actions: 'read' })
      const inputs = setInputs(read.inputs, { token: docsToken(), githubToken, ...more })
      const sha = git(checkout, 'rev-parse', 'HEAD')
      const event = { ...pushEvent, ref: `refs/heads/${branch}`, branch, sha, defaultBranch: 'main', ...eventMore }
      const run = decideDocsRun({ mode: inputs.mode, token: inputs.tokens.token }, event)
      if (run.kind === 'skip') return { ...noReport, note: run.note, summary: '' }
      const report = await updateDocsRepository(
        toOwnPath(checkout),
        inputs,
        { name: 'acme/docs', branch: undefined, directory: undefined, paths: [], ...docsInputs },
        {
          run,
          event,
          github: createGitHubAccess(inputs.tokens, { ...environment, GITHUB_RUN_NUMBER: String(runNumber) }),
          reach: (token) => createGitHubAccess({ token, githubToken: token }, environment, fastPace),
          repository: 'acme/api',
          temporaryFolder: api.remote.folder,
          start: noReport,
        },
      )
      github.assertNoUnexpectedRequests()
      return { ...report, summary: renderSummary(report) }
    },
  }
}
