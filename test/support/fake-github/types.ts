/** How a test starts the fake. Everything has a default. */
export interface FakeGitHubOptions {
  /** Where webhooks go; can be set later as `github.webhookUrl`. */
  readonly webhookUrl?: string
  readonly webhookSecret?: string
  /** What the app was registered with; an installation gets these unless it says otherwise. */
  readonly permissions?: Permissions
  readonly events?: readonly string[]
  /** Life of an installation token; GitHub's is one hour. */
  readonly tokenLifeMs?: number
  /** Requests of one installation an hour, as the rate limit headers tell; GitHub's is 5,000. */
  readonly rateLimit?: number
}

export interface Permissions {
  readonly [permission: string]: 'read' | 'write'
}

/** What stands at a path of a commit; `null` in a change removes it. */
export type FakeContent = string | Uint8Array | FakeEntry

/** An entry that is more than a plain file. */
interface FakeEntry {
  readonly content: string | Uint8Array
  readonly mode: '100644' | '100755' | '120000' | '160000'
}

export interface FakeChange {
  /** `main` unless named. Made from the default branch's tip where it does not exist. */
  readonly branch?: string
  readonly files: { readonly [path: string]: FakeContent | null }
  readonly message?: string
  /** Login of the author; `octocat` unless named. */
  readonly author?: string
  /** Starts from this commit instead of the branch's tip: a forced push where it is not its child. */
  readonly parent?: string
  /** Made and signed by GitHub. */
  readonly isSigned?: boolean
  /** Only if the branch is still there. */
  readonly expected?: string
}

export interface FakePullRequest {
  readonly id: number
  readonly number: number
  title: string
  body: string | null
  /** Login. */
  readonly author: string
  readonly base: string
  readonly head: string
  /** `owner/name` of the repository the head is in; another one than the base's for a fork. */
  readonly headRepository: string
  state: 'open' | 'closed'
  /** What the author is to the repository; `CONTRIBUTOR` unless named. */
  authorAssociation: string
  readonly createdAt: string
  /** How many times title, body or state were changed. */
  edits: number
  /** Where its head was when it was last looked at. */
  lastHeadSha?: string
}

/** One run of a workflow. */
export interface FakeWorkflowRun {
  readonly id: number
  /** The name of the workflow's file. */
  readonly workflow: string
  readonly number: number
  readonly branch: string
  readonly sha: string
  status: 'queued' | 'in_progress' | 'completed' | 'pending' | 'waiting' | 'requested'
  conclusion: string | null
}

export interface FakeAnnotation {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly start_column: number | null
  readonly end_column: number | null
  readonly annotation_level: 'notice' | 'warning' | 'failure'
  readonly message: string
  readonly title: string | null
  readonly raw_details: string | null
}

export interface FakeCheckRun {
  readonly id: number
  readonly suiteId: number
  name: string
  readonly headSha: string
  externalId: string
  detailsUrl: string | null
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: string | null
  startedAt: string | null
  completedAt: string | null
  output: { title: string | null; summary: string | null; text: string | null }
  readonly annotations: FakeAnnotation[]
  actions: readonly { readonly label: string; readonly description: string; readonly identifier: string }[]
}

export interface FakeCommitStatus {
  readonly id: number
  readonly sha: string
  readonly state: string
  readonly context: string
  readonly description: string | null
  readonly targetUrl: string | null
  readonly createdAt: string
}

export interface FakeDeployment {
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly environment: string
  readonly isProduction: boolean
  readonly isTransient: boolean
  readonly payload: unknown
  readonly createdAt: string
  readonly statuses: {
    readonly id: number
    readonly state: string
    readonly description: string
    readonly logUrl: string
    readonly createdAt: string
  }[]
}

export interface FakeComment {
  readonly id: number
  readonly issueNumber: number
  /** Login; `name[bot]` for an app. */
  readonly author: string
  readonly authorAssociation: string
  body: string
  readonly createdAt: string
  updatedAt: string
  /** How many times the body was changed. */
  edits: number
}

/** One request as it came, in order of arrival. */
export interface LoggedRequest {
  readonly method: string
  /** Path with query, as sent. */
  readonly url: string
  /** `POST /repos/{owner}/{repo}/check-runs`, or `undefined` where the fake does not know it. */
  readonly route: string | undefined
  readonly headers: { readonly [name: string]: string }
  /** Parsed JSON, else the text, else `undefined`. */
  readonly body: unknown
  /** Milliseconds since 1970. */
  readonly at: number
  /** Which installation the token belongs to. */
  installationId: number | undefined
  /** What was answered; 0 where the connection was cut. */
  status: number
  /** What was answered, parsed; absent for an archive. */
  answer: unknown
}

/** A fault that the test asks for. It applies to the next requests that match, then is gone. */
export interface Fault {
  /** `POST /repos/{owner}/{repo}/check-runs`, as in GitHub's description. */
  readonly route: string
  /** How many requests it hits; 1 unless named, `Infinity` for all. */
  readonly times?: number
  /** How many matching requests go through first; 0 unless named. */
  readonly after?: number
  readonly status?: number
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
  /** Done before the request is acted on: what somebody else does meanwhile. */
  readonly meanwhile?: () => unknown
  /** Waits before it answers, or before it cuts. */
  readonly delayMs?: number
  /**
   * Cuts the connection: `before` the request is acted on, or `after` it was, so that the caller cannot know.
   * `during` sends half of the answer first.
   */
  readonly cut?: 'before' | 'after' | 'during'
}

/** What the receiver of a webhook answered. */
export interface DeliveryResult {
  /** The number in the list of deliveries. */
  readonly id: number
  /** `X-GitHub-Delivery`. */
  readonly guid: string
  /** 0 where the receiver could not be reached. */
  readonly status: number
  readonly body: string
  readonly durationMs: number
}

export interface DeliverOptions {
  /** Sent again under the same id: what a redelivery does. */
  readonly guid?: string
  /** Signs with another secret than the app's. */
  readonly secret?: string
  /** Sent as it is instead of a true signature; `null` sends none. */
  readonly signature?: string | null
  /** Remembers the delivery as failed without sending it: the receiver was away. */
  readonly lost?: boolean
  /** When the fake says it was delivered; now unless named. */
  readonly deliveredAt?: string
}

export interface RecordedDelivery {
  readonly id: number
  readonly guid: string
  readonly event: string
  readonly action: string | null
  readonly redelivery: boolean
  readonly deliveredAt: string
  readonly statusCode: number
  readonly status: string
  readonly durationSeconds: number
  readonly installationId: number | null
  readonly repositoryId: number | null
  readonly payload: object
  readonly requestHeaders: { readonly [name: string]: string }
  readonly responseHeaders: { readonly [name: string]: string }
  readonly responseBody: string
}

/** Claims of a workflow's OIDC token that a test wants to differ. */
export interface OidcOptions {
  readonly claims?: { readonly [claim: string]: unknown }
  readonly audience?: string
  readonly issuer?: string
  /** Seconds from now; negative for an expired one. 300 unless named. */
  readonly expiresInSeconds?: number
  /** Signs with a key that the issuer does not publish. */
  readonly foreignKey?: boolean
}
