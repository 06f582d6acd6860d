import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

// Runs the app with a fake GitHub: real HTTP, real signatures, and a real database in a temporary folder. Needs no credentials
// and no network. With `--keep` it keeps running, so that you can open the site, the dashboard and the screenshots.

const project = dirname(dirname(fileURLToPath(import.meta.url)))
const color = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code) => (text) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
const [bold, dim, green, red, cyan] = [1, 2, 32, 31, 36].map(paint)

// The reader of the output may stop reading, as `| head` does.
process.stdout.on('error', () => process.exit(1))

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `demo: the app needs Node.js 22.19 or later, but this is ${process.versions.node}. Run \`npm run demo -- app\`, which uses its own`,
  )
  process.exit(1)
}

const unknown = process.argv.slice(3).filter((argument) => argument !== '--keep' && argument !== '--verbose')
if (unknown.length > 0) {
  console.error(`demo: unexpected ${unknown.join(' ')}, expected \`npm run demo -- app [--keep] [--verbose]\``)
  process.exit(2)
}
const keep = process.argv.includes('--keep')
const verbose = process.argv.includes('--verbose')

const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-demo-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
for (const [signal, code] of Object.entries(exitCodes)) process.on(signal, () => process.exit(code))

const {
  appParts,
  appPermissions,
  createLog,
  findChromium,
  findSiteProgram,
  listFiles,
  readConfig,
  startApp,
  startFakeGitHub,
  toAppSettings,
  toCheckRunEvent,
  toPullRequestEvent,
  toSignInSettings,
  toSiteUrl,
} = await load()
if (keep && !findSiteProgram()) {
  console.log(dim('Building the site renderer, as `npm run build` does. This happens once and takes about half a minute …'))
  execFileSync(process.execPath, [join(project, 'scripts/build.ts'), 'cli'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
const startedAt = performance.now()
let failures = 0

console.log(bold('openapi-pages: demo of the app'))
console.log(dim('Starts a fake GitHub and the app, and installs the app on a docs repository (examples/petstore).'))

// `contents: write` is for the buttons that commit.
const github = await startFakeGitHub({ permissions: { ...appPermissions, contents: 'write' } })
const settings = 'changes:\n  changelog: tags\n'
const repository = github.createRepository('acme/docs', {
  files: { ...readExample('petstore'), 'openapi-pages.config.yaml': settings },
})
repository.tags.set('v1.4.0', { sha: repository.tipOf('main') })
repository.collaborators.set(github.signedInAs, 'admin')
const config = await readConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  // Starting a browser would take longer than the rest of the demo.
  CHROMIUM_PATH: keep ? process.env.CHROMIUM_PATH : 'off',
  // Chromium has no sandbox for root. The demo only opens its own example.
  CHROMIUM_SANDBOX: process.getuid?.() === 0 ? 'off' : 'on',
  // The demo polls each state up to fifty times a second. By default a token allows 600 requests per minute.
  TOKEN_REQUESTS_PER_MINUTE: '100000',
  ADDRESS_REQUESTS_PER_MINUTE: '100000',
  ...toAppSettings(github),
  ...toSignInSettings(github),
})
const logLines = []
const log = createLog({ level: 'warn', format: 'text', write: (line) => logLines.push(line) })
// GitHub requires a second between two writes. The fake does not.
const app = await startApp({ config, log, parts: appParts, pace: { spacingMs: 50 } })
const { store } = app.context
github.webhookUrl = `${app.address}/api/github/webhooks`
const document = repository.readText(repository.tipOf('main'), 'openapi.yaml')

title('Push a change')
await push({ 'openapi.yaml': document.replace('List pets', 'List all pets') }, 'main', 'Change the title of a page')
const docs = await until(async () => (await store.projects.list())[0])
const { token } = await store.tokens.create(
  { grant: { scope: 'read', projectId: docs.id }, name: 'demo', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
  'demo',
)
const first = await follow('main')
expectThat('the update record ended as success', first.status === 'success')
console.log('\n  The whole record, as the API returns it')
for (const line of JSON.stringify(first, null, 2).split('\n')) console.log(`  │ ${line}`)
expectThat('the check of the commit passed', checkOf(first).conclusion === 'success')

title('Open a pull request with an error')
const broken = document.replace('      summary: List pets\n', '      sumary: List pets\n')
const before = await push({ 'openapi.yaml': broken }, 'topic', 'Change the API')
const pull = repository.openPullRequest({ head: 'topic', title: 'Change the API' })
await deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull, before))
const second = await follow('topic')
showCheck(second)
await showComment()
expectThat(
  'the update record ended as failure and names the location',
  second.status === 'failure' && /openapi\.yaml .*\d+:\d+/.test(second.summary),
)
expectThat('the check failed and annotates the line', checkOf(second).annotations[0]?.path === 'openapi.yaml')
expectThat('the pull request has one comment', repository.comments.length === 1)

title('Fix the error')
const mistaken = await push({ 'openapi.yaml': document }, 'topic', 'Fix the API')
await deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, mistaken))
const third = await follow('topic')
await showComment()
expectThat('the update record ended as success', third.status === 'success')
expectThat('the same comment was updated', repository.comments.length === 1 && repository.comments[0].edits === 1)

title('Break the API')
const breaking = document.replace('maximum: 100', 'maximum: 50')
const fixed = await push({ 'openapi.yaml': breaking }, 'topic', 'Lower a limit')
await deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, fixed))
const fourth = await follow('topic')
showCheck(fourth)
await showComment()
expectThat('the update record ended as success, because the document is valid', fourth.status === 'success')
expectThat(
  'the logs count the API changes',
  fourth.logs.some((line) => /^API changes since .* breaking/.test(line)),
)
expectThat('the check annotates the line', checkOf(fourth).annotations[0]?.message.includes('changed from 100 to 50'))

title('Accept the change')
const request = { action: 'requested_action', identifier: 'accept-changes' }
const pressed = toCheckRunEvent(github, repository, checkOf(fourth), request, github.signedInAs)
await deliver('check_run', pressed)
await untilIdle()
const accepted = repository.tipOf('topic')
for (const line of (repository.readText(accepted, 'openapi-pages.accepted.yaml') ?? '').split('\n')) {
  if (/^[- ] /.test(line)) console.log(`  ${green(`+${line}`)}`)
}
const range = { ref: 'refs/heads/topic', before: repository.git.commit(accepted).parents[0], after: accepted }
await deliver('push', repository.pushPayload({ ...range, forced: false, pusher: 'openapi-pages[bot]' }))
await deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, range.before))
const fifth = await follow('topic')
showCheck(fifth)
await showComment()
expectThat(
  'the comment reports that the change is accepted',
  repository.comments[0].body.includes('**API documentation: accepted**'),
)
expectThat('the check counts an accepted change', checkOf(fifth).output.title.includes('1 accepted API change'))

title('Merge the pull request')
const merged = repository.readText(accepted, 'openapi-pages.accepted.yaml')
await push({ 'openapi.yaml': breaking, 'openapi-pages.accepted.yaml': merged }, 'main', 'Merge pull request #1')
const sixth = await follow('main')
expectThat('the check of the default branch passed', checkOf(sixth).conclusion === 'success')

if (findSiteProgram()) {
  title('Release a version')
  const sha = repository.tipOf('main')
  repository.tags.set('v2.0.0', { sha })
  const tag = { ref: 'refs/tags/v2.0.0', before: '0'.repeat(40), after: sha, forced: false, pusher: 'pat' }
  await deliver('push', repository.pushPayload(tag))
  await until(async () => ((await newestOf('main'))._id === sixth._id ? undefined : true))
  await follow('main')
  const text = await readSite(new URL('api-reference/changelog.md', siteOf()).href)
  const [, version = ''] = /(## 2\.0\.0[\s\S]*?)(?=\n## |$)/.exec(text) ?? []
  console.log('\n  Changelog of the site')
  for (const line of version.trim().split('\n')) console.log(`  ${dim('│')} ${line}`)
  expectThat('the changelog of the site has the accepted change', /changed from 100 to 50 .*Accepted: /.test(version))
}

title('Send a forged webhook')
const forged = await github.deliver('push', { ref: 'refs/heads/main' }, { secret: 'not-the-secret-of-the-app' })
console.log(`  POST /api/github/webhooks → ${forged.status}`)
expectThat('it is rejected', forged.status === 401)

const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
// A person who opens links must not fail the checks.
try {
  github.assertNoUnexpectedRequests()
} catch (error) {
  console.log(red(String(error)))
  failures++
}
if (keep) await stay()
await app.stop()
await github.close()
if (failures > 0) {
  console.log(red(`\n✖ ${failures} ${failures === 1 ? 'check' : 'checks'} failed (${seconds} s)`))
  console.log(logLines.join(''))
  process.exitCode = 1
} else {
  console.log(green(`\n✔ All checks passed (${seconds} s). The temporary files were removed.`))
  if (!keep) console.log('  Open the site and the dashboard: `npm run demo -- app --keep`')
  console.log('  Run the app for your repositories: `npm start`')
}

/** Reports a missing package in one line, without the stack of an import. */
async function load() {
  try {
    await import('./jsx-loader.ts')
    const modules = await Promise.all([
      import('../src/app/start/start-app.ts'),
      import('../src/app/base/config/app-config.ts'),
      import('../src/app/base/telemetry/create-log.ts'),
      import('../src/app/publish/find-chromium.ts'),
      import('../src/app/publish/build-run-site.ts'),
      import('../src/app/base/manifest.ts'),
      import('../src/app/base/sites-domain.ts'),
      import('./replace-folder.ts'),
      import('../test/support/fake-github/app-settings.ts'),
      import('../test/support/fake-github/fake-github.ts'),
      import('../test/support/fake-github/payloads.ts'),
    ])
    return Object.assign({}, ...modules)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error(`demo: a package is missing. Run \`npm ci\` first (${error.message.split('\n', 1)[0]})`)
    process.exit(1)
  }
}

/** Prints the URLs and waits for Ctrl-C. */
async function stay() {
  const { context } = app
  await untilIdle()
  const { update } = (await store.statuses.find(fourth._id)) ?? {}
  const base = context.urls.base()
  title('The app is still running. Open these URLs in a browser')
  const rows = [
    ['the site', siteOf(), 'of the default branch'],
    ['the changelog', `${siteOf()}api-reference/changelog/`, 'of the site, after the merge and the release'],
    ['a preview', siteOf({ kind: 'pull', pullNumber: pull.number }), `of pull request #${pull.number}`],
    ['the changes', checkOf(fourth).detailsUrl, 'of the pull request: the page that its check links to'],
    ['the history', `${base}/projects/${docs.id}/changes`, 'of the API on the default branch; needs a sign-in'],
    ['the dashboard', `${base}/projects`, 'select “Sign in with GitHub”; the fake GitHub signs you in'],
    ...(update?.screenshotLight
      ? [
          ['a screenshot', update.screenshotLight, 'of the preview, as in its check and comment'],
          ['', update.screenshotDark, 'the dark theme'],
        ]
      : []),
  ]
  for (const [name, url, about] of rows) console.log(`  ${bold(name.padEnd(14))} ${cyan(url)}\n  ${' '.repeat(14)} ${dim(about)}`)
  if (!update?.screenshotLight) console.log(`  ${bold('a screenshot')} not available: ${whyNoScreenshot()}`)
  expectThat('the site is available', (await readSite(siteOf())).includes('<title>Petstore'))
  console.log('\n  Press Ctrl-C to stop.')
  await new Promise((resolve) => {
    for (const signal of Object.keys(exitCodes)) {
      process.removeAllListeners(signal)
      // A second signal exits without waiting for running work.
      process.once(signal, () => {
        process.once(signal, () => process.exit(130))
        resolve()
      })
    }
  })
}

function siteOf(preview) {
  return toSiteUrl(app.context.urls.sites(), { subdomain: docs.subdomain, ...(preview && { preview }) })
}

/** Connects to 127.0.0.1 for every name below `localhost`, as browsers do. Node's `fetch` cannot resolve them. */
async function readSite(url) {
  const { host, port, pathname: path } = new URL(url)
  return await new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { Host: host } }, (response) => resolve(readAll(response))).on('error', reject)
  })
}

function whyNoScreenshot() {
  const chromium = findChromium(config)
  if (chromium.kind === 'off') return 'CHROMIUM_PATH is `off`'
  if (chromium.kind === 'unusable') return `${chromium.reason}. ${chromium.fix}`
  const line = logLines.find((one) => /No (pictures|screenshots)/.test(one)) ?? ''
  return `${chromium.path} took no screenshots. ${line.trim()}`
}

async function untilIdle() {
  await until(async () => {
    const { waiting, leased } = await store.queue.stats()
    return waiting + leased === 0 || undefined
  })
}

function title(text) {
  console.log(`\n${cyan(bold(`▌ ${text}`))}`)
}

/** Commits as Pat and delivers the webhook as GitHub does. Returns the previous commit of the branch. */
async function push(files, branch, message) {
  const made = repository.commit({ files, branch, message, author: 'pat' })
  await deliver('push', repository.pushPayload(made))
  return made.before
}

async function deliver(event, payload) {
  const { status, durationMs } = await github.deliver(event, payload)
  const { action, ref, after, number, requested_action: pressedAction } = payload
  const about = pressedAction ? pressedAction.identifier : `#${number} ${action}`
  const what = event === 'push' ? `${after.slice(0, 7)} to ${ref.replace('refs/heads/', '')}` : about
  console.log(`  ${event.padEnd(12)} ${what}, signed → ${status} in ${Math.round(durationMs)} ms`)
}

async function until(find) {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Polls the status API until the newest record of a branch has ended, and shows each state. */
async function follow(branch) {
  // The app confirms a new repository with GitHub before it creates the first record.
  const { _id } = await until(() => newestOf(branch))
  const url = `${app.address}/v1/project/update-status/${_id}`
  console.log(`\n  $ curl -H 'Authorization: Bearer ${token.slice(0, 8)}…' ${url}`)
  let shown
  for (;;) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    const body = await response.text()
    const record = JSON.parse(body)
    if (record.status !== shown) {
      const mark = record.status === 'success' ? green('✔') : record.status === 'failure' ? red('✖') : dim('·')
      console.log(`  ${mark} ${record.status.padEnd(11)} ${record.summary}`)
    }
    shown = record.status
    if (record.endedAt) {
      // The check is completed, and the comment written, after the record has ended.
      await untilIdle()
      if (verbose) for (const line of body.trimEnd().split('\n')) console.log(`  ${dim('│')} ${line}`)
      return record
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The newest record of the tip of a branch. */
async function newestOf(branch) {
  const { updates } = await store.statuses.list(docs.id, { sha: repository.tipOf(branch), limit: 1 })
  return updates[0]?.update
}

function checkOf(record) {
  return repository.checkRuns.find(({ externalId }) => externalId === record._id)
}

function showCheck(record) {
  const { name, conclusion, output, annotations } = checkOf(record)
  console.log(bold('\n  Check on GitHub'))
  console.log(`  ${dim('│')} ${name}: ${conclusion} · ${output.title}`)
  for (const { path, start_line: line, message } of annotations) {
    console.log(`  ${dim('│')} ${path}:${line} ${message.split('\n').slice(0, 2).join('. ')}`)
  }
}

async function showComment() {
  // The comment follows its check.
  await untilIdle()
  console.log(bold('\n  Comment on the pull request'))
  const lines = (repository.comments[0]?.body ?? 'none').split('\n').filter((line) => !line.startsWith('<!--'))
  for (const line of verbose ? lines : lines.slice(0, 1)) console.log(`  ${dim('│')} ${line}`)
}

function readExample(name) {
  const folder = join(project, 'examples', name)
  const paths = listFiles(folder)
  return Object.fromEntries(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]))
}

function expectThat(what, isSo) {
  console.log(isSo ? `  ${green('✔')} ${what}` : `  ${red('✖')} failed: ${what}`)
  if (!isSo) failures++
}
