/** A longer text is not matched. */
const maxLength = 200

const known = new Map<string, RegExp | undefined>()

/**
 * Whether a text matches a pattern of a document; `undefined` where that is not tried.
 *
 * Some expressions take ages on a short text, and documents come from strangers: tried are those without repeated groups and
 * back-references and with at most two open repeats, on short texts.
 */
export function matchPattern(pattern: string, text: string): boolean | undefined {
  if (text.length > maxLength) return undefined
  if (!known.has(pattern)) {
    if (known.size > 1_000) known.clear()
    known.set(pattern, isQuick(pattern) ? compile(pattern) : undefined)
  }
  return known.get(pattern)?.test(text)
}

function isQuick(pattern: string): boolean {
  if (pattern.length > maxLength || /\\[1-9k]/.test(pattern)) return false
  // What stands in a class or is escaped repeats nothing.
  const plain = pattern.replace(/\\./gs, 'a').replace(/\[[^\]]*\]?/g, 'a')
  if (/\)[*+{]/.test(plain) || /\(\?[=!<]/.test(plain)) return false
  return (plain.match(/[*+]|\{\d+,/g) ?? []).length <= 2
}

/** As JSON Schema says: with the `u` flag where the pattern allows it. */
function compile(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // The next flags, or none: a broken pattern has its own finding.
    }
  }
  return undefined
}
