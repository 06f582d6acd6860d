import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** Renders Markdown like GitHub, as far as its specification goes: tables, strikethrough, autolinks and raw HTML. */
export function renderGithub(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
}
