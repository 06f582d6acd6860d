import type { ComponentChildren } from 'preact'
import { PartNote, usePart } from '../loading.tsx'
import { Section, Words } from '../pieces.tsx'
import type { Credential, PlaygroundScheme } from '../types.ts'
import type { KeptCredentials } from './kept-credentials.ts'
import { type SchemeFieldsProps, SecretField } from './secret-field.tsx'

interface AuthenticationProps {
  readonly security: readonly (readonly PlaygroundScheme[])[]
  readonly kept: KeptCredentials
  /** The origin of the selected server, the only one that receives the credentials. */
  readonly origin: string
}

/** The security requirements of an operation: a choice of alternatives, each a combination of schemes. */
export function Authentication({ security, kept, origin }: AuthenticationProps) {
  const { credentials, setCredentials, isKept, setKept } = kept
  const { alternative, byScheme } = credentials
  const schemes = security[alternative] ?? []
  const isOptional = security.some((one) => one.length === 0)
  const set = (name: string) => (credential: Credential) =>
    setCredentials({ alternative, byScheme: { ...byScheme, [name]: credential } })
  return (
    <Section title="Authorization" note={schemes.map(describeScheme).join(' and ') || 'None'}>
      {(security.length > 1 || isOptional) && (
        <div class="row">
          <div class="p-head">
            <span class="p-name">{isOptional ? 'optional' : 'one of'}</span>
          </div>
          <select
            class="in"
            aria-label="Authorization"
            value={alternative}
            onChange={(event) => setCredentials({ alternative: Number(event.currentTarget.value), byScheme })}
          >
            {security.map((one, index) => (
              <option value={index}>{one.map(({ name }) => name).join(' and ') || 'Without credentials'}</option>
            ))}
          </select>
        </div>
      )}
      {schemes.map((use) => (
        <SchemeFields
          key={`${origin} ${use.name}`}
          use={use}
          credential={byScheme[use.name]}
          origin={origin}
          onChange={set(use.name)}
        />
      ))}
      {schemes.length > 0 && (
        <div class="row wide">
          <label class="keep">
            <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} /> Keep for this
            tab
          </label>
          <p class="p-desc">
            {isKept ? 'Kept in this tab until it is closed.' : 'Kept in this page’s memory only.'} Sent to {hostOf(origin)} and
            nowhere else.
          </p>
        </div>
      )}
    </Section>
  )
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : 'the chosen server'
}

/** The fields of a security scheme, with a note on what a browser cannot do. */
function SchemeFields(props: SchemeFieldsProps) {
  const { use, credential, onChange } = props
  const { name, scheme } = use
  const text = (key: string) => (typeof scheme[key] === 'string' ? scheme[key] : '')
  const about = text('description')
  const value = credential?.kind === 'text' ? credential.value : ''
  const setText = (typed: string) => onChange({ kind: 'text', value: typed })
  switch (text('type')) {
    case 'apiKey': {
      const isCookie = text('in') === 'cookie'
      return (
        <SecretField label={text('name') || name} type={describeScheme(use)} about={about} value={value} onInput={setText}>
          {isCookie &&
            'Browsers do not let a page set cookies for another server. The samples have it; a request from here has only the cookies that you have there, and those only where this site allows it.'}
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
              about={about}
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
          about={about}
          value={value}
          onInput={setText}
        >
          {kind !== 'bearer' &&
            `Sent as \`Authorization: ${text('scheme')} …\`, with what you type.${unable.test(kind) ? ' A page cannot work it out. Copy a sample and run it in a terminal.' : ''}`}
        </SecretField>
      )
    }
    case 'oauth2':
    case 'openIdConnect':
      return <LazyOAuthFields {...props} />
    case 'mutualTLS':
      return (
        <Note>{`${name}: the browser itself shows a certificate when the server asks for one. A page cannot choose it.`}</Note>
      )
    default:
      return (
        <Note>{`\`${name}\` is not declared in the description, so how it is sent is not known. Add it as a header where the operation has one.`}</Note>
      )
  }
}

const getOAuthFields = () => import('./oauth-fields.tsx')

/** Loaded only for operations with OAuth or OpenID Connect. */
function LazyOAuthFields(props: SchemeFieldsProps) {
  const part = usePart(getOAuthFields)
  return part.module ? (
    <part.module.OAuthFields {...props} />
  ) : (
    <div class="row wide">
      <PartNote what="Signing in" part={part} />
    </div>
  )
}

/** Schemes whose credentials depend on a challenge of the server. Source: IANA, HTTP Authentication Scheme Registry. */
const unable = /^(?:digest|negotiate|hoba|mutual|scram-.*|ntlm|oauth|aws4-hmac-sha256)$/

function Note({ children }: { readonly children: string }): ComponentChildren {
  return (
    <div class="row wide">
      <p class="p-desc">
        <Words text={children} />
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
