/** The types of columns, with `?` if they can be `null`, and their values. SQLite also accepts the name `bytea`. */
interface ColumnValues {
  readonly text: string
  readonly 'text?': string | null
  readonly integer: number
  readonly 'integer?': number | null
  readonly bigint: number
  readonly 'bigint?': number | null
  readonly bytea: Uint8Array
  readonly 'bytea?': Uint8Array | null
}

export interface Table {
  readonly columns: Readonly<Record<string, keyof ColumnValues>>
  /** The columns of the primary key, separated by commas. */
  readonly key: string
  /** In SQL: columns, and the condition of an index for some rows. By name, which follows that of the table. */
  readonly indexes?: Readonly<Record<string, string>>
  readonly uniqueIndexes?: Readonly<Record<string, string>>
}

/**
 * All tables of version 1 of the schema, from which it is created.
 *
 * Only what SQLite and PostgreSQL share: text for IDs, times (ISO 8601) and JSON; numbers for counts and GitHub's IDs; 0 and 1 for booleans.
 */
export const firstTables = {
  projects: {
    columns: {
      id: 'text',
      installation_id: 'bigint?',
      repository_id: 'bigint',
      owner: 'text',
      repo: 'text',
      root: 'text',
      has_docs_config: 'integer',
      default_branch: 'text',
      private: 'integer',
      subdomain: 'text',
      enabled: 'integer',
      created_at: 'text',
      site_access: 'text',
      /** When the project was deleted; `null` for a live one. It can be restored until it is purged. */
      deleted_at: 'text?',
      /** Incremented when a webhook reports the repository as private, so that an older API response cannot make it public. */
      tightened: 'integer',
      /** The person who deleted it, as in audit lines; `null` if it was deleted because of GitHub. GitHub restores only the latter. */
      removed_by: 'text?',
      /** Limits of previews; `null` for those of the server. */
      max_previews: 'integer?',
      preview_days: 'integer?',
      /**
       * The commit of the default branch for which the production site was decided last. GitHub's branch pointed at it when its update ran, or when a
       * person published a site. Empty after the default branch changed; `null` if it is unknown.
       */
      settled_tip: 'text?',
      /** JSON of `Project.audiences`. */
      audiences: 'text?',
      /** JSON list: the names of the OpenID Connect issuers whose people may read the site. */
      issuers: 'text',
    },
    key: 'id',
    uniqueIndexes: { subdomain: '(subdomain)', root: '(repository_id, root)' },
    indexes: {
      installation: '(installation_id)',
      // Few projects are deleted at a time, or have limits of their own, so these indexes stay small.
      deleted_at: '(deleted_at) where deleted_at is not null',
      max_previews: '(max_previews) where max_previews is not null',
      preview_days: '(preview_days) where preview_days is not null',
    },
  },
  updates: {
    columns: {
      id: 'text',
      project_id: 'text',
      state: 'text',
      ref: 'text',
      sha: 'text',
      created_at: 'text',
      ended_at: 'text?',
      revision: 'integer',
      /** The record as JSON for the API. The columns above are copies for the indexes. */
      record: 'text',
      /** JSON of `UpdateDetails`. */
      details: 'text',
    },
    key: 'id',
    indexes: {
      project: '(project_id, id)',
      ref: '(project_id, ref, id)',
      ref_state: '(project_id, ref, state, id)',
      sha: '(project_id, sha, id)',
      state: '(project_id, state, id)',
      open: '(id) where ended_at is null',
    },
  },
  reports: {
    columns: {
      update_id: 'text',
      report: 'text',
      /** All results of a run, compressed, for what GitHub shows; `null` for a report of the Action. */
      results: 'bytea?',
    },
    key: 'update_id',
  },
  /** The changes of the API by an ended update. */
  api_changes: {
    columns: {
      update_id: 'text',
      /** Copies from the record, for the history. */
      project_id: 'text',
      ref: 'text',
      sha: 'text',
      /** The number of changes by level, and the number of changes that the team accepts. */
      breaking: 'integer',
      risky: 'integer',
      compatible: 'integer',
      accepted: 'integer',
      /** The number of all changes; `null` if the comparison failed. */
      total: 'integer?',
      /** Why the comparison failed; `null` if it did not. */
      reason: 'text?',
    },
    key: 'update_id',
    indexes: {
      // The history lists only commits with changes.
      history: '(project_id, ref, update_id) where total > 0',
      commit: '(project_id, ref, sha, update_id)',
    },
  },
  tokens: {
    columns: {
      id: 'text',
      /** SHA-256 of the token, hexadecimal. */
      hash: 'text',
      name: 'text',
      scope: 'text',
      project_id: 'text?',
      /** Of a share link. */
      host: 'text?',
      /** The name of an audience, or `public`. */
      audience: 'text',
      created_at: 'text',
      expires_at: 'text',
      revoked_at: 'text?',
    },
    key: 'id',
    uniqueIndexes: { hash: '(hash)' },
    indexes: { project: '(project_id, scope, expires_at)', expires: '(expires_at)' },
  },
  audit_lines: {
    columns: { id: 'text', at: 'text', actor: 'text', action: 'text', subject: 'text', detail: 'text' },
    key: 'id',
    indexes: { at: '(at)' },
  },
  jobs: {
    columns: {
      /** The ID of the record or task. A `wanted` job has one of its own. */
      id: 'text',
      kind: 'text',
      /** `waiting`, `leased`, or `parked` while its project is deleted. */
      state: 'text',
      /** `''` for a task, as `ref`. */
      project_id: 'text',
      /** The branch of a run, the record of a `wanted` job. */
      ref: 'text',
      installation_id: 'bigint',
      validation_only: 'integer',
      created_at: 'text',
      available_at: 'text',
      /** Number of claims so far, for fencing. */
      attempt: 'integer',
      /** Failed and lost attempts since the job became this kind. */
      errors: 'integer',
      losses: 'integer',
      worker: 'text?',
      claimed_at: 'text?',
      /** When the lease was last extended, or when the last attempt of a waiting job failed. */
      heartbeat_at: 'text?',
      lease_until: 'text?',
      /** Of a task, or what a `wanted` job is about. */
      name: 'text?',
      payload: 'text?',
      /** Why the last attempt failed; the kind of refusal if there is an answer. */
      reason: 'text?',
      /** GitHub's words, while it refuses what the job wants. */
      answer: 'text?',
      /** JSON of `WorkOrigin`. */
      origin: 'text?',
      /** 1 if all other jobs of the installation come first. */
      bulk: 'integer',
    },
    key: 'id',
    indexes: {
      next: '(installation_id, state, bulk, kind desc, validation_only, id, available_at)',
      branch: '(project_id, ref, kind, state, id, available_at)',
      due: '(state, available_at)',
      lease: '(state, lease_until)',
      refused: '(state) where answer is not null',
    },
  },
  /** The turns of installations. The lowest number gets the next worker. */
  queue_turns: {
    columns: { installation_id: 'bigint', turn: 'bigint' },
    key: 'installation_id',
    indexes: { turn: '(turn, installation_id)' },
  },
  deliveries: {
    columns: { id: 'text', event: 'text', received_at: 'text' },
    key: 'id',
    indexes: { received: '(received_at)' },
  },
  /** Keys that identify a push without its delivery id. */
  push_keys: {
    columns: {
      project_id: 'text',
      ref: 'text',
      before_sha: 'text',
      after_sha: 'text',
      update_id: 'text',
      received_at: 'text',
    },
    // `after_sha` comes before `before_sha`, so that the key also finds all pushes that moved a ref to a commit.
    key: 'project_id, ref, after_sha, before_sha',
    indexes: {
      // Finds the push of a waiting update.
      update: '(update_id)',
      received: '(received_at)',
    },
  },
  idempotency_keys: {
    columns: {
      project_id: 'text',
      key: 'text',
      body_hash: 'text',
      /** JSON list of update ids. */
      status_ids: 'text',
      created_at: 'text',
    },
    key: 'project_id, key',
    indexes: { created: '(created_at)' },
  },
  /** Repositories seen by the reconciler, with the newest push at that time. */
  repository_looks: { columns: { repository_id: 'bigint', pushed_at: 'text' }, key: 'repository_id' },
  /** CPU time of an installation per minute. */
  cpu_slots: {
    columns: { installation_id: 'bigint', slot: 'text', cpu_ms: 'bigint' },
    key: 'installation_id, slot',
    indexes: { slot: '(slot)' },
  },
  /** The request budgets of installations, in PostgreSQL only. `used_at` is in milliseconds since 1970. */
  github_budgets: {
    columns: { installation_id: 'bigint', version: 'integer', state: 'text', used_at: 'bigint' },
    key: 'installation_id',
  },
  sessions: {
    columns: {
      /** SHA-256 of the secret, hexadecimal. */
      id: 'text',
      /** GitHub's ID; 0 for other issuers. */
      user_id: 'bigint',
      login: 'text',
      /** `github`, or the name of an OpenID Connect issuer in the settings. */
      issuer: 'text',
      /** The person at the issuer. */
      subject: 'text',
      /** JSON list of full names: `oidc:corp/partners`, `github:acme/docs`. */
      groups: 'text',
      /** When the issuer was last asked for the groups; `null` for never. */
      checked_at: 'text?',
      sealed_tokens: 'text',
      created_at: 'text',
      expires_at: 'text',
    },
    key: 'id',
    indexes: { user: '(user_id)', expires: '(expires_at)' },
  },
  site_passes: {
    columns: {
      /** SHA-256 of the secret, hexadecimal. */
      id: 'text',
      /** `code` until it is redeemed, which replaces the row with a `pass`. */
      kind: 'text',
      host: 'text',
      project_id: 'text',
      session_id: 'text',
      /** Of a code; `''` for a pass. */
      challenge: 'text',
      expires_at: 'text',
      /** When the pass of this code ends. */
      pass_expires_at: 'text',
    },
    key: 'id',
    indexes: { session: '(session_id)', project: '(project_id)', expires: '(expires_at)' },
  },
  /** Fork commits with an approved preview. `approved_by` is as in audit lines. */
  site_approvals: {
    columns: { project_id: 'text', sha: 'text', approved_by: 'text', approved_at: 'text' },
    key: 'project_id, sha',
  },
  /** Custom domains. `verified_at` is `null` until the DNS records were checked, and after they were missing for too long. */
  site_domains: {
    columns: {
      project_id: 'text',
      domain: 'text',
      token: 'text',
      created_at: 'text',
      verified_at: 'text?',
      /** The last check of a verified domain. */
      checked_at: 'text?',
      /** The first check that found wrong DNS records, without a good one since. */
      failing_since: 'text?',
    },
    key: 'project_id',
    // Several projects may claim a domain, but only one can verify it.
    uniqueIndexes: { verified: '(domain) where verified_at is not null' },
    indexes: { domain: '(domain)', checked: '(checked_at) where verified_at is not null' },
  },
  site_contents: {
    columns: {
      /** SHA-256, hexadecimal. */
      hash: 'text',
      size_bytes: 'bigint',
      /** Size of each body; `null` if there is none. */
      identity_bytes: 'bigint?',
      br_bytes: 'bigint?',
      gzip_bytes: 'bigint?',
      /** Since when it may be unused. After a check it is `null` again or the row is deleted. */
      unused_since: 'text?',
      /** The common part of the names of its objects in the bucket; `null` if its bodies are in `site_parts`. */
      object: 'text?',
    },
    key: 'hash',
    indexes: { unused: '(unused_since) where unused_since is not null', object: '(object) where object is not null' },
  },
  /** Bodies in parts, so that a large one is never in memory as a whole. */
  site_parts: {
    columns: { hash: 'text', encoding: 'text', part: 'integer', bytes: 'bytea' },
    key: 'hash, encoding, part',
  },
  site_builds: {
    columns: {
      id: 'text',
      project_id: 'text',
      update_id: 'text',
      sha: 'text',
      ref: 'text',
      /** `staged` until its record ends, then `whole`; `dropped` until its files are deleted. */
      state: 'text',
      page_count: 'integer',
      file_count: 'integer',
      size_bytes: 'bigint',
      created_at: 'text',
      /** JSON of `SiteBuild.audiences`. */
      audiences: 'text',
    },
    key: 'id',
    indexes: {
      project: '(project_id, state, update_id)',
      ref: '(project_id, ref, state, update_id)',
      sha: '(project_id, sha, state, update_id)',
      age: '(state, created_at)',
    },
  },
  site_files: {
    /** `audience`: the name of one of the build, or `public`. */
    columns: { build_id: 'text', audience: 'text', path: 'text', hash: 'text' },
    key: 'build_id, audience, path',
    indexes: { hash: '(hash, build_id)' },
  },
  /** The stored size of the sites of projects, screenshots included. Contents that their builds share count once. */
  site_sizes: { columns: { project_id: 'text', stored_bytes: 'bigint' }, key: 'project_id' },
  /** The sites at the projects' own URLs. */
  sites: {
    columns: {
      project_id: 'text',
      build_id: 'text',
      published_at: 'text',
      published_by: 'text',
      /** If a person published it: only re-runs and API requests with a greater ID replace it while the branch has not moved. */
      after_id: 'text',
    },
    key: 'project_id',
  },
  /** The builder's memory of the newest build of a ref. */
  site_memories: {
    columns: { project_id: 'text', ref: 'text', build_id: 'text', memory: 'bytea' },
    key: 'project_id, ref',
    indexes: { build: '(build_id)' },
  },
  /** `seen_id` is an ID of `newId`, with the time at which the pull request was changed. Sorts by this time. */
  site_pulls: {
    columns: { project_id: 'text', pull_number: 'bigint', sha: 'text', seen_id: 'text' },
    key: 'project_id, pull_number, sha',
    indexes: { newest: '(project_id, pull_number, seen_id)', seen: '(seen_id)' },
  },
  /** One row, updated with every write, because counting would scan all rows. */
  site_totals: {
    columns: { id: 'integer', builds: 'bigint', contents: 'bigint', size_bytes: 'bigint', stored_bytes: 'bigint' },
    key: 'id',
  },
  /** About the store itself: `identity`, `probe`. */
  facts: { columns: { name: 'text', value: 'text' }, key: 'name' },
  /** Keys that all processes of the app share. Not encrypted. */
  secrets: { columns: { name: 'text', value: 'text' }, key: 'name' },
} as const satisfies Readonly<Record<string, Table>>

type RowOf<Of extends Table> = { readonly [Column in keyof Of['columns']]: ColumnValues[Of['columns'][Column]] }

/** The tables for Kysely. A later step of the schema adds its columns and tables here. */
export type Tables = { readonly [Name in keyof typeof firstTables]: RowOf<(typeof firstTables)[Name]> } & {
  /** Written by `migrate`. */
  readonly schema_version: { readonly version: number; readonly applied_at: string }
}

export type ProjectRow = Tables['projects']
export type UpdateRow = Tables['updates']
export type ApiChangesRow = Tables['api_changes']
export type JobRow = Tables['jobs']
export type TokenRow = Tables['tokens']
export type SiteContentRow = Tables['site_contents']
export type SiteBuildRow = Tables['site_builds']
export type SiteRow = Tables['sites']
export type SessionRow = Tables['sessions']
export type SitePassRow = Tables['site_passes']
