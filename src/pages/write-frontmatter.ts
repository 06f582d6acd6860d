import { stringify } from 'yaml'

const options = { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false } as const

/** Text on one line that is itself in YAML, whatever stands after it; what is not certain is left to the library. */
const plain = /^[a-z](?:[a-z0-9_/{}().,'+=-]| (?=[a-z0-9_/{}().,'+=]))*$/i
/** Words that a reader of YAML 1.1 or 1.2 takes for something else than text, and ends that have to be quoted. */
const special = /^(?:y|yes|n|no|on|off|true|false|null)$|-$/i
/** Lines of text that a literal block can hold. */
const lines = /^[^\s\p{Cc}\p{Surrogate}][^\p{Surrogate}]*$/u
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/
const key = /^[a-z][a-z-]+$/i

/**
 * Writes the YAML of frontmatter, valid and saying the same to readers of YAML 1.1 and 1.2.
 *
 * The bytes are those of the library `yaml`. Titles, bindings and descriptions, which are nearly all there is, are written without it.
 */
export function writeFrontmatter(frontmatter: ReadonlyMap<string, unknown>): string {
  if (frontmatter.size === 0) return stringify(frontmatter, options)
  return [...frontmatter]
    .map(([name, value]) => writeSimple(name, value) ?? stringify(new Map([[name, value]]), options))
    .join('')
}

function writeSimple(name: string, value: unknown): string | undefined {
  if (!key.test(name) || special.test(name)) return undefined
  if (typeof value === 'boolean') return `${name}: ${value}\n`
  if (typeof value !== 'string') return undefined
  if (plain.test(value)) return special.test(value) ? undefined : `${name}: ${value}\n`
  if (!value.includes('\n') || !lines.test(value) || control.test(value) || /\s$/.test(value)) return undefined
  return `${name}: |-\n  ${value.replace(/\n+/g, '$&  ')}\n`
}
