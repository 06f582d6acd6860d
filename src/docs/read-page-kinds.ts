import type { Finding } from '../diagnostic/diagnostic.ts'
import { isObject } from '../text/is-object.ts'
import { pointerChild } from '../text/json-pointer.ts'
import { type ByLabel, defaultConfig, type SchemaPages } from './config.ts'

type Report = (finding: Omit<Finding, 'file'>) => void

/** Reads `schemas` of the configuration file: `true`, `false`, a list of names, or one of these by the label of a division. */
export function readSchemas(value: unknown, report: Report): ByLabel<SchemaPages> {
  const isSchemaPages = (given: unknown): given is SchemaPages => {
    return typeof given === 'boolean' || (Array.isArray(given) && given.every((name) => typeof name === 'string'))
  }
  return readByLabel('schemas', value, isSchemaPages, '`true`, `false` or a list of names', report) ?? defaultConfig.schemas
}

/** Reads `overviews` of the configuration file: `true`, `false`, or one of these by the label of a division. */
export function readOverviews(value: unknown, report: Report): ByLabel<boolean> {
  const isBoolean = (given: unknown) => typeof given === 'boolean'
  return readByLabel('overviews', value, isBoolean, '`true` or `false`', report) ?? defaultConfig.overviews
}

function readByLabel<Value>(
  key: 'schemas' | 'overviews',
  value: unknown,
  isValue: (given: unknown) => given is Value,
  expected: string,
  report: Report,
): ByLabel<Value> | undefined {
  if (value === undefined) return undefined
  const byDefault = defaultConfig[key].byDefault
  // The defaults of both settings are values that they take.
  if (!isValue(byDefault)) return undefined
  if (isValue(value)) return { byDefault: value, byLabel: [] }
  if (!isObject(value)) {
    const message = `Unexpected value for \`${key}\`, expected ${expected}, or a mapping of division labels to these`
    report({ code: 'wrong-type', message, pointer: pointerChild('', key) })
    return undefined
  }
  const byLabel = Object.entries(value).flatMap(([label, given]) => {
    const pointer = pointerChild(pointerChild('', key), label)
    if (isValue(given)) return [{ label, value: given, pointer }]
    report({ code: 'wrong-type', message: `Unexpected value for \`${label}\` in \`${key}\`, expected ${expected}`, pointer })
    return []
  })
  return { byDefault, byLabel }
}
