import { type FakeRepository, type FakeRule, StaleBranchError, zeroSha } from './fake-repository.ts'
import { hashTree } from './git-store.ts'
import { type Json, nodeId } from './represent.ts'
import type { Call, FakeResponse, Route } from './route.ts'

/** The queries and the mutations of the app and the Action. GraphQL errors have status 200, as on GitHub. */
export const graphqlRoute: Route = { name: 'POST /graphql', access: 'installation', handle: handleGraphql }

interface CommitInput {
  readonly branch: { readonly repositoryNameWithOwner: string; readonly branchName: string }
  readonly expectedHeadOid: string
  readonly message: { readonly headline: string; readonly body?: string }
  readonly fileChanges?: {
    readonly additions?: readonly { readonly path: string; readonly contents: string }[]
    readonly deletions?: readonly { readonly path: string }[]
  }
}

interface RefsInput {
  readonly repositoryId: string
  readonly refUpdates: readonly {
    readonly name: string
    readonly afterOid: string
    readonly beforeOid?: string
    readonly force?: boolean
  }[]
}

function handleGraphql(call: Call): FakeResponse {
  const query = String(call.body['query'] ?? '')
  // The query declares the variables. GitHub rejects all others.
  const { input } = (call.body['variables'] ?? {}) as { input: unknown }
  if (/\bmutation\b[\s\S]*\bcreateCommitOnBranch\s*\(/.test(query)) return commitOnBranch(call, input as CommitInput)
  if (/\bmutation\b[\s\S]*\bupdateRefs\s*\(/.test(query)) return updateRefs(call, input as RefsInput)
  if (/\brefs\(refPrefix: "refs\/tags\/"/.test(query)) return listTags(call)
  if (/\bhistory\(/.test(query)) return listHistory(call)
  if (/\bviewer\s*\{\s*login\s*\}/.test(query)) {
    const login = call.installation.actor ?? `${call.github.app.slug}[bot]`
    return { status: 200, body: { data: { viewer: { login } } } }
  }
  return { status: 200, body: { errors: [{ message: `The fake GitHub does not know this query: ${query.slice(0, 200)}` }] } }
}

function refuse(field: string, type: string, message: string): FakeResponse {
  const body = { data: { [field]: null }, errors: [{ type, path: [field], locations: [{ line: 2, column: 3 }], message }] }
  return { status: 200, body }
}

/** Classic protection has its own type. A ruleset only has a message. */
function refuseByRule(field: string, branch: string, { kind, reason }: FakeRule): FakeResponse {
  return kind === 'classic'
    ? refuse(field, 'BRANCH_PROTECTION_RULE_VIOLATION', `protected branch '${branch}' check failed:\n${reason}`)
    : refuse(field, 'UNPROCESSABLE', `Repository rule violations found\n\n${reason}\n\n`)
}

function commitOnBranch({ github, installation }: Call, input: CommitInput): FakeResponse {
  const field = 'createCommitOnBranch'
  const repository = installation.repositories.find(({ fullName }) => fullName === input.branch.repositoryNameWithOwner)
  if (!repository) {
    const name = input.branch.repositoryNameWithOwner
    return refuse(field, 'NOT_FOUND', `Could not resolve to a Repository with the name '${name}'.`)
  }
  if (installation.permissions['contents'] !== 'write')
    return refuse(field, 'FORBIDDEN', 'Resource not accessible by integration')
  const branch = input.branch.branchName.replace(/^refs\/heads\//, '')
  const tip = repository.tip(branch)
  if (tip === undefined) return refuse(field, 'NOT_FOUND', `Could not resolve to a branch with the name '${branch}'.`)
  const stale = () =>
    refuse(field, 'STALE_DATA', `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`)
  if (tip !== input.expectedHeadOid) return stale()
  const rule = repository.ruleOf(branch)
  if (rule) return refuseByRule(field, branch, rule)
  const { additions = [], deletions = [] } = input.fileChanges ?? {}
  const { files } = repository.git.commit(tip)
  const missing = deletions.find(({ path }) => !files.has(path))
  if (missing) {
    const message = `A path was requested for deletion which does not exist as of commit oid \`${tip}\``
    return refuse(field, 'UNPROCESSABLE', message)
  }
  const changes = {
    ...Object.fromEntries(deletions.map(({ path }) => [path, null])),
    ...Object.fromEntries(additions.map(({ path, contents }) => [path, Buffer.from(contents, 'base64')])),
  }
  const message = input.message.body ? `${input.message.headline}\n\n${input.message.body}` : input.message.headline
  const author = installation.actor ?? `${github.app.slug}[bot]`
  let after: string
  try {
    ;({ after } = repository.commit({ branch, files: changes, message, author, parent: tip, expected: tip, isSigned: true }))
  } catch (error) {
    if (error instanceof StaleBranchError) return stale()
    throw error
  }
  const isValid = repository.signsCommits
  const commit: Json = {
    oid: after,
    url: `${repository.webUrl}/commit/${after}`,
    signature: isValid ? { isValid, state: 'VALID', wasSignedByGitHub: true } : null,
  }
  return { status: 200, body: { data: { createCommitOnBranch: { commit } } } }
}

function updateRefs({ installation }: Call, input: RefsInput): FakeResponse {
  const field = 'updateRefs'
  const repository = installation.repositories.find(({ id }) => nodeId('Repository', id) === input.repositoryId)
  if (!repository) return refuse(field, 'NOT_FOUND', `Could not resolve to a node with the global id of '${input.repositoryId}'`)
  if (installation.permissions['contents'] !== 'write')
    return refuse(field, 'FORBIDDEN', 'Resource not accessible by integration')
  const moves = input.refUpdates.map(({ name, afterOid, beforeOid, force }) => {
    const branch = name.replace(/^refs\/heads\//, '')
    return { branch, from: beforeOid ?? repository.tip(branch) ?? zeroSha, to: afterOid, force: force ?? false }
  })
  for (const { branch, from, to, force } of moves) {
    const rule = repository.ruleOf(branch)
    if (rule && to !== zeroSha) return refuseByRule(field, branch, rule)
    const isForced = from !== zeroSha && to !== zeroSha && !repository.git.ancestors(to).has(from)
    if (isForced && !force) return refuse(field, 'UNPROCESSABLE', 'Update is not a fast forward')
  }
  if (!repository.moveBranches(moves))
    return refuse(field, 'UNPROCESSABLE', 'Reference cannot be updated: is at another commit than expected')
  return { status: 200, body: { data: { updateRefs: { clientMutationId: null } } } }
}

/** The page size of the queries of the app. */
const pageSize = 100

/** The variables of the queries of commits and tags. */
interface ListVariables {
  readonly owner: string
  readonly repo: string
  readonly after: string | null
  readonly sha?: string
  readonly [path: `path${number}`]: string
}

/** Reads the variables, finds the repository, and checks the permission. */
function readList({ installation, body }: Call): { variables: ListVariables; repository: FakeRepository } | FakeResponse {
  const variables = body['variables'] as ListVariables // The query declares them.
  const name = `${variables.owner}/${variables.repo}`
  const repository = installation.repositories.find(({ fullName }) => fullName === name)
  if (!repository) return refuse('repository', 'NOT_FOUND', `Could not resolve to a Repository with the name '${name}'.`)
  if (installation.permissions['contents'] === undefined)
    return refuse('repository', 'FORBIDDEN', 'Resource not accessible by integration')
  return { variables, repository }
}

function toPage<Item>(items: readonly Item[], after: string | null, toNode: (item: Item) => Json): Json {
  const start = after === null ? 0 : Number(after)
  const end = start + pageSize
  return {
    nodes: items.slice(start, end).map(toNode),
    pageInfo: { hasNextPage: end < items.length, endCursor: items.length === 0 ? null : String(Math.min(end, items.length)) },
  }
}

function listTags(call: Call): FakeResponse {
  const list = readList(call)
  if ('status' in list) return list
  const { repository, variables } = list
  const commits = [...repository.tags].map(([name, { sha, date }]) => ({ name, commit: repository.git.commit(sha), date }))
  commits.sort((a, b) => Date.parse(b.commit.date) - Date.parse(a.commit.date))
  const refs = toPage(commits, variables.after, ({ name, commit, date }) => {
    const target = { oid: commit.sha, committedDate: commit.date }
    // An annotated tag is an object that names its commit.
    return { name, target: date === undefined ? target : { oid: nodeId('Tag', 1), tagger: { date }, target } }
  })
  return { status: 200, body: { data: { repository: { refs } } } }
}

function listHistory(call: Call): FakeResponse {
  const list = readList(call)
  if ('status' in list) return list
  const { repository, variables } = list
  const found = repository.git.find(variables.sha ?? '')
  const paths = Object.entries(variables).filter(([name]) => name.startsWith('path'))
  const commits = found ? [...repository.git.ancestors(found.sha)].map((sha) => repository.git.commit(sha)) : []
  // Later commits of the fake have later dates, so parents come after their children.
  commits.sort((a, b) => Date.parse(b.date) - Date.parse(a.date))
  const history = toPage(commits, variables.after, ({ sha, date, parents, files }) => ({
    oid: sha,
    committedDate: date,
    parents: { nodes: parents.slice(0, 1).map((oid) => ({ oid })) },
    ...Object.fromEntries(
      paths.map(([name, path]) => {
        const file = files.get(path)
        const below = [...files].filter(([other]) => other.startsWith(`${path}/`))
        const oid = file?.sha ?? (below.length > 0 ? hashTree(new Map(below)) : undefined)
        return [name.replace('path', 'content'), oid === undefined ? null : { oid }]
      }),
    ),
  }))
  return { status: 200, body: { data: { repository: { object: found ? { history } : null } } } }
}
