/** Formats choices as "`a`, `b` or `c`". */
export function listChoices(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `\`${choice}\``)
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : quoted.join('')
}

/** Lists the first entries, and counts the others: "a, b and 3 more". */
export function listFirst<Entry>(entries: readonly Entry[], most: number, toText: (entry: Entry) => string): string {
  const listed = entries.slice(0, most).map(toText).join(', ')
  return entries.length > most ? `${listed} and ${entries.length - most} more` : listed
}
