import type { ComponentChildren } from 'preact'
import { GitHubMark, LinkButton, Submit } from '../pages/elements.tsx'
import { renderPlainPage } from '../pages/layout.tsx'

interface SignInPageProps {
  /** The return path. */
  readonly to: string
  readonly state: keyof typeof contents
  /** The names of the issuers in the settings. */
  readonly issuers: readonly string[]
}

/** Offers every issuer for every site: a choice would reveal which sites exist. */
export function renderSignInPage({ to, state, issuers }: SignInPageProps): string {
  const form = (issuer: string, label: ComponentChildren) => (
    <form method="post" action="/sign-in">
      <input type="hidden" name="to" value={to} />
      <input type="hidden" name="issuer" value={issuer} />
      <Submit kind="main">{label}</Submit>
    </form>
  )
  const children = (
    <div class="acts">
      {state === 'open' &&
        form(
          'github',
          <>
            <GitHubMark />
            Sign in with GitHub
          </>,
        )}
      {issuers.map((issuer) => form(issuer, `Sign in with ${issuer}`))}
    </div>
  )
  const content = state === 'no-app' || issuers.length === 0 ? contents[state] : contents.open
  return renderPlainPage({ title: 'Sign in', ...content, children })
}

const contents = {
  open: {
    lead: 'openapi-pages checks the OpenAPI documents of a repository on every push and publishes its documentation site. Sign in to see the sites and updates of the repositories that you can access on GitHub.',
  },
  'no-app': {
    heading: 'Not set up yet',
    lead: 'This server has no GitHub App. If you operate the server, open its setup page. At startup, the server prints the setup URL or the file that contains it.',
  },
  'no-client': {
    heading: 'Sign-in is not set up',
    lead: (
      <>
        This server has no client ID of its GitHub App. If you operate the server, set <code>GITHUB_CLIENT_ID</code> and{' '}
        <code>GITHUB_CLIENT_SECRET</code> to the values in the settings of the app on GitHub.
      </>
    ),
  },
}

const failures = {
  denied: 'You declined the authorization on {issuer}.',
  'other-browser': 'The sign-in started in another browser, at another URL, or more than ten minutes ago.',
  refused: '{issuer} rejected the sign-in. Each attempt can be used once and expires after ten minutes.',
  'too-many-groups': '{issuer} did not send your groups, because you have too many. It can limit them to those of this app.',
  unreachable: '{issuer} did not respond. Try again in a moment.',
} as const

export type SignInFailure = keyof typeof failures

interface FailurePageProps {
  readonly reason: SignInFailure
  readonly issuer: string
  /** An absolute URL that starts with the base URL registered at the issuer. */
  readonly again: string
}

export function renderSignInFailurePage({ reason, issuer, again }: FailurePageProps): string {
  const name = issuer === 'github' ? 'GitHub' : issuer
  const children = (
    <p>
      <LinkButton href={again} kind="main">
        Try again
      </LinkButton>
    </p>
  )
  return renderPlainPage({ title: 'Sign-in failed', lead: failures[reason].replace('{issuer}', name), children })
}
