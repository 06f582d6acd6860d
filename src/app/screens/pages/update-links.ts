import type { UpdateReport } from '../../../docs/update/update-results.ts'
import type { Project } from '../../../status/update-record.ts'
import type { StoredApiChanges, StoredUpdate } from '../../../store/records/stored-records.ts'
import { encodeFilePath } from '../../../text/plain/paths.ts'

/** The anchor of the API changes on the page of an update, for links in checks and comments. */
export const apiChangesId = 'api-changes'

/** The URL of a page of the preview; `undefined` if sites have no URLs. */
export type PageUrl = (route: string) => string | undefined

/** What the sections of the page of an update show. */
export interface UpdateParts {
  readonly stored: StoredUpdate
  readonly project: Project
  /** Absent until the update has ended, and if it never ran. */
  readonly report: UpdateReport | undefined
  /** Absent if the API was not compared. */
  readonly apiChanges: StoredApiChanges | undefined
  readonly links: FileLinks
  readonly pageUrl: PageUrl
}

/** URLs on GitHub of the files and refs in a record. */
export type FileLinks = ReturnType<typeof toFileLinks>

/**
 * @param repository URL of the repository, `https://github.com/owner/repo`.
 * @param sha Links point to files at this commit, so that line numbers stay correct.
 */
export function toFileLinks(repository: string, sha: string) {
  return {
    repository,
    commit: (other: string) => `${repository}/commit/${other}`,
    ref: (name: string) => `${repository}/tree/${encodeFilePath(name)}`,
    pull: (pullNumber: number) => `${repository}/pull/${pullNumber}`,
    /** A file at the commit, at a line; `undefined` for a path outside the repository. */
    file: (path: string, line?: number) => {
      // A document can be an untrusted URL: link only to `http:` and `https:`, without changing it.
      if (/^https?:\/\//i.test(path)) return URL.canParse(path) ? new URL(path).href : undefined
      if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('/') || path.split('/').includes('..')) return undefined
      return `${repository}/blob/${sha}/${encodeFilePath(path)}${line === undefined ? '' : `#L${line}`}`
    },
  }
}
