import { ConfigError, FilesError, GitError } from '../errors.ts'

/** Says what stopped a run. For a fault of ours that is the stack, with the request to report it. */
export function explainFailure(failure: unknown): { readonly message: string; readonly hint: string | undefined } {
  if (failure instanceof ConfigError || failure instanceof FilesError || failure instanceof GitError) {
    return { message: failure.message, hint: failure.hint }
  }
  const stack = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
  return { message: `A fault of openapi-pages: ${stack}`, hint: 'please report it with this text' }
}
