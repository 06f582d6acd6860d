import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GitHubError, type GitHubFailure } from '../../errors.ts'
import type { GitHubApp } from '../../github/github-app.ts'
import type { GitHubClient } from '../../github/types.ts'
import type { Project } from '../../status/types.ts'
import type { AppContext } from '../app-context.ts'
import type { PictureTaker } from '../pictures/picture-taker.ts'

/** What the jobs of the queue share. */
export interface RunContext extends AppContext {
  /** Below the data folder: one folder for the archive of each run. */
  readonly workFolder: string
  /** The entry point of the process that checks documents. */
  readonly checkProgram: URL
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

/** `owner/repo (root/)`, for people. */
export function toProjectName({ owner, repo, root }: Pick<Project, 'owner' | 'repo' | 'root'>): string {
  return `${owner}/${repo}${root === '' ? '' : ` (${root}/)`}`
}

/** The name of a project's check: one for each docs root of a repository. */
export function toCheckName(root: string): string {
  return root === '' ? 'openapi-pages' : `openapi-pages (${root}/)`
}

/** A project has more fields than a request may be given. */
export function toName({ owner, repo }: Project): { readonly owner: string; readonly repo: string } {
  return { owner, repo }
}

/** The program that builds sites, as the build of this package made it. */
interface SiteProgram {
  /** The entry point of the child process. */
  readonly url: URL
  /** Names it by its content: what another one rendered is not taken over. */
  readonly stamp: string
}

/**
 * Finds the program. Pages are rendered by components, which Node does not read as they are written: in a clone the built JavaScript is taken.
 *
 * @returns `undefined` where it was not built.
 */
export function findSiteProgram(): SiteProgram | undefined {
  const isBuilt = !import.meta.url.endsWith('.ts')
  const entry = new URL(isBuilt ? './site-child.js' : '../../../build/js/app/run/site-child.js', import.meta.url)
  const assets = new URL('../../../site/', entry)
  if (!existsSync(entry) || !existsSync(assets)) return undefined
  return { url: entry, stamp: `${hashFolders([new URL('../../', entry), assets])} ${process.version}` }
}

function hashFolders(folders: readonly URL[]): string {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const names = readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:js|css)$/.test(name),
    )
    for (const name of names.sort()) hash.update(name).update(readFileSync(new URL(name, folder)))
  }
  return hash.digest('hex').slice(0, 32)
}

/** What to do about an error of a job. `reason` is a sentence without its full stop, fit for a record. */
interface JobFailure {
  /** False where another try would end the same way. */
  readonly mayPass: boolean
  readonly reason: string
  readonly retryAfterMs?: number
}

const passing: ReadonlySet<GitHubFailure> = new Set(['rate-limited', 'unavailable', 'unreachable', 'conflict', 'unauthorized'])

/** Decides whether another attempt can succeed. The record does not show details of unexpected errors. */
export function toJobFailure(error: unknown): JobFailure {
  if (!(error instanceof GitHubError)) return { mayPass: true, reason: 'unexpected error of the server' }
  const { failure, message, hint, retryAfterMs } = error
  const mayPass = passing.has(failure)
  return {
    mayPass,
    reason: mayPass || hint === undefined ? message : `${message} (${hint})`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}
