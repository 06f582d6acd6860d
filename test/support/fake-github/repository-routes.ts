import { hashTree } from './git-store.ts'
import { type Json, toCommit, toPullRequest, toRepository, toUser } from './represent.ts'
import { type Call, invalid, notFound, page, type Route } from './route.ts'

const read = ['contents', 'read'] as const

/** Reads data of a repository. */
export const repositoryRoutes: readonly Route[] = [
  {
    name: 'GET /repos/{owner}/{repo}',
    access: 'installation',
    permission: ['metadata', 'read'],
    handle: ({ github, repository }) => ({ status: 200, body: toRepository(github, repository) }),
  },
  {
    // Where GitHub redirects the old names of a repository. A token can also read public repositories without an installation.
    name: 'GET /repositories/{repository_id}',
    access: 'installation',
    permission: ['metadata', 'read'],
    handle: ({ github, installation, parameters }) => {
      const repository = github.findRepositoryById(Number(parameters['repository_id']))
      const isVisible = repository && (!repository.private || installation.repositories.includes(repository))
      return isVisible ? { status: 200, body: toRepository(github, repository) } : notFound
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/branches',
    access: 'installation',
    permission: read,
    handle: (call) =>
      page(call, [...call.repository.branches].sort(), (branches) =>
        branches.map(([name, sha]) => ({
          name,
          commit: { sha, url: `${call.repository.apiUrl}/commits/${sha}` },
          protected: false,
        })),
      ),
  },
  {
    name: 'GET /repos/{owner}/{repo}/commits/{ref}',
    access: 'installation',
    permission: read,
    handle: ({ github, repository, parameters }) => {
      const sha = repository.resolve(parameters['ref'] ?? '')
      if (sha === undefined) return invalid(`No commit found for SHA: ${parameters['ref']}`)
      return { status: 200, body: toCommit(github, repository, repository.git.commit(sha)) }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/branches/{branch}',
    access: 'installation',
    permission: read,
    handle: ({ github, repository, parameters }) => {
      const branch = parameters['branch'] ?? ''
      const sha = repository.tip(branch)
      if (sha === undefined) {
        return {
          status: 404,
          body: { message: 'Branch not found', documentation_url: 'https://docs.github.com/rest', status: '404' },
        }
      }
      const url = `${repository.apiUrl}/branches/${branch}`
      return {
        status: 200,
        body: {
          name: branch,
          commit: toCommit(github, repository, repository.git.commit(sha)),
          _links: { self: url, html: `${repository.webUrl}/tree/${branch}` },
          protected: false,
          protection: { enabled: false },
          protection_url: `${url}/protection`,
        },
      }
    },
  },
  { name: 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}', access: 'installation', permission: read, handle: readTree },
  { name: 'GET /repos/{owner}/{repo}/contents/{path}', access: 'installation', permission: read, handle: readContents },
  { name: 'GET /repos/{owner}/{repo}/compare/{basehead}', access: 'installation', permission: read, handle: compare },
  {
    name: 'GET /repos/{owner}/{repo}/tarball/{ref}',
    access: 'installation',
    permission: read,
    handle: ({ github, repository, parameters }) => {
      const sha = repository.resolve(parameters['ref'] ?? '')
      if (sha === undefined) return notFound
      return { status: 302, headers: { location: github.archives.link(repository, sha) } }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/collaborators',
    access: 'installation',
    permission: ['metadata', 'read'],
    handle: ({ github, repository }) => ({
      status: 200,
      body: [...repository.collaborators]
        .filter(([, role]) => role !== 'none')
        .map(([login, role]) => ({
          ...toUser(github, login),
          role_name: role,
          permissions: {
            admin: role === 'admin',
            maintain: role === 'admin' || role === 'maintain',
            push: role !== 'read' && role !== 'triage',
            triage: role !== 'read',
            pull: true,
          },
        })),
    }),
  },
  {
    name: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    access: 'installation',
    permission: ['metadata', 'read'],
    handle: ({ github, repository, parameters }) => {
      const login = parameters['username'] ?? ''
      if (!github.hasAccount(login))
        return { ...notFound, body: { message: `${login} is not a user`, documentation_url: '', status: '404' } }
      const role = repository.collaborators.get(login) ?? (repository.private ? 'none' : 'read')
      // The older field lacks `maintain` and `triage` and contains the next lower level.
      const permission = role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role
      const user = { ...toUser(github, login), role_name: role, permissions: undefined }
      return { status: 200, body: { permission, role_name: role, user } }
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/pulls',
    access: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (call) => {
      const { repository, query } = call
      const state = query.get('state') ?? 'open'
      const [head, base] = [query.get('head'), query.get('base')]
      const pulls = repository.pullRequests.filter(
        (pull) =>
          (state === 'all' || pull.state === state) &&
          (base === null || pull.base === base) &&
          (head === null || head === `${pull.headRepository.split('/')[0]}:${pull.head}`),
      )
      return page(call, pulls.toReversed(), (shown) => shown.map((pull) => toPullRequest(call.github, repository, pull)))
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    access: 'installation',
    permission: ['pull_requests', 'read'],
    handle: ({ github, repository, parameters }) => {
      const pull = repository.pullRequests.find(({ number }) => number === Number(parameters['pull_number']))
      return pull ? { status: 200, body: toPullRequest(github, repository, pull) } : notFound
    },
  },
  {
    name: 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls',
    access: 'installation',
    permission: ['pull_requests', 'read'],
    handle: (call) => {
      const { repository, parameters } = call
      const pulls = repository.pullRequests.filter(
        (pull) => pull.headRepository === repository.fullName && repository.tip(pull.head) === parameters['commit_sha'],
      )
      return page(call, pulls, (shown) => shown.map((pull) => toPullRequest(call.github, repository, pull)))
    },
  },
]

/** GitHub's limit of entries per response. Larger responses set `truncated`. */
const treeEntryLimit = 100_000

function readTree({ repository, parameters, query }: Call) {
  const sha = repository.resolve(parameters['tree_sha'] ?? '')
  if (sha === undefined) return notFound
  const commit = repository.git.commit(sha)
  const url = `${repository.apiUrl}/git`
  const folders: Json[] = []
  hashTree(commit.files, (path, folderSha) => {
    if (path !== '') folders.push({ path, mode: '040000', type: 'tree', sha: folderSha, url: `${url}/trees/${folderSha}` })
  })
  const files = [...commit.files].map(([path, entry]): Json => {
    if (entry.mode === '160000') return { path, mode: entry.mode, type: 'commit', sha: entry.sha }
    const size = repository.git.blob(entry.sha).length
    return { path, mode: entry.mode, type: 'blob', sha: entry.sha, size, url: `${url}/blobs/${entry.sha}` }
  })
  const isDeep = query.get('recursive') !== null
  const tree = [...folders, ...files]
    .filter(({ path }) => isDeep || !String(path).includes('/'))
    .sort((a, b) => (String(a['path']) < String(b['path']) ? -1 : 1))
  return {
    status: 200,
    body: {
      sha: commit.treeSha,
      url: `${url}/trees/${commit.treeSha}`,
      tree: tree.slice(0, treeEntryLimit),
      truncated: tree.length > treeEntryLimit,
    },
  }
}

function readContents({ repository, parameters, query }: Call) {
  const path = parameters['path'] ?? ''
  const sha = repository.resolve(query.get('ref') ?? repository.defaultBranch)
  const entry = sha === undefined ? undefined : repository.git.commit(sha).files.get(path)
  if (!entry) return notFound
  const bytes = repository.git.blob(entry.sha)
  const url = `${repository.apiUrl}/contents/${path}?ref=${sha}`
  const gitUrl = `${repository.apiUrl}/git/blobs/${entry.sha}`
  const webUrl = `${repository.webUrl}/blob/${sha}/${path}`
  return {
    status: 200,
    body: {
      type: 'file',
      encoding: 'base64',
      size: bytes.length,
      name: path.slice(path.lastIndexOf('/') + 1),
      path,
      content: Buffer.from(bytes).toString('base64'),
      sha: entry.sha,
      url,
      git_url: gitUrl,
      html_url: webUrl,
      download_url: webUrl,
      _links: { self: url, git: gitUrl, html: webUrl },
    },
  }
}

/** GitHub's limits: 250 commits in a response without paging, 300 files, and files only on the first page. */
const compareCommitLimit = 250
const compareFileLimit = 300

function compare(call: Call) {
  const { github, repository, parameters, query } = call
  const [baseRef = '', headRef = ''] = (parameters['basehead'] ?? '').split('...')
  const base = repository.resolve(baseRef)
  const head = repository.resolve(headRef)
  if (base === undefined || head === undefined) return notFound
  const { git } = repository
  const mergeBase = git.mergeBase(base, head)
  if (mergeBase === undefined)
    return { ...notFound, body: { message: `No common ancestor between ${baseRef} and ${headRef}.`, status: '404' } }
  const ahead = git.commitsBetween(base, head)
  const behind = git.commitsBetween(head, base)
  const isPaged = query.has('page') || query.has('per_page')
  const current = Number(query.get('page') ?? 1)
  const perPage = isPaged ? Math.min(100, Number(query.get('per_page') ?? 30)) : compareCommitLimit
  const shown = ahead.slice((current - 1) * perPage, current * perPage)
  const differences = current === 1 ? git.difference(mergeBase, head).slice(0, compareFileLimit) : []
  const commitOf = (sha: string) => toCommit(github, repository, git.commit(sha))
  const webUrl = `${repository.webUrl}/compare/${baseRef}...${headRef}`
  return {
    status: 200,
    body: {
      url: `${repository.apiUrl}/compare/${baseRef}...${headRef}`,
      html_url: webUrl,
      permalink_url: webUrl,
      diff_url: `${webUrl}.diff`,
      patch_url: `${webUrl}.patch`,
      base_commit: commitOf(base),
      merge_base_commit: commitOf(mergeBase),
      status: ahead.length === 0 ? (behind.length === 0 ? 'identical' : 'behind') : behind.length === 0 ? 'ahead' : 'diverged',
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: shown.map(({ sha }) => commitOf(sha)),
      files: differences.map((difference) => {
        const webPath = `${repository.webUrl}/blob/${head}/${encodeURI(difference.path)}`
        return {
          sha: difference.sha,
          filename: difference.path,
          status: difference.status,
          additions: 1,
          deletions: 0,
          changes: 1,
          blob_url: webPath,
          raw_url: webPath.replace('/blob/', '/raw/'),
          contents_url: `${repository.apiUrl}/contents/${encodeURI(difference.path)}?ref=${head}`,
          ...(difference.previousPath === undefined ? {} : { previous_filename: difference.previousPath }),
        }
      }),
    },
  }
}
