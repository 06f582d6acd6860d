/** How fast one installation writes, and how often a request is repeated. GitHub's numbers are the defaults. */
export interface RequestPace {
  /** Least time from one write to the next. GitHub, "Best practices for using the REST API": at least one second. */
  readonly spacingMs: number
  /** Content that GitHub lets one installation write: 80 a minute and 500 an hour (GitHub, "Rate limits", secondary limits). */
  readonly writesPerMinute: number
  readonly writesPerHour: number
  /** The lengths of that minute and hour; shorter in tests only. */
  readonly minuteMs: number
  readonly hourMs: number
  /** How often a request is repeated before it fails. */
  readonly retries: number
  /** First wait after a 5xx or a lost connection; doubled each time. */
  readonly retryDelayMs: number
  /** First wait after a secondary limit that names no time; doubled each time. GitHub: at least one minute. */
  readonly secondaryLimitDelayMs: number
  /** The longest wait inside one call. What needs longer fails as `rate-limited` and says how long. */
  readonly longestWaitMs: number
  /** How long an answer may take to begin. */
  readonly timeoutMs: number
}

/** @see RequestPace */
export const defaultPace: RequestPace = {
  spacingMs: 1_000,
  writesPerMinute: 80,
  writesPerHour: 500,
  minuteMs: 60_000,
  hourMs: 3_600_000,
  retries: 3,
  retryDelayMs: 1_000,
  secondaryLimitDelayMs: 60_000,
  longestWaitMs: 120_000,
  timeoutMs: 30_000,
}
