/**
 * The tables as Kysely sees them; `migrations.ts` makes them.
 *
 * Only types that SQLite and PostgreSQL share: text for ids, times (ISO 8601) and JSON, numbers for counts and GitHub's ids, 0 and 1
 * for yes and no.
 */
export interface Tables {
  readonly schema_version: { readonly version: number; readonly applied_at: string }
  readonly projects: ProjectRow
  readonly updates: UpdateRow
  readonly reports: { readonly update_id: string; readonly report: string }
  readonly jobs: JobRow
  /** Whose turn it is: the installation with the lowest number gets the next worker. */
  readonly queue_turns: { readonly installation_id: number; readonly turn: number }
  readonly deliveries: { readonly id: string; readonly event: string; readonly received_at: string }
  /** The second key of pushes. */
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
  readonly sessions: SessionRow
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
  readonly created_at: string
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
  /** The record as JSON, as it is answered; the columns above are copies for the indexes. */
  readonly record: string
  /** JSON of `UpdateDetails`. */
  readonly details: string
}

export interface JobRow {
  /** The id of the record, or of the task. */
  readonly id: string
  readonly kind: string
  readonly state: string
  /** `''` for a task, as `ref`. */
  readonly project_id: string
  readonly ref: string
  readonly installation_id: number
  readonly validation_only: number
  readonly created_at: string
  readonly available_at: string
  /** Claims so far: the fence. */
  readonly attempt: number
  /** Attempts that ended with an error, and those whose worker went away; both since the job became this kind. */
  readonly errors: number
  readonly losses: number
  readonly worker: string | null
  readonly claimed_at: string | null
  readonly heartbeat_at: string | null
  readonly lease_until: string | null
  /** Of a task. */
  readonly name: string | null
  readonly payload: string | null
  /** Why the last attempt failed. */
  readonly reason: string | null
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

export interface SessionRow {
  /** SHA-256 of the secret, hexadecimal. */
  readonly id: string
  readonly user_id: number
  readonly login: string
  readonly sealed_tokens: string
  readonly created_at: string
  readonly expires_at: string
}
