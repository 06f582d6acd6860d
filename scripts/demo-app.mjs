import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

// The app, with a GitHub of our own instead of the real one: real HTTP, real signatures, a real database in a temporary folder. It needs
// no credentials and asks nothing of the network. With `--keep` it goes on running: then there is a site, a dashboard and pictures to look at.

const project = dirname(dirname(fileURLToPath(import.meta.url)))
const color = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code) => (text) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
const [bold, dim, green, red, cyan] = [1, 2, 32, 31, 36].map(paint)

// Whoever reads this may stop reading, as `| head` does.
process.stdout.on('error', () => process.exit(1))

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `demo: the app needs Node 22.19 or later, this is ${process.versions.node}; \`npm run demo -- app\` brings its own`,
  )
  process.exit(1)
}

const unknown = process.argv.slice(3).filter((argument) => argument !== '--keep')
if (unknown.length > 0) {
  console.error(`demo: unexpected ${unknown.join(' ')}, expected \`npm run demo -- app\` or \`npm run demo -- app --keep\``)
  process.exit(2)
}
const keep = process.argv.includes('--keep')

const dataDir = mkdtempSync(join(tmpdir(), 'openapi-pages-demo-'))
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => process.exit(code))
}

const {
  appParts,
  createLog,
  findChromium,
  findSiteProgram,
  readConfig,
  startApp,
  startFakeGitHub,
  toAppSettings,
  toPullRequestEvent,
  toSignInSettings,
  toSiteUrl,
} = await load()
if (keep && !findSiteProgram()) {
  console.log(dim('Making what renders sites, as `npm run build` does; that is needed once and takes half a minute …'))
  execFileSync(process.execPath, [join(project, 'scripts/build.ts'), 'cli'], { stdio: ['ignore', 'ignore', 'inherit'] })
}
const startedAt = performance.now()
let failures = 0

console.log(bold('openapi-pages, the app'))
console.log(dim('A GitHub of our own, the app, and a docs repository (examples/petstore) that it is installed on.'))

const github = await startFakeGitHub()
const repository = github.createRepository('acme/docs', { files: readExample('petstore') })
repository.collaborators.set(github.signedInAs, 'admin')
const config = await readConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  // A browser would take longer to start than all the rest together.
  CHROMIUM_PATH: keep ? process.env.CHROMIUM_PATH : 'off',
  // For root there is none, and all that is shown here is our own example.
  CHROMIUM_SANDBOX: process.getuid?.() === 0 ? 'off' : 'on',
  // Each state is looked for fifty times a second, and on a busy machine for more than twelve: by default a token has 600 calls a minute.
  TOKEN_REQUESTS_PER_MINUTE: '100000',
  ADDRESS_REQUESTS_PER_MINUTE: '100000',
  ...toAppSettings(github),
  ...toSignInSettings(github),
})
const logLines = []
const log = createLog({ level: 'warn', format: 'text', write: (line) => logLines.push(line) })
// GitHub wants a second between two writes; ours does not.
const app = await startApp({ config, log, parts: appParts, pace: { spacingMs: 50 } })
const { store } = app.context
github.webhookUrl = `${app.address}/api/github/webhooks`
const document = repository.readText(repository.tipOf('main'), 'openapi.yaml')

title('A push')
await push({ 'openapi.yaml': document.replace('List pets', 'List all pets') }, 'main', 'Word the title of a page anew')
const docs = await until(async () => (await store.projects.list())[0])
const { token } = await store.tokens.create(
  { grant: { scope: 'read', projectId: docs.id }, name: 'demo', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
  'demo',
)
const first = await follow('main')
expectThat('the record ended as a success', first.status === 'success')
expectThat('a check of the commit says the same', checkOf(first).conclusion === 'success')

title('A pull request with a mistake')
const broken = document.replace('      summary: List pets\n', '      sumary: List pets\n')
const before = await push({ 'openapi.yaml': broken }, 'topic', 'Change the API')
const pull = repository.openPullRequest({ head: 'topic', title: 'Change the API' })
await deliver('pull_request', toPullRequestEvent(github, repository, 'opened', pull, before))
const second = await follow('topic')
showCheck(second)
await showComment()
expectThat(
  'the record ended as a failure, with the place',
  second.status === 'failure' && /openapi\.yaml .*\d+:\d+/.test(second.summary),
)
expectThat('the check failed, with an annotation on the line', checkOf(second).annotations[0]?.path === 'openapi.yaml')
expectThat('there is one comment', repository.comments.length === 1)

title('The mistake is corrected')
const mistaken = await push({ 'openapi.yaml': document }, 'topic', 'Correct the API')
await deliver('pull_request', toPullRequestEvent(github, repository, 'synchronize', pull, mistaken))
const third = await follow('topic')
await showComment()
expectThat('the record ended as a success', third.status === 'success')
expectThat('the comment says so, and is the same one', repository.comments.length === 1 && repository.comments[0].edits === 1)

title('A webhook that somebody made up')
const forged = await github.deliver('push', { ref: 'refs/heads/main' }, { secret: 'not-the-secret-of-the-app' })
console.log(`  POST /api/github/webhooks → ${forged.status}`)
expectThat('it is refused', forged.status === 401)

const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
if (keep) await stay()
await app.stop()
try {
  github.assertNoUnexpectedRequests()
} catch (error) {
  console.log(red(String(error)))
  failures++
}
await github.close()
if (failures > 0) {
  console.log(red(`\n✖ ${failures} of the promises above ${failures === 1 ? 'was' : 'were'} not kept (${seconds} s)`))
  console.log(logLines.join(''))
  process.exitCode = 1
} else {
  console.log(green(`\n✔ Every step did what it says (${seconds} s). Nothing is left behind.`))
  if (!keep) console.log('  To look at the site and the dashboard that it made: `npm run demo -- app --keep`')
  console.log('  To run it for your repositories: `npx openapi-pages serve`, or `npm start` in a clone.')
}

/** What is not installed is said in words, not by the stack of an import. */
async function load() {
  try {
    const modules = await Promise.all([
      import('../src/app/start-app.ts'),
      import('../src/app/app-config.ts'),
      import('../src/app/create-log.ts'),
      import('../src/app/start-app.ts'),
      import('../src/app/pictures/find-chromium.ts'),
      import('../src/app/run/run-context.ts'),
      import('../src/app/sites/sites-domain.ts'),
      import('../test/support/fake-github/app-settings.ts'),
      import('../test/support/fake-github/fake-github.ts'),
      import('../test/support/fake-github/payloads.ts'),
    ])
    return Object.assign({}, ...modules)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.error(`demo: a package is missing; run \`npm ci\` first (${error.message.split('\n', 1)[0]})`)
    process.exit(1)
  }
}

/** Says where everything is, and waits for Ctrl-C. */
async function stay() {
  const { context } = app
  const place = context.sitesPlace()
  await untilIdle()
  const site = (preview) => toSiteUrl(place, { subdomain: docs.subdomain, ...(preview && { preview }) })
  const { update } = (await store.statuses.find(third._id)) ?? {}
  const base = context.baseUrl()
  title('It goes on running: open these in a browser')
  const rows = [
    ['the site', site(), 'of the default branch'],
    ['a preview', site({ kind: 'pull', pullNumber: pull.number }), `of pull request #${pull.number}`],
    ['the dashboard', `${base}/projects`, '“Sign in with GitHub” lets you in: the GitHub of this demo says yes'],
    ...(update?.screenshotLight
      ? [
          ['its picture', update.screenshotLight, 'of the preview, as its check and comment show it'],
          ['', update.screenshotDark, 'the same in the dark'],
        ]
      : []),
  ]
  for (const [name, address, about] of rows)
    console.log(`  ${bold(name.padEnd(14))} ${cyan(address)}\n  ${' '.repeat(14)} ${dim(about)}`)
  if (!update?.screenshotLight) console.log(`  ${bold('its picture')}    there is none: ${whyNoPicture()}`)
  expectThat('the site is there', (await readSite(site())).includes('<title>Petstore'))
  console.log('\n  Ctrl-C ends it.')
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.removeAllListeners(signal)
      // Asked twice, nobody waits for what is under way.
      process.once(signal, () => {
        process.once(signal, () => process.exit(130))
        resolve()
      })
    }
  })
}

/** As a browser does, for which every name below `localhost` is this machine; `fetch` of Node knows none of them. */
async function readSite(url) {
  const { host, port } = new URL(url)
  return await new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, headers: { Host: host } }, (answer) => resolve(readAll(answer))).on('error', reject)
  })
}

function whyNoPicture() {
  const chromium = findChromium(config)
  if (chromium.kind === 'off') return 'CHROMIUM_PATH is `off`'
  if (chromium.kind === 'unusable') return `${chromium.reason}; ${chromium.fix}`
  const line = logLines.find((one) => one.includes('No pictures')) ?? ''
  return `${chromium.path} took none. ${line.trim()}`
}

async function untilIdle() {
  for (;;) {
    const { waiting, leased } = await store.queue.stats()
    if (waiting + leased === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function title(text) {
  console.log(`\n${cyan(bold(`▌ ${text}`))}`)
}

/** Commits as Pat and tells the app as GitHub does; answers where the branch was. */
async function push(files, branch, message) {
  const made = repository.commit({ files, branch, message, author: 'pat' })
  await deliver('push', repository.pushPayload(made))
  return made.before
}

async function deliver(event, payload) {
  const { status, durationMs } = await github.deliver(event, payload)
  const { action, ref, after, number } = payload
  const what = event === 'push' ? `${after.slice(0, 7)} to ${ref.replace('refs/heads/', '')}` : `#${number} ${action}`
  console.log(`  ${event.padEnd(12)} ${what}, signed → ${status} in ${Math.round(durationMs)} ms`)
}

async function until(find) {
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Asks the status API until the newest record of a branch has ended, and shows each state that it sees. */
async function follow(branch) {
  // The app confirms with GitHub that a new repository is its to serve before it makes the first record.
  const sha = repository.tipOf(branch)
  const stored = await until(async () => (await store.statuses.list(docs.id, { sha, limit: 1 })).updates[0])
  const url = `${app.address}/v1/project/update-status/${stored.update._id}`
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
      await checked(record)
      for (const line of body.trimEnd().split('\n')) console.log(`  ${dim('│')} ${line}`)
      return record
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function checkOf(record) {
  return repository.checkRuns.find(({ externalId }) => externalId === record._id)
}

/** The record ends first, its check right after. */
async function checked(record) {
  const giveUpAt = performance.now() + 10_000
  while (checkOf(record)?.status !== 'completed' && performance.now() < giveUpAt)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

function showCheck(record) {
  const { name, conclusion, output, annotations } = checkOf(record)
  console.log(bold('\n  The check on GitHub'))
  console.log(`  ${dim('│')} ${name}: ${conclusion} · ${output.title}`)
  for (const { path, start_line: line, message } of annotations) {
    console.log(`  ${dim('│')} ${path}:${line} ${message.replace('\n', ', ')}`)
  }
}

async function showComment() {
  const giveUpAt = performance.now() + 10_000
  // The comment follows its check.
  while ((await store.queue.stats()).leased > 0 && performance.now() < giveUpAt)
    await new Promise((resolve) => setTimeout(resolve, 20))
  console.log(bold('\n  The comment on the pull request'))
  for (const line of (repository.comments[0]?.body ?? 'none').split('\n')) {
    if (!line.startsWith('<!--')) console.log(`  ${dim('│')} ${line}`)
  }
}

function readExample(name) {
  const folder = join(project, 'examples', name)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]
    }),
  )
}

function expectThat(what, isSo) {
  console.log(isSo ? `  ${green('✔')} ${what}` : `  ${red('✖')} not so: ${what}`)
  if (!isSo) failures++
}
