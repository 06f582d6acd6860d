/** What begins a paragraph wherever it stands: a word, a quote, strong words, code, or the text of a link. */
const start = /^(?:[A-Za-z"'(]|\*\*[A-Za-z`]|`[^`\n]|!?\[[A-Za-z`*])/
/**
 * What may make something else of lines, or reach beyond a blank line: HTML, what links and footnotes are defined by, other ends of lines, and at the
 * start of a line what lists, quotes, headings, tables, rules and fences begin with.
 */
const other = /[<\r]|\]:|\n[ \t]*(?:[-+>#|=~:_\n]|\*(?!\*[A-Za-z`])|\d|```|[ \t])/

/**
 * The paragraphs of a Markdown text that has nothing else, each of which says the same without the others: many descriptions have some in common.
 * Absent for all other texts, and for a single paragraph.
 */
export function splitParagraphs(text: string): readonly string[] | undefined {
  const paragraphs = text.replace(/(?<!\n)\n+$/, '').split(/\n\n+/)
  if (paragraphs.length === 1) return undefined
  return paragraphs.every((paragraph) => start.test(paragraph) && !other.test(paragraph)) ? paragraphs : undefined
}
