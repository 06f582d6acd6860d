import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packPackages } from '../../scripts/pack.ts'
import { makeExampleRemote, projectFolder, pullRequestFrom, readActionFile } from '../support/action-harness.ts'
import { startFakeGitHub } from '../support/fake-github/fake-github.ts'
import { git, makeGitRemote } from '../support/git-remote.ts'
import { readBlocks } from '../support/read-blocks.ts'
import { readTree } from '../support/read-tree.ts'
import { readWorkflow, runWorkflow } from '../support/run-workflow.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

test('the workflow generates pages on a push and checks a pull request', async () => {
  const [text = ''] = readBlocks('Add the Action to a `docs.json` repository', 'yaml')
  const path = '.github/workflows/api-pages.yml'
  const remote = makeExampleRemote('petstore', { [path]: text })
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/docs', { bare: remote.path })
  const runner = { github, repository, folder: remote.folder }
  const runPush = () => {
    const event = { name: 'push', ref: 'refs/heads/main', sha: remote.tip(), payload: { ref: 'refs/heads/main' } }
    // GitHub runs the workflow file of the pushed commit.
    return runWorkflow(readWorkflow(remote.read(path) ?? ''), { ...runner, event })
  }

  // The first push adds every page.
  const before = remote.tip()
  const [first] = await runPush()
  expect(first).toMatchObject({ failed: false, runs: [{ code: 0, outputs: { committed: 'true', 'pages-added': '8' } }] })
  expect(Object.keys(first?.runs[0]?.outputs ?? {}).sort()).toEqual(Object.keys(readActionFile().outputs).sort())
  expect(remote.log('%P')).toBe(before)
  expect(remote.read(path)).toBe(text)
  const changed = git(remote.path, 'diff', '--name-only', before, 'main').split('\n')
  expect(changed.filter((file) => !file.startsWith('api-reference/')).sort()).toEqual(['docs.json', 'openapi-pages.lock.json'])
  expect(remote.read('api-reference/pets/list-pets.mdx')).toContain('openapi: openapi.yaml GET /pets\n')
  // The command line writes the same files.
  const checkout = remote.checkOut()
  git(checkout, 'fetch', '--quiet', 'origin', before)
  git(checkout, 'checkout', '--quiet', before)
  execFileSync(process.execPath, [join(projectFolder, 'bin/openapi-pages.cjs'), 'update'], { cwd: checkout, stdio: 'pipe' })
  expect(readTree(checkout)).toEqual(readTree(remote.checkOut()))

  // The commit of the Action can start another run, which finds nothing to do.
  const tip = remote.tip()
  const [second] = await runPush()
  expect(second).toMatchObject({ failed: false, runs: [{ code: 0, outputs: { changed: 'false', committed: 'false' } }] })
  expect(remote.tip()).toBe(tip)

  // A pull request with a typo is checked only.
  const document = remote.read('openapi.yaml') ?? ''
  const head = remote.push({ 'openapi.yaml': document.replace('summary:', 'sumary:') }, 'topic')
  git(remote.path, 'update-ref', 'refs/pull/1/merge', head)
  const pull = { ...pullRequestFrom('topic'), sha: head }
  const [third] = await runWorkflow(readWorkflow(text), { ...runner, event: pull })
  expect(third).toMatchObject({ failed: true, runs: [{ code: 1, outputs: { committed: 'false', 'error-count': '1' } }] })
  expect(third?.runs[0]?.commands).toContainEqual(
    expect.objectContaining({ name: 'error', properties: expect.objectContaining({ file: 'openapi.yaml', line: '18' }) }),
  )
  expect([remote.tip(), remote.tip('topic')]).toEqual([tip, head])
})

test('the workflow for API teams checks a repository without `docs.json`', async () => {
  const [text = '', config = ''] = readBlocks('4. Check every pull request', 'yaml', 'docs/start-api-team.md')
  const document = readFileSync(join(projectFolder, 'examples/petstore/openapi.yaml'), 'utf8')
  const files = { 'openapi.yaml': document, 'openapi-pages.config.yaml': config, '.github/workflows/openapi.yml': text }
  const remote = makeGitRemote(files)
  const github = await startFakeGitHub()
  onTestFinished(() => github.close())
  const repository = github.createRepository('acme/api', { bare: remote.path })
  for (const [content, isValid] of [
    [document, true],
    [document.replace('summary:', 'sumary:'), false],
  ] as const) {
    const head = remote.push({ 'openapi.yaml': content }, 'topic')
    git(remote.path, 'update-ref', 'refs/pull/1/merge', head)
    const event = { ...pullRequestFrom('topic', 'acme/api'), sha: head }
    const [job] = await runWorkflow(readWorkflow(text), { github, repository, folder: remote.folder, event })
    const outputs = { changed: 'false', 'error-count': isValid ? '0' : '1' }
    expect(job).toMatchObject({ failed: !isValid, runs: [{ outputs }] })
  }
})

/** A newcomer with Git, Node.js and npm. npm installs the packages of this build in place of those that the registry has. */
function makeNewcomer(): { readonly home: string; readonly env: NodeJS.ProcessEnv } {
  const home = makeTemporaryFolder()
  const [programs, prefix, tarballs] = [join(home, 'programs'), join(home, 'npm'), join(home, 'tarballs')]
  for (const folder of [programs, tarballs, join(prefix, 'lib')]) mkdirSync(folder, { recursive: true })
  const packages = packPackages(tarballs).map(({ name, tarball }) => `    ${name}) args+=('${tarball}') ;;`)
  const program = [
    '#!/bin/bash',
    'args=()',
    'for arg; do',
    '  case $arg in',
    ...packages,
    '    *) args+=("$arg") ;;',
    '  esac',
    'done',
    `PATH=\${PATH#*:} exec npm "\${args[@]}"`,
    '',
  ]
  writeFileSync(join(programs, 'npm'), program.join('\n'), { mode: 0o755 })
  // Vitest and npm set variables that a newcomer does not have, such as `BASE_URL`.
  const isInherited = (name: string) =>
    /^(HOME|LANG|TE?MP(DIR)?|NODE_EXTRA_CA_CERTS|(https?|no)_proxy|npm_config_(registry|cache|userconfig))$/i.test(name)
  const inherited = Object.entries(process.env).filter(([name]) => isInherited(name))
  const env = {
    ...Object.fromEntries(inherited),
    // The Node.js version that the README asks for, and the directory of global packages.
    PATH: [programs, dirname(process.execPath), join(prefix, 'bin'), process.env['PATH']].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    NO_COLOR: '1',
    PORT: '0',
  }
  return { home, env }
}

/** Starts a block of commands in a shell that stops at the first failure. */
function startBlock(block: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child: ChildProcess = spawn('bash', ['-e', '-c', block], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close').then(([code]) => code as number | null) // The first argument of the event.
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  return { ended, stop, output: () => output }
}

test('the commands make a website from an OpenAPI document, and start the app', { timeout: 900_000 }, async () => {
  const { home, env } = makeNewcomer()
  const api = join(home, 'api')
  mkdirSync(api)
  cpSync(join(projectFolder, 'examples/petstore/openapi.yaml'), join(api, 'openapi.yaml'))
  // Then `npx` needs no registry.
  const [install = ''] = readBlocks('Install', 'sh', 'docs/start-api-team.md')
  const installation = startBlock(install, api, env)
  onTestFinished(installation.stop)
  expect(await installation.ended, installation.output()).toBe(0)
  expect(installation.output()).toContain('✔ openapi.yaml is valid')

  const [use = '', ...others] = readBlocks('Turn an OpenAPI document into a website', 'sh')
  expect(others).toEqual([])
  const commands = startBlock(use, api, env)
  onTestFinished(commands.stop)
  await expect.poll(commands.output, { timeout: 180_000 }).toMatch(/http:\/\/localhost:\d+\//)
  const [preview = ''] = /http:\/\/localhost:\d+\//.exec(commands.output()) ?? []
  for (const page of [await (await fetch(preview)).text(), readFileSync(join(api, 'site/index.html'), 'utf8')])
    expect(page).toContain('<title>Petstore')
  await commands.stop()

  const [start = '', ...more] = readBlocks('Host the app', 'sh')
  expect(more).toEqual([])
  const folder = join(home, 'app')
  mkdirSync(folder)
  const app = startBlock(start, folder, env)
  onTestFinished(app.stop)
  // Without a terminal, the app writes the URL to a file and prints its path.
  const file = join(folder, 'data/setup-url.txt')
  await expect.poll(app.output, { timeout: 180_000 }).toContain(file)
  const setup = await fetch(readFileSync(file, 'utf8').trim())
  expect([setup.status, await setup.text()]).toEqual([200, expect.stringContaining('GitHub App')])
  await app.stop()
})
