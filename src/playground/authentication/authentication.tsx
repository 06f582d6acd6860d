import { useEffect, useRef, useState } from 'preact/hooks'
import type { RequiredScheme, SecurityRequirement } from '../../model/security.ts'
import { readOwn } from '../../text/json/json-values.ts'
import { capitalize } from '../../text/plain/lists.ts'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { Section, TextWithCode } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { Credential } from '../controls/types.ts'
import type { SendAttempt } from '../send/sent.ts'
import { hasCredentials, type KeptCredentials } from './kept-credentials.ts'
import { type SchemeFieldsProps, SecretField } from './secret-field.tsx'

interface AuthenticationProps {
  readonly security: readonly SecurityRequirement[]
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
  const and = ` ${say('and')} `
  const kinds = security.map((one) => [...new Set(one.map(describeScheme))])
  const words = kinds.map((one) => one.join(and) || say('No credentials'))
  // With the names of the schemes if they are more than their kinds, or if others are of the same kinds.
  const names = words.map((own, index) => {
    const uses = security[index] ?? []
    const isClear = kinds[index]?.length === uses.length && words.indexOf(own) === words.lastIndexOf(own)
    return isClear ? own : `${own} (${uses.map(({ name }) => name).join(', ')})`
  })
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
      title={say('Authorization')}
      note={isFilled ? say('{name}, filled in', names[alternative] ?? '') : schemes.length > 0 ? names[alternative] : say('None')}
      isOpen={isOpen}
      onToggle={setOpen}
    >
      <div ref={section}>
        {(security.length > 1 || isOptional) && (
          <div class="row">
            <div class="p-head">
              <span class="p-name">{say('Method')}</span> {isOptional && <i>{say('optional')}</i>}
            </div>
            <select
              class="in"
              aria-label={say('Authorization')}
              value={alternative}
              onChange={(event) => setCredentials({ alternative: Number(event.currentTarget.value), byScheme })}
            >
              {names.map((name, index) => (
                <option value={index}>{name}</option>
              ))}
            </select>
          </div>
        )}
        {schemes.map((use) => (
          <SchemeFields
            key={`${round} ${origin} ${use.name}`}
            use={use}
            credential={readOwn(byScheme, use.name)}
            origin={origin}
            required={!isOptional}
            onChange={set(use.name)}
          />
        ))}
        {schemes.length > 0 && (
          <div class="row wide">
            <label class="keep">
              <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />{' '}
              {say('Remember in this tab')}
            </label>
            <p class="p-desc">
              {isKept
                ? say('Shared by all operations of this site until you close this tab.')
                : say('Kept in memory until you leave this page.')}{' '}
              {say('Sent only to {host}.', hostOf(origin))}
            </p>
            <button type="button" class="btn" onClick={clear}>
              {say('Clear credentials')}
            </button>
          </div>
        )}
      </div>
    </Section>
  )
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : say('the selected server')
}

/** The fields of a security scheme, with a note if browsers limit it. */
function SchemeFields(props: SchemeFieldsProps) {
  const { use, credential, required, onChange } = props
  const { name, scheme } = use
  const { description } = scheme
  const value = credential?.kind === 'text' ? credential.value : ''
  const setText = (typed: string) => onChange({ kind: 'text', value: typed })
  switch (scheme.type) {
    case 'apiKey':
      return (
        <SecretField
          label={scheme.parameterName || name}
          type={describeScheme(use)}
          required={required}
          description={description}
          value={value}
          onInput={setText}
        >
          {scheme.in === 'cookie' && <SchemeNote use={use} />}
        </SecretField>
      )
    case 'http': {
      const { scheme: kind } = scheme
      if (kind === 'basic') {
        const { username, password } = credential?.kind === 'basic' ? credential : { username: '', password: '' }
        return (
          <>
            <SecretField
              label={say('username')}
              type="Basic"
              required={required}
              description={description}
              value={username}
              isPlain
              onInput={(typed) => onChange({ kind: 'basic', username: typed, password })}
            />
            <SecretField
              label={say('password')}
              type="Basic"
              value={password}
              onInput={(typed) => onChange({ kind: 'basic', username, password: typed })}
            />
          </>
        )
      }
      return (
        <SecretField
          label={kind === 'bearer' ? say('token') : name}
          type={describeScheme(use)}
          required={required}
          description={description}
          value={value}
          onInput={setText}
        >
          {kind !== 'bearer' && <SchemeNote use={use} />}
        </SecretField>
      )
    }
    case 'oauth2':
    case 'openIdConnect':
      return <LazyOAuthFields {...props} />
    default:
      return (
        <div class="row wide">
          <SchemeNote use={use} />
        </div>
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
      <LoadingNote what={say('The sign-in form')} part={part} />
    </div>
  )
}

const getNotes = () => import('./scheme-notes.ts')

/** Loaded only for schemes that browsers limit. */
function SchemeNote({ use }: Pick<SchemeFieldsProps, 'use'>) {
  const part = useLazyModule(getNotes)
  return part.module ? (
    <p class="p-desc">
      <TextWithCode text={part.module.noteOn(use)} />
    </p>
  ) : (
    <LoadingNote what={use.name} part={part} />
  )
}

function describeScheme({ name, scheme }: RequiredScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return say(`API key in the ${scheme.in}`)
    case 'http':
      return scheme.scheme === 'bearer' ? say('Bearer token') : capitalize(scheme.scheme)
    case 'oauth2':
      return 'OAuth 2.0'
    case 'openIdConnect':
      return 'OpenID Connect'
    default:
      return name
  }
}
