import { type FollowReference, isReference, listPlaces, typesIn, valueIn } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { type Check, countObjects, reportOnce } from './check-context.ts'

/**
 * Reports `nullable: true` where it has no effect: beside a `$ref` and without `type` in OpenAPI 3.0, and everywhere since 3.1. Source: OpenAPI 3.0.4,
 * "Reference Object" and "Schema Object", `nullable`; OpenAPI 3.1.0, release notes; JSON Schema 2020-12, validation, section 6.1.1.
 */
export const nullableIgnored: Check = ({ release, collected, follow }, report) => {
  const toType = (part: Place | undefined) => (part && typesIn(follow.end(part))[0]) ?? 'object'
  const isOld = release === '3.0'
  const ignored = collected.nullables.filter((schema) => !isOld || isReference(schema.value) || !mayBeNull(schema, follow))
  const toWhere = ({ value }: Place) => (!isOld ? '' : isReference(value) ? ' beside `$ref`' : ' without `type`')
  const toHint = (schema: Place) => {
    if (!isOld) return `Write ${describeFix(schema)}`
    if (!isReference(schema.value)) return `Add the type, such as \`type: ${toType(listParts(schema)[0])}\``
    return `Move the \`$ref\` into \`allOf\`, beside \`nullable\` and \`type: ${toType(schema)}\``
  }
  reportOnce(ignored, toWhere, report, (first, all) => ({
    key: 'nullable',
    message: `Unexpected \`nullable: true\`${toWhere(first)} in ${countObjects(all, 'Schema Object')}: OpenAPI ${release} ignores it`,
    hint: toHint(first),
    section: 'Schema Object',
  }))
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
