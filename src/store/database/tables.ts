/**
 * The tables for Kysely; `migrations.ts` creates them.
 *
 * Only types that SQLite and PostgreSQL share: text for IDs, times (ISO 8601) and JSON; numbers for counts and GitHub's IDs; 0
 * and 1 for booleans.
 */
export interface Tables {
  readonly schema_version: { readonly version: number; readonly applied_at: string }
  /** About the store itself: `identity`, `probe`. */
  readonly facts: { readonly name: string; readonly value: string }
  /** Keys that all processes of the app share. Not encrypted. */
  readonly secrets: { readonly name: string; readonly value: string }
  readonly projects: ProjectRow
  readonly updates: UpdateRow
  readonly reports: { readonly update_id: string; readonly report: string }
  readonly api_changes: ApiChangesRow
  readonly jobs: JobRow
  /** The turns of installations. The lowest number gets the next worker. */
  readonly queue_turns: { readonly installation_id: number; readonly turn: number }
  /** CPU time of an installation per minute. */
  readonly cpu_slots: { readonly installation_id: number; readonly slot: string; readonly cpu_ms: number }
  /** The request budgets of installations, in PostgreSQL only. `used_at` is in milliseconds since 1970. */
  readonly github_budgets: {
    readonly installation_id: number
    readonly version: number
    readonly state: string
    readonly used_at: number
  }
  readonly deliveries: { readonly id: string; readonly event: string; readonly received_at: string }
  /** Deliveries with a requested redelivery that has not arrived yet. */
  readonly awaited_deliveries: { readonly id: string; readonly asked_at: string }
  /** Repositories seen by the reconciler, with the newest push at that time. */
  readonly repository_looks: { readonly repository_id: number; readonly pushed_at: string }
  /** Keys that identify a push without its delivery id. */
  readonly push_keys: {
    readonly project_id: string
    readonly ref: string
    readonly before_sha: string
    readonly after_sha: string
    readonly update_id: string
    readonly received_at: string
  }
  readonly idempotency_keys: {
    readonly project_id: string
    readonly key: string
    readonly body_hash: string
    /** JSON list of update ids. */
    readonly status_ids: string
    readonly created_at: string
  }
  readonly tokens: TokenRow
  readonly site_contents: SiteContentRow
  /** Bodies in parts, so that a large one is never in memory as a whole. */
  readonly site_parts: { readonly hash: string; readonly encoding: string; readonly part: number; readonly bytes: Uint8Array }
  readonly site_builds: SiteBuildRow
  readonly site_files: { readonly build_id: string; readonly path: string; readonly hash: string }
  readonly sites: SiteRow
  /** The builder's memory of the newest build of a ref. */
  readonly site_memories: {
    readonly project_id: string
    readonly ref: string
    readonly build_id: string
    readonly memory: Uint8Array
  }
  /** Fork commits with an approved preview. */
  readonly site_approvals: {
    readonly project_id: string
    readonly sha: string
    /** As in audit lines. */
    readonly approved_by: string
    readonly approved_at: string
  }
  readonly site_pulls: {
    readonly project_id: string
    readonly pull_number: number
    readonly sha: string
    /** An ID of `newId`, with the time at which the pull request was changed. Sorts by this time. */
    readonly seen_id: string
  }
  /** One row, updated with every write, because counting would scan all rows. */
  readonly site_totals: {
    readonly id: number
    readonly builds: number
    readonly contents: number
    readonly size_bytes: number
    readonly stored_bytes: number
  }
  readonly sessions: SessionRow
  readonly site_passes: SitePassRow
  readonly site_links: SiteLinkRow
  /** Custom domains. `verified_at` is `null` until the DNS records were checked, and after they were missing for too long. */
  readonly site_domains: {
    readonly project_id: string
    readonly domain: string
    readonly token: string
    readonly created_at: string
    readonly verified_at: string | null
    /** The last check of a verified domain. */
    readonly checked_at: string | null
    /** The first check that found wrong DNS records, without a good one since. */
    readonly failing_since: string | null
  }
  readonly audit_lines: {
    readonly id: string
    readonly at: string
    readonly actor: string
    readonly action: string
    readonly subject: string
    readonly detail: string
  }
}

export interface ProjectRow {
  readonly id: string
  readonly installation_id: number | null
  readonly repository_id: number
  readonly owner: string
  readonly repo: string
  readonly root: string
  readonly has_docs_config: number
  readonly default_branch: string
  readonly private: number
  readonly subdomain: string
  readonly enabled: number
  readonly site_access: string
  readonly created_at: string
  /** When the project was deleted; `null` for a live one. It can be restored until it is purged. */
  readonly deleted_at: string | null
  /** The person who deleted it, as in audit lines; `null` if it was deleted because of GitHub. GitHub restores only the latter. */
  readonly removed_by: string | null
  /** Incremented when a webhook reports the repository as private, so that an older API response cannot make it public. */
  readonly tightened: number
  /** Limits of previews; `null` for those of the server. */
  readonly max_previews: number | null
  readonly preview_days: number | null
  /**
   * The commit of the default branch for which the production site was decided last. GitHub's branch pointed at it when its update ran, or when a
   * person published a site. Empty after the default branch changed; `null` if it is unknown.
   */
  readonly settled_tip: string | null
}

export interface UpdateRow {
  readonly id: string
  readonly project_id: string
  readonly state: string
  readonly ref: string
  readonly sha: string
  readonly created_at: string
  readonly ended_at: string | null
  readonly revision: number
  /** The record as JSON for the API. The columns above are copies for the indexes. */
  readonly record: string
  /** JSON of `UpdateDetails`. */
  readonly details: string
}

/** The changes of the API by an ended update. */
export interface ApiChangesRow {
  readonly update_id: string
  /** Copies from the record, for the history. */
  readonly project_id: string
  readonly ref: string
  readonly sha: string
  /** The number of changes by level, and the number of changes that the team accepts. */
  readonly breaking: number
  readonly risky: number
  readonly compatible: number
  readonly accepted: number
  /** The number of all changes; `null` if the comparison failed. */
  readonly total: number | null
  /** JSON. It can list fewer changes. */
  readonly changes: string
}

export interface JobRow {
  /** The ID of the record or task. */
  readonly id: string
  readonly kind: string
  /** `waiting`, `leased`, `dead`, or `parked` while its project is deleted. */
  readonly state: string
  /** `''` for a task, as `ref`. */
  readonly project_id: string
  readonly ref: string
  readonly installation_id: number
  readonly validation_only: number
  /** 1 if all other jobs of the installation come first. */
  readonly bulk: number
  readonly created_at: string
  readonly available_at: string
  /** Number of claims so far, for fencing. */
  readonly attempt: number
  /** Failed and lost attempts since the job became this kind. */
  readonly errors: number
  readonly losses: number
  readonly worker: string | null
  readonly claimed_at: string | null
  /** When the lease was last extended, or when the last attempt of a waiting job failed. */
  readonly heartbeat_at: string | null
  readonly lease_until: string | null
  /** Only for tasks. */
  readonly name: string | null
  readonly payload: string | null
  /** Why the last attempt failed. */
  readonly reason: string | null
  /** JSON of `WorkOrigin`. */
  readonly origin: string | null
}

export interface TokenRow {
  readonly id: string
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string
  readonly name: string
  readonly scope: string
  readonly project_id: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

export interface SiteContentRow {
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly size_bytes: number
  /** Size of each body; `null` if there is none. */
  readonly identity_bytes: number | null
  readonly br_bytes: number | null
  readonly gzip_bytes: number | null
  /** Since when it may be unused. After a check it is `null` again or the row is deleted. */
  readonly unused_since: string | null
  /** The common part of the names of its objects in the bucket; `null` if its bodies are in `site_parts`. */
  readonly object: string | null
}

export interface SiteBuildRow {
  readonly id: string
  readonly project_id: string
  readonly update_id: string
  readonly sha: string
  readonly ref: string
  /** `staged` until its record ends, then `whole`; `dropped` until its files are deleted. */
  readonly state: string
  readonly page_count: number
  readonly file_count: number
  readonly size_bytes: number
  readonly created_at: string
}

/** The site at a project's own URL. */
export interface SiteRow {
  readonly project_id: string
  readonly build_id: string
  readonly published_at: string
  readonly published_by: string
  /** If a person published it: only re-runs and API requests with a greater ID replace it while the branch has not moved. */
  readonly after_id: string
}

export interface SessionRow {
  /** SHA-256 of the secret, hexadecimal. */
  readonly id: string
  readonly user_id: number
  readonly login: string
  readonly sealed_tokens: string
  readonly created_at: string
  readonly expires_at: string
}

export interface SiteLinkRow {
  readonly id: string
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string
  readonly host: string
  readonly project_id: string
  /** As in audit lines. */
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
}

export interface SitePassRow {
  /** SHA-256 of the secret, hexadecimal. */
  readonly id: string
  /** `code` until it is redeemed, which replaces the row with a `pass`. */
  readonly kind: string
  readonly host: string
  readonly project_id: string
  readonly session_id: string
  /** Of a code; `''` for a pass. */
  readonly challenge: string
  readonly expires_at: string
}
