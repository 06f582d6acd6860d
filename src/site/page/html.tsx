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
