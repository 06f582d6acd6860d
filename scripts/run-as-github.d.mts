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
  /** The file that `main` in an `action.yml` names. */
  readonly bundle: string
  readonly workspace: string
  /** The folder for the files of the run, until it has ended. */
  readonly temporaryFolder: string
  readonly event: GitHubEvent
  readonly inputs?: { readonly [name: string]: string }
  /** Overrides the variables of the runner. */
  readonly environment?: { readonly [name: string]: string }
  /** Prefixes the command with other programs, to set limits or change the user. */
  readonly wrap?: (command: readonly string[]) => readonly string[]
  /** User and group of the process. Default: those of the caller. */
  readonly ids?: { readonly uid?: number; readonly gid?: number }
  /** Stops the run immediately. */
  readonly signal?: AbortSignal
}

export interface RunAsGitHubResult {
  /** The exit code, or the signal that ended the run. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
  readonly outputs: { readonly [name: string]: string }
  readonly summary: string
  /** The content of the file in the output `report-path`; `''` if there is none. */
  readonly report: string
  readonly tookMs: number
}

/** Runs the bundle of an Action as a GitHub runner does. */
export function runAsGitHub(options: RunAsGitHubOptions): Promise<RunAsGitHubResult>
