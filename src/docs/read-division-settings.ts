import { defaultConfig, orderSettings, type SchemaPages, unlistedSettings } from './config.ts'
import { toReadByLabel } from './read-by-label.ts'

/** Reads `materialise` of the configuration file: `true` or `false`, also by the label of a division. */
export const readMaterialise = toReadByLabel({
  key: 'materialise',
  byDefault: defaultConfig.materialise.byDefault,
  isValue: isBoolean,
  expected: '`true` or `false`',
})

/** Reads `order`, also by the label of a division. */
export const readOrder = toReadByLabel({ key: 'order', byDefault: defaultConfig.order.byDefault, ...toWords(orderSettings) })

/** Reads `unlisted`, also by the label of a division. */
export const readUnlisted = toReadByLabel({
  key: 'unlisted',
  byDefault: defaultConfig.unlisted.byDefault,
  ...toWords(unlistedSettings),
})

/** Reads `schemas`: `true`, `false` or a list of names, also by the label of a division. */
export const readSchemas = toReadByLabel({
  key: 'schemas',
  byDefault: defaultConfig.schemas.byDefault,
  isValue: isSchemaPages,
  expected: '`true`, `false` or a list of names',
})

/** Reads `overviews`: `true` or `false`, also by the label of a division. */
export const readOverviews = toReadByLabel({
  key: 'overviews',
  byDefault: defaultConfig.overviews.byDefault,
  isValue: isBoolean,
  expected: '`true` or `false`',
})

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isSchemaPages(value: unknown): value is SchemaPages {
  return typeof value === 'boolean' || (Array.isArray(value) && value.every((name) => typeof name === 'string'))
}

function toWords<Word extends string>(words: readonly Word[]) {
  const isValue = (value: unknown): value is Word => words.some((word) => word === value)
  const quoted = words.map((word) => `\`${word}\``)
  return { isValue, words, expected: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` }
}
