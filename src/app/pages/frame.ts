import { type ComponentChild, h } from 'preact'
import { icon } from './icons.ts'

/** What stands around a page of somebody who signed in. */
export interface Frame {
  readonly login: string
  readonly section: 'projects' | 'updates' | undefined
  /** Beside the page; a drawer where there is no room. */
  readonly aside?: ComponentChild
}

const sections = [
  { name: 'projects', label: 'Projects', href: '/projects' },
  { name: 'updates', label: 'Updates', href: '/updates' },
] as const

export function sectionLinks({ section }: Frame): ComponentChild {
  return h(
    'nav',
    { class: 'sections', 'aria-label': 'Sections' },
    sections.map(({ name, label, href }) => h('a', { href, ...(name === section && { 'aria-current': 'true' }) }, label)),
  )
}

export function signOutForm({ login }: Frame): ComponentChild {
  return h(
    'form',
    { class: 'person', method: 'post', action: '/sign-out' },
    h('span', { class: 'login' }, login),
    h('button', { class: 'button quiet', type: 'submit' }, 'Sign out'),
  )
}

/** Always shown where there is room, by style alone. */
export function drawer(label: string, content: ComponentChild): ComponentChild {
  return h(
    'details',
    { class: 'side', 'data-fold': 'side' },
    h('summary', null, icon('menu'), h('span', { class: 'hidden' }, 'Navigation: '), label),
    h('nav', { 'aria-label': label }, content),
  )
}
