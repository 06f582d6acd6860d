import { ConfigError } from '../errors.ts'
import { unmaskKeys } from '../openapi/bundle/embed-values.ts'
import type { BundlePlan } from '../openapi/bundle/plan-bundle.ts'
import { isObject, type JsonObject } from '../source/is-object.ts'
import { stringifyExactJson } from '../source/parse-json.ts'

/**
 * Puts a planned bundle together with swagger-parser, which reads nothing but the parts: no disk, no network.
 *
 * Which parts there are and where each goes is planned by us. Left to itself the library writes an object where the first reference to it
 * stands and leads the others there (`#/paths/~1nfs/get/responses/500`), so that components lose their names; it takes a `$ref` in an
 * example for a reference, leads a second use of an operation to the first by a `$ref` that OpenAPI does not have there, forgets
 * discriminator mappings, and refuses 3.2 by its number. So the document travels inside one that it knows.
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
