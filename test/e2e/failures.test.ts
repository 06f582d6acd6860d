import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type ActionRun, makeExampleRemote, runAction, shortWaits } from '../support/action-harness.ts'
import { type GitRemote, git } from '../support/git-remote.ts'
import { makeOrdinaryUser } from '../support/ordinary-user.ts'
import { readTree } from '../support/read-tree.ts'
import { serveGit } from '../support/serve-git.ts'

/** Runs where something outside refuses, and makes sure that the tree and the remote are as they were. */
async function runRefused(
  remote: GitRemote,
  checkout: string,
  options: Partial<Parameters<typeof runAction>[1]> = {},
  planned = 8,
): Promise<ActionRun> {
  const [tree, tip] = [readTree(checkout), remote.tip()]
  const run = await runAction(checkout, { temporaryFolder: remote.folder, ...options })
  expect(run.code).toBe(1)
  expect(readTree(checkout)).toEqual(tree)
  expect(remote.tip()).toBe(tip)
  expect(run.outputs).toMatchObject({ committed: 'false', 'commit-sha': '', 'pages-added': `${planned}` })
  expect(run.commands.filter(({ name }) => name === 'error')).toHaveLength(1)
  expect(run.summary).toContain('### API pages: the run failed')
  return run
}

function reasonOf(run: ActionRun): string {
  return run.commands.find(({ name }) => name === 'error')?.data ?? ''
}

describe('a rejected push reports the reason and a fix', () => {
  test('to a protected branch', async () => {
    const remote = makeExampleRemote('petstore')
    remote.setHook(
      'pre-receive',
      `echo 'error: GH013: Repository rule violations found for refs/heads/main.' >&2
       echo 'Review all repository rules at https://github.com/acme/docs/rules' >&2
       echo '' >&2
       echo '- Changes must be made through a pull request.' >&2
       exit 1`,
    )
    const run = await runRefused(remote, remote.checkOut())
    expect(reasonOf(run)).toContain(
      'Cannot push to `main`: a branch rule rejected it (GH013): Changes must be made through a pull request\n',
    )
    expect(reasonOf(run)).toContain('`mode: check`')
    expect(run.summary).toContain('Changes must be made through a pull request')
  })

  test('from a checkout without write access', async () => {
    const remote = makeExampleRemote('petstore')
    const origin = await serveGit(remote.folder, { token: 'right', readOnly: 'ghs_readonly0' })
    const checkout = remote.checkOut()
    git(checkout, 'remote', 'set-url', 'origin', `${origin}/remote.git`)
    const without = await runRefused(remote, checkout)
    expect(reasonOf(without)).toContain('`permissions: { contents: write, pull-requests: write }`')
    expect(reasonOf(without)).toContain('`persist-credentials: true`')
    const reading = await runRefused(remote, checkout, { inputs: { token: 'ghs_readonly0' } })
    expect(reasonOf(reading)).toContain('the credentials have no write access (403)')
    expect(reading.stdout).toContain('::add-mask::ghs_readonly0\n')
    expect((reading.stdout + reading.stderr + reading.summary).replace('::add-mask::ghs_readonly0', '')).not.toContain(
      'ghs_readonly0',
    )
    const run = await runAction(checkout, { temporaryFolder: remote.folder, inputs: { token: 'right' } })
    expect([run.code, run.outputs['commit-sha']]).toEqual([0, remote.tip()])
  })

  test('to a branch deleted meanwhile', async () => {
    const remote = makeExampleRemote('petstore')
    remote.push({}, 'topic')
    const checkout = remote.checkOut('topic')
    git(remote.path, 'update-ref', '-d', 'refs/heads/topic')
    const run = await runRefused(remote, checkout, { event: { name: 'push', ref: 'refs/heads/topic' } })
    expect(reasonOf(run)).toContain('Cannot push to `topic`: the remote has no such branch')
  })

  test('from a repository without a remote', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    git(checkout, 'remote', 'remove', 'origin')
    expect(reasonOf(await runRefused(remote, checkout))).toContain('Cannot push: the repository has no remote\nAdd one with')
  })
})

describe('local errors', () => {
  test('git is missing', async () => {
    const remote = makeExampleRemote('petstore')
    const run = await runRefused(remote, remote.checkOut(), { environment: { PATH: remote.folder } }, 0)
    expect(reasonOf(run)).toBe(
      'Cannot start git: it is not installed or not in `PATH`\nInstall git, for example in the container image of the job',
    )
  })

  test('the workspace is not a Git work tree', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    execFileSync('rm', ['-rf', join(checkout, '.git')])
    expect(reasonOf(await runRefused(remote, checkout, {}, 0))).toContain(
      'this is not a Git work tree\nCheck out the repository first',
    )
  })

  test('a file has changes of an earlier step', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    writeFileSync(join(checkout, 'docs.json'), readFileSync(join(checkout, 'docs.json'), 'utf8').replace('Petstore', 'Pets'))
    expect(reasonOf(await runRefused(remote, checkout))).toContain('Cannot commit `docs.json`: it has uncommitted changes')
  })

  test('`.gitignore` covers pages, also reported at their division', async () => {
    const remote = makeExampleRemote('petstore', { '.gitignore': 'api-reference/\n' })
    const run = await runRefused(remote, remote.checkOut())
    expect(reasonOf(run)).toContain(
      'Cannot commit `api-reference/adoptions/a-pet-was-adopted.mdx`: it is ignored by `.gitignore`\n',
    )
    const finding = run.commands.find(({ name }) => name === 'warning')
    expect(finding?.properties).toMatchObject({ title: 'page-ignored', file: 'docs.json', line: '14' })
  })

  test('files exceed the size limit', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    // The pages are small, docs.json is not: its new content does not fit.
    const large = JSON.parse(readFileSync(join(checkout, 'docs.json'), 'utf8'))
    remote.push({ 'docs.json': JSON.stringify({ ...large, description: 'x'.repeat(200_000) }) })
    const limited = remote.checkOut()
    const run = await runRefused(remote, limited, {
      wrap: (command) => ['bash', '-c', 'ulimit -f 64; exec "$@"', '-', ...command],
    })
    expect(reasonOf(run)).toContain('Cannot write `docs.json`: the file is too large (EFBIG)')
  })

  test('the files are read-only', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    const { ids, toPlace, own } = makeOrdinaryUser()
    // Git serves a repository only to its owner.
    own(remote.folder)
    const runFolder = join(remote.folder, 'runs')
    mkdirSync(runFolder)
    execFileSync('chmod', ['-R', 'a-w', checkout])
    try {
      const run = await runRefused(remote, checkout, {
        temporaryFolder: runFolder,
        wrap: (command) => {
          own(runFolder)
          return command.map(toPlace)
        },
        ids,
        // What the harness has every run load; the folder of the clone may be closed to others.
        environment: { NODE_OPTIONS: toPlace(shortWaits.NODE_OPTIONS) },
      })
      expect(reasonOf(run)).toMatch(/^Cannot write `[^`]+`: permission denied \(EACCES\)\nGive the current user write access/)
    } finally {
      execFileSync('chmod', ['-R', 'u+w', checkout])
    }
  })

  test('the disk is full', async () => {
    const remote = makeExampleRemote('petstore')
    const preload = pathToFileURL(join(import.meta.dirname, '../support/full-disk.mjs')).href
    const checkout = remote.checkOut()
    const run = await runRefused(remote, checkout, {
      // Pages are put in place only after all of them could be written.
      environment: {
        NODE_OPTIONS: `${shortWaits.NODE_OPTIONS} --import=${preload}`,
        FULL_DISK: checkout,
        FULL_DISK_BYTES: '2000',
      },
    })
    expect(reasonOf(run)).toContain('no space left on disk (ENOSPC)\nFree some disk space and run again. No files were changed')
  })
})
