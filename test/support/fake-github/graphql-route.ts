import type { Json } from './represent.ts'
import type { Answer, Call, Route } from './route.ts'

/** The one mutation the app sends. GraphQL refusals come with status 200, as GitHub sends them. */
export const graphqlRoute: Route = { name: 'POST /graphql', access: 'installation', handle: answerGraphql }

interface CommitInput {
  readonly branch: { readonly repositoryNameWithOwner: string; readonly branchName: string }
  readonly expectedHeadOid: string
  readonly message: { readonly headline: string; readonly body?: string }
  readonly fileChanges?: {
    readonly additions?: readonly { readonly path: string; readonly contents: string }[]
    readonly deletions?: readonly { readonly path: string }[]
  }
}

function answerGraphql({ github, installation, body }: Call): Answer {
  const query = String(body['query'] ?? '')
  if (!/\bmutation\b[\s\S]*\bcreateCommitOnBranch\s*\(/.test(query)) {
    return { status: 200, body: { errors: [{ message: `The fake GitHub does not know this query: ${query.slice(0, 200)}` }] } }
  }
  const { input } = body['variables'] as { input: CommitInput } // The query declares it; GitHub refuses anything else.
  const refuse = (type: string, message: string): Answer => ({
    status: 200,
    body: {
      data: { createCommitOnBranch: null },
      errors: [{ type, path: ['createCommitOnBranch'], locations: [{ line: 2, column: 3 }], message }],
    },
  })
  const repository = installation.repositories.find(({ fullName }) => fullName === input.branch.repositoryNameWithOwner)
  if (!repository) {
    return refuse('NOT_FOUND', `Could not resolve to a Repository with the name '${input.branch.repositoryNameWithOwner}'.`)
  }
  if (installation.permissions['contents'] !== 'write') return refuse('FORBIDDEN', 'Resource not accessible by integration')
  const branch = input.branch.branchName.replace(/^refs\/heads\//, '')
  const tip = repository.tip(branch)
  if (tip === undefined) return refuse('NOT_FOUND', `Could not resolve to a branch with the name '${branch}'.`)
  if (tip !== input.expectedHeadOid) {
    return refuse('STALE_DATA', `Expected branch to point to "${input.expectedHeadOid}" but it did not. Pull and try again.`)
  }
  const { additions = [], deletions = [] } = input.fileChanges ?? {}
  const { files } = repository.git.commit(tip)
  const missing = deletions.find(({ path }) => !files.has(path))
  if (missing)
    return refuse('UNPROCESSABLE', `A path was requested for deletion which does not exist as of commit oid \`${tip}\``)
  const changes = {
    ...Object.fromEntries(deletions.map(({ path }) => [path, null])),
    ...Object.fromEntries(additions.map(({ path, contents }) => [path, Buffer.from(contents, 'base64')])),
  }
  const message = input.message.body ? `${input.message.headline}\n\n${input.message.body}` : input.message.headline
  const author = `${github.app.slug}[bot]`
  const { after } = repository.commit({ branch, files: changes, message, author })
  const commit: Json = {
    oid: after,
    url: `${repository.webUrl}/commit/${after}`,
    signature: { isValid: true, state: 'VALID', wasSignedByGitHub: true },
  }
  return { status: 200, body: { data: { createCommitOnBranch: { commit } } } }
}
