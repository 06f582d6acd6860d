import type { FakeRepository } from './fake-repository.ts'
import type { Permissions } from './types.ts'

/** The app installed on one account. */
export interface FakeInstallation {
  readonly id: number
  /** Login of the account. */
  readonly account: string
  permissions: Permissions
  /** The actor of its tokens. Default: the bot of the app. */
  readonly actor?: string
  suspended: boolean
  /** Suspended or removed by the account: all of its tokens are rejected. */
  deleted: boolean
  readonly repositories: FakeRepository[]
  /** Requests since `resetAt`, for the rate limit headers. */
  used: number
  /** Milliseconds since 1970. */
  resetAt: number
}
