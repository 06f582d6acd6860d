import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type ChangeCode, type ChangeLevel, changeCodes, defaultLevel } from '../../../src/openapi/changes/change-codes.ts'
import { compare } from '../../../src/openapi/changes/compare.ts'
import type { UnlocatedChange } from '../../../src/openapi/changes/types.ts'
import { propertyRuns, seed } from '../../support/properties.ts'
import { createRandom } from '../../support/random.ts'
import { comparePair, directions, makePairs } from './behavior.ts'
import { compareDocuments, readDocument } from './compare-documents.ts'
import { listValues, writeValue } from './document-values.ts'
import { everyField } from './every-field.ts'

/** Pairs of words in codes for a change and its opposite. */
const opposites: readonly (readonly [string, string])[] = [
  ['added', 'removed'],
  ['widened', 'narrowed'],
  ['tightened', 'loosened'],
  ['allowed', 'forbidden'],
  ['deprecated', 'reactivated'],
  ['raised', 'lowered'],
  ['became-required', 'became-optional'],
  ['became-nullable', 'became-not-nullable'],
]

/** The codes of the opposite change where the words do not tell it, or where it depends on what was there before. */
const special: { readonly [code: string]: readonly ChangeCode[] } = {
  'operation-added': ['operation-removed', 'operation-removed-early', 'operation-removed-deprecated', 'sunset-invalid'],
  'webhook-added': ['webhook-removed'],
  'required-parameter-added': ['parameter-removed', 'parameter-removed-early', 'parameter-removed-deprecated'],
  'optional-parameter-added': ['parameter-removed', 'parameter-removed-early', 'parameter-removed-deprecated'],
  'required-body-added': ['body-removed'],
  'optional-body-added': ['body-removed'],
  'response-added': ['response-removed', 'error-response-removed'],
  'header-added': ['required-header-removed', 'optional-header-removed'],
  'security-tightened': ['security-loosened', 'security-tightened'],
  'sunset-moved-up': ['sunset-postponed'],
  'sunset-removed': ['sunset-added'],
  'sunset-invalid': ['sunset-invalid', 'operation-added', 'sunset-added'],
  'extensible-enum-value-removed': ['extensible-enum-changed'],
  'extensible-enum-changed': ['extensible-enum-changed', 'extensible-enum-value-removed'],
  'limit-added': ['limit-removed'],
  // Without `minLength`, the limit is 0.
  'limit-tightened': ['limit-loosened', 'limit-removed'],
  'limit-removed': ['limit-added', 'limit-tightened'],
  'pattern-added': ['pattern-removed', 'pattern-widened'],
  'pattern-widened': ['pattern-added'],
  'required-property-added': ['required-property-removed', 'optional-property-removed'],
  'optional-property-added': ['optional-property-removed', 'required-property-removed'],
  'property-added-to-closed-object': ['optional-property-removed', 'required-property-removed'],
  'constraint-added': ['constraint-removed', 'limit-loosened'],
  'property-became-required': ['property-became-optional'],
  'required-property-no-longer-read-only': ['read-only-changed', 'required-property-added'],
  'required-property-returned': ['write-only-changed'],
  // In a parameter, any text matches `string`, and also `string` or `boolean`.
  'type-widened': ['type-widened', 'type-narrowed'],
  'tuple-item-added': ['tuple-item-removed', 'constraint-removed'],
  'enum-value-added': ['enum-value-removed'],
  'enum-added': ['enum-removed', 'const-removed'],
  'optional-property-removed': ['optional-property-added', 'property-added-to-closed-object', 'constraint-changed'],
  'required-property-removed': ['required-property-added'],
  'property-removed-from-closed-object': [
    ...(['property-added-to-closed-object', 'required-property-added', 'optional-property-added', 'constraint-changed'] as const),
  ],
}

function listOpposites(code: ChangeCode): ReadonlySet<string> {
  const found = new Set<string>(special[code])
  for (const [other, codes] of Object.entries(special)) if (codes.includes(code)) found.add(other)
  for (const [one, other] of [...opposites, ...opposites.map(([one, other]) => [other, one] as const)]) {
    const changed = code.replace(new RegExp(`(^|-)${one}($|-)`), `$1${other}$2`)
    if (changed !== code && changed in changeCodes) found.add(changed)
  }
  // A change without a direction is its own opposite.
  return found.size === 0 || code.endsWith('-changed') ? found.add(code) : found
}

/** The changes without an opposite of the same operations. */
function listUnmirrored(there: readonly UnlocatedChange[], back: readonly UnlocatedChange[]): string[] {
  const paths = ({ operations }: UnlocatedChange) => operations.map(({ path }) => path)
  return there.flatMap((change) => {
    const mirrors = listOpposites(change.code)
    const opposites = back.filter(({ code }) => mirrors.has(code))
    const isMirrored = opposites.length > 0 && paths(change).every((path) => opposites.some((one) => paths(one).includes(path)))
    return isMirrored
      ? []
      : [`${change.code} (${paths(change).join()}) has no opposite in ${back.map(({ code }) => code).join()}`]
  })
}

test('what breaks requests in one direction is compatible in the other', () => {
  const rank: { readonly [level in ChangeLevel]: number } = { breaking: 2, risky: 1, compatible: 0 }
  const codes = Object.keys(changeCodes) as ChangeCode[] // The keys of the table.
  const unexpected = codes.flatMap((code) => {
    return (['request', 'response'] as const).flatMap((direction) => {
      const [opposite, ...more] = listOpposites(code)
      // Without the body, its data is lost.
      if (opposite === code || opposite === undefined || more.length > 0 || opposite === 'body-removed') return []
      const levels = [defaultLevel(code, direction), defaultLevel(opposite as ChangeCode, direction)] as const // A key of the table.
      return rank[levels[0]] + rank[levels[1]] > 2 ? [`${direction}: ${code} ${levels[0]}, ${opposite} ${levels[1]}`] : []
    })
  })
  expect(unexpected).toEqual([])
})

test('each change of a schema has an opposite in the other direction, and two compatible changes are compatible together', async () => {
  const unmirrored: unknown[] = []
  const unexpected: unknown[] = []
  let composed = 0
  for (let index = 0; index < propertyRuns(500); index++) {
    const pairs = makePairs(createRandom(seed + index * 1_000_003))
    const compared: UnlocatedChange[][] = []
    for (const pair of pairs) {
      const [there, back] = [await comparePair(pair), await comparePair({ ...pair, ...swap(pair) })]
      compared.push([...there])
      // As text, the types of one version can include those of the other in both directions.
      const found = listUnmirrored(there, back).filter((one) => pair.position === 'body' || !/^(?:type-|became-)/.test(one))
      if (found.length > 0) unmirrored.push({ found, pair })
    }
    for (const [position, first] of pairs.entries()) {
      const [second, one, other] = [pairs[position + 1], compared[position], compared[position + 1]]
      if (!second || !one || !other) continue
      const open = directions.filter((direction) => isCompatible(one, direction) && isCompatible(other, direction))
      if (open.length === 0) continue
      const statusCodes = [first.statusCodes[0], second.statusCodes[1]] as const
      const together = await comparePair({ ...second, base: first.base, statusCodes })
      composed += open.length
      for (const direction of open.filter((each) => !isCompatible(together, each))) {
        const codes = together.flatMap(({ code, level }) => (level === 'compatible' ? [] : [`${level} ${code}`]))
        unexpected.push({ direction, codes, base: first.base, between: second.base, revision: second.revision })
      }
    }
  }
  expect(unmirrored.slice(0, 3)).toEqual([])
  // The second change can bring back what the first one hid.
  if (unexpected.length > composed / 1_000) expect(unexpected.slice(0, 3)).toEqual([])
  // Otherwise, the test does not test anything.
  expect(composed).toBeGreaterThan(0)
})

function isCompatible(changes: readonly UnlocatedChange[], direction: string): boolean {
  return changes.every(
    ({ level, operations }) => level === 'compatible' || operations.every(({ path }) => path !== `/${direction}`),
  )
}

function swap({ base, revision, statusCodes: [from, to] }: Awaited<ReturnType<typeof makePairs>>[number]) {
  return { base: revision, revision: base, statusCodes: [to, from] as const }
}

test('each removed value of a document has an opposite in the other direction', async () => {
  const unmirrored: string[] = []
  for (const document of everyField) {
    const random = createRandom(seed)
    const base = await readDocument(JSON.stringify(document))
    const values = listValues(document).filter(() => random() < propertyRuns(200) / 200)
    for (const { segments } of values) {
      const changed = structuredClone(document)
      writeValue(changed, segments, undefined)
      const revision = await readDocument(JSON.stringify(changed))
      const [there, back] = [compare(base, revision, { today: '2026-06-15' }), compare(revision, base, { today: '2026-06-15' })]
      const found = listUnmirrored(there.changes, back.changes)
      if (found.length > 0) unmirrored.push(`/${segments.join('/')}: ${found.join('; ')}`)
    }
  }
  expect(unmirrored).toEqual([])
})

const removals: readonly (readonly [title: string, find: string, replace: string])[] = [
  ['an enum value', '["a","b"]}', '["a"]}'],
  ['a limit', ',"maximum":10', ''],
  ['a parameter', '{"name":"limit","in":"query","schema":{"type":"integer","maximum":10}},', ''],
  ['an alternative', ',{"$ref":"#/components/schemas/Cat"}', ''],
  ['a required name', '"required":["kind","id"]', '"required":["id"]'],
  ['a response', '"204":{', '"x-204":{'],
  ['a security requirement', '{"key":[]},', ''],
]

test.each(removals)('finds the same places for %s in both directions', async (_title, find, replace) => {
  const base = JSON.stringify(parse(readFileSync('test/openapi/changes/most-objects.yaml', 'utf8')))
  const revision = base.replace(find, replace)
  expect(revision).not.toBe(base)
  const toPlaces = (one: 'base' | 'revision', changes: Awaited<ReturnType<typeof compareDocuments>>) => {
    return [
      ...new Set(changes.flatMap((change) => change.operations.map((operation) => `${operation.path} ${change[one]?.pointer}`))),
    ].sort()
  }
  const there = await compareDocuments(base, revision)
  const back = await compareDocuments(revision, base)
  expect(there.length).toBeGreaterThan(0)
  expect(toPlaces('base', there)).toEqual(toPlaces('revision', back))
})
