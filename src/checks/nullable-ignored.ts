import { typesIn } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { formatNumber, groupBy } from '../text/plain/lists.ts'
import type { Check } from './check-context.ts'

/** Places that are listed besides the first. */
const maxRelated = 10

/**
 * Reports `nullable: true` where it has no effect, once per file, because many documents have hundreds: beside a `$ref` in OpenAPI 3.0, and everywhere
 * since 3.1. Source: OpenAPI 3.0.4, "Reference Object"; OpenAPI 3.1.0, release notes; JSON Schema 2020-12, validation, section 6.1.1.
 */
export const nullableIgnored: Check = ({ release, collected }, report) => {
  for (const [first, ...others] of groupBy(collected.nullables, ({ file }) => file).values()) {
    if (!first) continue
    const count = others.length + 1
    const isOld = release === '3.0'
    const place = count === 1 ? 'a Schema Object' : `${formatNumber(count)} Schema Objects`
    const where = isOld ? `beside \`$ref\` in ${place}` : `in ${place}`
    report({
      at: first,
      key: 'nullable',
      message: `Unexpected \`nullable: true\` ${where}: OpenAPI ${release} ignores it`,
      on: 'key',
      hint: isOld ? 'Move the `$ref` into `allOf`, beside `nullable`' : `Write ${describeFix(first)}`,
      section: 'Schema Object',
      related: others
        .slice(0, maxRelated)
        .map(({ pointer }) => ({ pointer: `${pointer}/nullable`, on: 'key' as const, message: 'also here' })),
    })
  }
}

function describeFix(schema: Place): string {
  const types = typesIn(schema).filter((one) => one !== 'null' && /^[a-z]+$/.test(one))
  return types.length === 0 ? '`anyOf` with the schema and `type: "null"`' : `\`type: [${types.join(', ')}, "null"]\``
}
