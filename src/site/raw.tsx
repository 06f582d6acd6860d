import { jsxTemplate } from 'preact/jsx-runtime'
import type { Html } from './html.ts'

/** HTML of our own among components. */
export function Raw({ html }: { readonly html: Html }) {
  return jsxTemplate([html.text])
}
