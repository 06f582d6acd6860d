import { useEffect, useState } from 'preact/hooks'
import { isObject } from '../../../source/is-object.ts'
import type { Credential, CredentialValues, PlaygroundScheme } from '../types.ts'

type ByScheme = CredentialValues['byScheme']

/** Credentials by the origin of the server they are for; no other server receives them. Kept as long as the page. */
const typed = new Map<string, ByScheme>()

export interface KeptCredentials {
  readonly credentials: CredentialValues
  readonly setCredentials: (credentials: CredentialValues) => void
  /** Whether the reader chose to keep the credentials for this server in the tab's session. */
  readonly isKept: boolean
  readonly setKept: (isKept: boolean) => void
}

/** The credentials for the selected server. Each server has its own. */
export function useCredentials(security: readonly (readonly PlaygroundScheme[])[], origin: string): KeptCredentials {
  const [alternative, setAlternative] = useState(security.length > 0 ? 0 : -1)
  const [, setCount] = useState(0)
  const byScheme = typed.get(origin) ?? readKept(origin)
  const isKept = readStorage(origin) !== null
  const write = (values: ByScheme, kept: boolean) => {
    typed.set(origin, values)
    writeStorage(origin, kept ? JSON.stringify(values) : undefined)
    setCount((count) => count + 1)
  }
  useEffect(() => {
    // Another part of the page may have changed them.
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

/** Whether a request would carry any credential. */
export function hasCredentials(
  security: readonly (readonly PlaygroundScheme[])[],
  { alternative, byScheme }: CredentialValues,
): boolean {
  return (security[alternative] ?? []).some(({ name }) => {
    const credential = Object.hasOwn(byScheme, name) ? byScheme[name] : undefined
    return Object.entries(credential ?? {}).some(([key, value]) => key !== 'kind' && typeof value === 'string' && value !== '')
  })
}

/** Credentials that the document provides for everyone (`x-default`). */
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
    // Storage can be blocked: the credentials last as long as the page.
  }
}
