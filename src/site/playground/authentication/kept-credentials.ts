import { useEffect, useState } from 'preact/hooks'
import { isObject } from '../../../source/is-object.ts'
import type { Credential, CredentialValues, PlaygroundScheme } from '../types.ts'

type ByScheme = CredentialValues['byScheme']

/** Credentials by the origin of their server, so that no other server receives them. Kept in memory until the reader leaves the page. */
const credentialsByOrigin = new Map<string, ByScheme>()

export interface KeptCredentials {
  readonly credentials: CredentialValues
  readonly setCredentials: (credentials: CredentialValues) => void
  /** Whether the reader chose to store the credentials for this server in the tab's session. */
  readonly isKept: boolean
  readonly setKept: (isKept: boolean) => void
}

/** The credentials for the selected server. Each server has its own. */
export function useCredentials(security: readonly (readonly PlaygroundScheme[])[], origin: string): KeptCredentials {
  const [alternative, setAlternative] = useState(security.length > 0 ? 0 : -1)
  const [, setCount] = useState(0)
  const byScheme = credentialsByOrigin.get(origin) ?? readKept(origin)
  const isKept = readStorage(origin) !== null
  const write = (values: ByScheme, kept: boolean) => {
    credentialsByOrigin.set(origin, values)
    writeStorage(origin, kept ? JSON.stringify(values) : undefined)
    setCount((count) => count + 1)
  }
  useEffect(() => {
    // Another instance of this hook may have changed them.
    setCount((count) => count + 1)
  }, [origin])
  return {
    credentials: { alternative, byScheme: { ...presets(security), ...byScheme } },
    setCredentials: (values) => {
      setAlternative(values.alternative)
      write(values.byScheme, isKept)
    },
    isKept,
    setKept: (kept) => write(byScheme, kept),
  }
}

/** Whether a request would include any credential. */
export function hasCredentials(
  security: readonly (readonly PlaygroundScheme[])[],
  { alternative, byScheme }: CredentialValues,
): boolean {
  return (security[alternative] ?? []).some(({ name }) => {
    const credential = Object.hasOwn(byScheme, name) ? byScheme[name] : undefined
    return Object.entries(credential ?? {}).some(([key, value]) => key !== 'kind' && typeof value === 'string' && value !== '')
  })
}

/** Default credentials from the document (`x-default`). */
function presets(security: readonly (readonly PlaygroundScheme[])[]): ByScheme {
  const found = security.flat().flatMap(({ name, scheme }): [string, Credential][] => {
    const preset = scheme['x-default']
    if (typeof preset !== 'string' || preset === '') return []
    if (scheme['type'] === 'http' && String(scheme['scheme']).toLowerCase() === 'basic') {
      const [username = '', ...password] = preset.split(':')
      return [[name, { kind: 'basic', username, password: password.join(':') }]]
    }
    const isToken = scheme['type'] === 'oauth2' || scheme['type'] === 'openIdConnect'
    return [[name, isToken ? { kind: 'token', accessToken: preset, expiresAt: undefined } : { kind: 'text', value: preset }]]
  })
  return Object.fromEntries(found)
}

const keyOf = (origin: string) => `playground-credentials:${origin}`

function readKept(origin: string): ByScheme {
  try {
    const found: unknown = JSON.parse(readStorage(origin) ?? '{}')
    if (!isObject(found)) return {}
    return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, Credential] => isCredential(entry[1])))
  } catch {
    return {}
  }
}

function isCredential(value: unknown): value is Credential {
  if (!isObject(value)) return false
  const keys = { text: ['value'], basic: ['username', 'password'], token: ['accessToken'] }[String(value['kind'])]
  return keys?.every((key) => typeof value[key] === 'string') ?? false
}

function readStorage(origin: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(origin))
  } catch {
    return null // Storage can be blocked.
  }
}

function writeStorage(origin: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(keyOf(origin))
    else sessionStorage.setItem(keyOf(origin), text)
  } catch {
    // Storage is blocked. The credentials stay in memory.
  }
}
