import { createHash, randomBytes } from 'node:crypto'
import type { FakeGitHub } from './fake-github.ts'
import type { FakeRepository } from './fake-repository.ts'
import { type Json, toInstallation, toOwnUser, toRepository } from './represent.ts'
import { type FakeResponse, notFound, page, type Route } from './route.ts'

/** A token of a user who authorized the app. */
export interface FakeUserToken {
  readonly login: string
  readonly refreshToken: string
  expiresAt: number
  revoked: boolean
}

/** A user's consent, exchanged once. */
export interface FakeAuthorization {
  readonly login: string
  readonly challenge: string
  readonly redirectUrl: string
}

/**
 * User sign-in through the app, and the data that users can access. The consent page is not shown: the fake consents for the
 * user.
 */
export const userRoutes: readonly Route[] = [
  {
    name: 'GET /login/oauth/authorize',
    access: 'anyone',
    handle: ({ github, query }) => {
      const redirectUrl = query.get('redirect_uri') ?? ''
      const isKnown = [github.app, ...github.registeredApps].some(({ clientId }) => clientId === query.get('client_id'))
      if (!isKnown || !/^[\w-]{43}$/.test(query.get('code_challenge') ?? '') || query.get('code_challenge_method') !== 'S256')
        return notFound
      const answer = new URL(redirectUrl)
      const login = github.signedInAs
      if (login === undefined) answer.searchParams.set('error', 'access_denied')
      else {
        const code = randomBytes(10).toString('hex')
        github.authorizations.set(code, { login, challenge: query.get('code_challenge') ?? '', redirectUrl })
        answer.searchParams.set('code', code)
      }
      answer.searchParams.set('state', query.get('state') ?? '')
      return { status: 302, headers: { location: answer.href } }
    },
  },
  {
    name: 'POST /login/oauth/access_token',
    access: 'anyone',
    handle: ({ github, body }) => {
      const app = [github.app, ...github.registeredApps].find(({ clientId }) => clientId === body['client_id'])
      if (app?.clientSecret !== body['client_secret']) return refuse('incorrect_client_credentials')
      if (body['grant_type'] === 'refresh_token') {
        const [token, known] = [...github.userTokens].find(([, { refreshToken }]) => refreshToken === body['refresh_token']) ?? []
        if (token === undefined || !known || known.revoked) return refuse('bad_refresh_token')
        github.userTokens.delete(token)
        return give(github, known.login)
      }
      const code = String(body['code'])
      const authorization = github.authorizations.get(code)
      github.authorizations.delete(code)
      const challenge = createHash('sha256').update(String(body['code_verifier'])).digest('base64url')
      if (authorization?.challenge !== challenge) return refuse('bad_verification_code')
      if (authorization.redirectUrl !== body['redirect_uri']) return refuse('redirect_uri_mismatch')
      return give(github, authorization.login)
    },
  },
  {
    name: 'DELETE /applications/{client_id}/token',
    access: 'anyone',
    handle: ({ github, body }) => {
      const token = github.userTokens.get(String(body['access_token']))
      if (!token) return notFound
      token.revoked = true
      return { status: 204 }
    },
  },
  { name: 'GET /user', access: 'user', handle: ({ github, login }) => ({ status: 200, body: toOwnUser(github, login) }) },
  {
    name: 'GET /user/teams',
    access: 'user',
    handle: (call) => {
      const { github, login } = call
      if (!github.showsTeams) return { status: 403, body: { message: 'Resource not accessible by integration' } }
      return page(call, github.teamsOf.get(login) ?? [], (teams) =>
        teams.map((name) => ({ slug: name.split('/')[1], organization: { login: name.split('/')[0] } })),
      )
    },
  },
  {
    name: 'GET /user/installations',
    access: 'user',
    handle: (call) => {
      const { github, login } = call
      const shown = github.installations.filter(
        (installation) => !installation.deleted && installation.repositories.some((repository) => levelOf(repository, login)),
      )
      return page(call, shown, (installations) => ({
        total_count: shown.length,
        installations: installations.map((installation) => toInstallation(github, installation)),
      }))
    },
  },
  {
    name: 'GET /user/installations/{installation_id}/repositories',
    access: 'user',
    handle: (call) => {
      const { github, login, parameters } = call
      const installation = github.findInstallation(Number(parameters['installation_id']))
      const shown = installation?.repositories.filter((repository) => levelOf(repository, login)) ?? []
      if (shown.length === 0) return notFound
      return page(call, shown, (repositories) => ({
        total_count: shown.length,
        repositories: repositories.map((repository) => toShown(github, repository, login)),
      }))
    },
  },
]

function levelOf(repository: FakeRepository, login: string): string | undefined {
  const level = repository.collaborators.get(login) ?? (repository.owner === login ? 'admin' : undefined)
  return level === 'none' ? undefined : level
}

function toShown(github: FakeGitHub, repository: FakeRepository, login: string): Json {
  const levels = ['read', 'triage', 'write', 'maintain', 'admin']
  const rank = levels.indexOf(levelOf(repository, login) ?? '')
  const [pull, triage, push, maintain, admin] = levels.map((_level, index) => rank >= index)
  return { ...toRepository(github, repository), permissions: { pull, triage, push, maintain, admin } }
}

function give(github: FakeGitHub, login: string): FakeResponse {
  const token = `ghu_${randomBytes(18).toString('hex')}`
  const refreshToken = `ghr_${randomBytes(18).toString('hex')}`
  const life = github.userTokenLifeMs
  github.userTokens.set(token, { login, refreshToken, expiresAt: Date.now() + life, revoked: false })
  return {
    status: 200,
    body: {
      access_token: token,
      token_type: 'bearer',
      scope: '',
      expires_in: Math.round(life / 1000),
      refresh_token: refreshToken,
      refresh_token_expires_in: 15_897_600,
    },
  }
}

/** GitHub's sign-in errors have status 200. */
function refuse(error: string): FakeResponse {
  return {
    status: 200,
    body: { error, error_description: 'GitHub’s description of the error.', error_uri: 'https://docs.github.com' },
  }
}
