import { toNode } from '../model/api.ts'
import { keywordsOf, readDiscriminator } from '../model/schema.ts'
import { childPlace, followOnly, listPlaces, maxChain, toPlaceKey } from '../openapi/references/follow-reference.ts'
import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { Check, CheckContext } from './check-context.ts'

/** Maximum depth of nested schemas. */
const maxDepth = 200

/** The use of a property in a schema and its subschemas. A merged schema cannot tell it: every alternative has to have the property. */
interface PropertyUse {
  described: boolean
  required: boolean
  /** A subschema could not be read, so the result is uncertain. */
  unknown: boolean
}

/**
 * Reports a discriminator if one of its schemas does not define and require the property. Each discriminator is reported once.
 *
 * Source: OpenAPI 3.1.1, "Discriminator Object", `propertyName`: it SHOULD be required. With `defaultMapping` (3.2), it is optional.
 */
export const discriminatorProperty: Check = (context, report) => {
  const { collected, release } = context
  const findUse = toFindUse(context)
  for (const schema of collected.discriminators) {
    const { propertyName, hasDefault } = readDiscriminator(schema)
    if (propertyName === undefined || (release === '3.2' && hasDefault)) continue
    const own = findUse(schema, propertyName, 'alone')
    if (own.unknown || (own.described && own.required)) continue
    const choices = listChoices(schema)
    const lacking = choices.length === 0 ? own : undefined
    const wrong = choices
      .map((choice) => context.follow.end(choice))
      .find((choice) => {
        const use = findUse(choice, propertyName, 'parts')
        return !use.unknown && !((use.required || own.required) && (use.described || own.described))
      })
    if (!wrong && !lacking) continue
    const use = lacking ?? (wrong ? findUse(wrong, propertyName, 'parts') : own)
    const name = wrong?.pointer.split('/').at(-1) ?? ''
    const where = !wrong || /^\d*$/.test(name) ? 'the schema' : `\`${shorten(name)}\``
    const property = shorten(propertyName)
    const described = use.described || own.described
    report({
      at: { file: schema.file, pointer: `${schema.pointer}/discriminator` },
      key: 'propertyName',
      message: `Unexpected \`${property}\` for \`propertyName\`: ${where} does not ${described ? 'require' : 'define'} it, expected a required property`,
      hint: described
        ? `Add \`${property}\` to the \`required\` list`
        : `Define \`${property}\` in \`properties\` and add it to \`required\``,
      section: 'Discriminator Object',
      ...(wrong ? { related: [{ file: wrong.file, pointer: wrong.pointer, message: 'this schema' }] } : {}),
    })
  }
}

function listChoices(schema: Place): Place[] {
  return ['oneOf', 'anyOf'].flatMap((keyword) => listPlaces(schema, keyword))
}

type FindUse = (schema: Place, property: string, mode: 'alone' | 'parts', depth?: number) => PropertyUse

/**
 * Creates a function that searches a schema, its `$ref` and its `allOf`. With `parts`, it also searches the alternatives, which must all have
 * the property.
 *
 * Each schema is searched once per property, because many discriminators can share their schemas.
 */
function toFindUse({ follow }: CheckContext): FindUse {
  const known = new Map<string, PropertyUse>()
  const findUse: FindUse = (schema, property, mode, depth = 0) => {
    const key = `${mode} ${toPlaceKey(followOnly(schema, follow))} ${property}`
    const before = known.get(key)
    if (before) return before
    const use: PropertyUse = { described: false, required: false, unknown: true }
    if (depth > maxDepth) return use
    // A schema that contains itself is uncertain.
    known.set(key, { ...use })
    use.unknown = false
    search(schema, property, mode, depth, use)
    if (toNode(schema, { follow }).isUnresolved) use.unknown = true
    known.set(key, use)
    return use
  }
  const search = (schema: Place, property: string, mode: 'alone' | 'parts', depth: number, use: PropertyUse) => {
    const chain = follow.chain(schema)
    if (chain.length > maxChain) use.unknown = true
    for (const place of chain.filter(follow.counts)) {
      if (childPlace(childPlace(place, 'properties'), property).value !== undefined) use.described = true
      if (keywordsOf(place).required?.includes(property)) use.required = true
      const choices = mode === 'alone' ? [] : listChoices(place)
      const inParts = listPlaces(place, 'allOf').map((part) => findUse(part, property, 'parts', depth + 1))
      const inChoices = choices.map((choice) => findUse(choice, property, 'parts', depth + 1))
      for (const fact of ['described', 'required'] as const) {
        use[fact] ||= inParts.some((part) => part[fact]) || (choices.length > 0 && inChoices.every((choice) => choice[fact]))
      }
      use.unknown ||= [...inParts, ...inChoices].some(({ unknown }) => unknown)
    }
  }
  return findUse
}
