import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/** The effects of Markdown on GitHub. */
interface GithubText {
  /** Names of the elements, without duplicates. */
  readonly elements: readonly string[]
  /** Names of the attributes, without duplicates. */
  readonly attributes: readonly string[]
  /** Targets of the links. */
  readonly links: readonly string[]
  /** What GitHub makes of plain text after Markdown: mentions, references to issues and commits, emoji, formulas, URLs. */
  readonly references: readonly string[]
  /** Whether each `<details>` is closed. */
  readonly isBalanced: boolean
  /** For each row of each table, whether it has as many cells as the head. */
  readonly wholeRows: readonly boolean[]
}

/**
 * Reads Markdown as GitHub does: first its specification (tables, URLs, raw HTML), then the filters of its pipeline over the text
 * outside of code and links.
 *
 * Source: "GitHub Flavored Markdown Spec"; "Autolinked references and URLs"; the filters of `html-pipeline`.
 */
export function readGithub(markdown: string): GithubText {
  const html = renderGithub(markdown)
  const tags = [...html.matchAll(/<(\/?)([a-z][\w-]*)((?:\s[^>]*)?)>|<!--[\s\S]*?-->|<[!?]/gi)]
  const opened = tags.filter(([, closing, name]) => closing === '' && name !== undefined)
  const text = html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/<(code|a|pre)\b[^>]*>[\s\S]*?<\/\1>/g, '\u0001')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? '&')
  return {
    elements: [...new Set(opened.map(([, , name]) => name ?? ''))].sort(),
    attributes: [
      ...new Set(
        opened.flatMap(([, , , rest]) =>
          [...(rest ?? '').replaceAll(/"[^"]*"/g, '').matchAll(/([\w-]+)=/g)].map(([, name]) => name ?? ''),
        ),
      ),
    ].sort(),
    links: [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address ?? ''),
    references: [
      ...filters.flatMap((filter) => [...text.matchAll(filter)].map(([found]) => found)),
      // Formulas are detected in the Markdown source, where a backslash escapes a `$`.
      ...(markdown.replaceAll(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\\./g, '').match(/\$[^\s$][^$]*\$/g) ?? []),
    ],
    isBalanced: html.match(/<details>/g)?.length === html.match(/<\/details>/g)?.length,
    wholeRows: readTables(markdown),
  }
}

const filters = [
  // People and teams.
  /(?<![\w`/])@[a-z\d](?:[a-z\d-]*)(?:\/[\w-]+)?/gi,
  // Issues, also of other repositories.
  /#\d+/g,
  /(?<![\w])gh-\d+/gi,
  // Commits, advisories.
  /(?<![\w])[0-9a-f]{7,40}(?![\w])/gi,
  /(?<![\w])(?:ghsa|cve)-[\w-]+/gi,
  // Emoji.
  /:[\w+-]+:/g,
  // Text that a browser could treat as a URL.
  /[a-z]+:\/\/\S+/gi,
  /www\.\S+/gi,
]

/** Extra cells are dropped and missing ones added, so the HTML does not show them. Source: GFM, "Tables (extension)". */
function readTables(markdown: string): boolean[] {
  const widthOf = (row: string) => row.replaceAll(/\\\|/g, '').split('|').length
  const tables = markdown.match(/^\|.*(?:\n\|.*)*/gm) ?? []
  return tables.flatMap((table) => {
    const [head = '', , ...rows] = table.split('\n')
    return rows.map((row) => widthOf(row) === widthOf(head))
  })
}

/** Renders Markdown like GitHub, as far as its specification goes: tables, strikethrough, autolinks and raw HTML. */
export function renderGithub(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
}
