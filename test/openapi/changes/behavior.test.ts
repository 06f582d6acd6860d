import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runsOr, seed } from '../../support/properties.ts'
import { createRandom, type Random } from '../../support/random.ts'
import { type BehaviorPair, comparePair, createSearch, directions, isDescribed, makePairs } from './behavior.ts'

/** Values that are tried before a change counts as one without a value. */
const tries = { usual: 30, breaking: 1_000 }

const documented = readFileSync('docs/internal/change-levels.md', 'utf8').split('## Breaking without such a value')[1] ?? ''
const codesWithoutValue = new Set([...documented.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, code]) => code))

interface Verdict {
  /** Pairs with a value that is refused although no change is breaking or risky. */
  readonly missed: unknown[]
  /** Codes of breaking changes without a refused value, with their pairs. */
  readonly unproved: { readonly codes: readonly string[]; readonly pair: BehaviorPair }[]
  small: number
  refused: number
}

async function judge(pair: BehaviorPair, random: Random, verdict: Verdict): Promise<void> {
  const changes = await comparePair(pair)
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
    // As in oasdiff, a required property that responses no longer have because of `writeOnly` is compatible.
    const isHidden = direction === 'response' && own.some(({ code }) => code === 'write-only-changed')
    const isMissed = refused && !isHidden && breaking?.length === 0 && risky?.length === 0
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

test('a change after which a valid value is refused is never compatible, and breaking changes have such a value', async () => {
  const count = runsOr(200, 100_000)
  const verdict: Verdict = { missed: [], unproved: [], small: 0, refused: 0 }
  for (let index = 0, pairs = 0; pairs < count; index++) {
    const random = createRandom(seed + index * 1_000_003)
    for (const pair of makePairs(random)) {
      await judge(pair, random, verdict)
      pairs++
    }
  }
  expect(verdict.missed.slice(0, 3)).toEqual([])
  // Otherwise, the test does not test anything.
  expect(verdict.refused).toBeGreaterThan(count / 5)
  expect(codesWithoutValue.size).toBeGreaterThan(0)
  const unexpected = verdict.unproved.filter(({ codes }) => !codes.some((code) => codesWithoutValue.has(code)))
  // Random schemas contradict themselves at times, as with `maxProperties: 1` and two required names: up to one pair of 2,600 was seen.
  if (unexpected.length > 1 + verdict.small / 2_000) expect(unexpected.slice(0, 5)).toEqual([])
})

test('`contains` counts beside `prefixItems`', () => {
  const schema = { type: 'array', prefixItems: [{ type: 'string' }], contains: { const: 'a' }, maxContains: 1 }
  const set = { schema, components: {} }
  const base = { schema: { type: 'array', enum: [[]] }, components: {} }
  const pair: BehaviorPair = { position: 'body', statusCodes: ['200', '200'], isSmall: true, base, revision: set }
  const search = createSearch(pair, 'request')
  const random = createRandom(seed)
  const trials = Array.from({ length: tries.usual }, () => search(random, { hasUnknownProperties: false }))
  expect(trials).toContainEqual({ refused: [] })
  expect(trials).not.toContain('accepted')
})

test.each([
  ['the property is absent', { b: 'a' }, 'accepted'],
  ['the property is there', { a: 1, c: true }, 'accepted'],
  ['a property matches a pattern', { x1: 'a' }, 'accepted'],
  ['another property needs it', { a: 1, b: 'a' }, { refused: { a: 1, b: 'a' } }],
])('`unevaluatedProperties` counts the properties beside `dependentSchemas`: %s', (_title, value, expected) => {
  const properties = { b: { type: 'string' }, c: { type: 'boolean' } }
  const patternProperties = { '^x': { type: 'string' } }
  const schema = { properties, patternProperties, dependentSchemas: { c: { properties: { a: { type: 'integer' } } } } }
  const revision = { schema: { allOf: [schema], unevaluatedProperties: false }, components: {} }
  const base = { schema: { enum: [value] }, components: {} }
  const pair: BehaviorPair = { position: 'body', statusCodes: ['200', '200'], isSmall: true, base, revision }
  const search = createSearch(pair, 'request')
  const random = createRandom(seed)
  const trials = Array.from({ length: tries.usual }, () => search(random, { hasUnknownProperties: false }))
  expect(trials.filter((trial) => trial !== 'invalid')[0]).toEqual(expected)
})

const one = { type: 'object', properties: { a: { type: 'integer' }, c: { type: 'boolean' } }, required: ['a'] }
// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const condition = { if: { properties: { b: { const: 1 } } }, then: { properties: { a: {} } }, else: { properties: { a: {} } } }

test.each([
  ['before it', { $ref: '#/components/schemas/A' }, [{ a: 1, c: true }], [{ a: 1 }, { c: true }]],
  ['with an alternative that has a condition', { ...one, ...condition }, [{ a: 1, c: true }], [{ a: 'x', c: true }]],
])('alternatives that an item does not match describe no property: an item %s', (_title, alternative, described, other) => {
  const items = { oneOf: [alternative, { type: 'object' }] }
  const set = { schema: { type: 'array', items }, components: { A: one } }
  const pair: BehaviorPair = { position: 'body', statusCodes: ['200', '200'], isSmall: true, base: set, revision: set }
  expect(isDescribed(pair, 'response', described)).toBe(true)
  expect(isDescribed(pair, 'response', other)).toBe(false)
})

test('tries values with a property by pattern beside a condition', () => {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const schema = { if: { required: ['b'] }, then: {}, else: { properties: { c: {} } }, patternProperties: { '^x': {} } }
  const base = { schema: { enum: [{ b: 1, x1: 1 }] }, components: {} }
  const revision = { schema, components: {} }
  const pair: BehaviorPair = { position: 'body', statusCodes: ['200', '200'], isSmall: true, base, revision }
  const search = createSearch(pair, 'request')
  const random = createRandom(seed)
  const trials = Array.from({ length: tries.usual }, () => search(random, { hasUnknownProperties: false }))
  expect(trials).toContain('accepted')
})

test('a request needs no property that is only read, also if another property requires it', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, c: { type: 'string', readOnly: true } } }
  const base = { schema, components: {} }
  const revision = { schema: { ...schema, dependentRequired: { a: ['c'] } }, components: {} }
  const pair: BehaviorPair = { position: 'body', statusCodes: ['200', '200'], isSmall: true, base, revision }
  const search = createSearch(pair, 'request')
  const random = createRandom(seed)
  const trials = Array.from({ length: tries.usual }, () => search(random, { hasUnknownProperties: false }))
  expect(trials.filter((trial) => typeof trial === 'object')).toEqual([])
})
