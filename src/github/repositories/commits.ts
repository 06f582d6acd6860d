import { foldFilesChanged, type UpdateAuthor } from '../../status/update-record.ts'
import { GitHubError } from '../../text/errors.ts'
import { callGitHub, nameRepository, readOnly, toOperation, unlessNotFound } from '../requests/call-github.ts'
import type { GitHubClient, RepositoryName } from '../requests/github-client.ts'

/**
 * Looks up a commit by its SHA or by a ref such as `refs/heads/main`; `undefined` if there is none.
 *
 * @throws {GitHubError} also if the app may not read the repository, with a SHA.
 */
export async function findCommit(client: GitHubClient, repository: RepositoryName, ref: string) {
  const operation = {
    operation: 'read commit',
    on: `${nameRepository(repository)} \`${ref.slice(0, 200)}\``,
    permission: 'contents: read',
  }
  try {
    const { data } = await callGitHub(operation, () =>
      client.rest.repos.getCommit({ ...repository, ref: ref.replace(/^refs\//, ''), per_page: 1 }),
    )
    const { message, author, verification } = data.commit
    return {
      sha: data.sha,
      url: data.html_url,
      message,
      by: toUpdateAuthor(data.author, author?.name),
      parents: data.parents.map(({ sha }) => sha),
      /** Whether GitHub shows it as verified. */
      isVerified: verification?.verified ?? false,
      /** The reason, in GitHub's terms: `valid`, `unsigned`, `unknown_key` … */
      verification: verification?.reason ?? 'unsigned',
    }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    // GitHub responds 422 for an unknown SHA and 404 for other strings. 404 for a SHA means that the repository is not visible.
    const isSha = /^[\da-f]{40}$/.test(ref)
    if (error.status === 422 || (error.failure === 'not-found' && !isSha)) return undefined
    throw error
  }
}

/** GitHub REST, "Compare two commits": at most 300 files, on the first page only. */
const fileLimit = 300

/**
 * Compares the merge base of two commits with the second of them.
 *
 * After a force push the commits may have diverged. Changes that only the first commit has are not listed, and `truncated` is
 * set.
 *
 * @param base A SHA or the name of a branch.
 * @throws {GitHubError} `not-found` when a commit is gone, for example some time after a force push.
 */
export async function compareCommits(client: GitHubClient, repository: RepositoryName, base: string, headSha: string) {
  const data = await compare(client, repository, { base, headSha })
  const files = data.files ?? []
  const isOf = (...wanted: readonly string[]) =>
    files.filter(({ status }) => wanted.includes(status)).map(({ filename }) => filename)
  const left = files.flatMap(({ status, previous_filename: previous }) => (status === 'renamed' && previous ? [previous] : []))
  const filesChanged = foldFilesChanged([
    { added: isOf('added', 'copied', 'renamed'), modified: isOf('modified', 'changed'), removed: [...isOf('removed'), ...left] },
  ])
  return {
    /** The newest commit that both have. */
    mergeBaseSha: data.merge_base_commit.sha,
    /** Whether GitHub lists all files that changed since the merge base. */
    listsAllFiles: files.length < fileLimit,
    /** Net changes, sorted. */
    filesChanged,
    /** A sentence, if GitHub cut the list of files and more may have changed. */
    truncated: describeTruncation(files.length, data.status),
  }
}

/** @param commits.perPage Of commits. Default: one, because the first page always has the files. */
async function compare(
  client: GitHubClient,
  repository: RepositoryName,
  { base, headSha, perPage = 1 }: { readonly base: string; readonly headSha: string; readonly perPage?: number },
) {
  const operation = { operation: 'compare commits', on: nameRepository(repository, headSha), permission: 'contents: read' }
  const parameters = { ...repository, basehead: `${base}...${headSha}`, per_page: perPage }
  return (await callGitHub(operation, () => client.rest.repos.compareCommitsWithBasehead(parameters))).data
}

function describeTruncation(fileCount: number, status: string): string | undefined {
  if (fileCount >= fileLimit) return `GitHub lists at most ${fileLimit} changed files. More files may have changed`
  if (status === 'diverged') return 'The branch was force-pushed. Files that existed only before the push are not listed'
  if (status === 'behind')
    return 'The branch was reset to an earlier commit. Files that the removed commits changed are not listed'
  return undefined
}

/** The fields of a commit that identify its origin. */
export type BranchCommitInfo = NonNullable<Awaited<ReturnType<typeof listCommitsSince>>>[number]

/** Maximum number of commits, one page: branches of openapi-pages have few. */
const limit = 100

/**
 * Lists the commits of a branch that its base lacks, oldest first; undefined if there are too many.
 *
 * @throws {GitHubError}
 */
export async function listCommitsSince(client: GitHubClient, repository: RepositoryName, baseSha: string, headSha: string) {
  const data = await compare(client, repository, { base: baseSha, headSha, perPage: limit })
  if (data.total_commits > data.commits.length) return undefined
  return data.commits.map(({ sha, commit, parents }) => ({
    sha,
    message: commit.message,
    authorName: commit.author?.name ?? '',
    authorEmail: commit.author?.email ?? '',
    committerEmail: commit.committer?.email ?? '',
    parentCount: parents.length,
  }))
}

/**
 * Lists the files of a commit without reading them: plain and executable files, relative to the repository with `/`, sorted by UTF-16 units. Links
 * and submodules are excluded. `isTruncated` if GitHub cut the list, which is limited to 100,000 entries or 7 MB.
 *
 * @throws {GitHubError}
 */
export async function listRepositoryFiles(client: GitHubClient, repository: RepositoryName, sha: string) {
  const operation = { operation: 'list files', on: nameRepository(repository, sha), permission: 'contents: read' }
  const { data } = await callGitHub(operation, () => client.rest.git.getTree({ ...repository, tree_sha: sha, recursive: 'true' }))
  const isFile = (mode: string | undefined) => mode === '100644' || mode === '100755'
  const paths = data.tree.flatMap(({ path, mode }) => (isFile(mode) && path !== undefined ? [path] : []))
  return { paths: paths.sort(), isTruncated: data.truncated }
}

/**
 * Reads a small file; `undefined` if there is none.
 *
 * @param sha The commit. Default: the tip of the default branch.
 * @throws {GitHubError} `refused` for a file over 1 MB, because this response would not contain its content.
 */
export async function readRepositoryFile(
  client: GitHubClient,
  repository: RepositoryName,
  sha: string | undefined,
  path: string,
): Promise<Uint8Array | undefined> {
  const operation = toOperation(`read \`${path.slice(0, 200)}\``, repository, 'contents: read', sha)
  const get = () => client.rest.repos.getContent({ ...repository, path, ...(sha === undefined ? {} : { ref: sha }) })
  const data = (await unlessNotFound(() => callGitHub(operation, get)))?.data
  if (!data || Array.isArray(data) || data.type !== 'file') return undefined
  if (data.encoding !== 'base64') {
    throw new GitHubError(`Cannot ${operation.operation} on ${operation.on}: the file is larger than 1 MB`, {
      failure: 'refused',
      operation: operation.operation,
    })
  }
  return Buffer.from(data.content, 'base64')
}

/**
 * Whether a newer run of a workflow on a commit is queued, running or successful. Undefined when the token lacks `actions: read`.
 *
 * @throws {GitHubError}
 */
export async function hasNewerRun(
  client: GitHubClient,
  repository: RepositoryName,
  run: {
    /** The file name of the workflow, such as `docs.yml`. */
    readonly workflow: string
    readonly sha: string
    /** Number of the current run. */
    readonly runNumber: number
  },
): Promise<boolean | undefined> {
  const operation = { operation: 'list workflow runs', on: nameRepository(repository, run.sha), permission: 'actions: read' }
  try {
    const { data } = await callGitHub(operation, () =>
      client.rest.actions.listWorkflowRuns({ ...repository, workflow_id: run.workflow, head_sha: run.sha, per_page: 100 }),
    )
    return data.workflow_runs.some(
      ({ run_number: number, status, conclusion }) =>
        number > run.runNumber && (status !== 'completed' || conclusion === 'success'),
    )
  } catch (error) {
    if (error instanceof GitHubError && (error.failure === 'forbidden' || error.failure === 'not-found')) return undefined
    throw error
  }
}

/** A user in payloads and responses of GitHub. The types of payloads allow one without these fields. */
interface GitHubUser {
  readonly login?: string | undefined
  readonly id?: number | undefined
  readonly avatar_url?: string | undefined
}

/** The author of an update, from the GitHub account and the name in the commit. Either can be missing. */
export function toUpdateAuthor(user: GitHubUser | null | undefined, commitName?: string): UpdateAuthor {
  const author = user?.login || commitName || ''
  const name = commitName || author
  if (name === '') return { author }
  return {
    author,
    authorInfo: {
      name,
      ...(user?.avatar_url && { avatarUrl: user.avatar_url }),
      ...(user?.id !== undefined && { githubUserId: user.id }),
    },
  }
}

/** The most requests for one list. GitHub answers with at most 100 items each (GraphQL, "Node limit"). */
const maxPages = 10

interface Page {
  readonly hasNextPage: boolean
  readonly endCursor: string | null
}

/** `test/real/fake-github.test.ts` validates it against GitHub's schema. */
export const tagsQuery = `query Tags($owner: String!, $repo: String!, $after: String) {
  repository(owner: $owner, name: $repo) {
    refs(refPrefix: "refs/tags/", first: 100, after: $after, orderBy: { field: TAG_COMMIT_DATE, direction: DESC }) {
      nodes {
        name
        target {
          oid
          ... on Commit { committedDate }
          ... on Tag { tagger { date } target { oid ... on Commit { committedDate } } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

interface TagsResponse {
  readonly repository: {
    readonly refs: {
      readonly nodes: readonly {
        readonly name: string
        /** Absent fields are those of other kinds of objects, such as a file. */
        readonly target: {
          readonly oid: string
          readonly committedDate?: string
          readonly tagger?: { readonly date: string | null } | null
          readonly target?: { readonly oid: string; readonly committedDate?: string }
        } | null
      }[]
      readonly pageInfo: Page
    } | null
  }
}

/**
 * Lists the tags of commits, at most 1,000 with the newest commits. Dates are ISO 8601 in UTC: of the tag if it has one, else of the commit.
 *
 * @throws {GitHubError}
 */
export async function listRepositoryTags(
  client: GitHubClient,
  repository: RepositoryName,
): Promise<{ readonly tags: readonly { tag: string; sha: string; date: string }[]; readonly isCut: boolean }> {
  const operation = { operation: 'list tags', on: nameRepository(repository), permission: 'contents: read' }
  const tags: { tag: string; sha: string; date: string }[] = []
  let after: string | null = null
  for (let page = 0; page < maxPages; page++) {
    const variables: { readonly after: string | null } = { after }
    const answer: TagsResponse = await callGitHub(operation, () =>
      client.graphql<TagsResponse>(tagsQuery, { ...repository, ...variables, request: readOnly }),
    )
    const { refs } = answer.repository
    for (const { name, target } of refs?.nodes ?? []) {
      const commit = target?.target ?? target
      if (commit?.committedDate === undefined) continue
      tags.push({ tag: name, sha: commit.oid, date: toUtc(target?.tagger?.date ?? commit.committedDate) })
    }
    if (!refs?.pageInfo.hasNextPage) return { tags, isCut: false }
    after = refs.pageInfo.endCursor
  }
  return { tags, isCut: true }
}

/** The most paths of one query. */
const maxPaths = 20

/** The query for the commits of a branch with the contents of `count` paths. */
export function toHistoryQuery(count: number): string {
  const indexes = Array.from({ length: count }, (_, index) => index)
  return `query History($owner: String!, $repo: String!, $sha: GitObjectID!, $after: String${indexes.map((at) => `, $path${at}: String!`).join('')}) {
  repository(owner: $owner, name: $repo) {
    object(oid: $sha) {
      ... on Commit {
        history(first: 100, after: $after) {
          nodes {
            oid
            committedDate
            parents(first: 1) { nodes { oid } }
            ${indexes.map((at) => `content${at}: file(path: $path${at}) { oid }`).join('\n            ')}
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
}`
}

type HistoryNode = {
  readonly oid: string
  readonly committedDate: string
  readonly parents: { readonly nodes: readonly { readonly oid: string }[] }
} & { readonly [content: `content${number}`]: { readonly oid: string } | null }

interface HistoryResponse {
  readonly repository: {
    readonly object: { readonly history?: { readonly nodes: readonly HistoryNode[]; readonly pageInfo: Page } } | null
  }
}

/**
 * Lists the commits that change files or folders, newest first, from a commit along the first parents: commits of merged branches count as
 * their merge. Looks at the newest 1,000 commits at most.
 *
 * @param paths Relative to the repository. @throws {GitHubError}
 */
export async function listFileCommits(
  client: GitHubClient,
  repository: RepositoryName,
  { sha, paths, limit }: { readonly sha: string; readonly paths: readonly string[]; readonly limit: number },
): Promise<{ readonly commits: readonly { sha: string; date: string }[]; readonly isCut: boolean }> {
  const operation = { operation: 'list commits', on: nameRepository(repository, sha), permission: 'contents: read' }
  const wanted = toFewPaths(paths)
  const query = toHistoryQuery(wanted.length)
  const variables = { ...repository, sha, ...Object.fromEntries(wanted.map((path, index) => [`path${index}`, path])) }
  const commits: { sha: string; date: string }[] = []
  let expected: string | undefined = sha
  let newer: HistoryNode | undefined
  let after: string | null = null
  const take = (commit: HistoryNode) => commits.push({ sha: commit.oid, date: toUtc(commit.committedDate) })
  for (let page = 0; page < maxPages && expected !== undefined && commits.length <= limit; page++) {
    const position: { readonly after: string | null } = { after }
    const answer: HistoryResponse = await callGitHub(operation, () =>
      client.graphql<HistoryResponse>(query, { ...variables, ...position, request: readOnly }),
    )
    const history = answer.repository.object?.history
    for (const node of history?.nodes ?? []) {
      // A commit of a merged branch.
      if (node.oid !== expected) continue
      if (newer && wanted.some((_, index) => contentOf(newer, index) !== contentOf(node, index))) take(newer)
      newer = node
      expected = node.parents.nodes[0]?.oid
    }
    if (!history?.pageInfo.hasNextPage) break
    after = history.pageInfo.endCursor
  }
  if (newer && expected === undefined && wanted.some((_, index) => contentOf(newer, index) !== undefined)) take(newer)
  return { commits: commits.slice(0, limit), isCut: commits.length > limit || expected !== undefined }
}

/** Many files are watched by their folders: further commits do no harm, because versions without changes are not listed. */
function toFewPaths(paths: readonly string[]): readonly string[] {
  if (paths.length <= maxPaths) return paths
  return [...new Set(paths.map((path) => path.split('/', 1)[0] ?? path))].slice(0, maxPaths)
}

function contentOf(node: HistoryNode | undefined, index: number): string | undefined {
  return node?.[`content${index}`]?.oid
}

/**
 * The path of a file before GitHub's comparison of two commits says that it was renamed; `undefined` if it was not, or if more than 300 files
 * differ.
 *
 * @throws {GitHubError}
 */
export async function findPreviousPath(
  client: GitHubClient,
  repository: RepositoryName,
  { path, older, newer }: { readonly path: string; readonly older: string; readonly newer: string },
): Promise<string | undefined> {
  const data = await compare(client, repository, { base: older, headSha: newer })
  return data.files?.find(({ filename, status }) => filename === path && status === 'renamed')?.previous_filename
}

function toUtc(date: string): string {
  return new Date(date).toISOString()
}
