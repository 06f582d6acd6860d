import { expect, test } from 'vitest'
import { isDiagnosticCode } from '../../../src/diagnostics/diagnostic.ts'
import { sameAsOwnChecks } from '../../../src/docs/rules/drop-repeated.ts'
import { coreFunctions } from '../../../src/rules/functions/core-functions.ts'
import { openapiFunctions } from '../../../src/rules/functions/openapi/openapi-functions.ts'
import spectralOas from '../../../texts/spectral-oas.json' with { type: 'json' }

interface Action {
  readonly function: string
  readonly functionOptions?: unknown
}

const rules: readonly (readonly [string, { readonly recommended: boolean; readonly then: Action | readonly Action[] }])[] =
  Object.entries(spectralOas.rules)

/** The actions of all rules. */
const actions = rules.flatMap(([name, { then }]) => [then].flat().map((action) => ({ name, action })))

test('has the rules of Spectral 6.16', () => {
  const count = (isCounted: (name: string, recommended: boolean) => boolean) =>
    rules.filter(([name, { recommended }]) => isCounted(name, recommended)).length
  expect(count(() => true)).toBe(57)
  expect(count((name) => name.startsWith('oas2-'))).toBe(14)
  expect(count((_, recommended) => !recommended)).toBe(11)
})

test('uses functions with valid options', () => {
  const problems = actions.flatMap(({ name, action }) => {
    const definition = coreFunctions.get(action.function) ?? openapiFunctions.get(action.function)
    if (!definition) return [`${name}: no function ${action.function}`]
    const problem = definition.checkOptions(action.functionOptions)
    return problem ? [`${name}: ${problem.message}`] : []
  })
  expect(problems).toEqual([])
})

test('uses all functions for OpenAPI documents', () => {
  const used = new Set(actions.map(({ action }) => action.function))
  expect([...openapiFunctions.keys()].filter((name) => !used.has(name))).toEqual([])
})

test('uses aliases that exist', () => {
  const paths = JSON.stringify(spectralOas.rules).match(/#[A-Z]\w+/g) ?? []
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !Object.hasOwn(spectralOas.aliases, path.slice(1)))).toEqual([])
})

test('names rules and codes that exist as the same', () => {
  const names = Object.keys(sameAsOwnChecks)
  expect(names.filter((name) => !Object.hasOwn(spectralOas.rules, name))).toEqual([])
  expect(
    Object.values(sameAsOwnChecks)
      .flatMap(({ codes }) => codes)
      .filter((code) => !isDiagnosticCode(code)),
  ).toEqual([])
})
