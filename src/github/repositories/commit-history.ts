import { callGitHub, nameRepository } from '../requests/call-github.ts'
import { readOnly } from '../requests/request-pace.ts'
import type { GitHubClient, RepositoryName } from '../requests/types.ts'

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
  const operation = { operation: 'compare commits', on: nameRepository(repository, newer), permission: 'contents: read' }
  const basehead = `${older}...${newer}`
  const { data } = await callGitHub(operation, () =>
    client.rest.repos.compareCommitsWithBasehead({ ...repository, basehead, per_page: 1 }),
  )
  return data.files?.find(({ filename, status }) => filename === path && status === 'renamed')?.previous_filename
}

function toUtc(date: string): string {
  return new Date(date).toISOString()
}
