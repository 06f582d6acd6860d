import { BareBranches, BareGitStore } from './bare-git-store.ts'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeInstallation } from './fake-installation.ts'
import { type FileDifference, GitStore } from './git-store.ts'
import { toPush } from './payloads.ts'
import type {
  DeliveryResult,
  FakeChange,
  FakeCheckRun,
  FakeComment,
  FakeCommitStatus,
  FakeDeployment,
  FakePullRequest,
  FakeWorkflowRun,
} from './types.ts'

/** One movement of a branch, from which the payload of a push is created. */
export interface FakePush {
  readonly ref: string
  /** 40 zeros for a new branch. */
  readonly before: string
  /** 40 zeros for a deleted branch. */
  readonly after: string
  readonly forced: boolean
  readonly pusher: string
}

export const zeroSha = '0'.repeat(40)

/** The branch was moved by someone else between two steps. */
export class StaleBranchError extends Error {
  override readonly name = 'StaleBranchError'
}

/** GitHub's message about the rule that protects the branch. */
export interface FakeRule {
  /** The kind of rule. Their error messages differ. */
  readonly kind: 'classic' | 'ruleset'
  readonly reason: string
}

export type CollaboratorPermission = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none'

/** A repository with its commits, branches, pull requests, checks and comments. Change it through its methods. */
export class FakeRepository {
  readonly id: number
  readonly git: GitStore
  readonly branches: Map<string, string>
  /** Tags of commits. An annotated tag has its own date. */
  readonly tags = new Map<string, { readonly sha: string; readonly date?: string }>()
  readonly pullRequests: FakePullRequest[] = []
  readonly checkRuns: FakeCheckRun[] = []
  readonly comments: FakeComment[] = []
  readonly workflowRuns: FakeWorkflowRun[] = []
  /** GitHub's error message when a rule of a branch refuses a change; by branch, `*` for all. */
  readonly rules = new Map<string, FakeRule>()
  /** Whether GitHub signs its commits. It does not for every kind of token. */
  signsCommits = true
  readonly commitStatuses: FakeCommitStatus[] = []
  readonly deployments: FakeDeployment[] = []
  readonly collaborators = new Map<string, CollaboratorPermission>()
  /** Slugs of the teams that can read it. */
  readonly teams = new Set<string>()
  /** Whether its plan has draft pull requests. */
  hasDrafts = true
  /** Bytes that are served as the archive of a commit instead of the real one. */
  readonly tarballs = new Map<string, Uint8Array>()
  defaultBranch: string
  /** The time of a branch's last movement, as GitHub reports it. */
  pushedAt: string
  readonly fork: boolean
  /** The path of its real Git repository, if it has one. */
  readonly barePath: string | undefined
  installation: FakeInstallation | undefined
  owner: string
  name: string
  private: boolean
  readonly #github: FakeGitHub

  constructor(
    github: FakeGitHub,
    options: {
      id: number
      owner: string
      name: string
      private: boolean
      defaultBranch: string
      installation: FakeInstallation | undefined
      forkOf?: FakeRepository
      /** A bare repository with commits and branches. */
      bare?: string
    },
  ) {
    this.#github = github
    this.id = options.id
    this.owner = options.owner
    this.name = options.name
    this.private = options.private
    this.defaultBranch = options.defaultBranch
    this.pushedAt = github.startedAt
    this.installation = options.installation
    this.fork = options.forkOf !== undefined
    // A fork shares the objects of its parent, as on GitHub: the head of its pull request can be read through the parent.
    this.git = options.forkOf?.git ?? (options.bare === undefined ? new GitStore() : new BareGitStore(options.bare))
    this.branches = options.bare === undefined ? new Map() : new BareBranches(options.bare)
    this.barePath = options.bare
  }

  get fullName(): string {
    return `${this.owner}/${this.name}`
  }

  get apiUrl(): string {
    return `${this.#github.url}/repos/${this.fullName}`
  }

  get webUrl(): string {
    return `${this.#github.webUrl}/${this.fullName}`
  }

  /** The commit of a branch, `undefined` if there is no such branch. */
  tip(branch: string): string | undefined {
    return this.branches.get(branch)
  }

  tipOf(branch: string): string {
    const sha = this.tip(branch)
    if (sha === undefined) throw new Error(`${this.fullName} has no branch ${branch}`)
    return sha
  }

  /** The head commit of a pull request, which may be in a fork; the last one if its branch was deleted. */
  headOf(pull: FakePullRequest): string {
    const tip = this.#github.repository(pull.headRepository).tip(pull.head)
    if (tip !== undefined) pull.lastHeadSha = tip
    return pull.lastHeadSha ?? this.#github.repository(pull.headRepository).tipOf(pull.head)
  }

  /** The commit of the base branch of a pull request; the last one if the branch was deleted. */
  baseOf(pull: FakePullRequest): string {
    const tip = this.tip(pull.base)
    if (tip !== undefined) pull.lastBaseSha = tip
    return pull.lastBaseSha ?? this.tipOf(pull.base)
  }

  /** Adds a commit and moves the branch, without a delivery. */
  commit(change: FakeChange): FakePush {
    const branch = change.branch ?? this.defaultBranch
    const before = this.tip(branch)
    const parent = change.parent ?? before ?? this.tip(this.defaultBranch)
    const author = change.author ?? 'octocat'
    const { sha } = this.git.add({
      parents: parent === undefined ? [] : [parent],
      changes: change.files,
      message: change.message ?? 'Change the documents',
      author,
      date: this.#github.nextDate(),
      ...(change.isSigned ? { isSigned: true } : {}),
    })
    if (!this.moveBranches([{ branch, from: change.expected ?? before ?? zeroSha, to: sha }])) throw new StaleBranchError(branch)
    const forced = before !== undefined && !this.git.ancestors(sha).has(before)
    this.pushedAt = this.#github.nextDate()
    return { ref: `refs/heads/${branch}`, before: before ?? zeroSha, after: sha, forced, pusher: author }
  }

  /** Moves all branches or none. Returns whether each was at the expected commit. 40 zeros mean no branch. */
  moveBranches(moves: readonly { readonly branch: string; readonly from: string; readonly to: string }[]): boolean {
    if (this.branches instanceof BareBranches) return this.branches.swap(moves)
    if (moves.some(({ branch, from }) => (this.tip(branch) ?? zeroSha) !== from)) return false
    for (const { branch, to } of moves) {
      if (to === zeroSha) this.branches.delete(branch)
      else this.branches.set(branch, to)
    }
    return true
  }

  /** The rule that refuses a change of a branch, if any. */
  ruleOf(branch: string): FakeRule | undefined {
    return this.rules.get(branch) ?? this.rules.get('*')
  }

  /** Points a branch at an existing commit. Counts as forced if that is not a descendant of its tip. */
  moveBranch(branch: string, sha: string, pusher = 'octocat'): FakePush {
    const before = this.tip(branch)
    this.git.commit(sha)
    this.branches.set(branch, sha)
    this.pushedAt = this.#github.nextDate()
    const forced = before !== undefined && !this.git.ancestors(sha).has(before)
    return { ref: `refs/heads/${branch}`, before: before ?? zeroSha, after: sha, forced, pusher }
  }

  deleteBranch(branch: string): FakePush {
    const before = this.tipOf(branch)
    this.branches.delete(branch)
    this.pushedAt = this.#github.nextDate()
    return { ref: `refs/heads/${branch}`, before, after: zeroSha, forced: false, pusher: 'octocat' }
  }

  /** The `push` payload of a movement. */
  pushPayload(push: FakePush): object {
    return toPush(this.#github, this, push)
  }

  /** Commits and delivers the push, like a person's `git push`. */
  async push(change: FakeChange): Promise<{ push: FakePush; sha: string; delivery: DeliveryResult }> {
    const push = this.commit(change)
    return { push, sha: push.after, delivery: await this.#github.deliver('push', this.pushPayload(push)) }
  }

  /** Opens a pull request from an existing branch, without a delivery. */
  openPullRequest(options: {
    head: string
    base?: string
    title?: string
    author?: string
    body?: string
    headRepository?: FakeRepository
    authorAssociation?: string
    isDraft?: boolean
  }): FakePullRequest {
    const pull: FakePullRequest = {
      id: this.#github.nextId(),
      number: this.pullRequests.length + 1,
      title: options.title ?? 'Change the documents',
      author: options.author ?? 'octocat',
      base: options.base ?? this.defaultBranch,
      head: options.head,
      headRepository: (options.headRepository ?? this).fullName,
      body: options.body ?? null,
      state: 'open',
      authorAssociation: options.authorAssociation ?? 'CONTRIBUTOR',
      createdAt: this.#github.nextDate(),
      isDraft: options.isDraft ?? false,
      isMerged: false,
      labels: [],
      assignees: [],
      reviewers: [],
      teamReviewers: [],
      edits: 0,
    }
    this.headOf(pull)
    this.tipOf(pull.base)
    this.pullRequests.push(pull)
    return pull
  }

  addComment(pullNumber: number, author: string, body: string, authorAssociation = 'NONE'): FakeComment {
    const date = this.#github.nextDate()
    const comment: FakeComment = {
      id: this.#github.nextId(),
      issueNumber: pullNumber,
      author,
      authorAssociation,
      body,
      createdAt: date,
      updatedAt: date,
      edits: 0,
    }
    this.comments.push(comment)
    return comment
  }

  setPermission(login: string, permission: CollaboratorPermission): void {
    this.collaborators.set(login, permission)
  }

  /** The text of a file at a commit, `undefined` if there is none. */
  readText(sha: string, path: string): string | undefined {
    const entry = this.git.commit(sha).files.get(path)
    return entry && Buffer.from(this.git.blob(entry.sha)).toString()
  }

  /** The full commit ID of a branch, `refs/heads/…`, `pull/n/head` or an abbreviated commit ID. */
  resolve(ref: string): string | undefined {
    const branch = ref.replace(/^(refs\/)?heads\//, '')
    const tip = this.tip(branch)
    if (tip !== undefined) return tip
    return /^[0-9a-f]{40}$/.test(ref) ? this.git.find(ref)?.sha : undefined
  }

  /** The changes of a commit relative to its first parent. */
  changesOf(sha: string): FileDifference[] {
    return this.git.difference(this.git.commit(sha).parents[0], sha)
  }
}
