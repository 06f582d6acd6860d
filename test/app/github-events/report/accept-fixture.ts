import { toCheckRunEvent, toPullRequestEvent } from '../../../support/fake-github/payloads.ts'
import { type ConnectOptions, connectApp, docsConfig, validDocument } from '../../support/connected-app.ts'

export const writer = { contents: 'write', metadata: 'read', checks: 'write', pull_requests: 'write' } as const
export const acceptedFile = 'openapi-pages.accepted.yaml'
const failing = { 'openapi-pages.config.yaml': 'changes: { failOn: breaking }\n' }
export const withoutOperations = validDocument.replace(/paths:[\s\S]*/, 'paths: {}\n')
export const button = {
  label: 'Accept changes',
  description: 'Record the breaking changes as accepted',
  identifier: 'accept-changes',
}

export const toDocument = (count: number) =>
  validDocument +
  Array.from({ length: count }, (_, index) => `  /p${index}: { get: { responses: { '200': { description: a } } } }\n`).join('')

type FileContents = { readonly [path: string]: string | { readonly content: string; readonly mode: '120000' } }

interface Given {
  readonly root?: string
  /** Files of the base besides the documents, relative to the docs directory. */
  readonly base?: FileContents
  /** Files of the branch. */
  readonly files?: FileContents
  readonly document?: string
  readonly branch?: string
  readonly pull?: boolean
  readonly permissions?: Record<string, 'read' | 'write'>
}

export async function connect(given: Given = {}, options: ConnectOptions = {}) {
  const { root = '', base = {}, files = { 'openapi.yaml': withoutOperations }, branch = 'topic', pull = true } = given
  const connected = await connectApp({
    github: { permissions: given.permissions ?? writer },
    ...options,
  })
  const { github } = connected
  const below = (all: FileContents) => Object.fromEntries(Object.entries(all).map(([path, text]) => [`${root}${path}`, text]))
  const repository = github.createRepository('acme/api', {
    files: below({ 'docs.json': docsConfig, 'openapi.yaml': given.document ?? validDocument, ...failing, ...base }),
  })
  repository.setPermission('hubot', 'write')
  const { sha } = await repository.push({ files: below(files), branch })
  await connected.idle()
  if (pull && branch !== 'main') {
    const opened = repository.openPullRequest({ head: branch })
    await github.deliver('pull_request', toPullRequestEvent(github, repository, 'opened', opened))
    await connected.idle()
  }
  const run = repository.checkRuns.find(({ headSha }) => headSha === sha)
  if (!run) throw new Error('No check')
  const ask = async (login: string) => {
    const request = { action: 'requested_action', identifier: 'accept-changes' } as const
    await github.deliver('check_run', toCheckRunEvent(github, repository, run, request, login))
  }
  const resultOf = () => repository.checkRuns.findLast(({ name }) => name.endsWith(': accept'))
  const press = async (login = 'hubot') => {
    await ask(login)
    await connected.idle()
    return resultOf()
  }
  /** Delivers the push of the commit that the button made. */
  const deliver = async () => {
    const push = { ref: `refs/heads/${branch}`, before: sha, after: repository.tipOf(branch), forced: false }
    await github.deliver('push', repository.pushPayload({ ...push, pusher: 'openapi-pages[bot]' }))
    await connected.idle()
    return repository.checkRuns.findLast(({ headSha }) => headSha === repository.tipOf(branch))
  }
  const readAccepted = () => repository.readText(repository.tipOf(branch), `${root}${acceptedFile}`)
  return { ...connected, repository, run, sha, ask, resultOf, press, deliver, readAccepted }
}
