import { renderGithub } from '../../scripts/render-github.ts'

/** What Markdown becomes on GitHub, as far as it can do anything. */
export interface GithubText {
  /** Names of the elements, without repeats. */
  readonly elements: readonly string[]
  /** Attributes that are there, without repeats. */
  readonly attributes: readonly string[]
  /** Where its links lead. */
  readonly links: readonly string[]
  /** What GitHub makes of plain text after Markdown: mentions, references to issues and commits, emoji, formulas, addresses. */
  readonly references: readonly string[]
  /** Whether each `<details>` is closed. */
  readonly isBalanced: boolean
  /** For each row of each table, whether it has as many cells as its head. */
  readonly wholeRows: readonly boolean[]
}

/**
 * Reads Markdown as GitHub does: its own specification first (tables, addresses, HTML let through), then the filters of its pipeline over
 * the text outside of code and links.
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
      // Formulas are looked for in the Markdown itself: there a backslash takes the meaning from a `$`.
      ...(markdown.replaceAll(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|\\./g, '').match(/\$[^\s$][^$]*\$/g) ?? []),
    ],
    isBalanced: html.match(/<details>/g)?.length === html.match(/<\/details>/g)?.length,
    wholeRows: readTables(markdown),
  }
}

const filters = [
  // People and teams.
  /(?<![\w`/])@[a-z\d](?:[a-z\d-]*)(?:\/[\w-]+)?/gi,
  // Issues, and those of other repositories.
  /#\d+/g,
  /(?<![\w])gh-\d+/gi,
  // Commits, advisories.
  /(?<![\w])[0-9a-f]{7,40}(?![\w])/gi,
  /(?<![\w])(?:ghsa|cve)-[\w-]+/gi,
  // Emoji.
  /:[\w+-]+:/g,
  // Addresses that a browser would make something of.
  /[a-z]+:\/\/\S+/gi,
  /www\.\S+/gi,
]

/** Cells that are too many are dropped and missing ones made, so that the HTML does not tell. Source: GFM, "Tables (extension)". */
function readTables(markdown: string): boolean[] {
  const widthOf = (row: string) => row.replaceAll(/\\\|/g, '').split('|').length
  const tables = markdown.match(/^\|.*(?:\n\|.*)*/gm) ?? []
  return tables.flatMap((table) => {
    const [head = '', , ...rows] = table.split('\n')
    return rows.map((row) => widthOf(row) === widthOf(head))
  })
}
