import { encodeFilePath } from '../../../text/plain/paths.ts'

/** The anchor of the API changes on the page of an update, for links in checks and comments. */
export const apiChangesId = 'api-changes'

/** The URL of a page of the preview; `undefined` if sites have no URLs. */
export type PageUrl = (route: string) => string | undefined

/** URLs on GitHub of the files and refs in a record. */
export interface FileLinks {
  readonly repository: string
  readonly commit: string
  commitOf(sha: string): string
  ref(name: string): string
  pull(pullNumber: number): string
  /** A file at the commit, at a line; `undefined` for a path outside the repository. */
  file(path: string, line?: number): string | undefined
}

/**
 * @param repository URL of the repository, `https://github.com/owner/repo`.
 * @param sha Links point to files at this commit, so that line numbers stay correct.
 */
export function toFileLinks(repository: string, sha: string): FileLinks {
  return {
    repository,
    commit: `${repository}/commit/${sha}`,
    commitOf: (other) => `${repository}/commit/${other}`,
    ref: (name) => `${repository}/tree/${encodeFilePath(name)}`,
    pull: (pullNumber) => `${repository}/pull/${pullNumber}`,
    file: (path, line) => {
      // A document can be an untrusted URL: link only to `http:` and `https:`, without changing it.
      if (/^https?:\/\//i.test(path)) return URL.canParse(path) ? new URL(path).href : undefined
      if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('/') || path.split('/').includes('..')) return undefined
      return `${repository}/blob/${sha}/${encodeFilePath(path)}${line === undefined ? '' : `#L${line}`}`
    },
  }
}
