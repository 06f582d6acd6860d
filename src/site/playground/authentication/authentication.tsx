import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { LoadingNote, useLazyModule } from '../loading.tsx'
import { Section, TextWithCode } from '../pieces.tsx'
import type { SendAttempt } from '../send/sent.ts'
import type { Credential, PlaygroundScheme } from '../types.ts'
import { hasCredentials, type KeptCredentials } from './kept-credentials.ts'
import { type SchemeFieldsProps, SecretField } from './secret-field.tsx'

interface AuthenticationProps {
  readonly security: readonly (readonly PlaygroundScheme[])[]
  readonly keptCredentials: KeptCredentials
  /** The origin of the selected server, the only one that receives the credentials. */
  readonly origin: string
  /** Absent before the first attempt to send. */
  readonly lastAttempt: SendAttempt | undefined
}

/**
 * The security requirements of an operation: a menu of alternatives, and fields for the schemes of the selected one. Collapsed if they are filled in
 * when the dialog opens or a request is sent.
 */
export function Authentication({ security, keptCredentials, origin, lastAttempt }: AuthenticationProps) {
  const { credentials, setCredentials, isKept, setKept, clear, round } = keptCredentials
  const { alternative, byScheme } = credentials
  const schemes = security[alternative] ?? []
  const isOptional = security.some((one) => one.length === 0)
  const names = security.map((one) => one.map(describeScheme).join(' and ') || 'No credentials')
  const isFilled =
    schemes.length > 0 && schemes.every((one) => hasCredentials([[one]], { alternative: 0, byScheme: credentials.byScheme }))
  const [isOpen, setOpen] = useState(!isFilled)
  const section = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The focus must not disappear.
    if (lastAttempt && isFilled && !section.current?.contains(document.activeElement)) setOpen(false)
  }, [lastAttempt])
  useEffect(() => {
    // Another server has its own credentials.
    if (!isFilled) setOpen(true)
  }, [origin])
  const set = (name: string) => (credential: Credential) =>
    setCredentials({ alternative, byScheme: { ...byScheme, [name]: credential } })
  return (
    <Section
      title="Authorization"
      note={`${schemes.length > 0 ? names[alternative] : 'None'}${isFilled ? ', filled in' : ''}`}
      isOpen={isOpen}
      onToggle={setOpen}
    >
      <div ref={section}>
        {(security.length > 1 || isOptional) && (
          <div class="row">
            <div class="p-head">
              <span class="p-name">Method</span> {isOptional && <span class="p-type">optional</span>}
            </div>
            <select
              class="in"
              aria-label="Authorization"
              value={alternative}
              onChange={(event) => setCredentials({ alternative: Number(event.currentTarget.value), byScheme })}
            >
              {security.map((one, index) => (
                <option value={index}>{toUniqueName(names, index, one)}</option>
              ))}
            </select>
          </div>
        )}
        {schemes.map((use) => (
          <SchemeFields
            key={`${round} ${origin} ${use.name}`}
            use={use}
            credential={byScheme[use.name]}
            origin={origin}
            onChange={set(use.name)}
          />
        ))}
        {schemes.length > 0 && (
          <div class="row wide">
            <label class="keep">
              <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} /> Remember in
              this tab
            </label>
            <p class="p-desc">
              {isKept
                ? 'Shared by all operations of this site until you close this tab.'
                : 'Kept in memory until you leave this page.'}{' '}
              Sent only to {hostOf(origin)}.
            </p>
            <button type="button" class="btn" onClick={clear}>
              Clear credentials
            </button>
          </div>
        )}
      </div>
    </Section>
  )
}

/** The name of an alternative, with the names of its schemes if others have the same name. */
function toUniqueName(names: readonly string[], index: number, schemes: readonly PlaygroundScheme[]): string {
  const own = names[index] ?? ''
  const isUnique = names.indexOf(own) === names.lastIndexOf(own)
  return isUnique ? own : `${own} (${schemes.map(({ name }) => name).join(' and ')})`
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : 'the selected server'
}

/** The fields of a security scheme, with a note if browsers limit it. */
function SchemeFields(props: SchemeFieldsProps) {
  const { use, credential, onChange } = props
  const { name, scheme } = use
  const text = (key: string) => (typeof scheme[key] === 'string' ? scheme[key] : '')
  const description = text('description')
  const value = credential?.kind === 'text' ? credential.value : ''
  const setText = (typed: string) => onChange({ kind: 'text', value: typed })
  switch (text('type')) {
    case 'apiKey': {
      const isCookie = text('in') === 'cookie'
      return (
        <SecretField
          label={text('name') || name}
          type={describeScheme(use)}
          description={description}
          value={value}
          onInput={setText}
        >
          {isCookie &&
            'Browsers do not let a page set cookies for another server. The code samples include this cookie. Requests from this page include only cookies that the server has already set, and only if this site enables cookies.'}
        </SecretField>
      )
    }
    case 'http': {
      const kind = text('scheme').toLowerCase()
      if (kind === 'basic') {
        const { username, password } = credential?.kind === 'basic' ? credential : { username: '', password: '' }
        return (
          <>
            <SecretField
              label="username"
              type="Basic"
              description={description}
              value={username}
              isPlain
              onInput={(typed) => onChange({ kind: 'basic', username: typed, password })}
            />
            <SecretField
              label="password"
              type="Basic"
              value={password}
              onInput={(typed) => onChange({ kind: 'basic', username, password: typed })}
            />
          </>
        )
      }
      return (
        <SecretField
          label={kind === 'bearer' ? 'token' : name}
          type={describeScheme(use)}
          description={description}
          value={value}
          onInput={setText}
        >
          {kind !== 'bearer' &&
            `Your input is sent after \`Authorization: ${text('scheme')}\`.${challengeSchemes.test(kind) ? ' This page cannot compute the credentials. Copy a code sample and run it in a terminal.' : ''}`}
        </SecretField>
      )
    }
    case 'oauth2':
    case 'openIdConnect':
      return <LazyOAuthFields {...props} />
    case 'mutualTLS':
      return (
        <Note>{`${name}: your browser provides a client certificate when the server requests one. This page cannot select it.`}</Note>
      )
    default:
      return (
        <Note>{`The OpenAPI document does not define \`${name}\`, so this page cannot send it. If the operation has a header for it, enter the value there.`}</Note>
      )
  }
}

const getOAuthFields = () => import('./oauth-fields.tsx')

/** Loaded only for operations with OAuth or OpenID Connect. */
function LazyOAuthFields(props: SchemeFieldsProps) {
  const part = useLazyModule(getOAuthFields)
  return part.module ? (
    <part.module.OAuthFields {...props} />
  ) : (
    <div class="row wide">
      <LoadingNote what="The sign-in form" part={part} />
    </div>
  )
}

/** Schemes that compute credentials from a challenge of the server. Source: IANA, HTTP Authentication Scheme Registry. */
const challengeSchemes = /^(?:digest|negotiate|hoba|mutual|scram-.*|ntlm|oauth|aws4-hmac-sha256)$/

function Note({ children }: { readonly children: string }): ComponentChildren {
  return (
    <div class="row wide">
      <p class="p-desc">
        <TextWithCode text={children} />
      </p>
    </div>
  )
}

/** A short name for a scheme. */
function describeScheme({ name, scheme }: PlaygroundScheme): string {
  switch (scheme['type']) {
    case 'apiKey':
      return `API key in the ${String(scheme['in'])}`
    case 'http': {
      const kind = String(scheme['scheme'])
      return /^bearer$/i.test(kind) ? 'Bearer token' : kind.charAt(0).toUpperCase() + kind.slice(1)
    }
    case 'oauth2':
      return 'OAuth 2'
    case 'openIdConnect':
      return 'OpenID Connect'
    default:
      return name
  }
}
