/** The event that started a workflow. */
export interface GitHubEvent {
  /** Such as `push`. */
  readonly name: string
  /** Such as `refs/heads/main`. */
  readonly ref: string
  /** The branch of a pull request. */
  readonly headRef?: string
  readonly sha?: string
  readonly payload?: unknown
}

export interface RunAsGitHubOptions {
  /** The file that `main` of an `action.yml` names. */
  readonly bundle: string
  readonly workspace: string
  /** Where the files of the run are kept until it has ended. */
  readonly temporaryFolder: string
  readonly event: GitHubEvent
  readonly inputs?: { readonly [name: string]: string }
  /** Wins over what a runner sets. */
  readonly environment?: { readonly [name: string]: string }
  /** Puts other programs before the command, for limits or another user. */
  readonly wrap?: (command: readonly string[]) => readonly string[]
  /** User and group of the process; default: those of the caller. */
  readonly ids?: { readonly uid?: number; readonly gid?: number }
  /** Ends the run at once. */
  readonly signal?: AbortSignal
}

export interface RunAsGitHubResult {
  /** The exit code, or the signal that ended the run. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
  readonly outputs: { readonly [name: string]: string }
  readonly summary: string
  /** The text of the file that the output `report-path` names; `''` where there is none. */
  readonly report: string
  readonly tookMs: number
}

/** Runs the bundle of an Action as a runner of GitHub does. */
export function runAsGitHub(options: RunAsGitHubOptions): Promise<RunAsGitHubResult>
