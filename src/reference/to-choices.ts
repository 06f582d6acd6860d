import { childPlace } from '../openapi/collect-operations.ts'
import type { Place } from '../openapi/follow-reference.ts'
import { isObject } from '../text/is-object.ts'
import { findSchemaTarget } from './context.ts'
import type { MergedSchema } from './merge-schema.ts'
import { listPlaces, mapPlaces, readText } from './read-fields.ts'
import { type SchemaSetting, toSchemaView } from './to-schema-view.ts'
import type { ChoiceOption, ChoiceView } from './types.ts'

/** The choices of a schema, `oneOf` and `anyOf`, with labels that tell them apart; a choice of `null` makes the schema nullable instead. */
export function toChoices(merged: MergedSchema, setting: SchemaSetting): { choices: ChoiceView[]; isNullable: boolean } {
  const choices: ChoiceView[] = []
  let isNullable = false
  for (const part of merged.parts) {
    const labels = toDiscriminatorLabels(part, setting)
    for (const kind of ['oneOf', 'anyOf'] as const) {
      const all = listPlaces(part, kind)
      const places = all.filter((place) => !isNull(place))
      if (places.length < all.length) isNullable = true
      if (places.length === 0 || setting.budget.rows <= 0) continue
      const options = places.map((place) => toOption(place, labels, setting))
      choices.push({ kind, discriminator: labels.property, options: makeUnique(options) })
    }
  }
  return { choices, isNullable }
}

function isNull({ value }: Place): boolean {
  return (
    isObject(value) && (value['type'] === 'null' || (Array.isArray(value['enum']) && value['enum'].every((one) => one === null)))
  )
}

interface DiscriminatorLabels {
  readonly property: string | undefined
  /** The values of the mapping by the text of the reference or the name of the schema. */
  readonly byReference: ReadonlyMap<string, string>
}

/** Source: OpenAPI 3.2.0, "Discriminator Object". */
function toDiscriminatorLabels(part: Place, _: SchemaSetting): DiscriminatorLabels {
  const discriminator = childPlace(part, 'discriminator')
  const byReference = new Map<string, string>()
  for (const { name, place } of mapPlaces(discriminator, 'mapping')) {
    if (typeof place.value !== 'string') continue
    byReference.set(place.value, name)
    byReference.set(`#/components/schemas/${place.value}`, name)
  }
  return { property: readText(discriminator.value, 'propertyName'), byReference }
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
