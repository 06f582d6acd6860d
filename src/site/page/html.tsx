import { jsxTemplate } from 'preact/jsx-runtime'

/** Trusted HTML: rendered by components, or built from escaped text. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Inserts trusted HTML into components. */
export function Raw({ html }: { readonly html: Html }) {
  return jsxTemplate([html.text])
}

/** Escapes text for HTML and for attributes in double quotes, like `preact-render-to-string`. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Reverses `escapeHtml`. */
export function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Text with the parts in backticks as code. An unpaired backtick is left unchanged. */
export function InlineCode({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
