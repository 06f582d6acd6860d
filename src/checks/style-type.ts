import { mergeWhole } from '../model/schema.ts'
import { childPlace, valueIn } from '../openapi/references/follow-reference.ts'
import { type Check, countObjects, reportOnce } from './check-context.ts'

/** The types that each of these styles can write. */
const typesOf: { readonly [style: string]: readonly string[] } = {
  deepObject: ['object'],
  spaceDelimited: ['array', 'object'],
  pipeDelimited: ['array', 'object'],
}

/** Reports a `style` without a meaning for the type of its parameter. Source: OpenAPI 3.0.4, "Parameter Object", "Style Examples". */
export const styleType: Check = ({ collected, follow }, report) => {
  const wrong = collected.styled.flatMap((place) => {
    const style = String(valueIn(place, 'style'))
    const { types } = mergeWhole([childPlace(place, 'schema')], follow)
    const type = types.some((one) => typesOf[style]?.includes(one)) ? undefined : types[0]
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
