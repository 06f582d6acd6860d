import { mergeWhole } from '../model/schema.ts'
import {
  childPlace,
  type FollowReference,
  isReference,
  listPlaces,
  typesIn,
  valueIn,
} from '../openapi/references/follow-reference.ts'
import { type Place, pointerChild } from '../text/json/json-values.ts'
import { formatNumber, groupBy, listFirst } from '../text/plain/lists.ts'
import type { Check, CheckProblem } from './check-context.ts'

/** Places that are listed besides the first. */
const maxRelated = 10

/** Reports objects with one mistake once per file and `keyOf`, because many documents have hundreds of them. `key` is a field of each. */
function reportOnce<Each extends Place>(
  places: readonly Each[],
  keyOf: (place: Each) => string,
  report: (problem: CheckProblem) => void,
  toProblem: (first: Each, all: readonly Each[]) => Omit<CheckProblem, 'at' | 'related'> & { readonly key: string },
): void {
  for (const all of groupBy(places, (place) => `${place.file}\n${keyOf(place)}`).values()) {
    const [first, ...others] = all
    if (!first) continue
    const problem = toProblem(first, all)
    const related = others
      .slice(0, maxRelated)
      .map(({ pointer }) => ({ pointer: pointerChild(pointer, problem.key), on: 'key' as const, message: 'also here' }))
    report({ at: first, on: 'key', related, ...problem })
  }
}

/** `a Schema Object`, or how many. */
function countObjects({ length }: readonly Place[], title: string): string {
  return length === 1 ? `a ${title}` : `${formatNumber(length)} ${title}s`
}

/** Reports fields beside a `$ref` that are ignored. Source: OpenAPI 3.0.4, "Reference Object"; OpenAPI 3.1.1, likewise for all but Schema Objects. */
export const siblingIgnored: Check = ({ release, collected }, report) =>
  reportOnce(
    collected.siblings,
    ({ title }) => title,
    report,
    ({ title, keywords: [key = ''] }, all) => {
      const keywords = [...new Set(all.flatMap((one) => one.keywords))]
      const list = listFirst(keywords, 5, (keyword) => `\`${keyword}\``)
      const move =
        title === 'Schema Object'
          ? 'Move the `$ref` into `allOf`, beside the others'
          : 'Move them to the object that the `$ref` names'
      return {
        key,
        message: `Unexpected ${list} beside \`$ref\` in ${countObjects(all, title)}: OpenAPI ${release} ignores such fields`,
        hint: keywords.join() === 'type' ? 'Remove it: the schema that the `$ref` names has one' : move,
        section: 'Reference Object',
      }
    },
  )

/** The types that each of these styles can write. */
const typesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['deepObject', ['object']],
  ['spaceDelimited', ['array', 'object']],
  ['pipeDelimited', ['array', 'object']],
])

/** Reports a `style` without a meaning for the type of its parameter. Source: OpenAPI 3.0.4, "Parameter Object", "Style Examples". */
export const styleType: Check = ({ collected, follow }, report) => {
  const wrong = collected.styled.flatMap((place) => {
    const style = String(valueIn(place, 'style'))
    const schema = childPlace(place, 'schema')
    const own = typesIn(schema).filter((one) => one !== 'null')
    const types = own.length > 0 ? own : mergeWhole([schema], follow).types
    const type = types.some((one) => typesOf.get(style)?.includes(one)) ? undefined : types[0]
    return type === undefined ? [] : [{ ...place, style, type }]
  })
  reportOnce(
    wrong,
    ({ style, type }) => `${style} ${type}`,
    report,
    ({ style, type }, all) => ({
      key: 'style',
      message: `Unexpected \`style: ${style}\` for \`type: ${type}\` in ${countObjects(all, 'Parameter Object')}: it has no meaning there`,
      hint: type === 'array' ? 'Remove `style`: `a=1&a=2` is the default' : 'Remove `style`',
      section: 'Parameter Object',
    }),
  )
}

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
    if (isReference(schema.value)) return `Move the \`$ref\` into \`allOf\`, beside \`nullable\` and \`type: ${toType(schema)}\``
    const choice = choiceKeywords.find((keyword) => valueIn(schema, keyword) !== undefined)
    return choice === undefined
      ? `Add the type, such as \`type: ${toType(listParts(schema)[0])}\``
      : `Write \`nullable: true\` beside \`type\` in one of the schemas of \`${choice}\``
  }
  reportOnce(ignored, toWhere, report, (first, all) => ({
    key: 'nullable',
    message: `Unexpected \`nullable: true\`${toWhere(first)} in ${countObjects(all, 'Schema Object')}: OpenAPI ${release} ignores it`,
    hint: toHint(first),
    section: 'Schema Object',
  }))
}

const choiceKeywords = ['anyOf', 'oneOf']

function listParts(schema: Place): Place[] {
  return ['allOf', ...choiceKeywords].flatMap((keyword) => listPlaces(schema, keyword))
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
