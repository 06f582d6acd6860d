/** Where people find things of this run on the web. */
export interface RunLinks {
  /** Of the repository, `https://github.com/acme/docs`; `''` outside of a runner. */
  readonly webUrl: string
  /** Of the run of the workflow. */
  readonly runUrl: string
}

/** Reads the addresses from the variables of the runner, which name another host on a GitHub Enterprise Server. */
export function readRunLinks(environment: NodeJS.ProcessEnv): RunLinks {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: attempt,
  } = environment
  if (!server || !repository) return { webUrl: '', runUrl: '' }
  const webUrl = `${server.replace(/(?<!\/)\/+$/, '')}/${repository}`
  return { webUrl, runUrl: run ? `${webUrl}/actions/runs/${run}${attempt ? `/attempts/${attempt}` : ''}` : webUrl }
}
