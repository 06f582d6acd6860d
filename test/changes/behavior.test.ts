import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ChangeCode, type ChangeLevel, changeCodes, defaultLevel, type UnlocatedChange } from '../../src/changes/change.ts'
import { runsOr, seed } from '../support/properties.ts'
import { createRandom, type Random } from '../support/random.ts'
import { type BehaviorPair, comparePair, createSearch, directions, isDescribed, makePairs, plainKeys } from './behavior.ts'
import { listOpposites, listUnmirrored } from './opposite-codes.ts'
import { formats, numberFormats, type Schema } from './random-schemas.ts'

/** Values that are tried before a change counts as one without a value. */
const tries = { usual: 30, breaking: 1_000 }

const documented = readFileSync('docs/internal/change-levels.md', 'utf8').split('## Breaking without such a value')[1] ?? ''
const codesWithoutValue = new Set([...documented.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, code]) => code))

interface Verdict {
  /** Pairs with a value that is refused although no change is breaking or risky. */
  readonly missed: unknown[]
  /** Codes of breaking changes without a refused value, with their pairs. */
  readonly unproved: { readonly codes: readonly string[]; readonly pair: BehaviorPair }[]
  /** Changes without an opposite in the other direction. */
  readonly unmirrored: unknown[]
  /** Pairs of compatible changes that are not compatible together. */
  readonly composed: unknown[]
  pairs: number
  small: number
  refused: number
  compatible: number
}

function judge(pair: BehaviorPair, changes: readonly UnlocatedChange[], random: Random, verdict: Verdict): void {
  verdict.pairs++
  if (pair.isSmall) verdict.small++
  for (const direction of directions) {
    const own = changes.filter(({ operations }) => operations.some(({ path }) => path === `/${direction}`))
    const [breaking, risky] = ['breaking', 'risky'].map((level) => own.filter((change) => change.level === level))
    const search = createSearch(pair, direction)
    let isSent = false
    let refused: { readonly refused: unknown } | undefined
    const look = (count: number, isOpen: boolean) => {
      for (let index = 0; index < count && !refused; index++) {
        const found = search(random, { hasUnknownProperties: isOpen && index % 2 === 1 })
        isSent ||= found !== 'invalid'
        if (typeof found === 'object') refused = found
      }
    }
    look(tries.usual, false)
    if (refused) verdict.refused++
    const isMissed = refused && breaking?.length === 0 && risky?.length === 0
    const counts = () => isDescribed(pair, direction, refused?.refused) && (direction === 'request' || hasValue(pair, random))
    if (isMissed && counts()) verdict.missed.push({ ...pair, direction, ...refused })
    if (!pair.isSmall || breaking?.length === 0) continue
    look(tries.breaking, true)
    if (!refused && isSent) verdict.unproved.push({ codes: (breaking ?? []).map(({ code }) => code), pair })
  }
}

/** Whether the base describes any response. A schema that contradicts itself describes none, and no client can expect one. */
function hasValue(pair: BehaviorPair, random: Random): boolean {
  const search = createSearch({ ...pair, revision: pair.base }, 'response')
  return Array.from({ length: tries.breaking }).some(() => search(random, { hasUnknownProperties: false }) === 'accepted')
}

/** What a comparison finds must have an opposite if the versions change places. */
async function reverse(pair: BehaviorPair, there: readonly UnlocatedChange[], verdict: Verdict): Promise<void> {
  const { base, revision, keys } = pair
  const back = await comparePair({ ...pair, base: revision, revision: base, keys: [keys[1], keys[0]] })
  // As text, the types of one version can include those of the other in both directions.
  const found = listUnmirrored(there, back).filter((one) => pair.position !== 'text' || !/^(?:type-|became-)/.test(one))
  if (found.length > 0) verdict.unmirrored.push({ found, pair })
}

interface Compared {
  readonly pair: BehaviorPair
  readonly changes: readonly UnlocatedChange[]
}

/** Two compatible changes must be compatible together, but for values that the version between them does not describe. */
async function compose(first: Compared, second: Compared, random: Random, verdict: Verdict): Promise<void> {
  const open = directions.filter((each) => isCompatible(first.changes, each) && isCompatible(second.changes, each))
  if (open.length === 0) return
  const keys = [first.pair.keys[0], second.pair.keys[1]] as const
  const pair = { ...second.pair, base: first.pair.base, keys }
  const together = await comparePair(pair)
  verdict.compatible += open.length
  for (const direction of open.filter((each) => !isCompatible(together, each))) {
    const codes = together.filter((change) => !isCompatible([change], direction)).map(({ code }) => code)
    const between = { ...second.pair, revision: second.pair.base }
    const refused = listRefused(pair, direction, random)
    const known = refused.find((value) => isDescribed(between, direction, value))
    const isUnproved = refused.length === 0 && !codes.some((code) => codesWithoutValue.has(code))
    if (known === undefined && !isUnproved) continue
    verdict.composed.push({ direction, codes, known, first: first.pair, revision: second.pair.revision })
  }
}

/** Values that the recipient of the other version refuses. */
function listRefused(pair: BehaviorPair, direction: (typeof directions)[number], random: Random): readonly unknown[] {
  const search = createSearch(pair, direction)
  return Array.from({ length: tries.breaking }, (_, index) => {
    return search(random, { hasUnknownProperties: index % 2 === 1 })
  }).flatMap((trial) => (typeof trial === 'object' ? [trial.refused] : []))
}

function isCompatible(changes: readonly UnlocatedChange[], direction: string): boolean {
  return changes.every(
    ({ level, operations }) => level === 'compatible' || operations.every(({ path }) => path !== `/${direction}`),
  )
}

test('a change after which a valid value is refused is never compatible, and breaking changes have such a value', async () => {
  const verdict: Verdict = {
    missed: [],
    unproved: [],
    unmirrored: [],
    composed: [],
    pairs: 0,
    small: 0,
    refused: 0,
    compatible: 0,
  }
  for (const pair of formatPairs) judge(pair, await comparePair(pair), createRandom(seed), verdict)
  for (let index = 0; index < runsOr(50, 50_000); index++) {
    const random = createRandom(seed + index * 1_000_003)
    let last: Compared | undefined
    for (const pair of makePairs(random)) {
      const compared = { pair, changes: await comparePair(pair) }
      judge(pair, compared.changes, random, verdict)
      await reverse(pair, compared.changes, verdict)
      if (last) await compose(last, compared, random, verdict)
      last = compared
    }
  }
  expect(verdict.missed.slice(0, 3)).toEqual([])
  expect(verdict.unmirrored.slice(0, 3)).toEqual([])
  // Otherwise, the test does not test anything.
  expect(verdict.refused).toBeGreaterThan(verdict.pairs / 5)
  expect(verdict.compatible).toBeGreaterThan(0)
  expect(codesWithoutValue.size).toBeGreaterThan(0)
  const unexpected = verdict.unproved.filter(({ codes }) => !codes.some((code) => codesWithoutValue.has(code)))
  // Random schemas contradict themselves at times, as with `maxProperties: 1` and two required names: up to one pair of 2,600 was seen.
  if (unexpected.length > 1 + verdict.small / 2_000) expect(unexpected.slice(0, 5)).toEqual([])
  // The second change can bring back what the first one hid.
  if (verdict.composed.length > 1 + verdict.compatible / 1_000) expect(verdict.composed.slice(0, 3)).toEqual([])
})

test('what breaks requests in one direction is compatible in the other', () => {
  const rank: { readonly [level in ChangeLevel]: number } = { breaking: 2, risky: 1, compatible: 0 }
  const codes = Object.keys(changeCodes) as ChangeCode[] // The keys of the table.
  const unexpected = codes.flatMap((code) => {
    return directions.flatMap((direction) => {
      const [opposite, ...more] = listOpposites(code)
      // Without the body, its data is lost.
      if (opposite === code || opposite === undefined || more.length > 0 || opposite === 'body-removed') return []
      const levels = [defaultLevel(code, direction), defaultLevel(opposite as ChangeCode, direction)] as const // A key of the table.
      return rank[levels[0]] + rank[levels[1]] > 2 ? [`${direction}: ${code} ${levels[0]}, ${opposite} ${levels[1]}`] : []
    })
  })
  expect(unexpected).toEqual([])
})

function toPair(base: Schema, revision: Schema, components: BehaviorPair['base']['components'] = {}): BehaviorPair {
  const [from, to] = [base, revision].map((schema) => ({ schema, components })) as [BehaviorPair['base'], BehaviorPair['base']]
  return { position: 'body', keys: [plainKeys, plainKeys], isSmall: true, base: from, revision: to }
}

/** Each format in place of each other one. Random schemas rarely have two certain ones. */
const formatPairs = Object.entries({ string: formats, number: Object.keys(numberFormats) }).flatMap(([type, list]) =>
  list.flatMap((from) => list.map((to) => toPair({ type, format: from }, { type, format: to }))),
)

const dependent = {
  allOf: [
    {
      properties: { b: { type: 'string' }, c: { type: 'boolean' } },
      patternProperties: { '^x': { type: 'string' } },
      dependentSchemas: { c: { properties: { a: { type: 'integer' } } } },
    },
  ],
  unevaluatedProperties: false,
}
const readOnly = { type: 'object', properties: { a: { type: 'string' }, c: { type: 'string', readOnly: true } } }
const list = { type: 'array', prefixItems: [{ type: 'string' }], contains: { const: 'a' }, maxContains: 1 }
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const pattern = { if: { required: ['b'] }, then: {}, else: { properties: { c: {} } }, patternProperties: { '^x': {} } }

test.each<[title: string, base: Schema, revision: Schema, outcome: string]>([
  ['`contains` counts beside `prefixItems`', { enum: [[]] }, list, 'refused'],
  ['`unevaluatedProperties` beside `dependentSchemas`: the property is absent', { enum: [{ b: 'a' }] }, dependent, 'accepted'],
  [
    '`unevaluatedProperties` beside `dependentSchemas`: the property is there',
    { enum: [{ a: 1, c: true }] },
    dependent,
    'accepted',
  ],
  ['`unevaluatedProperties` beside `dependentSchemas`: a pattern matches', { enum: [{ x1: 'a' }] }, dependent, 'accepted'],
  ['`unevaluatedProperties` beside `dependentSchemas`: another needs it', { enum: [{ a: 1, b: 'a' }] }, dependent, 'refused'],
  ['tries values with a property by pattern beside a condition', { enum: [{ b: 1, x1: 1 }] }, pattern, 'accepted'],
  ['needs no read-only property that another requires', readOnly, { ...readOnly, dependentRequired: { a: ['c'] } }, 'accepted'],
])('the search in a request: %s', (_title, base, revision, outcome) => {
  const search = createSearch(toPair(base, revision), 'request')
  const random = createRandom(seed)
  const trials = Array.from({ length: tries.usual }, () => search(random, { hasUnknownProperties: false }))
  const outcomes = trials.map((trial) => (typeof trial === 'object' ? 'refused' : trial)).filter((trial) => trial !== 'invalid')
  expect([...new Set(outcomes)]).toEqual([outcome])
})

const one = { type: 'object', properties: { a: { type: 'integer' }, c: { type: 'boolean' } }, required: ['a'] }
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const condition = { if: { properties: { b: { const: 1 } } }, then: { properties: { a: {} } }, else: { properties: { a: {} } } }

test.each([
  ['before it', { $ref: '#/components/schemas/A' }, [{ a: 1, c: true }], [{ a: 1 }, { c: true }]],
  ['with an alternative that has a condition', { ...one, ...condition }, [{ a: 1, c: true }], [{ a: 'x', c: true }]],
])('alternatives that an item does not match describe no property: an item %s', (_title, alternative, described, other) => {
  const schema = { type: 'array', items: { oneOf: [alternative, { type: 'object' }] } }
  const pair = toPair(schema, schema, { A: one })
  expect(isDescribed(pair, 'response', described)).toBe(true)
  expect(isDescribed(pair, 'response', other)).toBe(false)
})
