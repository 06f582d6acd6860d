import { OAuthClientFields } from './oauth-client-fields.tsx'
import { flowNames, flowNotes, readFlows } from './oauth-flows.ts'
import { OAuthSignIn } from './oauth-sign-in.tsx'
import type { SchemeFieldsProps } from './scheme-fields.tsx'
import { SecretField } from './secret-field.tsx'
import { useOAuthToken } from './use-oauth-token.ts'

/** OAuth 2 and OpenID Connect: gets a token, renews it, and takes one that was got elsewhere. */
export function OAuthFields(props: SchemeFieldsProps) {
  const { use, credential, onChange } = props
  const { type, description } = use.scheme
  const { flows, names } = readFlows(use.scheme)
  const state = useOAuthToken(props)
  const { flow } = state.form
  const token = credential?.kind === 'token' ? credential : undefined
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
            value={flow}
            onChange={(event) => state.change({ flow: event.currentTarget.value })}
          >
            {names.map((one) => (
              <option value={one}>{flowNames[one]}</option>
            ))}
          </select>
        </div>
      )}
      {flowNotes[flow] && (
        <div class="row wide">
          <p class="p-desc">{flowNotes[flow]}</p>
        </div>
      )}
      {/^(?:authorizationCode|clientCredentials)$/.test(flow) && (
        <>
          <OAuthClientFields use={use} flow={flows[flow]} state={state} />
          <OAuthSignIn state={state} token={token} />
        </>
      )}
      <SecretField
        label="access token"
        type={type === 'openIdConnect' ? 'OpenID Connect' : 'OAuth 2'}
        about={typeof description === 'string' ? description : ''}
        value={token?.accessToken ?? ''}
        onInput={(accessToken) => onChange({ kind: 'token', accessToken, expiresAt: undefined })}
      />
    </>
  )
}
