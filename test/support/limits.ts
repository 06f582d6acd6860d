/** A number that values must not pass. */
export interface Limit {
  readonly value: number
  /** Whether the number itself is not accepted. */
  readonly isOpen: boolean
  readonly isLower: boolean
}

export function accepts(limits: readonly Limit[], number: number): boolean {
  return limits.every(({ value, isOpen, isLower }) => (number === value ? !isOpen : isLower ? number > value : number < value))
}

/** The limits in words: `1 to 5`, `Exactly 1`, `More than 0, at most 2.5`. Empty for other texts. */
export function parseLimits(text: string): Limit[] {
  const parts = text
    .replace(/^Exactly (\S+)$/, '$1 to $1')
    .replace(/^([\d,.e+-]+) to ([\d,.e+-]+)$/, 'At least $1, at most $2')
    .split(', ')
  const limits = parts.flatMap((part) => {
    const [, words, number = ''] = /^(at least|more than|at most|less than) (-?[\d,]+(?:\.\d+)?(?:e[+-]?\d+)?)$/i.exec(part) ?? []
    if (words === undefined) return []
    const isLower = /least|more/i.test(words)
    return [{ value: Number(number.replaceAll(',', '')), isOpen: /than/i.test(words), isLower }]
  })
  return limits.length === parts.length ? limits : []
}
