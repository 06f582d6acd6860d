import { useEffect, useState } from 'preact/hooks'
import type { SecurityRequirement } from '../../model/security.ts'
import { entriesOf, readOwn, readText, stringOf } from '../../text/json/json-values.ts'
import { readStored, writeStored } from '../controls/site-storage.ts'
import type { Credential, CredentialValues } from '../controls/types.ts'

type ByScheme = CredentialValues['byScheme']

/** Credentials by the origin of their server, so that no other server receives them. */
const credentialsByOrigin = new Map<string, ByScheme>()

/** Functions that forget what else belongs to the credentials, such as client secrets. */
export const clearListeners = new Set<() => void>()

export interface KeptCredentials {
  readonly credentials: CredentialValues
  /** Sets the credentials for the selected server, or for another origin. */
  readonly setCredentials: (credentials: CredentialValues, other?: string) => void
  /** Whether credentials are stored in the tab's session, so that all operations of the site share them. Otherwise, they stay in memory. */
  readonly isKept: boolean
  readonly setKept: (isKept: boolean) => void
  /** Removes the credentials for all servers. */
  readonly clear: () => void
  /** Changes when the credentials are cleared. */
  readonly round: number
}

/** The credentials for the selected server. Each server has its own. */
export function useCredentials(security: readonly SecurityRequirement[], origin: string): KeptCredentials {
  const [alternative, setAlternative] = useState(security.length > 0 ? 0 : -1)
  const [, setCount] = useState(0)
  const [round, setRound] = useState(0)
  const byScheme = credentialsByOrigin.get(origin) ?? readKept(origin)
  const isKept = readStored(memoryOnlyKey) === undefined
  useEffect(() => {
    // Another instance of this hook may have changed them.
    setCount((count) => count + 1)
  }, [origin])
  return {
    credentials: { alternative, byScheme: { ...presets(security), ...byScheme } },
    setCredentials: (values, other = origin) => {
      setAlternative(values.alternative)
      credentialsByOrigin.set(other, values.byScheme)
      if (isKept) writeStored(keyOf(other), values.byScheme)
      setCount((count) => count + 1)
    },
    isKept,
    setKept: (kept) => {
      writeStored(memoryOnlyKey, kept ? undefined : true)
      credentialsByOrigin.set(origin, byScheme)
      if (!kept) removeStored()
      else for (const [one, values] of credentialsByOrigin) writeStored(keyOf(one), values)
      setCount((count) => count + 1)
    },
    clear: () => {
      credentialsByOrigin.clear()
      removeStored()
      for (const forget of clearListeners) forget()
      setRound((count) => count + 1)
    },
    round,
  }
}

/** Whether a request would include any credential. */
export function hasCredentials(security: readonly SecurityRequirement[], { alternative, byScheme }: CredentialValues): boolean {
  return (security[alternative] ?? []).some(({ name }) => {
    const { kind: _, ...secrets } = readOwn(byScheme, name) ?? {}
    return Object.values(secrets).some((value) => stringOf(value))
  })
}

/** Default credentials from the document (`x-default`). */
function presets(security: readonly SecurityRequirement[]): ByScheme {
  const found = security.flat().flatMap(({ name, scheme }): [string, Credential][] => {
    const { prefill: preset = '' } = scheme
    if (preset === '') return []
    if (scheme.type === 'http' && scheme.scheme === 'basic') {
      const [username = '', ...password] = preset.split(':')
      return [[name, { kind: 'basic', username, password: password.join(':') }]]
    }
    const isToken = scheme.type === 'oauth2' || scheme.type === 'openIdConnect'
    return [[name, isToken ? { kind: 'token', accessToken: preset, expiresAt: undefined } : { kind: 'text', value: preset }]]
  })
  return Object.fromEntries(found)
}

const prefix = 'playground-credentials:'
const keyOf = (origin: string) => prefix + origin

/** Set if the reader does not want to store credentials. */
const memoryOnlyKey = 'playground-memory-only'

function removeStored(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Nothing was stored.
  }
}

function readKept(origin: string): ByScheme {
  const found = entriesOf(readStored(keyOf(origin)))
  return Object.fromEntries(found.filter((entry): entry is [string, Credential] => isCredential(entry[1])))
}

function isCredential(value: unknown): value is Credential {
  const kind = readText(value, 'kind') ?? ''
  const keys = readOwn({ text: ['value'], basic: ['username', 'password'], token: ['accessToken'] }, kind)
  return keys?.every((key) => readText(value, key) !== undefined) ?? false
}
