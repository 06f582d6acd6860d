import { type Json, toAnnotation, toCheckRun, toComment } from './represent.ts'
import { type Call, type FakeResponse, invalid, notFound, page, type Route } from './route.ts'
import type { FakeAnnotation, FakeCheckRun } from './types.ts'

/** Check runs and comments. */
export const feedbackRoutes: readonly Route[] = [
  {
    name: 'POST /repos/{owner}/{repo}/check-runs',
    access: 'installation',
    permission: ['checks', 'write'],
    handle: createCheckRun,
  },
  {
    name: 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}',
    access: 'installation',
    permission: ['checks', 'write'],
    handle: updateCheckRun,
  },
  {
    name: 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}',
    access: 'installation',
    permission: ['checks', 'read'],
    handle: ({ github, repository, parameters }) => {
      const run = repository.checkRuns.find(({ id }) => id === Number(parameters['check_run_id']))
      return run ? { status: 200, body: toCheckRun(github, repository, run) } : notFound
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
    access: 'installation',
    permission: ['checks', 'read'],
    handle: (call) => {
      const run = call.repository.checkRuns.find(({ id }) => id === Number(call.parameters['check_run_id']))
      if (!run) return notFound
      return page(call, run.annotations, (shown) => shown.map((annotation) => toAnnotation(call.repository, run, annotation)))
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    access: 'installation',
    permission: ['checks', 'read'],
    handle: (call) => {
      const { repository, query, parameters } = call
      const sha = repository.resolve(parameters['ref'] ?? '')
      if (sha === undefined) return invalid(`No commit found for SHA: ${parameters['ref']}`)
      const matching = repository.checkRuns
        .filter((run) => run.headSha === sha)
        .filter((run) => query.get('check_name') === null || run.name === query.get('check_name'))
        .filter((run) => query.get('status') === null || run.status === query.get('status'))
      const latest = new Map(matching.map((run) => [run.name, run]))
      // Without `filter=all` GitHub returns only the newest of each name.
      const runs = query.get('filter') === 'all' ? matching : [...latest.values()]
      return page(call, runs.toReversed(), (shown) => ({
        total_count: runs.length,
        check_runs: shown.map((run) => toCheckRun(call.github, repository, run)),
      }))
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
    access: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (call) => {
      const number = Number(call.parameters['issue_number'])
      if (!call.repository.pullRequests.some((pull) => pull.number === number)) return notFound
      const comments = call.repository.comments.filter(({ issueNumber }) => issueNumber === number)
      return page(call, comments, (shown) => shown.map((comment) => toComment(call.github, call.repository, comment)))
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    access: 'installation',
    permission: ['pull_requests', 'write'],
    handle: ({ github, installation, repository, parameters, body }) => {
      const number = Number(parameters['issue_number'])
      if (!repository.pullRequests.some((pull) => pull.number === number)) return notFound
      const refusal = refuseBody(body)
      if (refusal) return refusal
      const comment = repository.addComment(number, installation.actor ?? `${github.app.slug}[bot]`, String(body['body']))
      const answer = toComment(github, repository, comment)
      return { status: 201, body: answer, headers: { location: String(answer['url']) } }
    },
  },
  {
    name: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
    access: 'installation',
    permission: ['pull_requests', 'write'],
    handle: ({ github, repository, parameters, body }) => {
      const comment = repository.comments.find(({ id }) => id === Number(parameters['comment_id']))
      if (!comment) return notFound
      const refusal = refuseBody(body)
      if (refusal) return refusal
      comment.body = String(body['body'])
      comment.updatedAt = github.nextDate()
      comment.edits++
      return { status: 200, body: toComment(github, repository, comment) }
    },
  },
  {
    name: 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
    access: 'installation',
    permission: ['pull_requests', 'write'],
    handle: ({ repository, parameters }) => {
      const index = repository.comments.findIndex(({ id }) => id === Number(parameters['comment_id']))
      if (index === -1) return notFound
      repository.comments.splice(index, 1)
      return { status: 204 }
    },
  },
]

/** GitHub's limit on the body of a comment. */
const bodyLimit = 65_536

function refuseBody(body: Json): FakeResponse | undefined {
  const text = body['body']
  if (typeof text !== 'string' || text.trim() === '') {
    return invalid('', [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message: 'Body cannot be blank' }])
  }
  if (text.length > bodyLimit) {
    const message = `Body is too long (maximum is ${bodyLimit} characters)`
    return invalid('', [{ resource: 'IssueComment', code: 'unprocessable', field: 'data', message }])
  }
  return undefined
}

/** A check run as GitHub has it once it was created. */
export function newCheckRun(
  run: Pick<FakeCheckRun, 'id' | 'suiteId' | 'name' | 'headSha' | 'externalId'> & Partial<FakeCheckRun>,
): FakeCheckRun {
  return {
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: null,
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    actions: [],
    ...run,
  }
}

function createCheckRun({ github, repository, body }: Call): FakeResponse {
  const headSha = body['head_sha']
  if (typeof headSha !== 'string' || typeof body['name'] !== 'string')
    return invalid('Invalid request.\n\n"head_sha", "name" weren\'t supplied.')
  if (!repository.git.find(headSha)) return invalid(`No commit found for SHA: ${headSha}`)
  const refusal = refuseCheckRun(body)
  if (refusal) return refusal
  const suiteId = repository.checkRuns.find((run) => run.headSha === headSha)?.suiteId ?? github.nextId()
  const run = newCheckRun({ id: github.nextId(), suiteId, name: body['name'], headSha, externalId: '' })
  repository.checkRuns.push(run)
  changeCheckRun(run, body, github.nextDate())
  return { status: 201, body: toCheckRun(github, repository, run) }
}

function updateCheckRun({ github, repository, parameters, body }: Call): FakeResponse {
  const run = repository.checkRuns.find(({ id }) => id === Number(parameters['check_run_id']))
  if (!run) return notFound
  if (run.appId !== undefined) return { status: 403, body: { message: 'Resource not accessible by integration' } }
  const refusal = refuseCheckRun(body)
  if (refusal) return refusal
  changeCheckRun(run, body, github.nextDate())
  return { status: 200, body: toCheckRun(github, repository, run) }
}

/** Annotations are added to the existing ones, as in the Checks API. That is why a re-run needs a new check. */
function changeCheckRun(run: FakeCheckRun, body: Json, now: string): void {
  const text = (field: string) => (typeof body[field] === 'string' ? (body[field] as string) : undefined) // Just checked.
  run.name = text('name') ?? run.name
  run.externalId = text('external_id') ?? run.externalId
  run.detailsUrl = text('details_url') ?? run.detailsUrl
  run.startedAt = text('started_at') ?? run.startedAt
  run.actions = (body['actions'] as FakeCheckRun['actions'] | undefined) ?? run.actions // Validated by `refuseCheckRun`.
  const status = text('status') as FakeCheckRun['status'] | undefined // As above.
  const conclusion = text('conclusion')
  if (status !== undefined) run.status = status
  if (status !== undefined && status !== 'completed') {
    run.conclusion = null
    run.completedAt = null
  }
  if (conclusion !== undefined) {
    run.status = 'completed'
    run.conclusion = conclusion
    run.completedAt = text('completed_at') ?? now
  }
  const output = body['output'] as { title?: string; summary?: string; text?: string; annotations?: Json[] } | undefined // As above.
  if (!output) return
  run.output = {
    title: output.title ?? run.output.title,
    summary: output.summary ?? run.output.summary,
    text: output.text ?? run.output.text,
  }
  for (const annotation of output.annotations ?? []) {
    const withDefaults = { start_column: null, end_column: null, title: null, raw_details: null, ...annotation }
    run.annotations.push(withDefaults as unknown as FakeAnnotation) // `refuseCheckRun` validated all of them.
  }
}

/** The limits in GitHub's description, and undocumented ones. */
function refuseCheckRun(body: Json): FakeResponse | undefined {
  const refuse = (message: string) => invalid(`Invalid request.\n\n${message}`)
  if (body['status'] === 'completed' && body['conclusion'] === undefined) return refuse('"conclusion" wasn\'t supplied.')
  const actions = (body['actions'] ?? []) as readonly Json[] // An array according to the description. The real-data suite checks our requests.
  if (actions.length > 3) return refuse(`No more than 3 items are allowed; ${actions.length} were supplied.`)
  for (const { label, description, identifier } of actions) {
    if (String(label).length > 20 || String(identifier).length > 20) return refuse('Only 20 characters are allowed.')
    if (String(description).length > 40) return refuse('Only 40 characters are allowed.')
  }
  const output = (body['output'] ?? {}) as { summary?: string; text?: string; annotations?: readonly Json[] } // As above.
  for (const text of [output.summary, output.text]) {
    if (text !== undefined && text.length > 65_535)
      return refuse(`Only 65535 characters are allowed; ${text.length} were supplied.`)
  }
  const annotations = output.annotations ?? []
  if (annotations.length > 50) return refuse(`No more than 50 items are allowed; ${annotations.length} were supplied.`)
  for (const annotation of annotations) {
    const [startLine, endLine] = [Number(annotation['start_line']), Number(annotation['end_line'])]
    const hasColumns = annotation['start_column'] !== undefined || annotation['end_column'] !== undefined
    if (!(startLine >= 1) || !(endLine >= startLine)) return refuse('"start_line" must be before "end_line" and at least 1.')
    if (hasColumns && startLine !== endLine) return refuse('Columns are allowed on one line only.')
    if (String(annotation['message'] ?? '') === '') return refuse('"message" wasn\'t supplied.')
    if (Buffer.byteLength(String(annotation['message'])) > 65_536) return refuse('"message" is over 64 KB.')
    if (String(annotation['title'] ?? '').length > 255) return refuse('Only 255 characters are allowed.')
  }
  return undefined
}
