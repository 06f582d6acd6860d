import { jsxTemplate } from 'preact/jsx-runtime'

/** HTML that is put into a page as it is: made by rendering components, or from escaped text. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Puts rendered HTML among components. */
export function Raw({ html }: { readonly html: Html }) {
  return jsxTemplate([html.text])
}

/** Escapes a text for HTML, also for an attribute in double quotes, in the same way as `preact-render-to-string`. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** A text as it was before `escapeHtml`. */
export function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
