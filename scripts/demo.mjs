import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { steps } from './demo-steps.mjs'
import { runAsGitHub } from './run-as-github.mjs'

// `npm run demo -- app` runs the demo of the app instead, which needs the packages from `npm ci`.
if (process.argv[2] === 'app') {
  await import('./demo-app.mjs')
  process.exit()
}

// An end-to-end demo in a temporary folder: a docs repository, its remote, and the commits that the Action's committed bundle
// makes for each push.
// Plain JavaScript without dependencies: it runs on a fresh clone, before anything is installed, from Node 20.11 on.

const project = dirname(dirname(fileURLToPath(import.meta.url)))
const bundle = join(project, 'dist/action/index.js')

const color = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code) => (text) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
const [bold, dim, green, red, cyan] = [1, 2, 32, 31, 36].map(paint)

// The reader of the output may stop reading, as `| head` does.
process.stdout.on('error', () => process.exit(1))

const stop = new AbortController()
let folder
process.on('exit', () => {
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => {
    stop.abort()
    process.exit(code)
  })
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 11))
  exitWith(`the demo needs Node.js 20.11 or later, but this is ${process.versions.node}`)
if (!existsSync(bundle)) exitWith(`${bundle} is missing. Build it with \`npm ci && npm run build\``)
try {
  execFileSync('git', ['--version'], { stdio: 'ignore' })
} catch {
  exitWith('the demo needs git, but it is not installed or not in PATH')
}

const options = process.argv.slice(2)
const unknown = options.filter((option) => option !== '--verbose' && option !== '--keep')
if (unknown.length > 0)
  exitWith(`unexpected ${unknown.join(' ')}, expected \`npm run demo -- [--verbose] [--keep]\` or \`app\``, 2)
const verbose = options.includes('--verbose')
const keep = options.includes('--keep')
if (keep && !existsSync(join(project, 'node_modules')))
  exitWith('`--keep` builds the site of the sample repository, which needs the packages: run `npm ci` first')

const startedAt = performance.now()
folder = mkdtempSync(join(tmpdir(), 'openapi-pages-demo-'))
const person = join(folder, 'person')
const remote = join(folder, 'remote.git')
let checkouts = 0
let failures = 0
let checks = 0

setUp()
for (const step of steps) await play(step)

const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
if (failures > 0) {
  console.log(red(`\n✖ ${failures} ${failures === 1 ? 'check' : 'checks'} failed (${seconds} s)`))
  process.exitCode = 1
} else {
  console.log(green(`\n✔ All checks passed (${seconds} s).${keep ? '' : ' The temporary files were removed.'}`))
  console.log(`
Next steps:
  npm run demo -- --verbose    show each commit, job summary and problem in full
  npm run demo -- --keep       open the site of this repository (after \`npm ci\`)
  README.md, “Quick start”     set up your own repository`)
}
if (keep) await serveSite()

/** Serves the site of the sample repository, as the last pull request leaves it, until Ctrl-C. */
async function serveSite() {
  const program = join(project, 'bin/openapi-pages.cjs')
  if (!existsSync(join(project, 'build/cli'))) {
    console.log(dim('\nBuilding the command line, once. This takes about half a minute …'))
    execFileSync(process.execPath, [join(project, 'scripts/build.ts'), 'cli'], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  console.log('')
  const preview = spawn(process.execPath, [program, 'preview', person], { stdio: 'inherit', signal: stop.signal })
  preview.on('error', () => {})
  await once(preview, 'close')
}

function setUp() {
  cpSync(join(project, 'examples/petstore'), person, { recursive: true })
  mkdirSync(remote)
  git(remote, 'init', '--quiet', '--bare', '--initial-branch=main')
  git(person, 'init', '--quiet', '--initial-branch=main')
  git(person, 'remote', 'add', 'origin', remote)
  git(person, 'add', '--all')
  git(person, 'commit', '--quiet', '--message=A docs repository')
  git(person, 'push', '--quiet', 'origin', 'HEAD:main')
  console.log(bold('openapi-pages: demo of the GitHub Action'))
  console.log(
    dim(
      'Creates a docs repository (examples/petstore) and its remote in a temporary directory, and runs dist/action after each push.',
    ),
  )
}

async function play({ title, text, edit, pullRequest, expect, holds }) {
  console.log(`\n${cyan(bold(`▌ ${title}`))}`)
  if (text) console.log(`  ${text}`)
  const branch = pullRequest ? `topic-${pullRequest}` : 'main'
  if (edit) commitEdit(edit, branch)
  const checkout = join(folder, `checkout-${++checkouts}`)
  const event = pullRequest ? toPullRequest(pullRequest, branch) : toPush(branch)
  // As `actions/checkout` does by default.
  git(folder, 'init', '--quiet', '--initial-branch=main', checkout)
  git(checkout, 'remote', 'add', 'origin', `file://${remote}`)
  git(checkout, 'fetch', '--quiet', '--depth=1', 'origin', event.ref)
  git(checkout, 'checkout', '--quiet', '--detach', 'FETCH_HEAD')
  const before = tip(branch)
  const run = await runAsGitHub({
    bundle,
    workspace: checkout,
    temporaryFolder: folder,
    // The remote is a folder, which has no API for commits.
    inputs: { 'commit-method': 'git' },
    event,
    signal: stop.signal,
  })
  showProblems(run.stdout)
  if (expect.breaking) showAnnotations(run.stdout)
  if (tip(branch) !== before) showCommit(branch)
  if (verbose) showSummary(run.summary)
  checks = 0
  const failed = failures
  check(expect, run, before, branch)
  const commit = {
    files: list('ls-tree', '-r', '--name-only', branch),
    changed: list('show', '--name-only', '--format=', branch),
    read: (path) => read(branch, path),
  }
  for (const [what, isSo] of holds?.(commit) ?? []) expectThat(what, isSo)
  if (!verbose && failures === failed)
    console.log(`  ${green('✔')} The run ${expect.code === 0 ? 'passes' : 'fails'}. ${toPages(expect)} (${checks} checks)`)
  rmSync(checkout, { recursive: true, force: true })
}

function toPush(branch) {
  const [sha, before = '0'.repeat(40)] = git(remote, 'rev-list', '--parents', '-n', '1', branch).split(' ')
  return { name: 'push', ref: `refs/heads/${branch}`, sha, payload: { before, repository: { full_name: 'acme/docs' } } }
}

/** Creates the merge commit that GitHub offers for each pull request. */
function toPullRequest(number, branch) {
  const ref = `refs/pull/${number}/merge`
  const [base, head] = [tip('main'), tip(branch)]
  const sha = git(remote, 'commit-tree', `${head}^{tree}`, '-p', base, '-p', head, '-m', `Merge ${head} into ${base}`)
  git(remote, 'update-ref', ref, sha)
  const repository = { full_name: 'acme/docs' }
  const payload = { pull_request: { number, base: { sha: base }, head: { sha: head, repo: repository } }, repository }
  return { name: 'pull_request', ref, headRef: branch, sha, payload }
}

function commitEdit(edit, branch) {
  git(person, 'fetch', '--quiet', 'origin', 'main')
  git(person, 'reset', '--quiet', '--hard', 'FETCH_HEAD')
  const path = join(person, 'openapi.yaml')
  const text = readFileSync(path, 'utf8')
  const edited = edit(text)
  if (edited === text)
    throw new Error('The edit of this step changes nothing: update the demo to the current examples/petstore/openapi.yaml')
  writeFileSync(path, edited)
  git(person, 'commit', '--quiet', '--all', '--message=Change the API')
  git(person, 'push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
  const changes = git(person, 'show', '--format=', '--unified=0', 'HEAD')
    .split('\n')
    .filter((line) => /^[+-](?![+-])/.test(line))
  const most = verbose ? 12 : changes.length > 2 ? 1 : 2
  for (const line of changes.slice(0, most)) console.log(`  ${line.startsWith('+') ? green(line) : red(line)}`)
  if (changes.length > most) console.log(dim(`  … and ${changes.length - most} more lines`))
}

/** The problems in the log of the step, without the commands for the runner; the place and message of errors only, unless verbose. */
function showProblems(log) {
  const start = log.indexOf('::group::Problems')
  if (start === -1) return
  const lines = log.slice(start, log.indexOf('::endgroup::')).split('\n').slice(1)
  if (!verbose) {
    for (const [index, line] of lines.entries())
      if (/^\S+ error /.test(line)) console.log(`  ${line}: ${lines[index + 1]?.trim()}`)
    return
  }
  console.log(bold('\n  Problems'))
  for (const line of lines.filter((candidate) => !candidate.startsWith('::'))) console.log(`  ${line}`.trimEnd())
}

/** The annotations of breaking changes, which GitHub shows on the lines of the pull request. */
function showAnnotations(log) {
  if (verbose) console.log(bold('\n  Annotations'))
  for (const [, level, file, line, message] of log.matchAll(
    /^::(\w+) title=breaking[^\n]*?,file=([^,]+),line=(\d+)[^\n]*?::(.*)$/gm,
  ))
    console.log(
      `  ${file}:${line} ${level}: ${decodeURIComponent(message)
        .split('\n')
        .slice(0, verbose ? undefined : 1)
        .join('\n    ')}`,
    )
}

function showCommit(branch) {
  if (!verbose) {
    const [hash, , text] = git(remote, 'show', '--no-patch', '--format=%h%n%n%b', `refs/heads/${branch}`).split('\n')
    console.log(`  Commit ${hash} by the Action: ${text}`)
    return
  }
  console.log(bold(`\n  Commit on the remote branch ${branch}`))
  const shown = git(remote, 'show', '--stat=96', '--format=%h %an: %s%n%b', `refs/heads/${branch}`)
  for (const line of shown.split('\n').filter((candidate) => candidate.trim() !== '')) console.log(`  ${line}`)
}

function showSummary(summary) {
  console.log(bold('\n  Job summary'))
  for (const line of summary.trimEnd().split('\n')) console.log(`  ${dim('│')} ${line}`.trimEnd())
}

function check(expected, run, before, branch) {
  if (verbose) console.log('')
  if (!expectThat(`the step ${expected.code === 0 ? 'passes' : 'fails'}`, run.code === expected.code))
    console.log(run.stdout + run.stderr)
  const { outputs } = run
  const counts = ['added', 'modified', 'removed'].map((name) => Number(outputs[`pages-${name}`]))
  expectThat(toPages(expected), counts.join() === [expected.added, expected.modified, expected.removed].join())
  if (expected.errors !== undefined) expectThat(`${expected.errors} errors`, Number(outputs['error-count']) === expected.errors)
  if (expected.breaking !== undefined)
    expectThat(`${expected.breaking} breaking API change`, Number(outputs['breaking-changes']) === expected.breaking)
  if (expected.committed) {
    const isItsCommit = outputs.committed === 'true' && outputs['commit-sha'] === tip(branch) && tip(branch) !== before
    expectThat(
      'the remote has one new commit on top of the push',
      isItsCommit && git(remote, 'rev-parse', `${tip(branch)}^`) === before,
    )
  } else expectThat('the remote is unchanged', outputs.committed === 'false' && tip(branch) === before)
}

function toPages({ added, modified, removed }) {
  return `Pages: ${added} added, ${modified} changed, ${removed} removed`
}

function expectThat(what, isSo) {
  checks++
  if (!isSo) failures++
  if (!isSo || verbose) console.log(isSo ? `  ${green('✔')} ${what}` : `  ${red('✖')} failed: ${what}`)
  return isSo
}

function tip(branch) {
  return git(remote, 'rev-parse', `refs/heads/${branch}`)
}

function list(...args) {
  return git(remote, ...args).split('\n')
}

/** The content of a file in the newest commit of a branch; empty if there is none. */
function read(branch, path) {
  try {
    return git(remote, 'show', `${branch}:${path}`)
  } catch {
    return ''
  }
}

/** Runs git as the author Pat, without the user's own settings. */
function git(cwd, ...args) {
  const person = {
    GIT_AUTHOR_NAME: 'Pat',
    GIT_AUTHOR_EMAIL: 'pat@example.com',
    GIT_COMMITTER_NAME: 'Pat',
    GIT_COMMITTER_EMAIL: 'pat@example.com',
  }
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C', ...person }
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()
}

function exitWith(reason, code = 1) {
  console.error(`openapi-pages: ${reason}`)
  process.exit(code)
}
