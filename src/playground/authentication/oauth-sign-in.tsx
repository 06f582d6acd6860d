import { Words } from '../answer/words.tsx'
import type { Credential } from '../types.ts'
import type { OAuthTokenState } from './use-oauth-token.ts'

interface OAuthSignInProps {
  readonly state: OAuthTokenState
  readonly token: Extract<Credential, { kind: 'token' }> | undefined
}

/** Begins to get a token, and says what has come of it. */
export function OAuthSignIn({ state: { form, problem, waiting, begin, renew, cancel }, token }: OAuthSignInProps) {
  return (
    <div class="row wide" role="status">
      {waiting ? (
        <p class="p-desc">
          {waiting.address ? (
            <>
              Waiting for the sign-in. Did no window open?{' '}
              <a href={waiting.address} target="_blank" rel="noopener noreferrer">
                Open the sign-in page
              </a>
            </>
          ) : (
            'Asking for a token …'
          )}{' '}
          <button type="button" class="btn" onClick={cancel}>
            Cancel
          </button>
        </p>
      ) : (
        <p class="p-desc">
          <button type="button" class="btn" disabled={form.client.id === ''} onClick={begin}>
            {form.flow === 'authorizationCode' ? 'Sign in' : 'Get a token'}
          </button>{' '}
          {token?.accessToken && form.refreshToken && (
            <button type="button" class="btn" onClick={renew}>
              Renew
            </button>
          )}{' '}
          {token?.accessToken && toExpiry(token.expiresAt)}
        </p>
      )}
      {problem && (
        <p class="err">
          <Words text={problem} />
        </p>
      )}
    </div>
  )
}

function toExpiry(expiresAt: number | undefined): string {
  if (expiresAt === undefined) return 'You have a token.'
  const time = new Date(expiresAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  return expiresAt < Date.now() ? `The token ended at ${time}.` : `You have a token until ${time}.`
}
