import { isObject, readOwn } from '../../text/json/json-values.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'

/** Tests whether a document has a format. OpenAPI documents have none of the formats with `never`. */
type FormatTest = (document: unknown) => boolean

const never: FormatTest = () => false

/** Spectral accepts version numbers without patch, and no suffix such as `3.1.0-rc1`. */
function openapi(pattern: RegExp): FormatTest {
  return (document) => isOpenapi(document) && pattern.test(String(document['openapi']))
}

const isOpenapi = (document: unknown): document is { readonly openapi: unknown } =>
  isObject(document) && Number.parseInt(String(readOwn(document, 'openapi')), 10) === 3

/**
 * The formats by the names that Spectral's own rulesets use.
 *
 * Source: Spectral, "Formats" (docs/guides/4-custom-rulesets.md) and the package `@stoplight/spectral-formats` 1.9.
 */
const formats: { readonly [name: string]: FormatTest } = {
  oas2: never,
  oas3: isOpenapi,
  oas3_0: openapi(/^3\.0(?:\.[0-9]*)?$/),
  oas3_1: openapi(/^3\.1(?:\.[0-9]*)?$/),
  oas3_2: openapi(/^3\.2(?:\.[0-9]*)?$/),
  aas2: never,
  aas2_0: never,
  aas2_1: never,
  aas2_2: never,
  aas2_3: never,
  aas2_4: never,
  aas2_5: never,
  aas2_6: never,
  aas3: never,
  aas3_0: never,
  asyncapi2: never,
  asyncapi3: never,
  arazzo1: never,
  arazzo1_0: never,
  jsonSchema: never,
  jsonSchemaLoose: never,
  jsonSchemaDraft4: never,
  jsonSchemaDraft6: never,
  jsonSchemaDraft7: never,
  jsonSchemaDraft2019_09: never,
  jsonSchema2019_09: never,
  jsonSchemaDraft2020_12: never,
  jsonSchema2020_12: never,
}

/** `oas3.1`, `oas3_1` and `OAS31` are the same format. */
const toKey = (name: string) => name.toLowerCase().replace(/[._-]/g, '')

const byKey = new Map(Object.keys(formats).map((name) => [toKey(name), name]))

/** The name of a format in `Rule.formats`, from a name in a ruleset such as `oas3.1`. Undefined if there is no such format. */
export function toFormat(written: string): string | undefined {
  return byKey.get(toKey(written))
}

/** The hint for an unknown format. */
export function formatHint(written: string): string {
  return didYouMean(suggest(written, Object.keys(formats))) ?? 'Use `oas3`, `oas3_0`, `oas3_1` or `oas3_2`'
}

/** The formats of a document, by the names of `Rule.formats`. */
export function formatsOf(document: unknown): ReadonlySet<string> {
  return new Set(Object.keys(formats).filter((name) => formats[name]?.(document)))
}
