import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type ActionRun, makeExampleRemote, runAction } from '../support/action-harness.ts'
import { type GitRemote, git } from '../support/git-remote.ts'
import { placeForOthers } from '../support/place-for-others.ts'
import { readTree } from '../support/read-tree.ts'
import { serveGit } from '../support/serve-git.ts'

/** Runs where something outside refuses, and makes sure that the tree and the remote are as they were. */
async function runRefused(
  remote: GitRemote,
  checkout: string,
  options: Partial<Parameters<typeof runAction>[1]> = {},
): Promise<ActionRun> {
  const [tree, tip] = [readTree(checkout), remote.tip()]
  const run = await runAction(checkout, { temporaryFolder: remote.folder, ...options })
  expect(run.code).toBe(1)
  expect(readTree(checkout)).toEqual(tree)
  expect(remote.tip()).toBe(tip)
  expect(run.outputs).toMatchObject({ committed: 'false', 'commit-sha': '', 'pages-added': '8' })
  expect(run.commands.filter(({ name }) => name === 'error')).toHaveLength(1)
  expect(run.summary).toContain('### API pages: the run failed')
  return run
}

function reasonOf(run: ActionRun): string {
  return run.commands.find(({ name }) => name === 'error')?.data ?? ''
}

describe('a push that is refused names the reason and a way out', () => {
  test('of a protected branch', async () => {
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
      'Cannot push to `main`: a branch rule refused it (GH013): Changes must be made through a pull request\n',
    )
    expect(reasonOf(run)).toContain('`mode: check`')
    expect(run.summary).toContain('Changes must be made through a pull request')
  })

  test('of a checkout without credentials, or with some that may only read', async () => {
    const remote = makeExampleRemote('petstore')
    const origin = await serveGit(remote.folder, { token: 'right', readOnly: 'ghs_readonly0' })
    const checkout = remote.checkOut()
    git(checkout, 'remote', 'set-url', 'origin', `${origin}/remote.git`)
    const without = await runRefused(remote, checkout)
    expect(reasonOf(without)).toContain('`permissions: contents: write`')
    expect(reasonOf(without)).toContain('`persist-credentials: true`')
    const reading = await runRefused(remote, checkout, { inputs: { token: 'ghs_readonly0' } })
    expect(reasonOf(reading)).toContain('the credentials may not write here (403)')
    expect(reading.stdout).toContain('::add-mask::ghs_readonly0\n')
    expect((reading.stdout + reading.stderr + reading.summary).replace('::add-mask::ghs_readonly0', '')).not.toContain(
      'ghs_readonly0',
    )
    const run = await runAction(checkout, { temporaryFolder: remote.folder, inputs: { token: 'right' } })
    expect([run.code, run.outputs['commit-sha']]).toEqual([0, remote.tip()])
  })

  test('of a branch that was deleted meanwhile', async () => {
    const remote = makeExampleRemote('petstore')
    remote.push({}, 'topic')
    const checkout = remote.checkOut('topic')
    git(remote.path, 'update-ref', '-d', 'refs/heads/topic')
    const run = await runRefused(remote, checkout, { event: { name: 'push', ref: 'refs/heads/topic' } })
    expect(reasonOf(run)).toContain('Cannot push to `topic`: the remote has no such branch')
  })

  test('of a repository without a remote', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    git(checkout, 'remote', 'remove', 'origin')
    expect(reasonOf(await runRefused(remote, checkout))).toContain('Cannot push: the repository has no remote\nadd one with')
  })
})

describe('a machine that refuses', () => {
  test('git, because it has none', async () => {
    const remote = makeExampleRemote('petstore')
    const run = await runRefused(remote, remote.checkOut(), { environment: { PATH: remote.folder } })
    expect(reasonOf(run)).toBe(
      'Cannot start git: it is not installed, or not in `PATH`\ninstall git, for example in the image of the job',
    )
  })

  test('what is no git work tree', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    execFileSync('rm', ['-rf', join(checkout, '.git')])
    expect(reasonOf(await runRefused(remote, checkout))).toContain('this is not a git work tree\ncheck out the repository first')
  })

  test('to overwrite what an earlier step has left in a file', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    writeFileSync(join(checkout, 'docs.json'), readFileSync(join(checkout, 'docs.json'), 'utf8').replace('Petstore', 'Pets'))
    expect(reasonOf(await runRefused(remote, checkout))).toContain(
      'Cannot commit `docs.json`: it has changes that are not committed',
    )
  })

  test('pages that `.gitignore` covers, which is also a finding at their division', async () => {
    const remote = makeExampleRemote('petstore', { '.gitignore': 'api-reference/\n' })
    const run = await runRefused(remote, remote.checkOut())
    expect(reasonOf(run)).toContain('Cannot commit `api-reference`: `.gitignore` covers it\n')
    const finding = run.commands.find(({ name }) => name === 'warning')
    expect(finding?.properties).toMatchObject({ title: 'page-ignored', file: 'docs.json', line: '14' })
  })

  test('files over a limit of size', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    // The pages are small, docs.json is not: its new content does not fit.
    const large = JSON.parse(readFileSync(join(checkout, 'docs.json'), 'utf8'))
    remote.push({ 'docs.json': JSON.stringify({ ...large, description: 'x'.repeat(200_000) }) })
    const limited = remote.checkOut()
    const run = await runRefused(remote, limited, {
      wrap: (command) => ['bash', '-c', 'ulimit -f 64; exec "$@"', '-', ...command],
    })
    expect(reasonOf(run)).toContain('Cannot write `docs.json`: over the size that a file may have (EFBIG)')
  })

  const isRoot = process.getuid?.() === 0
  if (!isRoot) console.log('skipped: a full disk and a read-only tree need root to be made')

  test.skipIf(!isRoot)('writing, to a user who may only read', async () => {
    const remote = makeExampleRemote('petstore')
    const checkout = remote.checkOut()
    execFileSync('chmod', ['-R', 'a+rX', remote.folder])
    // Git serves a repository only to its owner.
    execFileSync('chown', ['-R', 'nobody', remote.path])
    chmodSync(remote.folder, 0o777)
    const runFolder = join(remote.folder, 'runs')
    mkdirSync(runFolder)
    chmodSync(runFolder, 0o777)
    const toPlace = placeForOthers()
    // What the harness has every run load; the folder of the clone may be closed to others.
    const loaded = pathToFileURL(toPlace(join(import.meta.dirname, '../..', 'test/support/short-waits.mjs')))
    const run = await runRefused(remote, checkout, {
      temporaryFolder: runFolder,
      wrap: ([node = '', ...args]) => [
        'bash',
        '-c',
        `chmod -R a+rwX '${runFolder}'; exec runuser -u nobody -- env NODE_OPTIONS='--import=${loaded}' GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' "$@"`,
        '-',
        ...[node, ...args].map(toPlace),
      ],
    })
    expect(reasonOf(run)).toMatch(
      /^Cannot write `[^`]+`: permission denied \(EACCES\)\ngive the user that runs this write access/,
    )
  })

  test.skipIf(!isRoot)('writing, because the disk is full', async (context) => {
    const remote = makeExampleRemote('petstore')
    const source = remote.checkOut()
    const checkout = join(remote.folder, 'small')
    mkdirSync(checkout)
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', checkout], { encoding: 'utf8' })
    if (mount.status !== 0) context.skip(`cannot mount: ${mount.stderr}`)
    try {
      // Only the tree is on the small disk, so that it is the tree that does not fit.
      execFileSync('bash', [
        '-c',
        `cd '${source}' && cp -r docs.json openapi.yaml index.mdx guides '${checkout}' && cp README.md '${checkout}' 2>/dev/null; true`,
      ])
      symlinkSync(join(source, '.git'), join(checkout, '.git'))
      execFileSync('bash', ['-c', `head -c 1000000 /dev/zero > '${checkout}/filler' 2>/dev/null; true`])
      expect(existsSync(join(checkout, 'filler'))).toBe(true)
      const run = await runRefused(remote, checkout)
      expect(reasonOf(run)).toContain('no space left on the disk (ENOSPC)\nfree some space and run again; nothing was changed')
    } finally {
      execFileSync('umount', [checkout])
    }
  })
})
