import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import { findSchemaTarget, toPlaceKey } from './context.ts'
import { findMappedSchema } from './find-mapped-schema.ts'
import type { MergedSchema } from './merge-schema.ts'
import { listPlaces, mapPlaces, readText } from './read-fields.ts'
import { type SchemaSetting, toSchemaView } from './to-schema-view.ts'
import type { ChoiceOption, ChoiceView } from './types.ts'

/** The choices of a schema, `oneOf` and `anyOf`, with labels that tell them apart; a choice of `null` makes the schema nullable instead. */
export function toChoices(
  merged: MergedSchema,
  chain: readonly Place[],
  setting: SchemaSetting,
): { choices: ChoiceView[]; isNullable: boolean } {
  const choices: ChoiceView[] = []
  let isNullable = false
  const own = new Set(chain.map(toPlaceKey))
  for (const part of merged.parts) {
    const isOwn = own.has(toPlaceKey(part))
    const labels = toDiscriminatorLabels(part)
    const before = choices.length
    for (const kind of ['oneOf', 'anyOf'] as const) {
      const all = listPlaces(part, kind)
      const places = all.filter((place) => !isNull(place))
      if (places.length < all.length) isNullable = true
      // One of the kinds of a schema is not all its kinds again: `Cat` is `allOf` `Pet`, which is `oneOf` `Cat`, `Dog`.
      if (places.length === 0 || (!isOwn && places.some((place) => isAround(place, setting)))) continue
      const options = places.map((place) => toOption(place, labels, setting))
      choices.push({ kind, discriminator: labels.property, options: makeUnique(options) })
    }
    // The kinds of a schema may be known by the mapping alone.
    if (isOwn && choices.length === before && labels.mapped.length > 0) {
      const options = labels.mapped.flatMap(({ label, value }) => {
        const place = findMappedSchema(value, part.file, setting.context)
        return place && !isAround(place, setting) ? [{ label, schema: toSchemaView(place, setting) }] : []
      })
      if (options.length > 0) choices.push({ kind: 'oneOf', discriminator: labels.property, options: makeUnique(options) })
    }
  }
  return { choices, isNullable }
}

function isAround(place: Place, { context, around }: SchemaSetting): boolean {
  return around.has(toPlaceKey(context.follow.end(place)))
}

function isNull({ value }: Place): boolean {
  return (
    isObject(value) &&
    (value['type'] === 'null' ||
      value['const'] === null ||
      (Array.isArray(value['enum']) && value['enum'].every((one) => one === null)))
  )
}

interface DiscriminatorLabels {
  readonly property: string | undefined
  /** The values of the mapping by the text of the reference or the name of the schema. */
  readonly byReference: ReadonlyMap<string, string>
  /** The mapping as it is written, in order. */
  readonly mapped: readonly { readonly label: string; readonly value: string }[]
}

/** Source: OpenAPI 3.2.0, "Discriminator Object". */
function toDiscriminatorLabels(part: Place): DiscriminatorLabels {
  const discriminator = childPlace(part, 'discriminator')
  const byReference = new Map<string, string>()
  const mapped: { label: string; value: string }[] = []
  for (const { name, place } of mapPlaces(discriminator, 'mapping')) {
    if (typeof place.value !== 'string') continue
    mapped.push({ label: name, value: place.value })
    byReference.set(place.value, name)
    byReference.set(`#/components/schemas/${place.value}`, name)
  }
  return { property: readText(discriminator.value, 'propertyName'), byReference, mapped }
}

function toOption(place: Place, { property, byReference }: DiscriminatorLabels, setting: SchemaSetting): ChoiceOption {
  const schema = toSchemaView(place, setting)
  const reference = readText(place.value, '$ref')
  const target = reference === undefined ? undefined : findSchemaTarget(setting.context, setting.context.follow.end(place))
  const mapped = reference === undefined ? undefined : byReference.get(reference)
  const byName = property === undefined ? undefined : (mapped ?? findConstant(schema, property))
  const label = byName ?? schema.title ?? target?.name ?? schema.type.map(({ text }) => text).join('')
  return { label, schema }
}

/** The one value that the discriminator's property can have. */
function findConstant(schema: ChoiceOption['schema'], property: string): string | undefined {
  const found = schema.properties.find(({ name }) => name === property)?.schema
  const always = found?.facts.find((fact) => fact.kind === 'value' && fact.label === 'Always')
  if (always?.kind === 'value') return always.value
  return found?.enum.length === 1 ? found.enum[0]?.value : undefined
}

function makeUnique(options: readonly ChoiceOption[]): ChoiceOption[] {
  const counts = new Map<string, number>()
  return options.map((option) => {
    const count = (counts.get(option.label) ?? 0) + 1
    counts.set(option.label, count)
    return count === 1 ? option : { ...option, label: `${option.label} ${count}` }
  })
}
