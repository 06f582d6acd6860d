/** Whether a text may have a formula between two dollars each, or as `<Latex>`. */
export function mayHaveFormula(text: string): boolean {
  return text.includes('$$') || text.includes('<Latex') || hasDollarFormula(text)
}

/**
 * Whether a text surely has a formula between one dollar each: one with a command or a power in it. In most texts a dollar is money, or a variable
 * of a shell. The host takes it for a formula's everywhere, so that pages with formulas have written their money as `\$5`.
 */
export function hasDollarFormula(text: string): boolean {
  // What follows a dollar is only looked at, up to the next one, so that each character is read once.
  for (const [, inside = ''] of text.matchAll(/(?<![\\$])\$(?![\s$])(?=([^$\n]+)\$(?!\$))/g)) {
    if (/\\[A-Za-z]|\^/.test(inside)) return true
  }
  return false
}
