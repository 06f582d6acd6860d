import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolder } from '../support/action-harness.ts'
import {
  type ActionRepository,
  isWrite,
  makeActionRepository,
  openPull,
  type WorkflowEventInput,
} from '../support/action-repository.ts'
import { git } from '../support/git-remote.ts'
import type { JobResult, Permissions, Workflow } from '../support/run-workflow.ts'

interface Scenario {
  readonly name: string
  /** Prepares the repository for the run of the row. Returns the event unless it is a push. */
  readonly prepare?: (place: ActionRepository) => Promise<WorkflowEventInput | undefined> | WorkflowEventInput | undefined
  readonly inputs?: { readonly [input: string]: string }
  readonly permissions?: Permissions
  readonly isEnterpriseServer?: boolean
  /** What comes after it in the same repository, a row each. */
  readonly next?: readonly Scenario[]
}

const writing: Permissions = { contents: 'write', 'pull-requests': 'write' }

const toWorkflow = (event: string, { inputs = {}, permissions = writing }: Partial<Scenario>): Workflow => ({
  on: event,
  permissions,
  jobs: { pages: { steps: [{ uses: 'actions/checkout@v5' }, { uses: 'openapi-pages/openapi-pages@main', with: inputs }] } },
})

const broken = (place: ActionRepository) => (place.remote.read('openapi.yaml') ?? '').replace('summary:', 'sumary:')

const proposing = { mode: 'pull-request' }

function protect({ repository }: ActionRepository): undefined {
  repository.rules.set('main', { kind: 'ruleset', reason: 'Changes must be made through a pull request.' })
}

const scenarios: readonly Scenario[] = [
  {
    name: 'first push',
    next: [
      { name: 'push with nothing to do' },
      {
        name: 'push that removes an operation',
        prepare: ({ remote }) => {
          const document = remote.read('openapi.yaml') ?? ''
          return void remote.push({ 'openapi.yaml': document.replace(/^ {4}delete:\n(?: {6}.*\n)+/m, '') })
        },
      },
    ],
  },
  {
    name: 'push with an error in the document',
    prepare: (place) => void place.remote.push({ 'openapi.yaml': broken(place) }),
  },
  {
    name: 'push with an error in the document, `fail-on: never`',
    prepare: (place) => void place.remote.push({ 'openapi.yaml': broken(place) }),
    inputs: { 'fail-on': 'never' },
  },
  {
    name: 'push with a component in a page that is not closed',
    prepare: ({ remote }) =>
      void remote.push({
        'index.mdx': '---\ntitle: Introduction\n---\n\n<Note>Open\n',
        'guide.mdx': '---\ntitle: Guide\nicon: rocket\n---\n\n<Card title="A" icon="rocket" />\n',
      }),
  },
  {
    name: 'push to a repository without `docs.json`',
    prepare: ({ remote }) => void remote.push({ 'docs.json': null }),
  },
  { name: 'push with `contents: read` only', permissions: { contents: 'read' } },
  { name: 'push, `commit-method: git`', inputs: { 'commit-method': 'git' } },
  {
    name: 'push while the branch moves',
    prepare: ({ github, remote }) => {
      const meanwhile = () => void remote.push({ 'guides/new.mdx': '---\ntitle: New\n---\n' })
      return void github.fault({ route: 'POST /graphql', meanwhile })
    },
  },
  { name: 'push to a protected branch', prepare: protect },
  { name: 'push to a protected branch, `on-protected: fail`', prepare: protect, inputs: { 'on-protected': 'fail' } },
  { name: 'push to a protected branch, `contents: write` only', prepare: protect, permissions: { contents: 'write' } },
  {
    name: 'push, `mode: pull-request`',
    inputs: proposing,
    next: [
      { name: 'push, `mode: pull-request`, second run', inputs: proposing },
      {
        name: 'push, `mode: pull-request`, after a change of the document',
        prepare: ({ remote }) => {
          const document = remote.read('openapi.yaml') ?? ''
          return void remote.push({ 'openapi.yaml': document.replace('summary: List pets', 'summary: All pets') })
        },
        inputs: proposing,
      },
      {
        name: 'push, `mode: pull-request`, with nothing left to do',
        prepare: ({ remote }) => {
          git(remote.path, 'update-ref', 'refs/heads/main', remote.tip('openapi-pages/main'))
          return void remote.push({ 'guides/new.mdx': '---\ntitle: New\n---\n' })
        },
        inputs: proposing,
      },
    ],
  },
  {
    name: 'push of a tag',
    prepare: ({ remote }) => {
      git(remote.path, 'tag', 'v1', 'main')
      return { name: 'push', ref: 'refs/tags/v1' }
    },
  },
  { name: 'push, `mode: check`', inputs: { mode: 'check' } },
  { name: 'push, `mode: check` and `fail-on-drift: true`', inputs: { mode: 'check', 'fail-on-drift': 'true' } },
  { name: 'push, `mode: dry-run`', inputs: { mode: 'dry-run' } },
  { name: 'push with an invalid input', inputs: { mode: 'comit' } },
  { name: 'push with an unreachable app', inputs: { 'app-url': 'http://127.0.0.1:65535', 'app-token': 'opk_x' } },
  { name: 'push on GitHub Enterprise Server', isEnterpriseServer: true },
  { name: 'pull request', prepare: (place) => openPull(place, 'here', false).event },
  { name: 'pull request with an error', prepare: (place) => openPull(place).event },
  {
    name: 'pull request with an error, `comment: never`',
    prepare: (place) => openPull(place).event,
    inputs: { comment: 'never' },
  },
  {
    name: 'pull request from a fork with an error',
    prepare: (place) => openPull(place, 'fork').event,
    permissions: { contents: 'read', 'pull-requests': 'read' },
  },
  {
    name: 'pull request from Dependabot, `mode: commit`',
    prepare: (place) => ({ ...openPull(place, 'here', false).event, actor: 'dependabot[bot]' }),
    inputs: { mode: 'commit' },
    permissions: { contents: 'read', 'pull-requests': 'read' },
  },
  {
    name: '`pull_request_target` from a fork, `mode: commit`',
    prepare: (place) => ({ ...openPull(place, 'fork').event, name: 'pull_request_target' }),
    inputs: { mode: 'commit' },
  },
  {
    name: 'merge queue',
    prepare: ({ remote }) => {
      const branch = 'gh-readonly-queue/main/pr-1'
      const before = remote.tip()
      const sha = remote.push({ 'guides/x.md': 'x' }, branch)
      return {
        name: 'merge_group',
        ref: `refs/heads/${branch}`,
        sha,
        payload: { merge_group: { base_sha: before, head_sha: sha } },
      }
    },
  },
  { name: 'schedule', prepare: () => ({ name: 'schedule' }) },
  { name: 'manual run (`workflow_dispatch`)', prepare: () => ({ name: 'workflow_dispatch' }) },
]

const rows: string[] = []
const withNext = (scenario: Scenario) => [scenario, ...(scenario.next ?? [])]

describe('results of the Action', () => {
  test.each(scenarios)('$name', async (first) => {
    const place = await makeActionRepository()
    for (const scenario of withNext(first)) {
      const event = (await scenario.prepare?.(place)) ?? { name: 'push' }
      const isEnterpriseServer = scenario.isEnterpriseServer === true
      const job = await place.run(toWorkflow(event.name, scenario), event, { isEnterpriseServer })
      const urls = place.github.requests.map(({ url }) => url)
      if (isEnterpriseServer) expect(urls.filter((url) => !url.startsWith('/api/'))).toEqual([])
      rows.push(toRow(scenario.name, job))
      // Every failure is reported as a message, never as a crash.
      expect([0, 1]).toContain(job.runs[0]?.code)
      expect(job.runs[0]?.stderr).toBe('')
    }
  })

  test('match docs/internal/action-outcomes.md', async () => {
    expect(rows).toHaveLength(scenarios.flatMap(withNext).length)
    const text = [...head, ...rows, ''].join('\n')
    await expect(text).toMatchFileSnapshot(join(projectFolder, 'docs/internal/action-outcomes.md'))
  })
})

const head = [
  '# Action results by scenario',
  '',
  'This page shows the result of a run for each scenario. `test/e2e/action-outcomes.test.ts` writes it from runs of the committed bundle with real Git and a',
  "fake GitHub that enforces the token's permissions. To update it, run `npx vitest run -u test/e2e/action-outcomes.test.ts`.",
  '',
  'Unless the scenario names other permissions, the token may write contents and pull requests. Writes are GitHub API requests and Git pushes.',
  'Reads are API requests.',
  '',
  '| Scenario | Exit code | Result | Errors | Pages + ~ − | Writes | Reads | Message |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
]

function toRow(name: string, job: JobResult): string {
  const [run] = job.runs
  if (!run) throw new Error('The Action did not run')
  const { outputs, commands } = run
  const writes = [...job.calls.filter(isWrite), ...job.gitRequests.filter((one) => one === 'push')]
  const reads = job.calls.length - writes.filter((one) => one !== 'push').length
  const says = commands.find(({ name: command }) => ['error', 'warning', 'notice'].includes(command))
  const done = outputs['committed'] === 'true' ? 'committed' : outputs['changed'] === 'true' ? 'nothing written' : 'nothing to do'
  const cells = [
    name,
    run.code,
    outputs['operation'] || done,
    outputs['error-count'],
    ['pages-added', 'pages-modified', 'pages-removed'].map((output) => outputs[output]).join(' '),
    [...new Set(writes)].map((write) => `\`${write === 'push' ? 'git push' : write}\``).join('<br>') || 'none',
    reads,
    says ? `${says.name}: ${toStable(says.data.split('\n')[0] ?? '')}` : '',
  ]
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

/** Replaces parts that differ between runs. */
function toStable(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/\b[0-9a-f]{40}\b/g, '<sha>')
    .replace(/\/(?:tmp|dev\/shm)\/[^\s`]*/g, '<path>')
    .replaceAll('<', '&lt;')
}
