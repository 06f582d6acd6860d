import { CopyButton } from '../answer/copy-button.tsx'
import type { PlaygroundScheme } from '../types.ts'
import { listScopes } from './oauth-flows.ts'
import { SecretField } from './secret-field.tsx'
import { type OAuthTokenState, redirectAddress } from './use-oauth-token.ts'

interface OAuthClientFieldsProps {
  readonly use: PlaygroundScheme
  /** The OAuth Flow Object that is chosen. */
  readonly flow: unknown
  readonly state: OAuthTokenState
}

/** Who asks for a token, and what it is to allow. */
export function OAuthClientFields({ use, flow, state: { form, change } }: OAuthClientFieldsProps) {
  const { client, scopes } = form
  const isCode = form.flow === 'authorizationCode'
  const offered = listScopes(use, flow)
  return (
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
            Its redirect address has to be <code>{redirectAddress()}</code> <CopyButton text={redirectAddress}>Copy</CopyButton>
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
            {offered.map(([scope, about]) => (
              <label>
                <input
                  type="checkbox"
                  checked={scopes.includes(scope)}
                  onChange={(event) =>
                    change({ scopes: event.currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope) })
                  }
                />{' '}
                <code>{scope}</code> <span class="muted">{about}</span>
              </label>
            ))}
          </fieldset>
        </div>
      )}
    </>
  )
}
