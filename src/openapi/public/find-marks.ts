/** The extensions with which documents choose what readers and agents may see. */
const marks = ['x-mint', 'x-mint-enum', 'x-excluded', 'x-mcp'] as readonly string[]

const known = new WeakMap<object, ReadonlySet<string>>()

/** Finds the marks that a parsed value has anywhere, even in examples: a key can be written with escapes, so its text does not tell. Walks each value once. */
export function findMarks(value: unknown): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return new Set()
  const before = known.get(value)
  if (before) return before
  const found = new Set<string>()
  collect(value, found)
  known.set(value, found)
  return found
}

function collect(value: object, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object' && element !== null) collect(element, found)
    return
  }
  for (const key in value) {
    // Compared first: few keys begin like this.
    if (key.charCodeAt(0) === 120 && marks.includes(key)) found.add(key)
    const child: unknown = Reflect.get(value, key)
    if (typeof child === 'object' && child !== null) collect(child, found)
  }
}

/** Whether a file with syntax errors may have a mark. Its value is not known, so escapes are resolved in its text. */
export function mayHaveMarks(text: string): boolean {
  const plain = text.replace(/\\(?:(?:u|x|U)([0-9a-f]{8}|[0-9a-f]{4}|[0-9a-f]{2})|\r?\n[ \t]*)/gi, (_, digits?: string) => {
    const code = Number.parseInt(digits ?? '', 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
  return marks.some((mark) => plain.includes(mark))
}
