import { formatCount } from '../diagnostics/diagnostic.ts'
import { mapPlaces } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { locatePointers } from '../text/parse-source.ts'
import { groupBy } from '../text/plain/lists.ts'
import type { SourceFile } from '../text/plain/source-file.ts'
import type { Check } from './check-context.ts'

/** Places that are listed besides the first. */
const maxRelated = 10

/**
 * Reports response codes without quotes in YAML files, once per file. Source: OpenAPI 3.1.1, "Responses Object": the field MUST be enclosed in
 * quotation marks. Parsers disagree about numbers as keys, but most read them as text, so this is an info.
 */
export async function checkResponseCodes(
  responses: readonly Place[],
  sources: ReadonlyMap<string, SourceFile>,
  report: Parameters<Check>[1],
): Promise<void> {
  for (const [file, inFile] of groupBy(responses, (each) => each.file)) {
    const source = sources.get(file)
    // Most documents have none, and looking up places takes as long as parsing.
    if (!source || !/(?:^|[\n\r{,])[ \t-]*[1-5]\d\d[ \t]*:/.test(source.text)) continue
    const codes = inFile
      .flatMap((one) => mapPlaces(one, undefined).map(({ name, place }) => ({ key: name, pointer: place.pointer })))
      .filter(({ key }) => /^[1-5]\d\d$/.test(key))
    const places = await locatePointers(
      source,
      codes.map(({ pointer }) => pointer),
    )
    const unquoted = codes.filter(({ key, pointer }) => {
      const at = places.get(pointer)?.key
      return at !== undefined && source.text.slice(at.start, at.end) === key
    })
    const [first, ...others] = unquoted
    if (!first) continue
    report({
      at: { file, pointer: first.pointer },
      message: `Unexpected number for ${others.length === 0 ? 'a response code' : formatCount(unquoted.length, 'response code')}, expected \`'${first.key}'\``,
      on: 'key',
      hint: 'Quote response codes, or run `openapi-pages check --fix`',
      section: 'Responses Object',
      places: unquoted.map(({ pointer }) => pointer),
      related: others.slice(0, maxRelated).map(({ pointer }) => ({ pointer, on: 'key' as const, message: 'also here' })),
    })
  }
}
