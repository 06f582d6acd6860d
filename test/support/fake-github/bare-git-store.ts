import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitConfig, listFiles, readObject, readTip } from '../repository-template.ts'
import { runProgram } from '../small-process/run-program.ts'
import { type GitCommit, GitStore, type TreeEntry } from './git-store.ts'
import type { FakeContent } from './types.ts'

/** The commits of a real bare repository: API commits can be cloned, and pushed commits can be read. */
export class BareGitStore extends GitStore {
  readonly #path: string
  readonly #known = new Map<string, GitCommit>()

  constructor(path: string) {
    super()
    this.#path = path
    // Keeps commits that are not on a branch yet. Without a process, as wherever one can be spared: tests create many repositories.
    const config = join(path, 'config')
    writeFileSync(config, `${readFileSync(config, 'utf8')}[gc]\n\tauto = 0\n`)
  }

  override blob(sha: string): Uint8Array {
    return readObject(this.#path, 'blob', sha) ?? runGitBytes(this.#path, ['cat-file', 'blob', sha])
  }

  override find(sha: string): GitCommit | undefined {
    const known = this.#known.get(sha)
    if (known) return known
    try {
      const commit = readCommit(this.#path, sha)
      this.#known.set(sha, commit)
      return commit
    } catch {
      return undefined
    }
  }

  override commit(sha: string): GitCommit {
    const commit = this.find(sha)
    if (!commit) throw new Error(`The fake GitHub has no commit ${sha}`)
    return commit
  }

  override add(options: Parameters<GitStore['add']>[0]): GitCommit {
    const seconds = Math.floor(Date.parse(options.date) / 1000)
    const toPerson = (login: string) => `${login} <${login}@users.noreply.github.com> ${seconds} +0000`
    const committer = options.isSigned ? `GitHub <noreply@github.com> ${seconds} +0000` : toPerson(options.author)
    const [first, ...others] = options.parents
    const ref = `refs/fake/${Math.random().toString(36).slice(2)}`
    const parts: Buffer[] = [
      Buffer.from(`commit ${ref}\nmark :1\nauthor ${toPerson(options.author)}\ncommitter ${committer}\n`),
      toData(options.message),
      Buffer.from(
        [...(first ? [`from ${first}`] : []), ...others.map((sha) => `merge ${sha}`)].map((line) => `${line}\n`).join(''),
      ),
    ]
    for (const [path, content] of Object.entries(options.changes)) {
      if (content === null) parts.push(Buffer.from(`D ${JSON.stringify(path)}\n`))
      else {
        const { mode, bytes } = toEntry(content)
        parts.push(Buffer.from(`M ${mode} inline ${JSON.stringify(path)}\n`), toData(bytes))
      }
    }
    // Prints the commit, and deletes the ref.
    parts.push(Buffer.from(`\nget-mark :1\nreset ${ref}\nfrom ${'0'.repeat(40)}\n\ndone\n`))
    return this.commit(runGit(this.#path, ['fast-import', '--quiet'], Buffer.concat(parts)))
  }

  override ancestors(sha: string): Set<string> {
    return new Set(runGit(this.#path, ['rev-list', sha]).split('\n'))
  }

  override mergeBase(base: string, head: string): string | undefined {
    try {
      return runGit(this.#path, ['merge-base', base, head])
    } catch {
      return undefined
    }
  }
}

/** The current branches of a real bare repository, to which others push. */
export class BareBranches extends Map<string, string> {
  readonly #path: string

  constructor(path: string) {
    super()
    this.#path = path
  }

  override get(branch: string): string | undefined {
    const tip = readTip(this.#path, branch)
    if (tip !== undefined) return tip
    if (!existsSync(join(this.#path, 'packed-refs'))) return undefined
    try {
      return runGit(this.#path, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`])
    } catch {
      return undefined
    }
  }

  override has(branch: string): boolean {
    return this.get(branch) !== undefined
  }

  override set(branch: string, sha: string): this {
    runGit(this.#path, ['update-ref', `refs/heads/${branch}`, sha])
    return this
  }

  override delete(branch: string): boolean {
    const had = this.has(branch)
    if (had) runGit(this.#path, ['update-ref', '-d', `refs/heads/${branch}`])
    return had
  }

  override *[Symbol.iterator](): MapIterator<[string, string]> {
    const lines = runGit(this.#path, ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads']).split('\n')
    for (const line of lines.filter((candidate) => candidate !== '')) {
      const [name = '', sha = ''] = line.split(' ')
      yield [name, sha]
    }
  }

  /** Moves all of the branches or none. Returns whether each was at the expected commit (40 zeros: must not exist). */
  swap(moves: readonly { readonly branch: string; readonly from: string; readonly to: string }[]): boolean {
    const lines = moves.map(({ branch, from, to }) => `update refs/heads/${branch} ${to} ${from}`)
    try {
      runGit(this.#path, ['update-ref', '--stdin'], Buffer.from(['start', ...lines, 'prepare', 'commit', ''].join('\n')))
      return true
    } catch {
      return false
    }
  }
}

function readCommit(path: string, sha: string): GitCommit {
  const text = (readObject(path, 'commit', sha) ?? runGitBytes(path, ['cat-file', 'commit', sha])).toString()
  const end = text.indexOf('\n\n')
  const headers = text.slice(0, end).split('\n')
  const valuesOf = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const [, author = '', seconds = '0'] = /^(.*) <[^>]*> (\d+)/.exec(valuesOf('author')[0] ?? '') ?? []
  const committer = /^(.*) <[^>]*>/.exec(valuesOf('committer')[0] ?? '')?.[1] ?? ''
  const treeSha = valuesOf('tree')[0] ?? ''
  let files: ReadonlyMap<string, TreeEntry> | undefined
  return {
    sha,
    treeSha,
    parents: valuesOf('parent'),
    message: text.slice(end + 2).replace(/\n$/, ''),
    author,
    committer,
    date: new Date(Number(seconds) * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
    get files() {
      files ??= readFiles(path, treeSha)
      return files
    },
  }
}

function readFiles(path: string, treeSha: string): ReadonlyMap<string, TreeEntry> {
  const listed = listFiles(path, treeSha) ?? listPackedFiles(path, treeSha)
  // Git has no other modes.
  return new Map(listed.map(({ path: file, mode, sha }) => [file, { mode: mode as TreeEntry['mode'], sha }]))
}

function listPackedFiles(path: string, treeSha: string) {
  const lines = runGitBytes(path, ['ls-tree', '-r', '-z', '--full-tree', treeSha]).toString().split('\0')
  return lines.flatMap((line) => {
    const [, mode, sha = '', file = ''] = /^(\d+) \w+ (\w+)\t([\s\S]+)$/.exec(line) ?? []
    return mode === undefined ? [] : [{ path: file, mode, sha }]
  })
}

function toEntry(content: FakeContent): { mode: string; bytes: string | Uint8Array } {
  const isPlain = typeof content === 'string' || content instanceof Uint8Array
  return isPlain ? { mode: '100644', bytes: content } : { mode: content.mode, bytes: content.content }
}

function toData(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(typeof content === 'string' ? Buffer.from(content) : content)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

function runGit(path: string, args: readonly string[], input?: Buffer): string {
  return runGitBytes(path, args, input).toString().trim()
}

function runGitBytes(path: string, args: readonly string[], input?: Buffer): Buffer {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_GLOBAL: gitConfig, GIT_CONFIG_NOSYSTEM: '1' }
  return runProgram('git', ['--git-dir', path, ...args], { env, ...(input && { input }) })
}
