import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeInstallation } from './fake-installation.ts'
import type { FakePush, FakeRepository } from './fake-repository.ts'
import { type Json, nodeId, toCheckRun, toInstallation, toPullRequest, toRepository, toUser } from './represent.ts'
import type { FakeCheckRun, FakePullRequest } from './types.ts'

interface ExampleSet {
  readonly name: string
  readonly examples: readonly Json[]
}

let exampleSets: readonly ExampleSet[] | undefined

/**
 * A copy of a real payload from `@octokit/webhooks-examples`, with the repository, the installation and the other data of the
 * fake. Uses the example with the most fields for that action.
 */
export function toExample(event: string, action?: string): Json {
  const path = createRequire(import.meta.url).resolve('@octokit/webhooks-examples')
  exampleSets ??= JSON.parse(readFileSync(path, 'utf8')) as readonly ExampleSet[]
  const examples = exampleSets.find((set) => set.name === event)?.examples ?? []
  const matching = examples.filter((example) => action === undefined || example['action'] === action)
  const best = matching.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)[0]
  if (!best) throw new Error(`There is no example of ${event}${action === undefined ? '' : `.${action}`}`)
  return structuredClone(best)
}

/** The fields of every payload of a repository. */
function toSurroundings(github: FakeGitHub, repository: FakeRepository, sender: string): Json {
  const { installation } = repository
  return {
    repository: toRepository(github, repository),
    sender: toUser(github, sender),
    ...(installation
      ? { installation: { id: installation.id, node_id: nodeId('Integration', installation.id) } }
      : { installation: undefined }),
  }
}

/** `push`, with the limits of GitHub's webhook: at most 2,048 commits, at most 3,000 files per commit. */
export function toPush(github: FakeGitHub, repository: FakeRepository, push: FakePush): Json {
  const isDeleted = /^0+$/.test(push.after)
  const isNew = /^0+$/.test(push.before)
  const isFirst = isNew && push.ref === `refs/heads/${repository.defaultBranch}`
  const base = isFirst ? undefined : isNew ? repository.tip(repository.defaultBranch) : push.before
  const fresh = isDeleted ? [] : repository.git.commitsBetween(base, push.after)
  const commits = fresh.slice(-2048).map((commit) => {
    const changes = repository.changesOf(commit.sha).slice(0, 3000)
    const paths = (kinds: readonly string[]) => changes.filter(({ status }) => kinds.includes(status)).map(({ path }) => path)
    const previous = changes.flatMap(({ previousPath }) => (previousPath === undefined ? [] : [previousPath]))
    const person = { name: commit.author, email: `${commit.author}@users.noreply.github.com`, username: commit.author }
    return {
      id: commit.sha,
      tree_id: commit.treeSha,
      distinct: true,
      message: commit.message,
      timestamp: commit.date,
      url: `${repository.webUrl}/commit/${commit.sha}`,
      author: person,
      committer: person,
      added: paths(['added', 'renamed']),
      removed: [...paths(['removed']), ...previous].sort(),
      modified: paths(['modified']),
    }
  })
  return {
    ...toExample('push'),
    ...toSurroundings(github, repository, push.pusher),
    ref: push.ref,
    before: push.before,
    after: push.after,
    created: isNew,
    deleted: isDeleted,
    forced: push.forced,
    base_ref: null,
    compare: `${repository.webUrl}/compare/${push.before.slice(0, 12)}...${push.after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: push.pusher, email: `${push.pusher}@users.noreply.github.com` },
  }
}

/** `pull_request` with the current pull request. */
export function toPullRequestEvent(
  github: FakeGitHub,
  repository: FakeRepository,
  action: 'opened' | 'synchronize' | 'reopened' | 'closed',
  pull: FakePullRequest,
  before?: string,
): Json {
  return {
    ...toExample('pull_request', action),
    ...toSurroundings(github, repository, pull.author),
    number: pull.number,
    pull_request: toPullRequest(github, repository, pull),
    ...(action === 'synchronize' ? { before: before ?? '0'.repeat(40), after: repository.headOf(pull) } : {}),
  }
}

/** `check_run`: a person requested a re-run or clicked a button. */
export function toCheckRunEvent(
  github: FakeGitHub,
  repository: FakeRepository,
  run: FakeCheckRun,
  request: { action: 'rerequested' } | { action: 'requested_action'; identifier: string },
  sender: string,
): Json {
  const example = toExample('check_run', request.action)
  return {
    ...example,
    ...toSurroundings(github, repository, sender),
    check_run: {
      ...(example['check_run'] as Json), // The example is a real `check_run` payload.
      ...toCheckRun(github, repository, run),
      check_suite: toSuite(github, repository, run.suiteId, run.headSha),
    },
    ...(request.action === 'requested_action' ? { requested_action: { identifier: request.identifier } } : {}),
  }
}

/** `check_suite`: a person requested a re-run of all checks of a commit. */
export function toCheckSuiteEvent(github: FakeGitHub, repository: FakeRepository, headSha: string, sender: string): Json {
  const suiteId = repository.checkRuns.find((run) => run.headSha === headSha)?.suiteId ?? github.nextId()
  return {
    ...toExample('check_suite', 'rerequested'),
    ...toSurroundings(github, repository, sender),
    check_suite: toSuite(github, repository, suiteId, headSha),
  }
}

/** `merge_group.checks_requested`: a merge queue made a commit and waits for its checks. */
export function toMergeGroupEvent(github: FakeGitHub, repository: FakeRepository, branch: string, baseBranch: string): Json {
  const example = toExample('merge_group', 'checks_requested')
  return {
    ...example,
    ...toSurroundings(github, repository, 'octocat'),
    merge_group: {
      ...(example['merge_group'] as Json), // The example is a real `merge_group` payload.
      head_sha: repository.tipOf(branch),
      head_ref: `refs/heads/${branch}`,
      base_sha: repository.tipOf(baseBranch),
      base_ref: `refs/heads/${baseBranch}`,
    },
  }
}

/** `installation`, for all events of an installation. */
export function toInstallationEvent(
  github: FakeGitHub,
  installation: FakeInstallation,
  action: 'created' | 'deleted' | 'suspend' | 'unsuspend' | 'new_permissions_accepted',
): Json {
  return {
    ...toExample('installation', action),
    installation: toInstallation(github, installation),
    repositories: installation.repositories.map(toShortRepository),
    sender: toUser(github, installation.account),
  }
}

/** `installation_repositories`: repositories were added to or removed from an installation. */
export function toInstallationRepositoriesEvent(
  github: FakeGitHub,
  installation: FakeInstallation,
  action: 'added' | 'removed',
  repositories: readonly FakeRepository[],
): Json {
  const moved = repositories.map(toShortRepository)
  return {
    ...toExample('installation_repositories', action),
    installation: toInstallation(github, installation),
    repository_selection: 'selected',
    repositories_added: action === 'added' ? moved : [],
    repositories_removed: action === 'removed' ? moved : [],
    sender: toUser(github, installation.account),
  }
}

/** `repository` after the event, with `changes` in GitHub's form. */
export function toRepositoryEvent(
  github: FakeGitHub,
  repository: FakeRepository,
  action: 'edited' | 'renamed' | 'transferred' | 'deleted' | 'privatized' | 'publicized',
  changes?: Json,
): Json {
  return {
    // `deleted` and `edited` have no example. Their payloads have the fields of the others.
    ...toExample('repository', action === 'deleted' || action === 'edited' ? 'privatized' : action),
    action,
    ...toSurroundings(github, repository, 'octocat'),
    ...(changes ? { changes } : {}),
  }
}

function toShortRepository(repository: FakeRepository): Json {
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: repository.fullName,
    private: repository.private,
  }
}

function toSuite(github: FakeGitHub, repository: FakeRepository, suiteId: number, headSha: string): Json {
  const suite = toExample('check_suite', 'rerequested')['check_suite'] as Json // The example is a real payload.
  const branch = [...repository.branches].find(([, sha]) => sha === headSha)?.[0]
  const appPart = suite['app'] as Json // As above.
  return {
    ...suite,
    id: suiteId,
    head_branch: branch ?? null,
    head_sha: headSha,
    status: 'completed',
    url: `${repository.apiUrl}/check-suites/${suiteId}`,
    pull_requests: [],
    app: { ...appPart, id: github.app.id, slug: github.app.slug, name: github.app.name },
  }
}
