import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** Renders Markdown as GitHub does, as far as its own specification goes: tables, strikethrough, addresses, and HTML let through. */
export function renderGithub(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
}
