import { stringify } from 'yaml'
import { isObject, readOwn } from '../../text/json/json-values.ts'
import { parseYaml } from '../../text/yaml/parse-yaml.ts'

/** Formats a line of frontmatter. The value is quoted only if YAML would read it as something else. */
export function quoteLine(key: string, value: unknown): string {
  if (typeof value === 'string' && !value.includes('\n')) {
    const line = `${key}: ${value}\n`
    if (isYamlFor(line, key)) return line
  }
  return stringify(new Map([[key, value]]), { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

function isYamlFor(line: string, key: string): boolean {
  const { value, faults } = parseYaml(line)
  const read = isObject(value) ? readOwn(value, key) : undefined
  const raw = line.slice(key.length + 2, -1)
  if (faults.length > 0 || read === undefined || raw.includes('#')) return false
  return typeof read === 'string' ? read === raw : typeof read !== 'object'
}
