import { createHash } from 'node:crypto'
import type { FakeContent } from './types.ts'

export interface TreeEntry {
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly sha: string
}

export interface GitCommit {
  readonly sha: string
  readonly treeSha: string
  readonly parents: readonly string[]
  readonly message: string
  /** Login. */
  readonly author: string
  /** Login, or `GitHub` if GitHub made and signed the commit. */
  readonly committer: string
  /** ISO 8601 without milliseconds, as GitHub writes it. */
  readonly date: string
  /** All files of the commit by path. */
  readonly files: ReadonlyMap<string, TreeEntry>
}

export interface FileDifference {
  readonly status: 'added' | 'modified' | 'removed' | 'renamed'
  readonly path: string
  /** The former path of a renamed file. */
  readonly previousPath?: string
  readonly sha: string
}

/** Blobs, trees and commits, with the same IDs as in git. */
export class GitStore {
  readonly #blobs = new Map<string, Uint8Array>()
  readonly #commits = new Map<string, GitCommit>()

  blob(sha: string): Uint8Array {
    return known(this.#blobs.get(sha), `blob ${sha}`)
  }

  /** A commit by its full ID, `undefined` if there is none. */
  find(sha: string): GitCommit | undefined {
    return this.#commits.get(sha)
  }

  commit(sha: string): GitCommit {
    return known(this.#commits.get(sha), `commit ${sha}`)
  }

  add(options: {
    parents: readonly string[]
    changes: { readonly [path: string]: FakeContent | null }
    message: string
    author: string
    date: string
    /** Made and signed by GitHub itself. */
    isSigned?: boolean
  }): GitCommit {
    const first = options.parents[0]
    const files = new Map(first === undefined ? [] : this.commit(first).files)
    for (const [path, content] of Object.entries(options.changes)) {
      if (content === null) files.delete(path)
      else files.set(path, this.#addContent(content))
    }
    const treeSha = hashTree(files)
    const seconds = Math.floor(Date.parse(options.date) / 1000)
    const person = `${options.author} <${options.author}@users.noreply.github.com> ${seconds} +0000`
    const text = [
      `tree ${treeSha}`,
      ...options.parents.map((parent) => `parent ${parent}`),
      `author ${person}`,
      `committer ${options.isSigned ? `GitHub <noreply@github.com> ${seconds} +0000` : person}`,
      '',
      options.message,
    ].join('\n')
    const sha = hashObject('commit', Buffer.from(text))
    const { parents, message, author, date } = options
    const committer = options.isSigned ? 'GitHub' : author
    const commit = { sha, treeSha, parents, message, author, committer, date, files }
    this.#commits.set(sha, commit)
    return commit
  }

  /** The changes between two commits, sorted by path. A moved file without changes is one `renamed`. */
  difference(from: string | undefined, to: string | undefined): FileDifference[] {
    const before = from === undefined ? new Map<string, TreeEntry>() : this.commit(from).files
    const after = to === undefined ? new Map<string, TreeEntry>() : this.commit(to).files
    const added = [...after].filter(([path]) => !before.has(path))
    const removed = [...before].filter(([path]) => !after.has(path))
    const removedBySha = new Map(removed.map(([path, entry]) => [entry.sha, path]))
    const differences: FileDifference[] = []
    const moved = new Set<string>()
    for (const [path, { sha }] of added) {
      const previousPath = removedBySha.get(sha)
      if (previousPath !== undefined && !moved.has(previousPath)) {
        moved.add(previousPath)
        differences.push({ status: 'renamed', path, previousPath, sha })
      } else differences.push({ status: 'added', path, sha })
    }
    for (const [path, { sha }] of removed) if (!moved.has(path)) differences.push({ status: 'removed', path, sha })
    for (const [path, { sha, mode }] of after) {
      const old = before.get(path)
      if (old && (old.sha !== sha || old.mode !== mode)) differences.push({ status: 'modified', path, sha })
    }
    return differences.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** The commit and all of its ancestors. */
  ancestors(sha: string): Set<string> {
    const seen = new Set<string>()
    const waiting = [sha]
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      if (seen.has(current)) continue
      seen.add(current)
      waiting.push(...this.commit(current).parents)
    }
    return seen
  }

  /** The commits of `head` that `base` lacks, oldest first; all of them without a base. */
  commitsBetween(base: string | undefined, head: string): GitCommit[] {
    const known = base === undefined ? new Set<string>() : this.ancestors(base)
    const list: GitCommit[] = []
    for (let current: string | undefined = head; current !== undefined && !known.has(current); ) {
      const commit: GitCommit = this.commit(current)
      list.push(commit)
      current = commit.parents[0]
    }
    return list.reverse()
  }

  mergeBase(base: string, head: string): string | undefined {
    const known = this.ancestors(base)
    const waiting = [head]
    for (let current = waiting.shift(); current !== undefined; current = waiting.shift()) {
      if (known.has(current)) return current
      waiting.push(...this.commit(current).parents)
    }
    return undefined
  }

  #addContent(content: FakeContent): TreeEntry {
    const isPlain = typeof content === 'string' || content instanceof Uint8Array
    const entry = isPlain ? { content, mode: '100644' as const } : content
    const bytes = typeof entry.content === 'string' ? Buffer.from(entry.content) : entry.content
    const sha = hashObject('blob', bytes)
    this.#blobs.set(sha, bytes)
    return { mode: entry.mode, sha }
  }
}

function hashObject(kind: 'blob' | 'tree' | 'commit', bytes: Uint8Array): string {
  return createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** The ID of the folder with these files, including its subfolders. */
export function hashTree(files: ReadonlyMap<string, TreeEntry>, onFolder?: (path: string, sha: string) => void, at = ''): string {
  const folders = new Map<string, Map<string, TreeEntry>>()
  const rows: { name: string; mode: string; sha: string }[] = []
  for (const [path, entry] of files) {
    const slash = path.indexOf('/')
    if (slash === -1) rows.push({ name: path, mode: entry.mode, sha: entry.sha })
    else {
      const folder = path.slice(0, slash)
      const inside = folders.get(folder) ?? new Map<string, TreeEntry>()
      inside.set(path.slice(slash + 1), entry)
      folders.set(folder, inside)
    }
  }
  for (const [name, inside] of folders) {
    const path = at === '' ? name : `${at}/${name}`
    rows.push({ name, mode: '40000', sha: hashTree(inside, onFolder, path) })
  }
  // Git sorts folders as if their names ended in a slash.
  const key = (row: { name: string; mode: string }) => Buffer.from(row.mode === '40000' ? `${row.name}/` : row.name)
  rows.sort((a, b) => Buffer.compare(key(a), key(b)))
  const bytes = Buffer.concat(
    rows.map((row) => Buffer.concat([Buffer.from(`${row.mode} ${row.name}\0`), Buffer.from(row.sha, 'hex')])),
  )
  const sha = hashObject('tree', bytes)
  onFolder?.(at, sha)
  return sha
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The fake GitHub has no ${what}`)
  return value
}
