import { findFrontmatter } from './parse-page-frontmatter.ts'

/** The text of a page in the parts that a person writes alike in many pages. */
export interface PageParts {
  readonly lineEnd: '\n' | '\r\n'
  /** The top-level keys of the frontmatter, in order; comments are left out. */
  readonly entries: readonly FrontmatterEntry[]
  /** All that follows the closing `---`, its line end included. */
  readonly tail: string
}

export interface FrontmatterEntry {
  readonly key: string
  /** The value as it is written, with its quotes and without the blanks around it; lines end with `\n`. One that begins on the next line begins with it. */
  readonly raw: string
  readonly quote: '"' | "'" | ''
}

/** Splits the text of a page; `undefined` for one without frontmatter. Looks at lines only, so the YAML may have faults. */
export function splitPage(text: string): PageParts | undefined {
  const offsets = findFrontmatter(text)
  if (!offsets) return undefined
  const entries: { key: string; raw: string }[] = []
  for (const line of text.slice(offsets.start, offsets.end).split(/\r?\n/)) {
    const [, key, value] = /^("[^"]*"\s*|'[^']*'\s*|[^\s#'"-][^:]*):(?:\s(.*))?$/.exec(line) ?? []
    const last = entries.at(-1)
    if (key !== undefined) entries.push({ key: key.trimEnd().replace(/^(["'])(.*)\1$/, '$2'), raw: value ?? '' })
    else if (last && !line.startsWith('#')) last.raw += `\n${line}`
  }
  return {
    lineEnd: text.slice(0, offsets.start).includes('\r') ? '\r\n' : '\n',
    entries: entries.map(({ key, raw }) => ({ key, raw: toRaw(raw), quote: toQuote(raw.trim()) })),
    tail: text.slice(offsets.end).replace(/^---[ \t]*/, ''),
  }
}

function toRaw(raw: string): string {
  return raw.trimStart().length === 0 ? '' : raw.replace(/^[ \t]+/, '').trimEnd()
}

function toQuote(raw: string): FrontmatterEntry['quote'] {
  const first = raw.charAt(0)
  return first === '"' || first === "'" ? first : ''
}
