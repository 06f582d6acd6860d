/** Formats choices as "`a`, `b` or `c`". */
export function listChoices(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `\`${choice}\``)
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` : quoted.join('')
}
