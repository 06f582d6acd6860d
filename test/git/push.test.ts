import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { applyFileChanges } from '../../src/files/apply-file-changes.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { openTrustedGit } from '../../src/git/git.ts'
import { type CommitAndPushOptions, commitAndPush } from '../../src/git/push.ts'
import { GitError } from '../../src/text/errors.ts'
import type { FileChange } from '../../src/text/plain/source-file.ts'
import { wrapGitPush } from '../support/git-on-path.ts'
import { type GitRemote, git, makeGitRemote } from '../support/git-remote.ts'
import { readTree } from '../support/read-tree.ts'
import { serveGit } from '../support/serve-git.ts'

const committer = { name: 'bot', email: 'bot@example.com' }

/** A small generator: writes `source.txt` in upper case to `page.mdx` and removes `old.mdx`. */
async function planFrom(checkout: string): Promise<{ changes: FileChange[]; added: []; message: string }> {
  const tree = readTree(checkout)
  const content = (tree['source.txt'] ?? '').toUpperCase()
  const before = tree['page.mdx']
  const changes: FileChange[] = []
  if (before === undefined) changes.push({ kind: 'add', path: 'page.mdx', content })
  else if (before !== content) changes.push({ kind: 'modify', path: 'page.mdx', before, content })
  if (tree['old.mdx'] !== undefined) changes.push({ kind: 'delete', path: 'old.mdx', before: tree['old.mdx'] })
  return { changes, added: [], message: 'docs: update\n\n# not a comment' }
}

function run(checkout: string, options: Partial<CommitAndPushOptions> = {}) {
  return commitAndPush(openTrustedGit(checkout), {
    branch: 'main',
    mayCreateBranch: false,
    knownSha: undefined,
    committer,
    token: undefined,
    plan: () => planFrom(checkout),
    write: (changes) => applyFileChanges(toOwnPath(checkout), changes),
    restore: async () => {},
    ...options,
  })
}

async function failureOf(checkout: string, options: Partial<CommitAndPushOptions> = {}): Promise<GitError> {
  const error = await run(checkout, options).catch((reason: unknown) => reason)
  if (!(error instanceof GitError)) throw new Error(`Expected a GitError, got ${JSON.stringify(error)}`)
  return error
}

function makeRemote(): GitRemote {
  return makeGitRemote({ 'source.txt': 'one', 'old.mdx': 'old', 'guide.mdx': 'mine' })
}

/** Runs a script before each push. See `wrapGitPush`. */
function beforeEachPush(remote: GitRemote, script: string): void {
  const path = process.env['PATH']
  process.env['PATH'] = `${wrapGitPush(remote.folder, script)}:${path}`
  onTestFinished(() => {
    process.env['PATH'] = path
  })
}

const pushAsPat = `cd person && GIT_AUTHOR_NAME=Pat GIT_AUTHOR_EMAIL=p@x GIT_COMMITTER_NAME=Pat GIT_COMMITTER_EMAIL=p@x git commit -qam more && git push -q origin HEAD:main`

describe('committing on the newest commit of a branch', () => {
  test('commits exactly the planned files, from a detached shallow clone', async () => {
    const remote = makeRemote()
    const [checkout, before] = [remote.checkOut(), remote.tip()]
    writeFileSync(join(checkout, 'guide.mdx'), 'a change of another step')
    writeFileSync(join(checkout, 'other.txt'), 'a new file of another step')
    writeFileSync(join(checkout, 'staged.txt'), 'staged by another step')
    git(checkout, 'add', 'staged.txt')
    const result = await run(checkout)
    expect(result).toEqual({ kind: 'pushed', sha: remote.tip() })
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(remote.tip())
    expect(remote.log('%P|%an <%ae>|%cn <%ce>|%B')).toBe(
      `${before}|bot <bot@example.com>|bot <bot@example.com>|docs: update\n\n# not a comment`,
    )
    expect(git(remote.path, 'show', '--name-status', '--format=', 'main')).toBe('D\told.mdx\nA\tpage.mdx')
    expect(git(checkout, 'status', '--porcelain')).toBe('M guide.mdx\nA  staged.txt\n?? other.txt')
    expect(readFileSync(join(checkout, 'guide.mdx'), 'utf8')).toBe('a change of another step')
  })

  test('commits nothing when nothing is planned', async () => {
    const remote = makeRemote()
    const before = remote.tip()
    expect(await run(remote.checkOut(), { plan: async () => ({ changes: [], added: [], message: '' }) })).toEqual({
      kind: 'unchanged',
    })
    expect(remote.tip()).toBe(before)
  })

  test('moves an older checkout to the newest commit first', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    const newer = remote.push({ 'source.txt': 'two', 'guide.mdx': 'mine, better' })
    await run(checkout)
    expect(remote.log('%P')).toBe(newer)
    expect(remote.read('page.mdx')).toBe('TWO')
    expect(remote.read('guide.mdx')).toBe('mine, better')
  })

  test('keeps the history of a complete clone', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    git(checkout, 'fetch', '--quiet', '--unshallow')
    remote.push({ 'source.txt': 'two' })
    await run(checkout)
    expect(git(checkout, 'rev-parse', '--is-shallow-repository')).toBe('false')
    expect(git(checkout, 'rev-list', '--count', 'HEAD')).toBe('3')
  })

  test('creates another branch only if requested', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    expect((await failureOf(checkout, { branch: 'gone' })).message).toBe('Cannot push to `gone`: the remote has no such branch')
    await run(checkout, { branch: 'new/branch', mayCreateBranch: true })
    expect(remote.read('page.mdx', 'new/branch')).toBe('ONE')
    expect(remote.read('page.mdx')).toBeUndefined()
  })

  test('runs no hooks of the clone', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    mkdirSync(join(checkout, '.git/hooks'))
    for (const hook of ['pre-commit', 'commit-msg', 'pre-push', 'post-commit']) {
      writeFileSync(join(checkout, '.git/hooks', hook), '#!/bin/sh\nexit 1\n')
      chmodSync(join(checkout, '.git/hooks', hook), 0o755)
    }
    expect((await run(checkout)).kind).toBe('pushed')
  })

  test('commits files with names that look like patterns or options', async () => {
    const remote = makeGitRemote({ 'a.mdx': 'a', 'b.mdx': 'b' })
    const checkout = remote.checkOut()
    writeFileSync(join(checkout, 'a.mdx'), 'changed elsewhere')
    let planned = false
    const plan = async () => {
      const changes: FileChange[] = planned
        ? []
        : ['*.mdx', '-x.mdx', ':(top)a.mdx', 'ü "q".mdx'].map((path) => ({ kind: 'add', path, content: path }))
      planned = true
      return { changes, added: [], message: '-m' }
    }
    await run(checkout, { plan })
    expect(
      git(remote.path, '-c', 'core.quotePath=false', 'show', '--name-only', '--format=%s', '-z', 'main').split(/[\0\n]+/),
    ).toEqual(expect.arrayContaining(['-m', '*.mdx', '-x.mdx', ':(top)a.mdx', 'ü "q".mdx']))
    expect(remote.read('a.mdx')).toBe('a')
  })
})

test('moves away from a commit that no local branch contains if the event says that the remote has it', async () => {
  const remote = makeRemote()
  const merge = git(remote.path, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Merge')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', merge)
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', '--depth=1', 'origin', 'refs/pull/1/merge')
  git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  expect((await failureOf(checkout)).message).toContain('an unpushed commit')
  expect((await run(checkout, { knownSha: merge })).kind).toBe('pushed')
})

describe('pushing to a branch that moved', () => {
  test('plans again from the new commit and pushes the result', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    beforeEachPush(remote, `[ $PUSH -gt 1 ] || { cd '${remote.folder}' && printf two > person/source.txt && ${pushAsPat}; }`)
    const stale: number[] = []
    const result = await run(checkout, { onStale: (attempt) => stale.push(attempt) })
    expect(result).toEqual({ kind: 'pushed', sha: remote.tip() })
    expect(stale).toEqual([2])
    expect(remote.read('page.mdx')).toBe('TWO')
    expect(remote.log('%s|%an')).toBe('docs: update|bot')
    expect(git(remote.path, 'rev-list', '--count', 'main')).toBe('3')
    expect(git(checkout, 'status', '--porcelain')).toBe('')
  })

  test('ends unchanged if the new commit already has the pages', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    beforeEachPush(
      remote,
      `cd '${remote.folder}' && cd person && printf ONE > page.mdx && rm old.mdx && git add -A && cd .. && ${pushAsPat}`,
    )
    expect(await run(checkout)).toEqual({ kind: 'unchanged' })
    expect(remote.log('%an')).toBe('Pat')
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(remote.tip())
  })

  test('keeps changes of other steps, and fails if they would be lost', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    writeFileSync(join(checkout, 'guide.mdx'), 'a change of another step')
    const move = (file: string) => `[ $PUSH -gt 1 ] || { cd '${remote.folder}' && printf two > person/${file} && ${pushAsPat}; }`
    beforeEachPush(remote, move('source.txt'))
    expect((await run(checkout)).kind).toBe('pushed')
    expect(readFileSync(join(checkout, 'guide.mdx'), 'utf8')).toBe('a change of another step')

    const newer = remote.push({ 'source.txt': 'three', 'guide.mdx': 'a clash' })
    const failure = await failureOf(checkout, {
      plan: async () => ({ changes: [{ kind: 'add', path: 'x', content: '' }], added: [], message: 'x' }),
    })
    expect(failure.message).toBe('Cannot move to the newest commit of `main`: it changes `guide.mdx`, which has local changes')
    expect(readFileSync(join(checkout, 'guide.mdx'), 'utf8')).toBe('a change of another step')
    expect(remote.tip()).toBe(newer)
  })

  test('gives up after five attempts', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    beforeEachPush(remote, `cd '${remote.folder}' && printf $PUSH > person/source.txt && ${pushAsPat}`)
    expect((await failureOf(checkout)).message).toBe('Cannot push to `main`: it moved 5 times while the pages were generated')
    expect(remote.log('%an')).toBe('Pat')
    expect(git(checkout, 'status', '--porcelain')).toBe('')
  })
})

describe('reporting an error without changing files', () => {
  async function expectRefusal(remote: GitRemote, checkout: string, options: Partial<CommitAndPushOptions>): Promise<GitError> {
    const [tree, status, head, tip] = [
      readTree(checkout),
      git(checkout, 'status', '--porcelain'),
      git(checkout, 'rev-parse', 'HEAD'),
      remote.tip(),
    ]
    const failure = await failureOf(checkout, options)
    expect(readTree(checkout)).toEqual(tree)
    expect(git(checkout, 'status', '--porcelain')).toBe(status)
    expect(git(checkout, 'rev-parse', 'HEAD')).toBe(head)
    expect(remote.tip()).toBe(tip)
    return failure
  }

  test('reports a protected branch', async () => {
    const remote = makeRemote()
    remote.setHook(
      'pre-receive',
      `echo 'error: GH006: Protected branch update failed for refs/heads/main.' >&2
echo 'error: Changes must be made through a pull request.' >&2; exit 1`,
    )
    const failure = await expectRefusal(remote, remote.checkOut(), {})
    expect(failure.message).toBe(
      'Cannot push to `main`: a branch rule rejected it (GH006): Changes must be made through a pull request',
    )
  })

  test('reports a file with uncommitted changes', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    writeFileSync(join(checkout, 'old.mdx'), 'changed')
    expect((await expectRefusal(remote, checkout, {})).message).toBe('Cannot commit `old.mdx`: it has uncommitted changes')
    git(checkout, 'checkout', 'old.mdx')
    writeFileSync(join(checkout, 'page.mdx'), 'not committed')
    expect((await expectRefusal(remote, checkout, {})).message).toBe('Cannot commit `page.mdx`: it has uncommitted changes')
  })

  test('reports an unpushed commit of an earlier step', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    const known = git(checkout, 'rev-parse', 'HEAD')
    writeFileSync(join(checkout, 'guide.mdx'), 'committed by another step')
    git(checkout, 'commit', '--quiet', '--all', '--message=By another step')
    const failure = await expectRefusal(remote, checkout, { knownSha: known })
    expect(failure.message).toBe('Cannot commit: the checkout has an unpushed commit')
  })

  test('reports an ignored page', async () => {
    const remote = makeGitRemote({ 'source.txt': 'one', '.gitignore': 'page.mdx\n' })
    const failure = await expectRefusal(remote, remote.checkOut(), {})
    expect(failure.message).toBe('Cannot commit `page.mdx`: it is ignored by `.gitignore`')
  })

  test('reports a missing, deleted or ambiguous remote', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    git(checkout, 'remote', 'set-url', 'origin', '/nonexistent')
    expect((await expectRefusal(remote, checkout, {})).message).toContain('the repository does not exist')
    git(checkout, 'remote', 'rename', 'origin', 'one')
    git(checkout, 'remote', 'add', 'two', '/nonexistent')
    expect((await expectRefusal(remote, checkout, {})).message).toBe(
      'Cannot push: the repository has 2 remotes and none is named `origin`',
    )
    git(checkout, 'remote', 'remove', 'one')
    git(checkout, 'remote', 'remove', 'two')
    expect((await expectRefusal(remote, checkout, {})).message).toBe('Cannot push: the repository has no remote')
  })

  test('reports that git is not installed', async () => {
    const remote = makeRemote()
    const checkout = remote.checkOut()
    const path = process.env['PATH']
    process.env['PATH'] = remote.folder
    try {
      const failure = await failureOf(checkout)
      expect(failure.message).toBe('Cannot start git: it is not installed or not in `PATH`')
    } finally {
      process.env['PATH'] = path
    }
  })
})

describe('pushing over http', () => {
  async function makeHttp(options: { readOnly?: string } = {}) {
    const remote = makeRemote()
    const seen: string[] = []
    const origin = await serveGit(remote.folder, { token: 'right', seen, ...options })
    const checkout = remote.checkOut()
    git(checkout, 'remote', 'set-url', 'origin', `${origin}/remote.git`)
    return { remote, checkout, origin, seen }
  }

  const toHeader = (token: string) => `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`

  test('uses the given token without storing it', async () => {
    const { remote, checkout, seen } = await makeHttp()
    expect((await run(checkout, { token: 'right' })).kind).toBe('pushed')
    expect(remote.read('page.mdx')).toBe('ONE')
    expect(seen).toEqual([toHeader('right')])
    expect(readFileSync(join(checkout, '.git/config'), 'utf8')).not.toMatch(/right|extraheader/i)
  })

  test('uses the credentials of the checkout, or the given token instead', async () => {
    const { checkout, origin, seen } = await makeHttp()
    git(checkout, 'config', `http.${origin}/.extraheader`, `AUTHORIZATION: ${toHeader('right')}`)
    expect((await run(checkout)).kind).toBe('pushed')
    expect(seen).toEqual([toHeader('right')])

    const other = await makeHttp()
    git(other.checkout, 'config', `http.${other.origin}/.extraheader`, `AUTHORIZATION: ${toHeader('wrong')}`)
    expect((await run(other.checkout, { token: 'right' })).kind).toBe('pushed')
    expect(other.seen).toEqual([toHeader('right')])
  })

  test('suggests a fix for missing, wrong and read-only credentials', async () => {
    const { checkout } = await makeHttp({ readOnly: 'read' })
    const [none, wrong, readOnly] = [
      await failureOf(checkout),
      await failureOf(checkout, { token: 'wrong' }),
      await failureOf(checkout, { token: 'read' }),
    ]
    expect(none.message).toBe('Cannot push to `main`: the checkout has no credentials, or the server rejected them')
    expect([none, wrong, readOnly].map(({ lacksAccess }) => lacksAccess)).toEqual([true, true, true])
    expect(none.hint).toContain('persist-credentials')
    expect(wrong.message).toBe(none.message)
    expect(readOnly.message).toBe('Cannot push to `main`: the credentials have no write access (403)')
    expect(readOnly.hint).toContain('Dependabot')
  })
})
