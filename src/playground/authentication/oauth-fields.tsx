import { useEffect, useRef, useState } from 'preact/hooks'
import type { OAuthFlow, RequiredScheme } from '../../model/security.ts'
import { TextWithCode } from '../controls/pieces.tsx'
import { say, sayWith, textLanguage } from '../controls/playground-messages.ts'
import { CopyButton } from '../controls/response-pieces.tsx'
import type { Credential } from '../controls/types.ts'
import { clearListeners } from './kept-credentials.ts'
import {
  findServer,
  flowNames,
  listFlows,
  listScopes,
  noteOf,
  type OAuthClient,
  OAuthError,
  type OAuthToken,
  renewToken,
  requestClientToken,
  signIn,
} from './oauth-client.ts'
import { type SchemeFieldsProps, SecretField } from './secret-field.tsx'

/** The reader's input for a scheme, except for the token. Kept until the reader leaves the page. */
interface OAuthForm {
  readonly flow: string
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
}

interface OAuthTokenState {
  readonly form: OAuthForm
  readonly change: (part: Partial<OAuthForm>) => void
  /** The last error, `''` if there is none. */
  readonly problem: string
  /** Absent while no request is running. `signInUrl` is the URL of the sign-in page. */
  readonly waiting: { readonly signInUrl?: string } | undefined
  readonly begin: () => void
  readonly renew: () => void
  readonly cancel: () => void
}

/** OAuth 2 and OpenID Connect: gets and renews a token, or accepts a pasted one. */
export function OAuthFields(props: SchemeFieldsProps) {
  const { use, credential, onChange } = props
  const { type, description } = use.scheme
  const flows = listFlows(use.scheme)
  const state = useOAuthToken(props)
  const { flow } = state.form
  const note = noteOf(flow)
  const token = credential?.kind === 'token' ? credential : undefined
  const canSignIn = /^(?:authorizationCode|clientCredentials)$/.test(flow)
  return (
    <>
      {flows.length > 1 && (
        <div class="row">
          <div class="p-head">
            <span class="p-name">{say('flow')}</span>
          </div>
          <select
            class="in"
            aria-label={say('Flow')}
            value={flow}
            onChange={(event) => state.change({ flow: event.currentTarget.value })}
          >
            {flows.map((one) => (
              <option value={one.flow}>{say(flowNames[one.flow])}</option>
            ))}
          </select>
        </div>
      )}
      {note && (
        <div class="row wide">
          <p class="p-desc">{say(note)}</p>
        </div>
      )}
      {canSignIn && (
        <>
          <OAuthClientFields use={use} flow={flows.find((one) => one.flow === flow)} state={state} />
          <OAuthSignIn state={state} token={token} />
        </>
      )}
      <SecretField
        label={say('access token')}
        type={canSignIn ? say('or paste a token') : type === 'openIdConnect' ? 'OpenID Connect' : 'OAuth 2.0'}
        description={description}
        value={token?.accessToken ?? ''}
        onInput={(accessToken) => onChange({ kind: 'token', accessToken, expiresAt: undefined })}
      />
    </>
  )
}

interface OAuthClientFieldsProps {
  readonly use: RequiredScheme
  readonly flow: OAuthFlow | undefined
  readonly state: OAuthTokenState
}

function OAuthClientFields({ use, flow, state: { form, change } }: OAuthClientFieldsProps) {
  const { client, scopes } = form
  const isCode = form.flow === 'authorizationCode'
  const offered = listScopes(use, flow)
  return (
    <>
      <SecretField
        label="client_id"
        type="OAuth 2.0"
        value={client.id}
        isPlain
        onInput={(id) => change({ client: { ...client, id } })}
      >
        {isCode && (
          <p class="p-desc">
            {sayWith('Register this redirect URI for the client: {uri}', <code>{toRedirectUri()}</code>)}{' '}
            <CopyButton text={toRedirectUri}>{say('Copy')}</CopyButton>
          </p>
        )}
      </SecretField>
      <SecretField
        label="client_secret"
        type={isCode ? say('OAuth 2.0, empty for a public client') : 'OAuth 2.0'}
        value={client.secret}
        onInput={(secret) => change({ client: { ...client, secret } })}
      >
        {client.secret !== '' && (
          <select
            class="in"
            aria-label={say('How the secret is sent')}
            value={client.isSecretInBody ? 'body' : 'header'}
            onChange={(event) => change({ client: { ...client, isSecretInBody: event.currentTarget.value === 'body' } })}
          >
            <option value="header">{say('in the Authorization header')}</option>
            <option value="body">{say('in the body')}</option>
          </select>
        )}
      </SecretField>
      {offered.length > 0 && (
        <div class="row wide">
          <fieldset class="scopes">
            <legend class="p-name">scope</legend>
            {offered.map(([scope, description]) => (
              <label>
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={(event) =>
                    change({ scopes: event.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope) })
                  }
                />{' '}
                <code>{scope}</code> <span class="muted">{description}</span>
              </label>
            ))}
          </fieldset>
        </div>
      )}
    </>
  )
}

interface OAuthSignInProps {
  readonly state: OAuthTokenState
  readonly token: Extract<Credential, { kind: 'token' }> | undefined
}

/** The button that requests a token, and the outcome. */
function OAuthSignIn({ state: { form, problem, waiting, begin, renew, cancel }, token }: OAuthSignInProps) {
  return (
    <div class="row wide" role="status">
      {waiting ? (
        <p class="p-desc">
          {waiting.signInUrl
            ? sayWith(
                'Waiting for you to sign in. If no window opened, {link}.',
                <a href={waiting.signInUrl} target="_blank" rel="noopener noreferrer">
                  {say('open the sign-in page')}
                </a>,
              )
            : say('Requesting a token…')}{' '}
          <button type="button" class="btn" onClick={cancel}>
            {say('Cancel')}
          </button>
        </p>
      ) : (
        <p class="p-desc">
          <button type="button" class="btn primary" disabled={form.client.id === ''} onClick={begin}>
            {form.flow === 'authorizationCode' ? say('Sign in') : say('Get a token')}
          </button>{' '}
          {token?.accessToken && form.refreshToken && (
            <button type="button" class="btn" onClick={renew}>
              {say('Renew')}
            </button>
          )}{' '}
          {token?.accessToken && toExpiry(token.expiresAt)}
        </p>
      )}
      {problem && (
        <p class="err">
          <TextWithCode text={problem} />
        </p>
      )}
    </div>
  )
}

function toExpiry(expiresAt: number | undefined): string {
  if (expiresAt === undefined) return say('You have a token.')
  const time = new Date(expiresAt).toLocaleTimeString(textLanguage, { hour: '2-digit', minute: '2-digit' })
  return expiresAt < Date.now() ? say('The token expired at {time}.', time) : say('The token expires at {time}.', time)
}

const forms = new Map<string, OAuthForm>()
clearListeners.add(() => forms.clear())

/** Gets a token for a scheme and renews it when it expires. */
function useOAuthToken({ use, credential, origin, onChange }: SchemeFieldsProps): OAuthTokenState {
  const { name, scheme, scopes: needed } = use
  const flows = listFlows(scheme)
  const key = `${origin} ${name}`
  const [form, setForm] = useState<OAuthForm>(
    () =>
      forms.get(key) ?? {
        flow: flows[0]?.flow ?? '',
        client: { id: '', secret: '', isSecretInBody: false },
        scopes: needed,
        refreshToken: undefined,
      },
  )
  const [problem, setProblem] = useState('')
  const [waiting, setWaiting] = useState<OAuthTokenState['waiting']>()
  const abort = useRef<AbortController>(undefined)
  const change = (part: Partial<OAuthForm>) =>
    setForm((before) => {
      const next = { ...before, ...part }
      forms.set(key, next)
      return next
    })
  const { client, scopes, refreshToken } = form
  const find = () =>
    findServer(
      scheme,
      flows.find(({ flow }) => flow === form.flow),
    )
  const run = async (get: (signal: AbortSignal) => Promise<OAuthToken>) => {
    const controller = new AbortController()
    abort.current = controller
    setProblem('')
    setWaiting({})
    try {
      const { accessToken, expiresAt, refreshToken: next } = await get(controller.signal)
      change({ refreshToken: next })
      onChange({ kind: 'token', accessToken, expiresAt })
    } catch (error) {
      setProblem(error instanceof OAuthError ? error.message : String(error))
    } finally {
      setWaiting(undefined)
    }
  }
  const begin = () =>
    run(async (signal) => {
      if (form.flow !== 'authorizationCode') return requestClientToken(await find(), client, scopes)
      const redirectUri = toRedirectUri()
      const onSignInUrl = (signInUrl: string) => setWaiting({ signInUrl })
      return signIn({ findServer: find, client, scopes, redirectUri, signal, onSignInUrl })
    })
  const renew = () => refreshToken && run(async () => renewToken(await find(), client, refreshToken))
  const expiresAt = credential?.kind === 'token' ? credential.expiresAt : undefined
  const [, setNow] = useState(0)
  useEffect(() => {
    if (expiresAt === undefined) return
    // Timers cannot run longer than 2^31 - 1 ms. The reader renews longer-lived tokens with the button.
    const timer = setTimeout(
      () => void (refreshToken ? renew() : setNow(expiresAt)),
      Math.min(Math.max(expiresAt - Date.now(), 0), 2 ** 31 - 1),
    )
    return () => clearTimeout(timer)
  }, [expiresAt])
  const cancel = () => abort.current?.abort()
  // Cancel the sign-in when the fields are removed.
  useEffect(() => cancel, [])
  return { form, change, problem, waiting, begin, renew, cancel }
}

/** The redirect URI, which is the same on every page of the site. */
function toRedirectUri(): string {
  const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'
  return new URL(`${base}_oauth/`, location.href).href
}
