import { type BundlePlan, unmaskKeys } from '../../openapi/bundle/plan-bundle.ts'
import { ConfigError } from '../../text/errors.ts'
import { isObject, type JsonObject, stringifyExactJson } from '../../text/json/json-values.ts'

/**
 * Assembles a planned bundle with swagger-parser, which reads only the given parts and neither disk nor network.
 *
 * `planBundle` decides where each part goes. On its own, the library inlines components at their first reference, resolves `$ref` inside
 * examples, drops discriminator mappings and rejects OpenAPI 3.2. For that reason the document is wrapped in a 3.0 document.
 */
export async function joinParts({ entry, parts }: BundlePlan): Promise<JsonObject> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
  const wrapper = { openapi: '3.0.4', info: { title: '', version: '' }, paths: {}, 'x-bundle': entry }
  const joined: unknown = await SwaggerParser.bundle(wrapper, {
    resolve: {
      file: false,
      http: false,
      parts: { order: 1, canRead: /^part:\d+$/, read: ({ url }: { readonly url: string }) => url.slice('part:'.length) },
    },
    parse: {
      json: false,
      yaml: false,
      text: false,
      binary: false,
      parts: {
        order: 1,
        canParse: true,
        allowEmpty: true,
        parse: ({ data }: { readonly data: unknown }) => parts[Number(data)],
      },
    },
  })
  const value = isObject(joined) ? unmaskKeys(joined['x-bundle']) : undefined
  return isObject(value) ? value : {}
}

/** Formats a document with a final newline. The YAML means the same in YAML 1.1 and 1.2 and has no aliases. */
export async function formatBundle(document: JsonObject, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${stringifyExactJson(document, 2)}\n`
  const { stringify } = await import('yaml')
  try {
    return stringify(document, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The library recurses several times per level.
    throw new ConfigError('cannot write the bundle as YAML: it is nested too deeply', { hint: 'Use --format json' })
  }
}
