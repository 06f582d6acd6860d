import { mapPlaces } from '../openapi/references/follow-reference.ts'
import { didYouMean, shorten } from '../text/plain/suggest.ts'
import { type Check, listMappedSchemas } from './check-context.ts'

/**
 * Reports values of `discriminator.mapping` that do not resolve to a schema: a name missing from `components.schemas`, or an unresolved
 * reference.
 *
 * A file without a known extension could be a name. Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export const discriminatorMapping: Check = (context, report) => {
  for (const { at, schemas, found } of listMappedSchemas(context)) {
    const { value } = at
    if (found && 'place' in found) continue
    const failure = found?.failure
    // A file without a known extension is rare, a misspelled name is not.
    if (!failure && (!/^[\w.-]+$/.test(value) || /\.(?:json|ya?ml)$/i.test(value))) continue
    const names = () => mapPlaces(schemas, undefined).map(({ name }) => name)
    const reason = failure?.message.replace(/^[^:]*: /, '') ?? '`components.schemas` does not define it'
    report({
      at,
      message: `Cannot find discriminator schema \`${shorten(value)}\`: ${reason}`,
      section: 'Discriminator Object',
      hint: failure ? failure.hint : didYouMean(context.suggest(value, names)),
    })
  }
}
