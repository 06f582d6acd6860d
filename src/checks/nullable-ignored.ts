import { type FollowReference, isReference, listPlaces, typesIn, valueIn } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { type Check, countObjects, reportPerFile } from './check-context.ts'

/**
 * Reports `nullable: true` where it has no effect: beside a `$ref` and without `type` in OpenAPI 3.0, and everywhere since 3.1. Source: OpenAPI 3.0.4,
 * "Reference Object" and "Schema Object", `nullable`; OpenAPI 3.1.0, release notes; JSON Schema 2020-12, validation, section 6.1.1.
 */
export const nullableIgnored: Check = ({ release, collected, follow }, report) => {
  const reportIn = (places: readonly Place[], where: string, toHint: (first: Place) => string) =>
    reportPerFile(places, report, (first, count) => ({
      key: 'nullable',
      message: `Unexpected \`nullable: true\`${where} in ${countObjects(count, 'Schema Object')}: OpenAPI ${release} ignores it`,
      hint: toHint(first),
      section: 'Schema Object',
    }))
  if (release !== '3.0') return reportIn(collected.nullables, '', (first) => `Write ${describeFix(first)}`)
  const beside = collected.nullables.filter(({ value }) => isReference(value))
  const toType = (parts: readonly Place[]) =>
    typesIn(follow.end(parts[0] ?? { file: '', pointer: '', value: undefined }))[0] ?? 'object'
  reportIn(
    beside,
    ' beside `$ref`',
    (first) => `Move the \`$ref\` into \`allOf\`, beside \`nullable\` and \`type: ${toType([first])}\``,
  )
  const untyped = collected.nullables.filter((schema) => !isReference(schema.value) && !mayBeNull(schema, follow))
  reportIn(untyped, ' without `type`', (first) => `Add the type, such as \`type: ${toType(listParts(first))}\``)
}

function listParts(schema: Place): Place[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listPlaces(schema, keyword))
}

/** Whether `null` may match one of the parts. */
function mayBeNull(schema: Place, follow: FollowReference): boolean {
  return listParts(schema)
    .map((part) => follow.end(part))
    .some((end) => valueIn(end, 'nullable') === true || valueIn(end, 'type') === undefined)
}

function describeFix(schema: Place): string {
  const types = typesIn(schema).filter((one) => one !== 'null' && /^[a-z]+$/.test(one))
  return types.length === 0 ? '`anyOf` with the schema and `type: "null"`' : `\`type: [${types.join(', ')}, "null"]\``
}
