import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { startFakeGitHub } from '../test/support/fake-github/fake-github.ts'
import { readCommands } from '../test/support/read-commands.ts'
import { renderGithub } from '../test/support/read-github.ts'
import { edit, petstore, root, runCli } from './example-run.ts'
import { runAsGitHub } from './run-as-github.mjs'

/** Runs the Action's bundle, and makes a page of each report as GitHub shows it. */
export async function* makeReports(folder: string): AsyncGenerator<readonly [name: string, html: string]> {
  const github = await startFakeGitHub()
  try {
    const repository = github.createRepository('acme/docs')
    repository.commit({ branch: 'topic', files: { 'a.txt': 'a' } })
    const check = (count: number, number: number) => {
      const token = github.createJobToken(repository, { contents: 'read', pull_requests: 'write' })
      return runOnPullRequest(folder, count, number, { token, url: `${github.url}/api/v3` })
    }
    for (const count of [1, 50]) {
      const { number } = repository.openPullRequest({ head: 'topic' })
      const { summary, stdout } = await check(count, number)
      yield [`summary-${count}`, toGithubPage('summary', renderGithub(summary))]
      if (count !== 1) continue
      yield ['annotations-1', toGithubPage('annotations', renderAnnotations(stdout))]
      const comment = () => repository.comments.find(({ issueNumber }) => issueNumber === number)?.body ?? ''
      yield ['comment-1', toGithubPage('comment', renderGithub(comment()))]
      await check(0, number)
      yield ['comment-fixed', toGithubPage('comment', renderGithub(comment()))]
    }
    yield ['summary-commit', toGithubPage('summary', renderGithub((await runOnPush(folder)).summary))]
  } finally {
    await github.close()
  }
}

function runOnPullRequest(folder: string, count: number, number: number, { token, url }: { token: string; url: string }) {
  const checkout = makeRepository(folder)
  git(checkout, 'checkout', '-q', '-b', 'topic')
  if (count > 0) edit(checkout, 'openapi.yaml', 'summary: Add a pet', 'sumary: Add a pet')
  if (count > 1) writeFileSync(join(checkout, 'shop.yaml'), toShop(count - 1))
  git(checkout, 'commit', '-qam', 'Change', '--allow-empty')
  const head = git(checkout, 'rev-parse', 'HEAD')
  git(checkout, 'checkout', '-q', 'main')
  git(checkout, 'merge', '-q', '--no-ff', '-m', 'Merge', 'topic')
  const pull = {
    number,
    state: 'open',
    head: { ref: 'topic', sha: head, repo: { full_name: 'acme/docs' } },
    base: { sha: git(checkout, 'rev-parse', 'HEAD^1') },
  }
  const event = { name: 'pull_request', ref: `refs/pull/${number}/merge`, headRef: 'topic' }
  const payload = { number, pull_request: pull }
  return run(folder, checkout, event, payload, { inputs: { 'github-token': token }, environment: { GITHUB_API_URL: url } })
}

/** A push that adds one page, moves one to another operation and removes one. */
function runOnPush(folder: string) {
  const checkout = makeRepository(folder)
  const bare = join(folder, 'remote.git')
  git(checkout, 'clone', '-q', '--bare', checkout, bare)
  git(checkout, 'remote', 'set-url', 'origin', bare)
  const before = git(checkout, 'rev-parse', 'HEAD')
  edit(checkout, 'openapi.yaml', '/pets/{petId}/reservation', '/pets/{petId}/booking')
  edit(checkout, 'openapi.yaml', 'summary: List pets', 'summary: List all pets')
  git(checkout, 'commit', '-qam', 'Rename')
  git(checkout, 'push', '-q', 'origin', 'main')
  const payload = { ref: 'refs/heads/main', before }
  return run(folder, checkout, { name: 'push', ref: 'refs/heads/main' }, payload, { inputs: { 'commit-method': 'git' } })
}

type RunOptions = Parameters<typeof runAsGitHub>[0]

function run(
  folder: string,
  workspace: string,
  event: Pick<RunOptions['event'], 'name' | 'ref' | 'headRef'>,
  payload: object,
  options: Pick<RunOptions, 'inputs' | 'environment'>,
) {
  const sha = git(workspace, 'rev-parse', 'HEAD')
  return runAsGitHub({
    bundle: join(root, 'dist/action/index.js'),
    workspace,
    temporaryFolder: folder,
    ...options,
    event: { ...event, sha, payload: { ...payload, repository: { full_name: 'acme/docs' } } },
    environment: { GIT_CONFIG_NOSYSTEM: '1', ...options.environment },
  })
}

/** The petstore with a second document, and the pages of both. */
function makeRepository(folder: string): string {
  const checkout = mkdtempSync(join(folder, 'checkout-'))
  cpSync(petstore, checkout, { recursive: true })
  git(checkout, 'init', '-q', '-b', 'main')
  git(checkout, 'config', 'user.name', 'pat')
  git(checkout, 'config', 'user.email', 'pat@example.com')
  const tab = '"openapi": "openapi.yaml"'
  edit(checkout, 'docs.json', `${tab}\n      }`, `${tab} },\n      { "tab": "Shop", "openapi": "shop.yaml" }`)
  writeFileSync(join(checkout, 'shop.yaml'), toShop(0))
  runCli(checkout, 'update')
  git(checkout, 'remote', 'add', 'origin', checkout)
  git(checkout, 'add', '.')
  git(checkout, 'commit', '-qm', 'Start')
  return checkout
}

/** A description of a shop with this many errors of four kinds. */
function toShop(errors: number): string {
  const names = ['orders', 'carts', 'invoices', 'coupons', 'refunds']
  const paths = Array.from({ length: Math.max(2, errors) }, (_, index) => {
    const kind = index < errors ? index % 4 : undefined
    const name = names[index % names.length]
    const schema = { $ref: `#/components/schemas/${kind === 3 ? 'Oder' : 'Order'}` }
    const get = {
      [kind === 0 ? 'sumary' : 'summary']: `Read ${name} ${index}`,
      tags: ['shop'],
      ...(kind === 1 && { parameters: [{ name: 'page', in: 'paht', schema: { type: 'integer' } }] }),
      responses: { 200: { [kind === 2 ? 'x-note' : 'description']: 'Done', content: { 'application/json': { schema } } } },
    }
    return [`/${name}/${index}`, { get }]
  })
  return stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: { Order: { type: 'object' } } },
    tags: [{ name: 'shop' }],
  })
}

function renderAnnotations(stdout: string): string {
  const { commands, text } = readCommands(stdout)
  const annotations = commands.filter(({ name }) => name === 'error' || name === 'warning' || name === 'notice')
  const boxes = annotations.map(({ name, properties, data }) => {
    const { file = '', line = '', title = '' } = properties
    const place = `Check ${name === 'error' ? 'failure' : name} on line ${line} in ${escapeHtml(file)}`
    return `<div class="annotation ${name}"><b>${place}</b><p>${escapeHtml(title)}</p><pre>${escapeHtml(data)}</pre></div>`
  })
  return `${boxes.join('')}<pre class="log">${escapeHtml(/^Annotations: .*$/m.exec(text)?.[0] ?? '')}</pre>`
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

const titles = {
  summary: 'update summary',
  comment: 'github-actions <i>bot</i> commented on this pull request',
  annotations: 'Annotations',
}

/** A page that imitates GitHub's layout around a report. */
function toGithubPage(place: keyof typeof titles, html: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><main class="${place}"><header>${titles[place]}</header><article>${html}</article></main>`
}

const style = `
body { margin: 16px; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; background: #fff }
main { border: 1px solid #d1d9e0; border-radius: 6px }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; color: #59636e; font-weight: 600 }
header i { font: 11px sans-serif; border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px }
article { padding: 16px; overflow-wrap: break-word }
article > :first-child { margin-top: 0 }
h3 { font-size: 1.25em; margin: 24px 0 16px }
p, table, details, blockquote, ul { margin: 0 0 16px }
a { color: #0969da }
code { font: 85% ui-monospace, "SFMono-Regular", Menlo, "Liberation Mono", monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px; white-space: break-spaces }
table { border-collapse: collapse; display: block; width: max-content; max-width: 100%; overflow: auto }
th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left }
tr:nth-child(2n) td { background: #f6f8fa }
blockquote { border-left: 4px solid #d1d9e0; padding: 0 1em; color: #59636e; margin-left: 0 }
sub { font-size: 75% }
summary { cursor: pointer }
.annotation { border-left: 3px solid #d1d9e0; padding: 4px 12px; margin-bottom: 8px; background: #f6f8fa }
.annotation.error { border-color: #cf222e } .annotation.warning { border-color: #9a6700 }
.annotation b { color: #cf222e } .annotation.warning b { color: #9a6700 } .annotation.notice b { color: #59636e }
.annotation p { margin: 0; font-weight: 600 } pre { margin: 0; font: 12px/1.45 ui-monospace, "Liberation Mono", monospace; white-space: pre-wrap }
.log { color: #59636e; margin-top: 12px }`
