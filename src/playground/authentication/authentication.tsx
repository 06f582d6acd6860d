import { Section } from '../section.tsx'
import type { Credential, PlaygroundScheme } from '../types.ts'
import { describeScheme, SchemeFields } from './scheme-fields.tsx'
import type { KeptCredentials } from './use-credentials.ts'

interface AuthenticationProps {
  readonly security: readonly (readonly PlaygroundScheme[])[]
  readonly kept: KeptCredentials
  /** Of the chosen server: the only one that what is typed is sent to. */
  readonly origin: string
}

/** What an operation asks for: one of its alternatives, each a combination of schemes. */
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
