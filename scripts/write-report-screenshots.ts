import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { type FakeGitHub, startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import { readCommands, type WorkflowCommand } from '../test/support/read-commands.ts'
import { findBrowser } from './browser.ts'
import { renderGithub } from './render-github.ts'
import { toGithubPage } from './report-page.ts'
import { runAsGitHub } from './run-as-github.mjs'

// Takes the screenshots in docs/action.md: the output of the Action's bundle for 1 and 50 problems, in a real browser.
const root = join(import.meta.dirname, '..')
const images = join(root, 'docs/images')
const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-screenshots-'))
const github = await startFakeGitHub()
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  mkdirSync(images, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 900, height: 100 } })
  const repository = github.createRepository('acme/docs')
  repository.commit({ branch: 'topic', files: { 'a.txt': 'a' } })
  for (const count of [1, 50]) {
    const pull = repository.openPullRequest({ head: 'topic' })
    const run = await runOnPullRequest(github, count, pull.number)
    await draw(page, `summary-${count}`, toGithubPage('summary', renderGithub(run.summary)))
    if (count !== 1) continue
    await draw(page, 'annotations-1', toGithubPage('annotations', renderAnnotations(run)))
    const comment = () => repository.comments.find(({ issueNumber }) => issueNumber === pull.number)?.body
    await draw(page, 'comment-1', toGithubPage('comment', renderGithub(comment() ?? '')))
    await runOnPullRequest(github, 0, pull.number)
    await draw(page, 'comment-fixed', toGithubPage('comment', renderGithub(comment() ?? '')))
  }
  const push = await runOnPush()
  await draw(page, 'summary-commit', toGithubPage('summary', renderGithub(push.summary)))
} finally {
  await browser.close()
  await github.close()
  rmSync(folder, { recursive: true, force: true })
}

interface Run {
  readonly summary: string
  readonly annotations: readonly WorkflowCommand[]
  readonly text: string
}

async function runOnPullRequest(fake: FakeGitHub, count: number, number: number): Promise<Run> {
  const checkout = mkdtempSync(join(folder, 'checkout-'))
  makeRepository(checkout)
  git(checkout, 'checkout', '-q', '-b', 'topic')
  addErrors(checkout, count)
  git(checkout, 'commit', '-qam', 'Change', '--allow-empty')
  const head = git(checkout, 'rev-parse', 'HEAD')
  git(checkout, 'checkout', '-q', 'main')
  git(checkout, 'merge', '-q', '--no-ff', '-m', 'Merge', 'topic')
  const payload = {
    number,
    pull_request: {
      number,
      state: 'open',
      head: { ref: 'topic', sha: head, repo: { full_name: 'acme/docs' } },
      base: { sha: git(checkout, 'rev-parse', 'HEAD^1') },
    },
    repository: { full_name: 'acme/docs' },
  }
  const token = fake.createJobToken(fake.repository('acme/docs'), { contents: 'read', pull_requests: 'write' })
  return run(checkout, {
    event: {
      name: 'pull_request',
      ref: `refs/pull/${number}/merge`,
      headRef: 'topic',
      sha: git(checkout, 'rev-parse', 'HEAD'),
      payload,
    },
    inputs: { 'github-token': token },
    environment: { GITHUB_API_URL: `${fake.url}/api/v3` },
  })
}

/** A push that adds one page, moves one to another operation and removes one. */
async function runOnPush(): Promise<Run> {
  const [bare, checkout] = [join(folder, 'remote.git'), mkdtempSync(join(folder, 'checkout-'))]
  makeRepository(checkout)
  git(checkout, 'clone', '-q', '--bare', checkout, bare)
  git(checkout, 'remote', 'set-url', 'origin', bare)
  const before = git(checkout, 'rev-parse', 'HEAD')
  edit(checkout, 'openapi.yaml', (text) =>
    text.replace('/pets/{petId}/reservation', '/pets/{petId}/booking').replace('summary: List pets', 'summary: List all pets'),
  )
  git(checkout, 'commit', '-qam', 'Rename')
  git(checkout, 'push', '-q', 'origin', 'main')
  const payload = { ref: 'refs/heads/main', before, repository: { full_name: 'acme/docs' } }
  const event = { name: 'push', ref: 'refs/heads/main', sha: git(checkout, 'rev-parse', 'HEAD'), payload }
  return run(checkout, { event, inputs: { 'commit-method': 'git' } })
}

async function run(
  workspace: string,
  options: Pick<Parameters<typeof runAsGitHub>[0], 'event' | 'inputs' | 'environment'>,
): Promise<Run> {
  const result = await runAsGitHub({
    bundle: join(root, 'dist/action/index.js'),
    workspace,
    temporaryFolder: folder,
    ...options,
    environment: { GIT_CONFIG_NOSYSTEM: '1', ...options.environment },
  })
  const { commands, text } = readCommands(result.stdout)
  const annotations = commands.filter(({ name }) => name === 'error' || name === 'warning' || name === 'notice')
  return { summary: result.summary, annotations, text }
}

function makeRepository(checkout: string): void {
  cpSync(join(root, 'examples/petstore'), checkout, { recursive: true })
  git(checkout, 'init', '-q', '-b', 'main')
  for (const [name, value] of [
    ['user.name', 'pat'],
    ['user.email', 'pat@example.com'],
  ] as const)
    git(checkout, 'config', name, value)
  edit(checkout, 'docs.json', (text) =>
    text.replace(
      '"openapi": "openapi.yaml"\n      }',
      '"openapi": "openapi.yaml" },\n      { "tab": "Shop", "openapi": "shop.yaml" }',
    ),
  )
  writeFileSync(join(checkout, 'shop.yaml'), toShop(0))
  const update = spawnSync(process.execPath, [join(root, 'bin/openapi-pages.cjs'), 'update'], { cwd: checkout, encoding: 'utf8' })
  if (update.status !== 0) throw new Error(update.stdout + update.stderr)
  git(checkout, 'remote', 'add', 'origin', checkout)
  git(checkout, 'add', '.')
  git(checkout, 'commit', '-qm', 'Start')
}

function addErrors(checkout: string, count: number): void {
  if (count > 0) edit(checkout, 'openapi.yaml', (text) => text.replace('summary: Add a pet', 'sumary: Add a pet'))
  if (count > 1) writeFileSync(join(checkout, 'shop.yaml'), toShop(count - 1))
}

/** A description of a shop with this many errors of four kinds. */
function toShop(errors: number): string {
  const lines = ['openapi: 3.1.0', 'info:', '  title: Shop', "  version: '1'", 'paths:']
  const names = ['orders', 'carts', 'invoices', 'coupons', 'refunds']
  for (let index = 0; index < Math.max(2, errors); index++) {
    const isError = index < errors
    const kind = index % 4
    const path = `/${names[index % names.length]}/${index}`
    lines.push(
      `  ${path}:`,
      '    get:',
      `      ${isError && kind === 0 ? 'sumary' : 'summary'}: Read ${path.slice(1).replace('/', ' ')}`,
    )
    lines.push('      tags: [shop]')
    if (isError && kind === 1) lines.push('      parameters:', '        - {name: page, in: paht, schema: {type: integer}}')
    lines.push(
      '      responses:',
      "        '200':",
      ...(isError && kind === 2 ? ['          x-note: none'] : ['          description: Done']),
    )
    const schema = isError && kind === 3 ? 'Oder' : 'Order'
    lines.push(`          content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}`)
  }
  return `${[...lines, 'components:', '  schemas:', '    Order: {type: object}', 'tags:', '  - name: shop'].join('\n')}\n`
}

function renderAnnotations({ annotations, text }: Run): string {
  const last = /^Annotations: .*$/m.exec(text)?.[0] ?? ''
  const boxes = annotations.map(({ name, properties, data }) => {
    const { file = '', line = '', title = '' } = properties
    const place = `Check ${name === 'error' ? 'failure' : name} on line ${line} in ${escapeHtml(file)}`
    return `<div class="annotation ${name}"><b>${place}</b><p>${escapeHtml(title)}</p><pre>${escapeHtml(data)}</pre></div>`
  })
  return `${boxes.join('')}<pre class="log">${escapeHtml(last)}</pre>`
}

async function draw(page: Page, name: string, html: string): Promise<void> {
  await page.setContent(html)
  const height = await page.evaluate('document.documentElement.scrollHeight')
  const path = join(images, `${name}.png`)
  const shown = Math.min(Number(height), 700)
  // Shows the part of a long report that is visible without much scrolling.
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width: 900, height: shown } })
  process.stdout.write(`${path} ${Math.ceil(statSync(path).size / 1024)} kB\n`)
}

function edit(checkout: string, file: string, change: (text: string) => string): void {
  const path = join(checkout, file)
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`The edit of ${file} changes nothing: update it to the current example`)
  writeFileSync(path, after)
}

function git(cwd: string, ...args: string[]): string {
  // The same commits on every run, so that the screenshots change only with their content.
  const dates = { GIT_AUTHOR_DATE: '2026-11-20T07:15:03Z', GIT_COMMITTER_DATE: '2026-11-20T07:15:03Z' }
  const result = spawnSync('git', args, { cwd, encoding: 'utf8', env: { ...process.env, ...dates } })
  if (result.status !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`)
  return result.stdout.trim()
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
