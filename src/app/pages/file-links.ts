/** Addresses on GitHub of what a record names. */
export interface FileLinks {
  readonly repository: string
  readonly commit: string
  ref(name: string): string
  pull(pullNumber: number): string
  /** A file at the commit, at a line; `undefined` for what is no path in the repository. */
  file(path: string, line?: number): string | undefined
}

/**
 * @param repository Address of the repository, `https://github.com/owner/repo`.
 * @param sha The commit whose files are linked, so that lines stay where they are.
 */
export function toFileLinks(repository: string, sha: string): FileLinks {
  // A half of a character, which JSON can hold, has no encoding.
  const encode = (path: string) =>
    path
      .replace(/\p{Cs}/gu, '\ufffd')
      .split('/')
      .map(encodeURIComponent)
      .join('/')
  return {
    repository,
    commit: `${repository}/commit/${sha}`,
    ref: (name) => `${repository}/tree/${encode(name)}`,
    pull: (pullNumber) => `${repository}/pull/${pullNumber}`,
    file: (path, line) => {
      // A document may be a URL of a stranger's choosing: only a web address becomes a link, and only as it is.
      if (/^https?:\/\//i.test(path)) return URL.canParse(path) ? new URL(path).href : undefined
      if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('/') || path.split('/').includes('..')) return undefined
      return `${repository}/blob/${sha}/${encode(path)}${line === undefined ? '' : `#L${line}`}`
    },
  }
}
