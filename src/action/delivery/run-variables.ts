/** What the runner says about the run and its GitHub. */
export interface RunVariables {
  /** `https://api.github.com`, or that of a GitHub Enterprise Server. */
  readonly apiUrl: string
  readonly serverUrl: string
  /** Counts the runs of the workflow; 0 where the runner does not say. */
  readonly runNumber: number
  /** A word that no other run has. */
  readonly runName: string
  /** The name of the workflow's file; undefined where the runner does not say. */
  readonly workflow: string | undefined
}

/** Reads them from the environment. Source: "Default environment variables" of GitHub Actions. */
export function readRunVariables(environment: NodeJS.ProcessEnv): RunVariables {
  const read = (name: string, fallback: string) => environment[name] || fallback
  return {
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
    runNumber: Number(read('GITHUB_RUN_NUMBER', '0')) || 0,
    runName: `${read('GITHUB_RUN_ID', '0')}-${read('GITHUB_RUN_ATTEMPT', '1')}`,
    // `owner/name/.github/workflows/docs.yml@refs/heads/main`
    workflow: /\/([^/@]+)@/.exec(environment['GITHUB_WORKFLOW_REF'] ?? '')?.[1],
  }
}
