import { GitHubMark } from '../pages/elements.tsx'
import { renderPage } from '../pages/layout.tsx'

/** @param to The return path. */
export function renderSignInPage({ to, state }: { to: string; state: keyof typeof contents }): string {
  const Content = contents[state]
  return renderPage({ title: 'Sign in · openapi-pages', mainClass: 'plain', children: <Content to={to} /> })
}

const contents = {
  open: ({ to }: { readonly to: string }) => (
    <>
      <h1>Sign in</h1>
      <p class="lead">
        openapi-pages checks the OpenAPI documents of a repository on every push and publishes its documentation site. Sign in to
        see the sites and updates of the repositories that you can access on GitHub.
      </p>
      <form method="post" action="/sign-in">
        <input type="hidden" name="to" value={to} />
        <button class="button" type="submit">
          <GitHubMark />
          Sign in with GitHub
        </button>
      </form>
    </>
  ),
  'no-app': () => (
    <>
      <h1>Not set up yet</h1>
      <p class="lead">
        This server has no GitHub App. If you operate the server, open its setup page. At startup, the server prints the setup URL
        or the file that contains it.
      </p>
    </>
  ),
  'no-client': () => (
    <>
      <h1>Sign-in is not set up</h1>
      <p class="lead">
        This server has no client ID of its GitHub App. If you operate the server, set <code>GITHUB_CLIENT_ID</code> and{' '}
        <code>GITHUB_CLIENT_SECRET</code> to the values in the settings of the app on GitHub.
      </p>
    </>
  ),
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
  return renderPage({
    title: 'Sign-in failed · openapi-pages',
    mainClass: 'plain',
    children: (
      <>
        <h1>Sign-in failed</h1>
        <p class="lead">{failures[reason]}</p>
        <p>
          <a class="button" href={again}>
            Try again
          </a>
        </p>
      </>
    ),
  })
}
