import type { FakeGitHub } from './fake-github.ts'
import type { FakeInstallation } from './fake-installation.ts'
import type { FakeRepository } from './fake-repository.ts'
import type { GitCommit } from './git-store.ts'
import type { FakeAnnotation, FakeCheckRun, FakeComment, FakePullRequest, RecordedDelivery } from './types.ts'

/** Plain JSON, as in GitHub's responses. */
export type Json = { [field: string]: unknown }

/**
 * Converts the data of the fake to GitHub's responses. `test/real/fake-github.test.ts` validates them against GitHub's
 * description.
 */

export const nodeId = (kind: string, id: number | string) => Buffer.from(`${kind}${id}`).toString('base64')

export function toUser(github: FakeGitHub, login: string): Json {
  const { id, type } = github.account(login)
  const url = `${github.url}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `${github.webUrl}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: `${github.webUrl}/${login.endsWith('[bot]') ? `apps/${login.slice(0, -5)}` : login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: false,
  }
}

/** A user's own profile, read with the token of an app, which has no access to private data. */
export function toOwnUser(github: FakeGitHub, login: string): Json {
  return {
    ...toUser(github, login),
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2020-01-01T00:00:00Z',
  }
}

export function toApp(github: FakeGitHub): Json {
  const { app } = github
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: app.clientId,
    owner: toUser(github, app.owner),
    name: app.name,
    description: null,
    external_url: 'https://example.com/',
    html_url: `${github.webUrl}/apps/${app.slug}`,
    created_at: github.startedAt,
    updated_at: github.startedAt,
    permissions: { ...app.permissions },
    events: [...app.events],
    installations_count: github.installations.length,
  }
}

export function toInstallation(github: FakeGitHub, installation: FakeInstallation): Json {
  const account = github.account(installation.account)
  return {
    id: installation.id,
    account: toUser(github, installation.account),
    repository_selection: 'selected',
    access_tokens_url: `${github.url}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${github.url}/installation/repositories`,
    html_url: `${github.webUrl}/settings/installations/${installation.id}`,
    app_id: github.app.id,
    app_slug: github.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: { ...installation.permissions },
    events: [...github.app.events],
    created_at: github.startedAt,
    updated_at: github.startedAt,
    single_file_name: null,
    suspended_by: installation.suspended ? toUser(github, installation.account) : null,
    suspended_at: installation.suspended ? github.startedAt : null,
  }
}

/** The middle part of each `…_url` of a repository. */
const repositoryUrls = {
  archive_url: '{archive_format}{/ref}',
  assignees_url: 'assignees{/user}',
  blobs_url: 'git/blobs{/sha}',
  branches_url: 'branches{/branch}',
  collaborators_url: 'collaborators{/collaborator}',
  comments_url: 'comments{/number}',
  commits_url: 'commits{/sha}',
  compare_url: 'compare/{base}...{head}',
  contents_url: 'contents/{+path}',
  contributors_url: 'contributors',
  deployments_url: 'deployments',
  downloads_url: 'downloads',
  events_url: 'events',
  forks_url: 'forks',
  git_commits_url: 'git/commits{/sha}',
  git_refs_url: 'git/refs{/sha}',
  git_tags_url: 'git/tags{/sha}',
  hooks_url: 'hooks',
  issue_comment_url: 'issues/comments{/number}',
  issue_events_url: 'issues/events{/number}',
  issues_url: 'issues{/number}',
  keys_url: 'keys{/key_id}',
  labels_url: 'labels{/name}',
  languages_url: 'languages',
  merges_url: 'merges',
  milestones_url: 'milestones{/number}',
  notifications_url: 'notifications{?since,all,participating}',
  pulls_url: 'pulls{/number}',
  releases_url: 'releases{/id}',
  stargazers_url: 'stargazers',
  statuses_url: 'statuses/{sha}',
  subscribers_url: 'subscribers',
  subscription_url: 'subscription',
  tags_url: 'tags',
  teams_url: 'teams',
  trees_url: 'git/trees{/sha}',
}

export function toRepository(github: FakeGitHub, repository: FakeRepository): Json {
  const url = repository.apiUrl
  const webUrl = repository.webUrl
  const count = { forks: 0, stargazers: 0, watchers: 0 }
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: repository.fullName,
    owner: toUser(github, repository.owner),
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    html_url: webUrl,
    description: null,
    fork: repository.fork,
    url,
    ...Object.fromEntries(Object.entries(repositoryUrls).map(([field, path]) => [field, `${url}/${path}`])),
    git_url: `git://github.test/${repository.fullName}.git`,
    ssh_url: `git@github.test:${repository.fullName}.git`,
    clone_url: `${webUrl}.git`,
    svn_url: webUrl,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    size: 1,
    forks_count: count.forks,
    stargazers_count: count.stargazers,
    watchers_count: count.watchers,
    open_issues_count: repository.pullRequests.length,
    forks: count.forks,
    watchers: count.watchers,
    open_issues: repository.pullRequests.length,
    subscribers_count: 0,
    network_count: 0,
    default_branch: repository.defaultBranch,
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: false,
    disabled: false,
    web_commit_signoff_required: false,
    pushed_at: repository.pushedAt,
    created_at: github.startedAt,
    updated_at: github.startedAt,
  }
}

export function toCommit(github: FakeGitHub, repository: FakeRepository, commit: GitCommit): Json {
  const toPerson = (name: string) => ({ name, email: `${name}@users.noreply.github.com`, date: commit.date })
  const committer = commit.committer === 'GitHub' ? 'web-flow' : commit.committer
  return {
    url: `${repository.apiUrl}/commits/${commit.sha}`,
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    html_url: `${repository.webUrl}/commit/${commit.sha}`,
    comments_url: `${repository.apiUrl}/commits/${commit.sha}/comments`,
    commit: {
      url: `${repository.apiUrl}/git/commits/${commit.sha}`,
      author: toPerson(commit.author),
      committer:
        commit.committer === 'GitHub' ? { ...toPerson('GitHub'), email: 'noreply@github.com' } : toPerson(commit.committer),
      message: commit.message,
      comment_count: 0,
      verification: toVerification(repository, commit),
      tree: { sha: commit.treeSha, url: `${repository.apiUrl}/git/trees/${commit.treeSha}` },
    },
    author: toUser(github, commit.author),
    committer: toUser(github, committer),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${repository.apiUrl}/commits/${sha}`,
      html_url: `${repository.webUrl}/commit/${sha}`,
    })),
  }
}

/** GitHub signs its own commits. Commits that are pushed here are never signed. */
function toVerification(repository: FakeRepository, { committer }: GitCommit): Json {
  const verified = committer === 'GitHub' && repository.signsCommits
  const [signature, payload] = verified ? ['-----BEGIN PGP SIGNATURE-----', 'tree'] : [null, null]
  return { verified, reason: verified ? 'valid' : 'unsigned', signature, payload, verified_at: null }
}

export function toCheckRun(github: FakeGitHub, repository: FakeRepository, run: FakeCheckRun): Json {
  const url = `${repository.apiUrl}/check-runs/${run.id}`
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: `${repository.webUrl}/runs/${run.id}`,
    details_url: run.detailsUrl ?? github.webUrl,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    output: { ...run.output, annotations_count: run.annotations.length, annotations_url: `${url}/annotations` },
    check_suite: { id: run.suiteId },
    app: { ...toApp(github), ...(run.appId !== undefined && { id: run.appId }) },
    pull_requests: repository.pullRequests
      .filter((pull) => pull.headRepository === repository.fullName && repository.tip(pull.head) === run.headSha)
      .map((pull) => toMinimalPullRequest(repository, pull)),
  }
}

function toMinimalPullRequest(repository: FakeRepository, pull: FakePullRequest): Json {
  const repo = { id: repository.id, url: repository.apiUrl, name: repository.name }
  return {
    id: pull.id,
    number: pull.number,
    url: `${repository.apiUrl}/pulls/${pull.number}`,
    head: { ref: pull.head, sha: repository.headOf(pull), repo },
    base: { ref: pull.base, sha: repository.baseOf(pull), repo },
  }
}

export function toAnnotation(repository: FakeRepository, run: FakeCheckRun, annotation: FakeAnnotation): Json {
  return { ...annotation, blob_href: `${repository.webUrl}/blob/${run.headSha}/${annotation.path}` }
}

export function toComment(github: FakeGitHub, repository: FakeRepository, comment: FakeComment): Json {
  return {
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    url: `${repository.apiUrl}/issues/comments/${comment.id}`,
    html_url: `${repository.webUrl}/pull/${comment.issueNumber}#issuecomment-${comment.id}`,
    issue_url: `${repository.apiUrl}/issues/${comment.issueNumber}`,
    body: comment.body,
    user: toUser(github, comment.author),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: comment.authorAssociation,
    performed_via_github_app: comment.author === `${github.app.slug}[bot]` ? toApp(github) : null,
  }
}

export function toPullRequest(github: FakeGitHub, repository: FakeRepository, pull: FakePullRequest): Json {
  const url = `${repository.apiUrl}/pulls/${pull.number}`
  const issueUrl = `${repository.apiUrl}/issues/${pull.number}`
  const webUrl = `${repository.webUrl}/pull/${pull.number}`
  const headRepository = github.repository(pull.headRepository)
  const headSha = repository.headOf(pull)
  const side = (from: FakeRepository, ref: string, sha: string) => ({
    label: `${from.owner}:${ref}`,
    ref,
    sha,
    user: toUser(github, from.owner),
    repo: toRepository(github, from),
  })
  return {
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    number: pull.number,
    url,
    html_url: webUrl,
    diff_url: `${webUrl}.diff`,
    patch_url: `${webUrl}.patch`,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repository.apiUrl}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: `${repository.apiUrl}/statuses/${headSha}`,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: toUser(github, pull.author),
    body: pull.body,
    labels: pull.labels.map((name) => toLabel(repository, name)),
    milestone: null,
    active_lock_reason: null,
    created_at: pull.createdAt,
    // Every change in a test is followed by its representation.
    updated_at: new Date().toISOString(),
    closed_at: pull.state === 'closed' ? pull.createdAt : null,
    merged_at: pull.isMerged ? pull.createdAt : null,
    merge_commit_sha: null,
    assignee: null,
    assignees: pull.assignees.map((login) => toUser(github, login)),
    requested_reviewers: pull.reviewers.map((login) => toUser(github, login)),
    requested_teams: pull.teamReviewers.map((slug) => toTeam(github, repository, slug)),
    head: side(headRepository, pull.head, headSha),
    base: side(repository, pull.base, repository.baseOf(pull)),
    _links: {
      self: { href: url },
      html: { href: webUrl },
      issue: { href: issueUrl },
      comments: { href: `${issueUrl}/comments` },
      review_comments: { href: `${url}/comments` },
      review_comment: { href: `${repository.apiUrl}/pulls/comments{/number}` },
      commits: { href: `${url}/commits` },
      statuses: { href: `${repository.apiUrl}/statuses/${headSha}` },
    },
    author_association: pull.authorAssociation,
    auto_merge: null,
    draft: pull.isDraft,
    merged: pull.isMerged,
    mergeable: true,
    rebaseable: true,
    mergeable_state: 'clean',
    merged_by: null,
    comments: repository.comments.filter((comment) => comment.issueNumber === pull.number).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: 1,
    additions: 1,
    deletions: 0,
    changed_files: 1,
  }
}

export function toLabel(repository: FakeRepository, name: string): Json {
  const url = `${repository.apiUrl}/labels/${encodeURIComponent(name)}`
  return { id: name.length, node_id: nodeId('Label', name.length), url, name, color: 'ededed', default: false, description: '' }
}

function toTeam(github: FakeGitHub, repository: FakeRepository, slug: string): Json {
  const url = `${github.url}/organizations/1/team/1`
  return {
    id: slug.length,
    node_id: nodeId('Team', slug.length),
    url,
    members_url: `${url}/members{/member}`,
    name: slug,
    description: null,
    permission: 'pull',
    privacy: 'closed',
    html_url: `${github.webUrl}/orgs/${repository.owner}/teams/${slug}`,
    repositories_url: `${url}/repos`,
    slug,
    type: 'organization',
    parent: null,
  }
}

/** A pull request as an issue. */
export function toIssue(github: FakeGitHub, repository: FakeRepository, pull: FakePullRequest): Json {
  const url = `${repository.apiUrl}/issues/${pull.number}`
  return {
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    url,
    repository_url: repository.apiUrl,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `${repository.webUrl}/pull/${pull.number}`,
    number: pull.number,
    title: pull.title,
    user: toUser(github, pull.author),
    labels: pull.labels.map((name) => toLabel(repository, name)),
    state: pull.state,
    locked: false,
    assignee: null,
    assignees: pull.assignees.map((login) => toUser(github, login)),
    milestone: null,
    comments: 0,
    closed_at: null,
    created_at: pull.createdAt,
    updated_at: pull.createdAt,
    author_association: pull.authorAssociation,
    body: pull.body,
  }
}

/** A row of the list of deliveries. */
export function toDeliveryItem(delivery: RecordedDelivery): Json {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: delivery.durationSeconds,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  }
}

export function toDelivery(delivery: RecordedDelivery): Json {
  return {
    ...toDeliveryItem(delivery),
    url: '',
    request: { headers: delivery.requestHeaders, payload: delivery.payload },
    response: { headers: delivery.responseHeaders, payload: delivery.responseBody },
  }
}
