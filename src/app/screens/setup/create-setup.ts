import { createHmac, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { joinOwned, type OwnPath } from '../../../files/boundary.ts'
import { createFile, disk } from '../../../files/disk-writes.ts'
import { convertManifest } from '../../../github/apps/github-app.ts'
import { GitHubError } from '../../../text/errors.ts'
import type { AppContext, RegisterRoutes } from '../../base/app-context.ts'
import type { Credentials } from '../../base/config/app-config.ts'
import type { ServerKeys } from '../../base/config/server-keys.ts'
import { equalSecrets } from '../../base/signed-links.ts'
import { typed } from '../../http/browser-requests.ts'
import { Problem } from '../../http/problem-details.ts'
import { sendPage } from '../pages/send-page.ts'
import { renderCreatedPage, renderSetupFailurePage, renderSetupPage, toInstallUrl } from './setup-page.tsx'

const SetupQuery = Type.Object({
  key: Type.Optional(Type.String({ maxLength: 100 })),
  owner: Type.Optional(Type.String({ maxLength: 39, pattern: '^([A-Za-z0-9][A-Za-z0-9-]*)?$' })),
  accounts: Type.Optional(Type.Enum(['one', 'several'], { type: 'string' })),
})
const CreatedQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
  state: Type.Optional(Type.String({ maxLength: 100 })),
})

/** File in the data directory with the URL of the setup page, for servers without a terminal. */
const setupFileName = 'setup-url.txt'

/** Writes the URL of the setup page to a file that only its owner can read. @returns The path of the file. */
export function writeSetupUrl(dataDir: OwnPath, url: string): string {
  const path = joinOwned(dataDir, setupFileName)
  disk.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Writing to an existing file would keep its mode or follow a symbolic link.
  disk.rmSync(path, { force: true })
  createFile(path, `${url}\n`, { mode: 0o600 })
  return path
}

/** Removes the file once the setup is complete. */
export function removeSetupUrl(dataDir: OwnPath): void {
  disk.rmSync(joinOwned(dataDir, setupFileName), { force: true })
}

/** The lifetime of GitHub's code. */
const stateLifetimeMs = 3600_000

/**
 * The setup page: creates the GitHub App with one click and stores its keys. The server needs no restart.
 *
 * The key of the page is never logged. Without the key, or after the setup, the page returns 404. Any process of the server can serve the
 * requests of one setup.
 */
export function createSetup(context: AppContext, keys: ServerKeys, connect: (credentials: Credentials) => Promise<void>) {
  const key = keys.setupKey
  /** States that were used, with the time of their creation. */
  const used = new Map<string, number>()
  const { config, log } = context
  const requireOpen = async () => {
    if (context.github.credentials ?? (await keys.readCredentials())) throw new Problem('not-found')
  }
  const routes: RegisterRoutes = (server) => {
    const pages = typed(server)
    pages.get('/setup', { schema: { querystring: SetupQuery } }, async (request, reply) => {
      await requireOpen()
      if (!equalSecrets(request.query.key ?? '', key)) throw new Problem('not-found')
      const state = createState(key, context.now().getTime())
      const html = renderSetupPage({
        baseUrl: context.urls.base(),
        githubUrl: config.githubUrl,
        key,
        owner: request.query.owner ?? '',
        isShared: request.query.accounts === 'several',
        state,
        place: config.databaseUrl === undefined ? 'data directory' : 'database',
      })
      return sendPage(reply, html, 200, config.githubUrl)
    })
    pages.get('/setup/created', { schema: { querystring: CreatedQuery } }, async (request, reply) => {
      await requireOpen()
      const { code, state = '' } = request.query
      const now = context.now().getTime()
      const madeAt = readState(key, state)
      for (const [old, madeAt] of used) if (now - madeAt > stateLifetimeMs) used.delete(old)
      // Reject a replay. In another process, GitHub rejects its code.
      if (madeAt === undefined || now - madeAt > stateLifetimeMs || used.has(state)) throw new Problem('not-found')
      used.set(state, madeAt)
      if (code === undefined) throw new Problem('not-found')
      const converted = await convertManifest(code, { apiUrl: config.githubApiUrl }).catch((error: unknown) => {
        if (error instanceof GitHubError) return error
        throw error
      })
      if (converted instanceof GitHubError) {
        log.error({ reason: converted.message }, 'Cannot set up the GitHub App')
        return sendPage(reply, renderSetupFailurePage(describeFailure(converted, config.githubApiUrl), `/setup?key=${key}`), 502)
      }
      await requireOpen()
      const { id: appId, privateKey, webhookSecret, htmlUrl: appUrl, clientId, clientSecret } = converted
      const credentials = { appId, privateKey, webhookSecret, appUrl, oauth: { clientId, clientSecret } }
      const keptCredentials = await keys.keepCredentials(credentials)
      removeSetupUrl(config.dataDir)
      await connect(keptCredentials)
      if (keptCredentials.appId !== appId) {
        log.warn(
          { appId, appUrl, used: keptCredentials.appId },
          'Another GitHub App was set up at the same time: delete this one on GitHub',
        )
        throw new Problem('not-found')
      }
      log.info({ appId, appUrl, ...(appUrl && { next: `Install it at ${toInstallUrl(appUrl)}` }) }, 'GitHub App set up')
      return sendPage(reply, renderCreatedPage(credentials, config.databaseUrl !== undefined))
    })
  }
  /** The URL of the setup page, including its key. */
  const url = () => `${context.urls.base()}/setup?key=${key}`
  return { routes, url }
}

/** A state that any process with the key can verify: its time, random characters, and a signature. */
function createState(key: string, now: number): string {
  const state = `${now}.${randomBytes(12).toString('base64url')}`
  return `${state}.${signState(key, state)}`
}

/** The time of a state; `undefined` if it is forged. */
function readState(key: string, state: string): number | undefined {
  const [, signed = '', time = '', signature = ''] = /^((\d{1,15})\.[\w-]{16})\.([\w-]{43})$/.exec(state) ?? []
  return equalSecrets(signature, signState(key, signed)) ? Number(time) : undefined
}

function signState(key: string, state: string): string {
  return createHmac('sha256', key).update(`openapi-pages:setup:${state}`).digest('base64url')
}

/** Explains the failure without repeating any part of GitHub's response. */
function describeFailure({ failure }: GitHubError, githubApiUrl: string): string {
  if (failure === 'not-found' || failure === 'invalid') {
    return 'GitHub rejected the code. It can be used once and expires after an hour'
  }
  return `${githubApiUrl} did not respond as expected. Check that this server can reach it`
}
