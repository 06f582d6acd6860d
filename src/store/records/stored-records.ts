import { isUpdateId, type Project, type UpdateStatus } from '../../status/update-record.ts'

/** Facts about an update that are not part of the public record. Plain JSON. */
export interface UpdateDetails {
  readonly trigger: 'push' | 'pull_request' | 'merge_group' | 'rerun' | 'api' | 'report' | 'catch-up'
  /** The SHA that the ref had before the push; 40 zeros for a new branch. */
  readonly before?: string
  /** When GitHub received the push (ISO 8601): a branch that moves back and forth has several pushes between the same commits. */
  readonly pushedAt?: string
  readonly pullNumber?: number
  /** The check run on GitHub, once it exists. */
  readonly checkRunId?: number
  /** The conclusion of the check if it differs from the record's state: problems that do not block, nothing to check, or API changes. */
  readonly checkConclusion?: 'neutral' | 'skipped' | 'failure'
  /** Comments are disabled for the repository. */
  readonly commentOff?: boolean
  /** The repository requests a commit status. */
  readonly commitStatus?: boolean
  /** A commit status was set before it was known whether the repository requests it, so it needs an end. */
  readonly statusBegun?: boolean
  /** The repository requests a deployment. */
  readonly deployment?: boolean
  /** Number of files that `update` would change. */
  readonly changeCount?: number
  /** The commit that the API was compared with, so that a later attempt compares with the same one. */
  readonly apiBase?: string
  /** The number of a pull request that was opened or changed while this update was running: its base may be another one. */
  readonly changedPull?: number
  /** Changes in the built site; absent if there is no site. */
  readonly site?: SiteChanges
  /** The site has a changelog made from tags, so a new tag changes it. */
  readonly usesTags?: true
  /** Why the commit of a fork has no preview: it awaits approval, or the repository has disabled previews of forks. */
  readonly forkPreview?: 'waiting' | 'off'
  /** The state of the site's screenshots; absent if none are taken. They are started only once. */
  readonly pictures?: 'awaited' | 'begun' | 'taken' | 'failed'
  /** The lists of `filesChanged` may be incomplete: GitHub truncated them, or they have not been requested yet. */
  readonly filesTruncated?: boolean
  /** GitHub's branch pointed at another commit when the update ran or was superseded, so nothing shows its site. */
  readonly overtaken?: true
  /** The commit that the branch pointed at when the API was called. Absent for other triggers. */
  readonly requestedAtTip?: string
  /** The commit that the branch pointed at instead; absent if there was none. */
  readonly overtakenBy?: string
  /** Why the server built no site, although the commit has one. */
  readonly noSite?: MissingSite
  /** What its run waits for since a time (ISO 8601), as one line. `isLong`: so long that its check must not block a pull request any more. */
  readonly waiting?: { readonly since: string; readonly line: string; readonly isLong?: true }
}

/** A reason of the server for a missing site: it hosts none or no previews, or the installation has used its storage. */
export type MissingSite = 'hosting' | 'previews' | 'quota'

/**
 * Whether the update was not caused by a push or a person, so that all other work of the installation comes first. Hundreds of them can be
 * queued at once: one for each repository of a new installation, and one for each branch that moved while the app was offline.
 */
export function isBulk({ trigger }: UpdateDetails): boolean {
  return trigger === 'catch-up'
}

export interface StoredUpdate {
  readonly update: UpdateStatus
  /** `update` as JSON text, ready to be sent. */
  readonly json: string
  /** 1 for a new record, incremented by each write. Used for the ETag. */
  readonly revision: number
  readonly details: UpdateDetails
}

/** The pages that differ from the default branch. */
export interface SiteChanges {
  /** Route of the most relevant page, for the screenshots. */
  readonly mainRoute: string
  /** The first of them, most relevant first. */
  readonly changedPages: readonly ChangedPage[]
  readonly changedCount: number
  /** The commit of the default branch whose site was compared; absent for the first site. */
  readonly beforeSha?: string
  /** The production site stays at an earlier commit because this one has errors. */
  readonly stays?: true
  /** The changelog pages of the site, up to a limit; absent without any. */
  readonly changelogs?: readonly SiteChangelog[]
  /** The site has a review of the changed pages of its API. */
  readonly hasReview?: true
  /** Why the review was left out, a sentence without a full stop. */
  readonly noReview?: string
}

/** A changelog page of a site. */
export interface SiteChangelog {
  readonly route: string
  readonly title: string
}

export interface ChangedPage {
  readonly kind: 'added' | 'modified' | 'removed'
  /** `''` is the start page. */
  readonly route: string
  /** Absent for a removed page. */
  readonly title?: string
}

/** The number of changes of an API by their effect on clients, and of those that the team accepts. */
interface ChangeCounts {
  readonly breaking: number
  readonly risky: number
  readonly compatible: number
  readonly accepted: number
}

/** The changes of the API by an update. Their base is in its details. */
export type StoredApiChanges =
  | { readonly kind: 'compared'; readonly counts: ChangeCounts }
  /** `reason` is a clause without a full stop. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export interface UpdateSummary {
  readonly ended: number
  readonly succeeded: number
  /** There were more updates than the limit. */
  readonly isCut: boolean
  /** Median time from the push to the end of successful updates; absent if there are none. */
  readonly medianMs?: number
}

/** The ID that the IDs of a page are less than; `undefined` for an invalid cursor. */
export function fromCursor(cursor: string | undefined): string | undefined {
  // Greater than every ID, which has hexadecimal digits.
  if (cursor === undefined) return 'g'
  const id = Buffer.from(cursor, 'base64url').toString()
  return isUpdateId(id) ? id : undefined
}

/** A page of rows that were read with one more than fits. Its cursor is opaque to callers, so that the paging order may change. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  toId: (row: Row) => string,
): { readonly page: readonly Row[]; readonly next: { readonly nextCursor?: string } } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? { nextCursor: Buffer.from(toId(last)).toString('base64url') } : {} }
}

/** A project that was deleted and can be restored. */
export interface DeletedProject extends Project {
  /** ISO 8601. */
  readonly deletedAt: string
  /** The person who deleted it, as in audit lines. Only a person restores it. */
  readonly removedBy?: string
}

/** Changes of projects. All kinds except `tighten` and `tighten-all` require facts confirmed by GitHub's API. */
export type ProjectChange =
  /**
   * Creates the project of (repositoryId, root), or updates and restores the existing one, keeping its ID, subdomain and
   * `enabled`. A private project stays private.
   */
  | { readonly kind: 'upsert'; readonly project: ProjectFacts }
  /** Makes live and deleted projects of a repository private. The only change that an unconfirmed webhook may cause. */
  | { readonly kind: 'tighten'; readonly repositoryId: number }
  /** Makes every project private until GitHub confirms its visibility, because the store may be outdated. */
  | { readonly kind: 'tighten-all' }
  /**
   * Updates the live projects of a repository from GitHub's API.
   *
   * They become public only if `tightened` has not changed since `findRepository` was read before the request: a webhook may have
   * made the repository private meanwhile. `restore` also restores deleted projects.
   */
  | {
      readonly kind: 'confirm-repository'
      readonly repositoryId: number
      readonly values: Pick<Project, 'owner' | 'repo' | 'defaultBranch' | 'private'> & { readonly installationId?: number }
      readonly tightened: number
      readonly restore?: boolean
    }
  /** Moves the docs directory of a project. No effect if the repository already has a project there. */
  | { readonly kind: 'move-root'; readonly projectId: string; readonly root: string; readonly hasDocsConfig: boolean }
  /** Hides the projects of the repository and all their data at once. `prune` purges them after 30 days. */
  | { readonly kind: 'delete-repository'; readonly repositoryId: number }
  | { readonly kind: 'delete-project'; readonly projectId: string }
  /** No installation has access to the repository any more, for an unknown reason. */
  | { readonly kind: 'detach-repository'; readonly repositoryId: number }

export type ProjectFacts = Pick<
  Project,
  'installationId' | 'repositoryId' | 'owner' | 'repo' | 'root' | 'hasDocsConfig' | 'defaultBranch' | 'private'
>

export interface StoredRepository {
  readonly projects: readonly Project[]
  readonly deleted: readonly DeletedProject[]
  /** The number of `tighten` changes. Read it before requesting the repository from GitHub. */
  readonly tightened: number
}

export interface InstallationUsage {
  readonly installationId: number
  /** CPU time of checks and builds in the last hour. */
  readonly cpuMs: number
  /** Updates that wait for their run. */
  readonly queuedUpdates: number
  /** Stored size of the sites. Shared files count once. */
  readonly storedBytes: number
}

/** Groups count for this long after the issuer gave them. */
export const maxGroupsAgeMs = 900_000

/** A user who signed in, in one browser. */
export interface StoredSession {
  /** SHA-256 of the secret in the browser. Not secret. */
  readonly id: string
  /** GitHub's ID; 0 for other issuers. */
  readonly userId: number
  readonly login: string
  /** `github`, or the name of an OpenID Connect issuer in the settings. */
  readonly issuer: string
  /** The user's ID at the issuer. */
  readonly subject: string
  /** Full names: `oidc:corp/partners`, `github:acme/docs`. */
  readonly groups: readonly string[]
  /** When the issuer was last asked for the groups (ISO 8601); absent for never. */
  readonly checkedAt?: string
  /** The user's tokens, encrypted with the secret, which is not in the store. */
  readonly sealedTokens: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** The scope of an API token: one project, or the whole service. */
export type ApiGrant =
  | { readonly scope: 'read' | 'write'; readonly projectId: string }
  | { readonly scope: 'admin'; readonly projectId?: never }

export type TokenScope = ApiGrant['scope']

/** A share link gives anyone who has it access to a private site on one host, which is written with its port. */
export interface LinkGrant {
  readonly scope: 'link'
  readonly projectId: string
  readonly host: string
}

export interface NewToken {
  readonly grant: ApiGrant | LinkGrant
  /** Whose pages of a site it reads: the name of an audience of the project. Default: `public`. */
  readonly audience?: string
  /** A description of its use; of a share link, who created it. */
  readonly name: string
  /** ISO 8601. */
  readonly expiresAt: string
}

export interface StoredToken extends NewToken {
  /** `tok_…`. Not secret. */
  readonly id: string
  readonly audience: string
  readonly createdAt: string
  readonly revokedAt?: string
}
