import { isObject, pointerChild } from '../../text/json/json-values.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import { citedEdition } from '../walk.ts'
import { type Check, findComponents } from './check-context.ts'

/**
 * Reports values of `discriminator.mapping` that do not resolve to a schema: a name missing from `components.schemas`, or an unresolved
 * reference.
 *
 * Names that could be files are only checked if another reference loads the file. Source: OpenAPI 3.1.1, "Discriminator Object".
 */
export const discriminatorMapping: Check = (context, report) => {
  const { collected, release, suggest } = context
  if (collected.discriminators.length === 0) return
  const schemas = findComponents(context, 'schemas').value
  const names = isObject(schemas) ? Object.keys(schemas) : []
  const known = new Set(names)
  for (const { file, pointer, value } of collected.discriminators) {
    const { discriminator } = value
    if (!isObject(discriminator)) continue
    const { mapping, defaultMapping } = discriminator
    const targets = isObject(mapping)
      ? Object.keys(mapping).map((name) => [`/mapping${pointerChild('', name)}`, mapping[name]])
      : []
    if (release === '3.2' && defaultMapping !== undefined) targets.push(['/defaultMapping', defaultMapping])
    for (const [at, target] of targets) {
      if (typeof target !== 'string') continue
      const isName = /^[a-zA-Z0-9._-]+$/.test(target)
      if (isName && (known.has(target) || /\.(?:json|ya?ml)$/i.test(target))) continue
      const found = isName ? undefined : context.findUri(file, target)
      if (!isName && (!found || 'place' in found)) continue
      const reason =
        found && 'failure' in found ? found.failure.message.replace(/^[^:]*: /, '') : '`components.schemas` does not define it'
      const near = isName
        ? didYouMean(suggest(target, () => names))
        : found && 'failure' in found
          ? found.failure.hint
          : undefined
      report({
        code: 'discriminator-mapping',
        message: `Cannot find discriminator schema \`${shorten(target)}\`: ${reason}`,
        file,
        pointer: `${pointer}/discriminator${String(at)}`,
        section: `OpenAPI ${citedEdition[release]}, Discriminator Object`,
        ...(near === undefined ? {} : { hint: near }),
      })
    }
  }
}
