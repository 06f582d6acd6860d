import { type ComponentChild, h } from 'preact'
import { renderPage } from '../pages/layout.ts'

/** The one button; the rest is GitHub's. */
export function renderSignInPage({ to, state }: { to: string; state: 'open' | 'no-app' | 'no-client' }): string {
  return renderPage({ title: 'Sign in · openapi-pages', mainClass: 'plain', children: contents[state](to) })
}

const contents: Readonly<Record<'open' | 'no-app' | 'no-client', (to: string) => ComponentChild[]>> = {
  open: (to) => [
    h('h1', null, 'Sign in'),
    h('p', { class: 'lead' }, 'You see the projects of the repositories that you can read on GitHub, and nothing else.'),
    h(
      'form',
      { method: 'post', action: '/sign-in' },
      h('input', { type: 'hidden', name: 'to', value: to }),
      h('button', { class: 'button', type: 'submit' }, 'Sign in with GitHub'),
    ),
  ],
  'no-app': () => [
    h('h1', null, 'Not set up yet'),
    h(
      'p',
      { class: 'lead' },
      'This server has no GitHub App. Whoever runs it opens the setup page; the server says at its start where to find the URL.',
    ),
  ],
  'no-client': () => [
    h('h1', null, 'Nobody can sign in yet'),
    h(
      'p',
      { class: 'lead' },
      'This server does not know the client id of its GitHub App. Whoever runs it sets ',
      h('code', null, 'GITHUB_CLIENT_ID'),
      ' and ',
      h('code', null, 'GITHUB_CLIENT_SECRET'),
      ', both from the page of the app on GitHub.',
    ),
  ],
}

const reasons = {
  denied: ['You are not signed in', 'You told GitHub not to let this server know who you are.'],
  'other-browser': [
    'You are not signed in',
    'This sign-in was begun in another browser, under another address, or more than ten minutes ago.',
  ],
  refused: ['You are not signed in', 'GitHub did not take the sign-in. It is good once, and for ten minutes.'],
  'no-answer': ['You are not signed in', 'GitHub did not answer. Try it again in a moment.'],
} as const

/** @param again Absolute, on the address that GitHub knows. */
export function renderSignInFailurePage({ reason, again }: { reason: keyof typeof reasons; again: string }): string {
  const [title, text] = reasons[reason]
  return renderPage({
    title: `${title} · openapi-pages`,
    mainClass: 'plain',
    children: [
      h('h1', null, title),
      h('p', { class: 'lead' }, text),
      h('p', null, h('a', { class: 'button', href: again }, 'Try again')),
    ],
  })
}
