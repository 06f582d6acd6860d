import { ConfigError } from '../errors.ts'
import type { JsonObject } from '../text/is-object.ts'
import { stringifyExactJson } from '../text/parse-json.ts'

/** A document as text that ends with a line end. The YAML reads the same by the rules of YAML 1.1 and 1.2, and has no aliases. */
export async function formatBundle(document: JsonObject, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${stringifyExactJson(document, 2)}\n`
  const { stringify } = await import('yaml')
  try {
    return stringify(document, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The library calls itself a few times for each level.
    throw new ConfigError('cannot write the bundle as YAML: it is nested too deeply', { hint: 'Write it with --format json.' })
  }
}
