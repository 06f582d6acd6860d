import { useEffect, useRef, useState } from 'preact/hooks'
import { isObject } from '../../text/is-object.ts'
import { CopyButton } from '../answer/copy-button.tsx'
import { Words } from '../answer/words.tsx'
import {
  discover,
  type OAuthClient,
  OAuthError,
  type OAuthServer,
  type OAuthToken,
  renewToken,
  requestOwnToken,
  signIn,
} from './oauth-client.ts'
import type { SchemeFieldsProps } from './scheme-fields.tsx'
import { SecretField } from './secret-field.tsx'

/** What is typed for a scheme and is no credential of the API; lasts as long as the page. */
interface OAuthForm {
  readonly flow: string
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
}

const forms = new Map<string, OAuthForm>()

const flowNames: Readonly<Record<string, string>> = {
  authorizationCode: 'Sign in (authorization code)',
  clientCredentials: 'Client credentials',
  password: 'Password',
  implicit: 'Implicit',
  deviceAuthorization: 'Device',
}

/** What is to be said of a flow before it is used, or instead. */
const flowNotes: Readonly<Record<string, string>> = {
  clientCredentials:
    'A client secret that is typed into a page can be read by extensions of the browser. Use one that is meant for tests, and end it afterwards.',
  password: 'This flow gives your password to a page. Get a token with a tool of your own, and paste it below.',
  implicit:
    'This flow puts tokens into addresses and is no longer advised (RFC 9700). Get a token with a tool of your own, and paste it below.',
  deviceAuthorization: 'This flow is for devices without a browser. Get a token with a tool of your own, and paste it below.',
}

/** OAuth 2 and OpenID Connect: gets a token, renews it, and takes one that was got elsewhere. */
export function OAuthFields({ use, credential, origin, onChange }: SchemeFieldsProps) {
  const { name, scheme, scopes: needed } = use
  const flows = scheme['type'] === 'openIdConnect' ? { authorizationCode: {}, clientCredentials: {} } : fieldsOf(scheme['flows'])
  const names = Object.keys(flowNames).filter((one) => isObject(flows[one]))
  const key = `${origin} ${name}`
  const [form, setForm] = useState<OAuthForm>(
    () =>
      forms.get(key) ?? {
        flow: names[0] ?? '',
        client: { id: '', secret: '', isSecretInBody: false },
        scopes: needed,
        refreshToken: undefined,
      },
  )
  const [problem, setProblem] = useState('')
  const [waiting, setWaiting] = useState<{ readonly address?: string }>()
  const abort = useRef<AbortController>(undefined)
  const change = (part: Partial<OAuthForm>) =>
    setForm((before) => {
      const next = { ...before, ...part }
      forms.set(key, next)
      return next
    })
  const token = credential?.kind === 'token' ? credential : undefined
  const flow = fieldsOf(flows[form.flow])
  const { client, scopes, refreshToken } = form
  const isCode = form.flow === 'authorizationCode'
  const isOwn = form.flow === 'clientCredentials'
  const offered = [
    ...new Set([...Object.keys(fieldsOf(flow['scopes'])), ...needed, ...(scheme['type'] === 'openIdConnect' ? ['openid'] : [])]),
  ]

  const findServer = async (): Promise<OAuthServer> => {
    const metadata = scheme['type'] === 'openIdConnect' ? scheme['openIdConnectUrl'] : scheme['oauth2MetadataUrl']
    const found = typeof metadata === 'string' && metadata ? await discover(metadata) : undefined
    const text = (field: string) => (typeof flow[field] === 'string' ? flow[field] : undefined)
    return {
      ...found,
      authorizationUrl: text('authorizationUrl') ?? found?.authorizationUrl,
      tokenUrl: text('tokenUrl') ?? found?.tokenUrl,
      refreshUrl: text('refreshUrl'),
    }
  }
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
      if (!isCode) return requestOwnToken(await findServer(), client, scopes)
      const redirectUri = redirectAddress()
      return signIn({ findServer, client, scopes, redirectUri, signal, onAddress: (address) => setWaiting({ address }) })
    })
  const renew = () => refreshToken && run(async () => renewToken(await findServer(), client, refreshToken))

  const expiresAt = token?.expiresAt
  const [, setNow] = useState(0)
  useEffect(() => {
    if (expiresAt === undefined) return
    // Longer ones than a timer can wait for are renewed by hand.
    const timer = setTimeout(
      () => void (refreshToken ? renew() : setNow(expiresAt)),
      Math.min(Math.max(expiresAt - Date.now(), 0), 2 ** 31 - 1),
    )
    return () => clearTimeout(timer)
  }, [expiresAt])
  // A sign-in that nobody waits for any more.
  useEffect(() => () => abort.current?.abort(), [])

  return (
    <>
      {names.length > 1 && (
        <div class="row">
          <div class="p-head">
            <span class="p-name">flow</span>
          </div>
          <select
            class="in"
            aria-label="Flow"
            value={form.flow}
            onChange={(event) => change({ flow: event.currentTarget.value })}
          >
            {names.map((one) => (
              <option value={one}>{flowNames[one]}</option>
            ))}
          </select>
        </div>
      )}
      {flowNotes[form.flow] && (
        <div class="row wide">
          <p class="p-desc">{flowNotes[form.flow]}</p>
        </div>
      )}
      {(isCode || isOwn) && (
        <>
          <SecretField
            label="client_id"
            type="OAuth 2"
            value={client.id}
            isPlain
            onInput={(id) => change({ client: { ...client, id } })}
          >
            {isCode && (
              <p class="p-desc">
                Its redirect address has to be <code>{redirectAddress()}</code>{' '}
                <CopyButton text={redirectAddress}>Copy</CopyButton>
              </p>
            )}
          </SecretField>
          <SecretField
            label="client_secret"
            type={isCode ? 'OAuth 2, empty for a public client' : 'OAuth 2'}
            value={client.secret}
            onInput={(secret) => change({ client: { ...client, secret } })}
          >
            {client.secret !== '' && (
              <select
                class="in"
                aria-label="How the secret is sent"
                value={client.isSecretInBody ? 'body' : 'header'}
                onChange={(event) => change({ client: { ...client, isSecretInBody: event.currentTarget.value === 'body' } })}
              >
                <option value="header">in the header Authorization</option>
                <option value="body">in the body</option>
              </select>
            )}
          </SecretField>
          {offered.length > 0 && (
            <div class="row wide">
              <fieldset class="scopes">
                <legend class="p-name">scope</legend>
                {offered.map((scope) => (
                  <label>
                    <input
                      type="checkbox"
                      checked={scopes.includes(scope)}
                      onChange={(event) =>
                        change({
                          scopes: event.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope),
                        })
                      }
                    />{' '}
                    <code>{scope}</code> <span class="muted">{textOf(fieldsOf(flow['scopes'])[scope])}</span>
                  </label>
                ))}
              </fieldset>
            </div>
          )}
          <div class="row wide" role="status">
            {waiting ? (
              <p class="p-desc">
                {waiting.address ? (
                  <>
                    Waiting for the sign-in. Did no window open?{' '}
                    <a href={waiting.address} target="_blank" rel="noopener noreferrer">
                      Open the sign-in page
                    </a>
                  </>
                ) : (
                  'Asking for a token …'
                )}{' '}
                <button type="button" class="btn" onClick={() => abort.current?.abort()}>
                  Cancel
                </button>
              </p>
            ) : (
              <p class="p-desc">
                <button type="button" class="btn" disabled={client.id === ''} onClick={begin}>
                  {isCode ? 'Sign in' : 'Get a token'}
                </button>{' '}
                {token?.accessToken && refreshToken && (
                  <button type="button" class="btn" onClick={renew}>
                    Renew
                  </button>
                )}{' '}
                {token?.accessToken && toExpiry(expiresAt)}
              </p>
            )}
            {problem && (
              <p class="err">
                <Words text={problem} />
              </p>
            )}
          </div>
        </>
      )}
      <SecretField
        label="access token"
        type={scheme['type'] === 'openIdConnect' ? 'OpenID Connect' : 'OAuth 2'}
        about={textOf(scheme['description'])}
        value={token?.accessToken ?? ''}
        onInput={(accessToken) => onChange({ kind: 'token', accessToken, expiresAt: undefined })}
      />
    </>
  )
}

/** Where a sign-in ends: the same address on every page of the site. */
function redirectAddress(): string {
  const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'
  return new URL(`${base}_oauth/`, location.href).href
}

function toExpiry(expiresAt: number | undefined): string {
  if (expiresAt === undefined) return 'You have a token.'
  const time = new Date(expiresAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return expiresAt < Date.now() ? `The token ended at ${time}.` : `You have a token until ${time}.`
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
