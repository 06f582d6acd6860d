import { type ComponentChild, h } from 'preact'
import type { Project } from '../../status/types.ts'
import { publishForm } from './project-page.ts'

/**
 * What was just done, by the word in the address that the form led to; nothing for any other word.
 *
 * @param before The commit that was shown until now: publishing it takes the step back.
 */
export function notice(project: Project, name: string | undefined, before: string | undefined): ComponentChild {
  switch (name) {
    case 'published':
      return h(
        'div',
        { class: 'note is-success', role: 'status' },
        h('span', null, 'Published. Visitors see it from now on.'),
        before !== undefined && publishForm(project, before, 'Undo'),
      )
    case 'unchanged':
      return h('div', { class: 'note is-info', role: 'status' }, 'The site shows this commit already.')
    case 'link-revoked':
      return h('div', { class: 'note is-success', role: 'status' }, 'The link lets nobody in any more.')
    case 'saved':
      return h('div', { class: 'note is-success', role: 'status' }, 'Saved.')
    default:
      return undefined
  }
}
