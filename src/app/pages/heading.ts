import { type ComponentChild, h } from 'preact'

/** The heading of a section, which can be linked to, with how many there are. */
export function heading(id: string, label: string, number?: number | undefined): ComponentChild {
  return h('h2', { id }, label, number !== undefined && h('small', null, number.toLocaleString('en-US')))
}
