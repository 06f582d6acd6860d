/** Where an address stands in a text as a value of its own, between quotes, in the brackets of Markdown or behind an attribute's `=`; -1 where it does not. */
export function findAddress(text: string, href: string): number {
  for (let at = text.indexOf(href); at !== -1; at = text.indexOf(href, at + 1)) {
    if (/["'`(<\s:=]/.test(text[at - 1] ?? '\n') && /["'`)>\s]/.test(text[at + href.length] ?? '\n')) return at
  }
  return -1
}
