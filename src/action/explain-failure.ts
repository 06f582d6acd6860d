import { ConfigError, FilesError, GitError, GitHubError } from '../errors.ts'

/** Says what stopped a run. For a fault of ours that is the stack, with the request to report it. */
export function explainFailure(failure: unknown): { readonly message: string; readonly hint: string | undefined } {
  if (failure instanceof ConfigError || failure instanceof FilesError || failure instanceof GitError) {
    return { message: failure.message, hint: failure.hint }
  }
  if (failure instanceof GitHubError) return { message: failure.message, hint: toWay(failure) }
  const stack = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  return { message: `A fault of openapi-pages: ${stack}`, hint: 'please report it with this text' }
}

/** What a workflow can do about a refusal by GitHub. The hints of the error itself are for who runs the app. */
function toWay({ failure, permission, message, retryAfterMs, hint }: GitHubError): string | undefined {
  // Permissions are named with `_` by the API and with `-` in workflows.
  const needed = permission?.replaceAll('_', '-')
  const grant = needed === undefined ? 'check what the token may do' : `give the job \`permissions: ${needed}\``
  switch (failure) {
    case 'unauthorized':
      return 'the token is not valid (any more): check the input `token`; an empty one is that of the job'
    case 'forbidden':
      return /not permitted to create or approve pull requests/.test(message)
        ? 'allow it in the settings of the repository, Actions, General: "Allow GitHub Actions to create and approve pull requests"; or give the token of a GitHub App in `token`'
        : `${grant}, or give a token that has it in \`token\`; for a fork or Dependabot the token is read-only: use \`mode: check\` there`
    case 'protected':
      return 'let the identity of the token bypass the rule (for example the token of a GitHub App in `token`), or use `on-protected: pull-request`'
    case 'rate-limited':
      return `run again in ${Math.ceil((retryAfterMs ?? 60_000) / 1000)} s`
    case 'not-found':
      return `${grant}; a token that may not see something is told that it is not there`
    case 'conflict':
      return 'run again'
    case 'unavailable':
      return 'GitHub has trouble (githubstatus.com): run again'
    case 'unreachable':
      return 'run again; if it stays, check the network of the job and its proxy'
    case 'invalid':
      return 'this is a fault of openapi-pages: please report it with this message'
    case 'refused':
      return hint
  }
}
