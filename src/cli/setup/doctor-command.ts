import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { findDocs } from '../../docs/read/find-docs.ts'
import { readDocsDirectory } from '../../docs/read/read-docs-directory.ts'
import { statPath } from '../../files/boundary.ts'
import { isShallow } from '../../git/commit.ts'
import { type Git, isInWorkTree, openGit, readGit } from '../../git/git.ts'
import { ask } from '../../text/errors.ts'
import { readFlag, readOwn } from '../../text/json/json-values.ts'
import { escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { addReadOptions, type CommonOptions, type DefineCommand, formatOption } from '../base/command-options.ts'
import { findCacheFolder } from '../open/site-cache.ts'
import { openDirectory, type Workspace } from '../open/workspace.ts'
import { choosePalette } from '../print/terminal.ts'

type DoctorCommandOptions = Omit<CommonOptions, 'all'> & { readonly network: boolean }

/** The options of `doctor`. */
export const defineDoctorCommand: DefineCommand = (command) => {
  command
    .option('--network', 'also read remote documents, and ask GitHub about the token', false)
    .addOption(formatOption('output format: text, json (default: text)', ['text', 'json']).default('text'))
  addReadOptions(command)
  return runDoctorCommand
}

const marks: { readonly [state in DoctorRow['state']]: string } = { ok: '✔', warning: '!', problem: '✖' }

async function runDoctorCommand(argument: string, options: DoctorCommandOptions, context: CliContext): Promise<ExitCode> {
  const { progress, workspace, root } = openDirectory(argument, 'check', options, context)
  const rows = await runDoctor(root, { usesNetwork: options.network }, workspace, context)
  progress.clear()
  const problems = rows.filter(({ state }) => state === 'problem')
  const { stdout } = context
  if (options.format === 'json') stdout.write(`${toSafeJson({ version: 1, problems: problems.length, checks: rows })}\n`)
  else {
    const palette = choosePalette(stdout, context, options.color)
    const colors = { ok: palette.success, warning: palette.warning, problem: palette.error }
    for (const { state, message, fix } of rows) {
      if (options.quiet && state === 'ok') continue
      stdout.write(
        `${colors[state](marks[state])} ${escapeText(message)}\n${fix === undefined ? '' : `    ${escapeText(fix)}\n`}`,
      )
    }
    const summary = problems.length > 0 ? `✖ ${formatCount(problems.length, 'problem')} to fix` : '✔ No problems found'
    if (!options.quiet || problems.length > 0)
      stdout.write(`\n${(problems.length > 0 ? palette.error : palette.success)(summary)}\n`)
  }
  return problems.length > 0 ? 1 : 0
}

/** The result of one check of `doctor`. */
export interface DoctorRow {
  readonly subject: 'machine' | 'repository' | 'docs' | 'github' | 'network'
  readonly state: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** How to fix a warning or a problem. */
  readonly fix?: string
}

/**
 * Checks Node.js, Git, the cache, the checkout, the docs, and in a job of GitHub Actions the token. Changes nothing.
 *
 * @param root relative to the boundary. @param usesNetwork also reads the remote documents and asks GitHub about the token.
 */
export async function runDoctor(
  root: string,
  { usesNetwork }: { readonly usesNetwork: boolean },
  workspace: Workspace,
  context: CliContext,
): Promise<readonly DoctorRow[]> {
  const { docsDirectories: roots, documents } = await findDocs(root, workspace.access)
  return [
    { subject: 'machine', state: 'ok', message: `Node.js ${process.versions.node}` },
    ...(await checkGit(workspace.boundary)),
    checkCache(findCacheFolder(context)),
    ...checkDocs(roots, documents),
    ...(await checkToken(usesNetwork, context)),
    ...(usesNetwork ? await checkRemoteDocuments(roots, workspace) : []),
  ]
}

/** The version of Git, and whether the checkout has the history that comparisons need. */
async function checkGit(folder: string): Promise<readonly DoctorRow[]> {
  const git = openGit(folder)
  const version = await ask(() => readGit(git, 'read the version of git', ['--version']))
  if (version.kind === 'unknown') {
    const message = 'Git is not installed: `changes` and `ci` cannot read revisions'
    return [{ subject: 'machine', state: 'warning', message, fix: 'Install Git, and add it to PATH' }]
  }
  const row: DoctorRow = { subject: 'machine', state: 'ok', message: version.value.trim().replace(/^git version/, 'Git') }
  const checkout = await ask(() => checkCheckout(git))
  if (checkout.kind === 'known') return [row, { subject: 'repository', ...checkout.value }]
  const { reason: message, hint } = checkout
  return [row, { subject: 'repository', state: 'problem', message, ...(hint !== undefined && { fix: hint }) }]
}

async function checkCheckout(git: Git): Promise<Omit<DoctorRow, 'subject'>> {
  if (!(await isInWorkTree(git))) {
    return { state: 'ok', message: 'Not a Git repository: `changes` and `ci` need one, other commands do not' }
  }
  if (!(await isShallow(git))) return { state: 'ok', message: 'The checkout has the whole history' }
  const count = Number(await readGit(git, 'count the commits', ['rev-list', '--count', 'HEAD']))
  return {
    state: 'warning',
    message: `The checkout has only ${formatCount(count, 'commit')}: \`changes\` cannot read older revisions, and sites have no changelogs and dates`,
    fix: 'Run `git fetch --unshallow --tags`, or set `fetch-depth: 0` for actions/checkout',
  }
}

const largeCacheBytes = 1e9

function checkCache(folder: string): DoctorRow {
  let existing = folder
  while (!statPath(existing) && dirname(existing) !== existing) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK)
  } catch {
    return {
      subject: 'machine',
      state: 'warning',
      message: `The cache folder ${folder} is not writable: every build renders all pages`,
      fix: 'Set XDG_CACHE_HOME to a writable folder',
    }
  }
  if (existing !== folder) return { subject: 'machine', state: 'ok', message: `The cache folder ${folder} is writable` }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizeBytes = entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const message = `The cache folder ${folder} is writable (${(sizeBytes / 1e6).toFixed(1)} MB)`
  if (sizeBytes < largeCacheBytes) return { subject: 'machine', state: 'ok', message }
  return { subject: 'machine', state: 'warning', message, fix: 'Delete the folder to free the space' }
}

function checkDocs(roots: readonly string[], documents: readonly string[]): readonly DoctorRow[] {
  const found = [
    ...(roots.length > 0 ? [`docs.json in ${roots.map((path) => path || '.').join(', ')}`] : []),
    ...(documents.length > 0 ? [formatCount(documents.length, 'OpenAPI document')] : []),
  ]
  if (found.length > 0) return [{ subject: 'docs', state: 'ok', message: `Found ${found.join(' and ')}` }]
  const fix = 'Run the command in another directory, or add an OpenAPI document and run `openapi-pages init`'
  return [{ subject: 'docs', state: 'problem', message: 'No docs.json and no OpenAPI 3 document found', fix }]
}

/** In a job of GitHub Actions, whether the token is available and may write. */
async function checkToken(usesNetwork: boolean, { env }: CliContext): Promise<readonly DoctorRow[]> {
  const subject = 'github'
  if (env['GITHUB_ACTIONS'] !== 'true') {
    return [{ subject, state: 'ok', message: 'No token is needed on the command line' }]
  }
  const token = env['GITHUB_TOKEN'] || env['GH_TOKEN']
  if (!token) {
    const fix = 'Set `GITHUB_TOKEN` to `github.token` in the `env` of this step'
    return [{ subject, state: 'warning', message: 'This step has no token, so its permissions are unknown', fix }]
  }
  const [url, repository] = [env['GITHUB_API_URL'], env['GITHUB_REPOSITORY']]
  if (!usesNetwork || !url || !repository) {
    return [{ subject, state: 'ok', message: 'This step has a token. Add --network to check its permissions' }]
  }
  const answer = await askGitHub(`${url}/repos/${repository}`, token)
  if (typeof answer === 'string') {
    return [{ subject, state: 'problem', message: answer, fix: 'Give the job `permissions: { contents: read }`' }]
  }
  if (readFlag(readOwn(answer, 'permissions'), 'push')) return [{ subject, state: 'ok', message: 'The token may write contents' }]
  const fix =
    'To commit pages, give the job `permissions: { contents: write, pull-requests: write }`. To check only, nothing is missing'
  return [{ subject, state: 'warning', message: 'The token may read contents, but not write them', fix }]
}

/** Returns the JSON of a response, or the reason of a failure. */
async function askGitHub(url: string, token: string): Promise<unknown> {
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(10_000) })
    return response.ok ? await response.json() : `GitHub refused the token with status ${response.status}`
  } catch {
    return 'Cannot reach the API of GitHub'
  }
}

async function checkRemoteDocuments(roots: readonly string[], { access }: Workspace): Promise<readonly DoctorRow[]> {
  const urls = new Set<string>()
  for (const root of roots) {
    const { docsConfig } = await readDocsDirectory(root, access)
    for (const { sources } of docsConfig?.divisions ?? []) for (const { source } of sources) if (isUrl(source)) urls.add(source)
  }
  return await Promise.all(
    [...urls].map(async (url): Promise<DoctorRow> => {
      const response = await access.fetchDocument(url)
      if (response.kind === 'loaded') return { subject: 'network', state: 'ok', message: `${url} is reachable` }
      const fix = (response.code === 'url-refused' && response.hint) || 'Check the URL, the proxy (HTTPS_PROXY) and the firewall'
      return { subject: 'network', state: 'problem', message: `Cannot read ${url}: ${response.reason}`, fix }
    }),
  )
}
