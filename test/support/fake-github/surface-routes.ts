import { type Json, nodeId, toUser } from './represent.ts'
import { type Call, invalid, notFound, page, type Route } from './route.ts'
import type { FakeCommitStatus, FakeDeployment } from './types.ts'

/** Commit statuses and deployments, which repositories can enable. */
export const surfaceRoutes: readonly Route[] = [
  {
    name: 'POST /repos/{owner}/{repo}/statuses/{sha}',
    access: 'installation',
    permission: ['statuses', 'write'],
    handle: (call) => {
      const { github, repository, parameters, body } = call
      const sha = parameters['sha'] ?? ''
      if (!repository.git.find(sha)) return invalid(`No commit found for SHA: ${sha}`)
      const state = String(body['state'])
      if (!['error', 'failure', 'pending', 'success'].includes(state))
        return invalid('', [{ resource: 'Status', field: 'state' }])
      const description = toText(body['description'])
      if (isLong(description)) return tooLong('Status')
      const status: FakeCommitStatus = {
        id: github.nextId(),
        sha,
        state,
        context: toText(body['context']) ?? 'default',
        description,
        targetUrl: toText(body['target_url']),
        createdAt: github.nextDate(),
      }
      repository.commitStatuses.push(status)
      return { status: 201, body: toStatus(call, status) }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/commits/{ref}/statuses',
    access: 'installation',
    permission: ['statuses', 'read'],
    handle: (call) => {
      const sha = call.repository.resolve(call.parameters['ref'] ?? '')
      const newestFirst = call.repository.commitStatuses.filter((status) => status.sha === sha).toReversed()
      return page(call, newestFirst, (shown) => shown.map((status) => toStatus(call, status)))
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/deployments',
    access: 'installation',
    permission: ['deployments', 'write'],
    handle: (call) => {
      const { github, repository, body } = call
      const sha = repository.resolve(String(body['ref']))
      if (sha === undefined) return invalid(`No ref found for: ${String(body['ref'])}`)
      // Without these GitHub merges the default branch first, or waits for all checks. No test needs that.
      if (body['auto_merge'] !== false || !Array.isArray(body['required_contexts']) || body['required_contexts'].length > 0) {
        return { status: 409, body: { message: 'Conflict: Commit status checks failed for the ref.' } }
      }
      const deployment: FakeDeployment = {
        id: github.nextId(),
        sha,
        ref: String(body['ref']),
        environment: toText(body['environment']) ?? 'production',
        isProduction: body['production_environment'] === true,
        isTransient: body['transient_environment'] === true,
        payload: body['payload'] ?? '',
        createdAt: github.nextDate(),
        statuses: [],
      }
      repository.deployments.push(deployment)
      return { status: 201, body: toDeployment(call, deployment) }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/deployments',
    access: 'installation',
    permission: ['deployments', 'read'],
    handle: (call) => {
      const { repository, query } = call
      const found = repository.deployments
        .filter(({ sha }) => query.get('sha') === null || sha === query.get('sha'))
        .filter(({ environment }) => query.get('environment') === null || environment === query.get('environment'))
      return page(call, found.toReversed(), (shown) => shown.map((deployment) => toDeployment(call, deployment)))
    },
  },
  {
    name: 'POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
    access: 'installation',
    permission: ['deployments', 'write'],
    handle: (call) => {
      const deployment = findDeployment(call)
      if (!deployment) return notFound
      const description = toText(call.body['description']) ?? ''
      if (isLong(description)) return tooLong('DeploymentStatus')
      const status = {
        id: call.github.nextId(),
        state: String(call.body['state']),
        description,
        logUrl: toText(call.body['log_url']) ?? '',
        createdAt: call.github.nextDate(),
      }
      deployment.statuses.push(status)
      return { status: 201, body: toDeploymentStatus(call, deployment, status) }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
    access: 'installation',
    permission: ['deployments', 'read'],
    handle: (call) => {
      const deployment = findDeployment(call)
      if (!deployment) return notFound
      return page(call, deployment.statuses.toReversed(), (shown) =>
        shown.map((status) => toDeploymentStatus(call, deployment, status)),
      )
    },
  },
]

function findDeployment({ repository, parameters }: Call): FakeDeployment | undefined {
  return repository.deployments.find(({ id }) => id === Number(parameters['deployment_id']))
}

const toText = (value: unknown) => (typeof value === 'string' ? value : null)

/** GitHub's limit on both descriptions. */
const isLong = (description: string | null) => description !== null && [...description].length > 140

const tooLong = (resource: string) =>
  invalid('', [
    { resource, code: 'custom', field: 'description', message: 'description is too long (maximum is 140 characters)' },
  ])

const bot = ({ github }: Call) => toUser(github, `${github.app.slug}[bot]`)

function toStatus(call: Call, status: FakeCommitStatus): Json {
  const user = bot(call)
  return {
    url: `${call.repository.apiUrl}/statuses/${status.sha}`,
    avatar_url: user['avatar_url'],
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: user,
  }
}

function toDeployment(call: Call, deployment: FakeDeployment): Json {
  const url = `${call.repository.apiUrl}/deployments/${deployment.id}`
  return {
    url,
    id: deployment.id,
    node_id: nodeId('Deployment', deployment.id),
    task: 'deploy',
    original_environment: deployment.environment,
    environment: deployment.environment,
    description: null,
    created_at: deployment.createdAt,
    updated_at: deployment.createdAt,
    statuses_url: `${url}/statuses`,
    repository_url: call.repository.apiUrl,
    creator: bot(call),
    sha: deployment.sha,
    ref: deployment.ref,
    payload: deployment.payload,
    transient_environment: deployment.isTransient,
    production_environment: deployment.isProduction,
  }
}

function toDeploymentStatus(call: Call, deployment: FakeDeployment, status: FakeDeployment['statuses'][number]): Json {
  const url = `${call.repository.apiUrl}/deployments/${deployment.id}`
  return {
    url: `${url}/statuses/${status.id}`,
    id: status.id,
    node_id: nodeId('DeploymentStatus', status.id),
    state: status.state,
    creator: bot(call),
    description: status.description,
    environment: deployment.environment,
    target_url: status.logUrl,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    deployment_url: url,
    repository_url: call.repository.apiUrl,
    log_url: status.logUrl,
  }
}
