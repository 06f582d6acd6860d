import { listFirst } from '../text/plain/lists.ts'
import { type Check, countObjects, reportOnce } from './check-context.ts'

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
