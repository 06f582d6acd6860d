import { groupBy, listFirst } from '../text/plain/lists.ts'
import { type Check, countObjects, reportPerFile } from './check-context.ts'

/** Reports fields beside a `$ref` that are ignored. Source: OpenAPI 3.0.4, "Reference Object"; OpenAPI 3.1.1, likewise for all but Schema Objects. */
export const siblingIgnored: Check = ({ release, collected }, report) => {
  for (const [title, siblings] of groupBy(collected.siblings, (one) => one.title)) {
    for (const inFile of groupBy(siblings, ({ file }) => file).values()) {
      const places = [...new Map(inFile.toReversed().map((one) => [one.value, one])).values()].toReversed()
      const keywords = [...new Set(inFile.map(({ keyword }) => keyword))]
      const isType = keywords.every((keyword) => keyword === 'type')
      const move =
        title === 'Schema Object'
          ? 'Move the `$ref` into `allOf`, beside the others'
          : 'Move them to the object that the `$ref` names'
      reportPerFile(places, report, (_, count) => ({
        key: inFile[0]?.keyword ?? '',
        message: `Unexpected ${listFirst(keywords, 5, (keyword) => `\`${keyword}\``)} beside \`$ref\` in ${countObjects(count, title)}: OpenAPI ${release} ignores such fields`,
        hint: isType ? 'Remove it: the schema that the `$ref` names has one' : move,
        section: 'Reference Object',
      }))
    }
  }
}
