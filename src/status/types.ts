/** The state of an update. It only moves from left to right, and the two final states never change. */
export type UpdateState = 'queued' | 'in_progress' | 'success' | 'failure'

/** All states, in the order that a record passes through them. */
export const updateStates = ['queued', 'in_progress', 'success', 'failure'] as const satisfies readonly UpdateState[]

/**
 * What started an update: a webhook, a report of the Action, the HTTP API, a click in the dashboard, or the app itself (retry,
 * re-run, catch-up).
 */
export type UpdateSource = 'github-app-installation' | 'github' | 'api' | 'dashboard' | 'internal'

/** Every source. */
export const updateSources = [
  'github-app-installation',
  'github',
  'api',
  'dashboard',
  'internal',
] as const satisfies readonly UpdateSource[]

/** The net changes of a push. Each list is sorted by UTF-16 units, without duplicates, and no path is in two lists. */
export interface FilesChanged {
  readonly added: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

/** The commit an update is about. */
export interface UpdateCommit {
  /** 40 hexadecimal digits, lower case. */
  readonly sha: string
  /** Full ref, such as `refs/heads/main`. */
  readonly ref: string
  readonly message: string
  readonly filesChanged: FilesChanged
}

/** A commit's author, with what GitHub's payload or API says about the person. */
interface AuthorInfo {
  /** The name in the commit, otherwise the GitHub login. */
  readonly name: string
  /** Absent if GitHub knows no account for the commit. */
  readonly avatarUrl?: string
  /** GitHub's ID, which stays the same after a rename. */
  readonly githubUserId?: number
}

/** The author of an update, in the two fields of its record. */
export interface UpdateAuthor {
  /** The GitHub login, otherwise the name of the commit's author. */
  readonly author: string
  /** Absent in reports of the Action. */
  readonly authorInfo?: AuthorInfo
}

interface UpdateFields extends UpdateAuthor {
  /** UUIDv7 text; sorts by creation. */
  readonly _id: string
  /** `prj_…`. */
  readonly projectId: string
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string
  /** One human-readable line; `''` while queued. */
  readonly summary: string
  /** In the order they were written. Limited and masked by `appendLogs`. */
  readonly logs: readonly string[]
  /** Subdomain of the project when the record was created. */
  readonly subdomain: string
  /** Absolute URL, equal to `screenshotLight`; absent until taken. */
  readonly screenshot?: string
  readonly screenshotLight?: string
  readonly screenshotDark?: string
  readonly commit: UpdateCommit
  readonly source: UpdateSource
}

/** Waiting for its turn. */
export interface QueuedUpdate extends UpdateFields {
  readonly status: 'queued'
  readonly summary: ''
  readonly endedAt?: never
}

/** Running, or waiting for the next attempt after a lost run. */
export interface RunningUpdate extends UpdateFields {
  readonly status: 'in_progress'
  readonly endedAt?: never
}

/** Final. */
export interface EndedUpdate extends UpdateFields {
  readonly status: 'success' | 'failure'
  /** ISO 8601, UTC, milliseconds; never before `createdAt`. */
  readonly endedAt: string
}

export type OpenUpdate = QueuedUpdate | RunningUpdate

/**
 * The update status record, exactly as the HTTP API returns it: plain JSON without additional fields.
 *
 * Created and changed only by `queueUpdate`, `startUpdate`, `appendLogs` and `finishUpdate`.
 */
export type UpdateStatus = OpenUpdate | EndedUpdate

/** One docs directory of one repository. */
export interface Project {
  /** `prj_` and 24 hexadecimal digits. Independent of GitHub's IDs. */
  readonly id: string
  /** Absent if no installation of the app has access to the repository (reports of the Action only). */
  readonly installationId?: number
  /** GitHub's ID. Stays the same after a rename or transfer. */
  readonly repositoryId: number
  readonly owner: string
  readonly repo: string
  /** The docs directory relative to the repository with `/`, `''` for the repository itself. Unique per repository. */
  readonly root: string
  /** Whether the directory has a `docs.json`. Without one, the project's checks only validate. */
  readonly hasDocsConfig: boolean
  /** Branch name without `refs/heads/`. */
  readonly defaultBranch: string
  readonly private: boolean
  /** DNS label, unique among all projects. */
  readonly subdomain: string
  /**
   * Who may read the site of a private repository: users with read access to it, or everyone. The site of a public repository is
   * public.
   */
  readonly siteAccess: 'repository' | 'public'
  /** If false, pushes create no records. Set by `openapi-pages-app project set`. */
  readonly enabled: boolean
  /** Number of previews to keep, 0 for none. Absent: the limit of the server, which is also the maximum. */
  readonly maxPreviews?: number
  /** Number of days to keep a preview. Absent: the limit of the server, which is also the maximum. */
  readonly previewDays?: number
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string
}
