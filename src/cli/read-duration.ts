import { ConfigError } from '../errors.ts'

const unitMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000 }

/**
 * Reads `90s`, `10m` or `1h` as milliseconds; a bare number is seconds. At most a day.
 *
 * @param name of the option, for the message.
 * @throws {ConfigError}
 */
export function readDuration(text: string, name: string): number {
  const [, number = '', unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)([smh])?$/.exec(text.trim()) ?? []
  const ms = Number(number) * (unitMs[unit] ?? 0)
  if (number !== '' && ms > 0 && ms <= 86_400_000) return ms
  throw new ConfigError(`Unexpected \`${text}\` for ${name}, expected a time of up to a day`, {
    hint: 'for example `90s`, `10m` or `1h`',
  })
}
