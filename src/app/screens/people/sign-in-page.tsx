import { GitHubMark, LinkButton, Submit } from '../pages/elements.tsx'
import { renderPlainPage } from '../pages/layout.tsx'

/** @param to The return path. */
export function renderSignInPage({ to, state }: { to: string; state: keyof typeof contents }): string {
  const form = (
    <form method="post" action="/sign-in">
      <input type="hidden" name="to" value={to} />
      <Submit kind="main">
        <GitHubMark />
        Sign in with GitHub
      </Submit>
    </form>
  )
  return renderPlainPage({ title: 'Sign in', ...contents[state], children: state === 'open' && form })
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
  denied: 'You declined the authorization on GitHub.',
  'other-browser': 'The sign-in started in another browser, at another URL, or more than ten minutes ago.',
  refused: 'GitHub rejected the sign-in. Each attempt can be used once and expires after ten minutes.',
  unreachable: 'GitHub did not respond. Try again in a moment.',
} as const

export type SignInFailure = keyof typeof failures

/** @param again An absolute URL that starts with the base URL registered at GitHub. */
export function renderSignInFailurePage({ reason, again }: { reason: SignInFailure; again: string }): string {
  const children = (
    <p>
      <LinkButton href={again} kind="main">
        Try again
      </LinkButton>
    </p>
  )
  return renderPlainPage({ title: 'Sign-in failed', lead: failures[reason], children })
}
