import type { GitHubClient, RepositoryName } from '../github/types.ts'
import type { ActionInputs } from './inputs.ts'

/** The API of GitHub with the token of the run. */
interface ActionGitHub {
  readonly client: GitHubClient
  readonly repository: RepositoryName
}

/** Opens it when it is first needed, as that loads Octokit; undefined without a token, or outside of a runner. */
export type OpenGitHub = () => Promise<ActionGitHub | undefined>

/** @param environment names the address of the API, on a GitHub Enterprise Server too. */
export function createOpenGitHub({ githubToken }: Pick<ActionInputs, 'githubToken'>, environment: NodeJS.ProcessEnv): OpenGitHub {
  let opened: Promise<ActionGitHub | undefined> | undefined
  const open = async () => {
    const [owner, repo] = (environment['GITHUB_REPOSITORY'] ?? '').split('/')
    if (githubToken === undefined || !owner || !repo) return undefined
    const { createTokenClient } = await import('../github/github-client.ts')
    const client = createTokenClient({ token: githubToken, apiUrl: environment['GITHUB_API_URL'] || undefined })
    return { client, repository: { owner, repo } }
  }
  return () => {
    opened ??= open()
    return opened
  }
}
