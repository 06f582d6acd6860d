import { GitHubError } from '../../errors.ts'
import type { GitHubApp } from '../../github/github-app.ts'
import type { GitHubClient } from '../../github/types.ts'
import type { Project } from '../../status/types.ts'
import type { AppContext } from '../app-context.ts'
import type { PictureTaker } from '../pictures/picture-taker.ts'
import type { SiteProgram } from './site-program.ts'

/** What the jobs of the queue share. */
export interface RunContext extends AppContext {
  /** Below the data folder: one folder for the archive of each run. */
  readonly workFolder: string
  /** `undefined` where no sites are built: none are hosted, or the program was not built. */
  readonly siteProgram: SiteProgram | undefined
  readonly pictures: PictureTaker
}

/** The app, signed in. @throws {Error} before it has keys; no job is claimed then. */
export function requireGitHubApp({ github }: AppContext): GitHubApp {
  if (!github.app) throw new Error('The app has no keys yet')
  return github.app
}

/** Asks as the installation of a project. @throws {GitHubError} `not-found` where the app is not installed. */
export function clientOf(context: AppContext, { installationId, owner, repo }: Project): GitHubClient {
  if (installationId === undefined) {
    throw new GitHubError(`Cannot ask GitHub about \`${owner}/${repo}\`: the GitHub App is not installed on it`, {
      failure: 'not-found',
      operation: 'find installation',
    })
  }
  return requireGitHubApp(context).installation(installationId)
}

/** The name of a project's check: one for each docs root of a repository. */
export function toCheckName(root: string): string {
  return root === '' ? 'openapi-pages' : `openapi-pages (${root}/)`
}

/** A project has more fields than a request may be given. */
export function toName({ owner, repo }: Project): { readonly owner: string; readonly repo: string } {
  return { owner, repo }
}
