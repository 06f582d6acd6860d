import { useEffect, useRef, useState } from 'preact/hooks'
import { type OAuthClient, OAuthError, type OAuthToken, renewToken, requestOwnToken, signIn } from './oauth-client.ts'
import { findServer, readFlows } from './oauth-flows.ts'
import type { SchemeFieldsProps } from './scheme-fields.tsx'

/** What is typed for a scheme and is no credential of the API; lasts as long as the page. */
interface OAuthForm {
  readonly flow: string
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
}

const forms = new Map<string, OAuthForm>()

export interface OAuthTokenState {
  readonly form: OAuthForm
  readonly change: (part: Partial<OAuthForm>) => void
  /** What went wrong last, in words; empty where nothing did. */
  readonly problem: string
  /** Absent while nothing is asked for; `address`: of the page to sign in at. */
  readonly waiting: { readonly address?: string } | undefined
  readonly begin: () => void
  readonly renew: () => void
  readonly cancel: () => void
}

/** Gets a token for a scheme, and renews it when it ends. */
export function useOAuthToken({ use, credential, origin, onChange }: SchemeFieldsProps): OAuthTokenState {
  const { name, scheme, scopes: needed } = use
  const { flows, names } = readFlows(scheme)
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
  const [waiting, setWaiting] = useState<OAuthTokenState['waiting']>()
  const abort = useRef<AbortController>(undefined)
  const change = (part: Partial<OAuthForm>) =>
    setForm((before) => {
      const next = { ...before, ...part }
      forms.set(key, next)
      return next
    })
  const { client, scopes, refreshToken } = form
  const find = () => findServer(scheme, flows[form.flow])
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
      if (form.flow !== 'authorizationCode') return requestOwnToken(await find(), client, scopes)
      const redirectUri = redirectAddress()
      const onAddress = (address: string) => setWaiting({ address })
      return signIn({ findServer: find, client, scopes, redirectUri, signal, onAddress })
    })
  const renew = () => refreshToken && run(async () => renewToken(await find(), client, refreshToken))
  const expiresAt = credential?.kind === 'token' ? credential.expiresAt : undefined
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
  const cancel = () => abort.current?.abort()
  // A sign-in that nobody waits for any more.
  useEffect(() => cancel, [])
  return { form, change, problem, waiting, begin, renew, cancel }
}

/** Where a sign-in ends: the same address on every page of the site. */
export function redirectAddress(): string {
  const base = document.querySelector<HTMLMetaElement>('meta[name=base]')?.content ?? '/'
  return new URL(`${base}_oauth/`, location.href).href
}
