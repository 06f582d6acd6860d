import type { Finding } from '../../diagnostics/diagnostic.ts'
import { readOwn } from '../../text/json/json-values.ts'
import {
  capLimits,
  defaultLimits,
  formatLimit,
  type LimitName,
  type Limits,
  limitBounds,
  limitNames,
} from '../../text/plain/limits.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { readEntries, type Setting } from './config-setting.ts'

const limitSettings = Object.fromEntries(limitNames.map((name) => [name, toSetting(name)])) as {
  readonly [Name in LimitName]: Setting<number>
} // One entry for each name.

const example = 'document-size: 64 MiB'

/**
 * `limits`: a mapping from names to sizes (`64 MiB`), times (`60 s`) and counts.
 *
 * Values above the ceilings for untrusted configuration files are reported and reduced.
 */
export const limits: Setting<Limits> = {
  description: 'Limits for the size, depth and number of inputs',
  see: 'Limits',
  example,
  keys: limitSettings,
  byDefault: defaultLimits,
  read: (written, place) => {
    const unknown = (key: string) => `limit \`${key}\`, expected ${listChoices(limitNames)}`
    const entries = readEntries(written, place, { keys: limitSettings, example, unknown })
    if (!entries) return undefined
    const { values, ceilings } = capLimits(place.ceilings)
    return { values: { ...values, ...Object.fromEntries(entries) }, ceilings }
  },
}

function toSetting(name: LimitName): Setting<number> {
  const { unit, byDefault, least, most, appliesTo } = limitBounds[name]
  const scale = unit === 'milliseconds' ? 1_000 : 1
  const number = { type: 'integer', minimum: least / scale, maximum: most / scale }
  const text = { bytes: '^\\d{1,12} ?(KiB|MiB|GiB)$', milliseconds: '^\\d{1,12}( ?s)?$', count: '^\\d{1,12}$' }[unit]
  const pattern = { type: 'string', pattern: text }
  return {
    description: `${appliesTo}. Default: ${formatLimit(name, byDefault)}. At most ${formatLimit(name, most)}`,
    schema: { anyOf: unit === 'bytes' ? [pattern] : [number, pattern] },
    byDefault,
    read: (written, { pointer, ceilings, report }) => {
      const value = toLimit(name, written)
      if (typeof value !== 'number') {
        report({ ...value, pointer })
        return undefined
      }
      const ceiling = ceilings[name]
      if (value <= ceiling) return value
      const message = `Unexpected \`${formatLimit(name, value)}\` for \`${name}\`, using the maximum of ${formatLimit(name, ceiling)} instead`
      report({ code: 'wrong-value', severity: 'info', message, pointer })
      return ceiling
    },
  }
}

/** Accepted units. Counts and times need no unit: a plain number is a count or a number of seconds. */
const units = { bytes: { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }, milliseconds: { s: 1_000 }, count: {} } as const

/** Converts a limit and checks its range. Returns the problem if the value is invalid. */
function toLimit(name: LimitName, written: unknown): number | Pick<Finding, 'code' | 'message' | 'hint'> {
  const { unit, least, most } = limitBounds[name]
  const match = /^(\d{1,12})(?: ?([A-Za-z]+))?$/.exec(
    typeof written === 'number' || typeof written === 'string' ? `${written}` : '',
  )
  const factors: { readonly [unit: string]: number } = units[unit]
  const bare = { bytes: undefined, milliseconds: 1_000, count: 1 }[unit]
  const factor = match?.[2] === undefined ? bare : readOwn(factors, match[2])
  if (!match || factor === undefined) {
    const expected = { count: 'a whole number', bytes: 'a size with `KiB`, `MiB` or `GiB`', milliseconds: 'seconds' }[unit]
    return { code: 'wrong-type', message: `Unexpected value for \`${name}\`, expected ${expected}`, hint: toHint(name) }
  }
  const value = Number(match[1]) * factor
  if (value >= least && value <= most) return value
  const message = `Unexpected \`${written}\` for \`${name}\`, expected a value from ${formatLimit(name, least)} to ${formatLimit(name, most)}`
  return { code: 'wrong-value', message, ...(unit === 'milliseconds' ? { hint: toHint(name) } : {}) }
}

function toHint(name: LimitName): string {
  const { unit, byDefault } = limitBounds[name]
  const example = formatLimit(name, byDefault)
  if (unit !== 'milliseconds') return `Use a value such as \`${name}: ${example}\``
  return `Write the value in seconds, for example \`${name}: ${byDefault / 1_000}\` or \`${name}: ${example}\``
}
