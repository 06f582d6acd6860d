import { onTestFinished } from 'vitest'
import { makeExampleRemote } from './action-harness.ts'
import { type FakeGitHub, startFakeGitHub } from './fake-github/fake-github.ts'
import type { FakeRepository } from './fake-github/fake-repository.ts'
import { type FileContents, type GitRemote, git } from './git-remote.ts'
import { type JobResult, runWorkflow, type Workflow } from './run-workflow.ts'

/** An event as GitHub sends it to a workflow. Missing fields are those of a push to `main`. */
export interface WorkflowEventInput {
  readonly name: string
  readonly ref?: string
  readonly headRef?: string
  readonly sha?: string
  readonly payload?: object
  readonly actor?: string
}

/** A repository on a fake GitHub. */
export interface ActionRepository {
  readonly github: FakeGitHub
  readonly repository: FakeRepository
  readonly remote: GitRemote
  /** Runs a workflow with one job for an event. */
  run(
    workflow: Workflow,
    event: WorkflowEventInput,
    more?: {
      readonly secrets?: { readonly [name: string]: string }
      readonly variables?: { readonly [name: string]: string }
      readonly isEnterpriseServer?: boolean
    },
  ): Promise<JobResult>
}

/** Creates a repository with the petstore and additional files. */
export async function makeActionRepository(files?: FileContents): Promise<ActionRepository> {
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const remote = makeExampleRemote('petstore', files)
  const repository = github.createRepository('acme/docs', { bare: remote.path })
  const artifacts = new Map<string, string>()
  return {
    github,
    repository,
    remote,
    run: async (workflow, event, more) => {
      const full = { ref: 'refs/heads/main', sha: remote.tip(), payload: {}, ...event }
      const payload = { repository: { full_name: 'acme/docs' }, ref: full.ref, ...full.payload }
      const runner = { github, repository, folder: remote.folder, artifacts, ...more, event: { ...full, payload } }
      const [job] = await runWorkflow(workflow, runner)
      if (!job) throw new Error('No job of the workflow ran')
      github.assertNoUnexpectedRequests()
      return job
    },
  }
}

/** A pull request of the repository or a fork. By default it breaks the document. Returns its head and its event. */
export function openPull({ remote, repository, github }: ActionRepository, from: 'here' | 'fork' = 'here', isBroken = true) {
  const document = remote.read('openapi.yaml') ?? ''
  const sha = remote.push({ 'openapi.yaml': isBroken ? document.replace('summary:', 'sumary:') : document }, 'topic')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', sha)
  const fork = from === 'fork' ? github.createRepository('mallory/docs', { bare: remote.path, installed: false }) : undefined
  const pull = repository.openPullRequest({ head: 'topic', ...(fork && { headRepository: fork }) })
  const fullName = fork?.fullName ?? repository.fullName
  const head = { ref: 'topic', sha, repo: { full_name: fullName } }
  const payload = { number: 1, pull_request: { number: pull.number, state: 'open', head, base: { sha: remote.tip() } } }
  return { sha, event: { name: 'pull_request', ref: 'refs/pull/1/merge', headRef: 'topic', sha, payload } }
}

/** Fixes the document of a pull request and returns its new head. */
export function fixPull({ remote }: ActionRepository): string {
  const sha = remote.push({ 'openapi.yaml': remote.read('openapi.yaml') ?? '' }, 'topic')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', sha)
  return sha
}

/** Whether an API call changes anything. */
export function isWrite(call: string): boolean {
  return !/^(GET|GraphQL query) /.test(call)
}
