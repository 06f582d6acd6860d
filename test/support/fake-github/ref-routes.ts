import { zeroSha } from './fake-repository.ts'
import { type Json, nodeId, toRepository } from './represent.ts'
import { type Call, invalid, notFound, page, type Route, refuseByRule } from './route.ts'
import type { FakeWorkflowRun } from './types.ts'

const read = ['contents', 'read'] as const
const write = ['contents', 'write'] as const

/** Branches as Git refs, and workflow runs. */
export const refRoutes: readonly Route[] = [
  {
    name: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
    access: 'installation',
    permission: read,
    handle: (call) => {
      const branch = toBranch(call.parameters['ref'] ?? '')
      const sha = call.repository.tip(branch)
      return sha === undefined ? notFound : { status: 200, body: toRef(call, branch, sha) }
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/git/refs',
    access: 'installation',
    permission: write,
    handle: (call) => {
      const { repository, body } = call
      const branch = toBranch(String(body['ref']).replace(/^refs\//, ''))
      const sha = String(body['sha'])
      const rule = repository.ruleOf(branch)
      if (rule) return refuseByRule(rule)
      if (repository.git.find(sha) === undefined) return invalid('Object does not exist')
      if (!repository.moveBranches([{ branch, from: zeroSha, to: sha }])) return invalid('Reference already exists')
      return { status: 201, body: toRef(call, branch, sha) }
    },
  },
  {
    name: 'DELETE /repos/{owner}/{repo}/git/refs/{ref}',
    access: 'installation',
    permission: write,
    handle: ({ repository, parameters }) => {
      const branch = toBranch(parameters['ref'] ?? '')
      if (repository.tip(branch) === undefined) return invalid('Reference does not exist')
      repository.deleteBranch(branch)
      return { status: 204 }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
    access: 'installation',
    permission: ['actions', 'read'],
    handle: (call) => {
      const { repository, query, parameters } = call
      const asked: readonly (readonly [string, (run: (typeof runs)[number]) => unknown])[] = [
        ['branch', (run) => run.branch],
        ['head_sha', (run) => run.sha],
        ['status', (run) => run.status],
      ]
      const runs = repository.workflowRuns.filter(({ workflow }) => workflow === parameters['workflow_id'])
      const shown = runs.filter((run) => asked.every(([name, toValue]) => !query.has(name) || query.get(name) === toValue(run)))
      return page(call, shown.toReversed(), (some) => ({
        total_count: shown.length,
        workflow_runs: some.map((run) => toWorkflowRun(call, run)),
      }))
    },
  },
]

function toWorkflowRun({ github, repository }: Call, run: FakeWorkflowRun): Json {
  const url = `${repository.apiUrl}/actions/runs/${run.id}`
  const person = { name: 'Pat', email: 'pat@example.com' }
  return {
    id: run.id,
    node_id: nodeId('WorkflowRun', run.id),
    name: 'Docs',
    path: `.github/workflows/${run.workflow}`,
    display_title: 'Change the documents',
    event: 'push',
    run_number: run.number,
    head_branch: run.branch,
    head_sha: run.sha,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: 1,
    url,
    html_url: `${repository.webUrl}/actions/runs/${run.id}`,
    pull_requests: [],
    created_at: github.startedAt,
    updated_at: github.startedAt,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repository.apiUrl}/check-suites/1`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    workflow_url: `${repository.apiUrl}/actions/workflows/1`,
    head_commit: {
      id: run.sha,
      tree_id: run.sha,
      message: 'Change the documents',
      timestamp: github.startedAt,
      author: person,
      committer: person,
    },
    repository: toRepository(github, repository),
    head_repository: toRepository(github, repository),
  }
}

function toBranch(ref: string): string {
  return ref.replace(/^heads\//, '')
}

function toRef({ repository }: Call, branch: string, sha: string): Json {
  const url = `${repository.apiUrl}/git`
  return {
    ref: `refs/heads/${branch}`,
    node_id: Buffer.from(`Ref ${branch}`).toString('base64'),
    url: `${url}/refs/heads/${branch}`,
    object: { sha, type: 'commit', url: `${url}/commits/${sha}` },
  }
}
