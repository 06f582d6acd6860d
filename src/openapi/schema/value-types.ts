/** The most specific JSON Schema type of a JSON value. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value
}

/** The types that the keyword `type` lists. */
export function listTypes(type: unknown): string[] {
  return [type].flat().filter((one) => typeof one === 'string')
}

/** Whether a list of types allows values of a type. An integer is a number. */
export function includesType(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

/** The types that both lists allow. */
export function commonTypes(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set([...first, ...second])].filter((type) => includesType(first, type) && includesType(second, type))
}
