import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import {
  formatLimit,
  holdLimits,
  type LimitName,
  type Limits,
  type LimitValues,
  limitBounds,
  limitNames,
} from '../text/limits.ts'
import { suggest } from '../text/suggest.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

/**
 * Reads `limits`: a mapping of names to sizes (`64 MiB`), times (`60 s`) and counts.
 *
 * @param ceilings what a value can be at most where the file is a stranger's: more is held down to it, which is said.
 */
export function readLimits(value: unknown, report: Report, ceilings: LimitValues): Limits {
  const byDefault = holdLimits(ceilings)
  if (value === undefined) return byDefault
  if (!isObject(value)) {
    const hint = 'write for example `limits: { document-size: 64 MiB }`'
    report({ code: 'wrong-type', message: 'Unexpected value for `limits`, expected a mapping', pointer: '/limits', hint })
    return byDefault
  }
  const values = { ...byDefault.values }
  for (const [key, written] of Object.entries(value)) {
    const pointer = pointerChild('/limits', key)
    const name = limitNames.find((known) => known === key)
    if (name === undefined) {
      const near = suggest(key, limitNames)
      const message = `Unexpected limit \`${key}\`, expected ${limitNames.map((known) => `\`${known}\``).join(', ')}`
      const hint = near === undefined ? {} : { hint: `did you mean \`${near}\`?` }
      report({ code: 'unknown-field', message, pointer, on: 'key', ...hint })
      continue
    }
    const read = readLimit(name, written)
    if (typeof read === 'number' && read <= ceilings[name]) values[name] = read
    else if (typeof read === 'number') {
      values[name] = ceilings[name]
      const message = `Cannot use ${formatLimit(name, read)} for \`${name}\` here: it is held to ${formatLimit(name, ceilings[name])}`
      report({ code: 'wrong-value', severity: 'info', message, pointer })
    } else report({ ...read, pointer })
  }
  return { values, ceilings }
}

/** Units that may be written; a count and a time need none, which is then a number of seconds. */
const units = { bytes: { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }, milliseconds: { s: 1_000 }, count: {} } as const

/** The value of a limit within its bounds, or what is wrong with it. */
function readLimit(name: LimitName, written: unknown): number | Pick<Finding, 'code' | 'message' | 'hint'> {
  const { unit, least, most } = limitBounds[name]
  const match = /^(\d{1,12})(?: ?([A-Za-z]+))?$/.exec(
    typeof written === 'number' || typeof written === 'string' ? `${written}` : '',
  )
  const factors: { readonly [unit: string]: number } = units[unit]
  const bare = { bytes: undefined, milliseconds: 1_000, count: 1 }[unit]
  const factor = match?.[2] === undefined ? bare : factors[match[2]]
  if (!match || factor === undefined) {
    const expected = { count: 'a whole number', bytes: 'a size with `KiB`, `MiB` or `GiB`', milliseconds: 'seconds' }[unit]
    return { code: 'wrong-type', message: `Unexpected value for \`${name}\`, expected ${expected}`, hint: toHint(name) }
  }
  const value = Number(match[1]) * factor
  if (value >= least && value <= most) return value
  const message = `Unexpected \`${written}\` for \`${name}\`, expected from ${formatLimit(name, least)} to ${formatLimit(name, most)}`
  return { code: 'wrong-value', message, ...(unit === 'milliseconds' ? { hint: toHint(name) } : {}) }
}

function toHint(name: LimitName): string {
  const { unit, byDefault } = limitBounds[name]
  const example = formatLimit(name, byDefault)
  if (unit !== 'milliseconds') return `write for example \`${name}: ${example}\``
  return `the value is in seconds: write for example \`${name}: ${byDefault / 1_000}\` or \`${name}: ${example}\``
}
