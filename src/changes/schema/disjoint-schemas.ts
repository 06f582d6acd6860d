import { commonTypes } from '../../openapi/references/follow-reference.ts'
import { matchPattern } from '../../openapi/schema/json-schema.ts'
import { spendNodes } from '../../text/plain/limits.ts'
import type { ComparisonState } from '../differences/comparison.ts'
import { toText } from '../differences/name-place.ts'
import { limitRules, listsTexts, readLimit, readNumberRange, readValues } from './allowed-values.ts'
import { type ComparedSchema, keywordValues, listAlternatives, readTypes, toComparedSchema } from './compared-schema.ts'
import { readAllowed, readProperties, readRequired } from './described-properties.ts'

const allTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']

/** The types that values of both schemas can have. Integers are numbers. */
export function listSharedTypes(one: ComparedSchema, other: ComparedSchema): readonly string[] {
  const [types = [], others = []] = [one, other].map((schema) => {
    const { types, isNullable } = readTypes(schema)
    return types ? [...types, ...(isNullable ? ['null'] : [])] : allTypes
  })
  return commonTypes(types, others)
}

/** Largest number of pairs of schemas that are compared for one answer. */
const maxPairs = 200

/** What a pair costs, because all that applies to both is collected. */
const costOfPair = 8

/** Whether no value is valid for both of two schemas. `false` also means that it is unknown. */
export function areDisjoint({ budget }: ComparisonState, first: ComparedSchema, second: ComparedSchema): boolean {
  let left = maxPairs
  const areApart = (one: ComparedSchema, other: ComparedSchema): boolean => {
    const cost = costOfPair + one.parts.length + other.parts.length
    if (left-- <= 0 || !spendNodes(budget, cost) || one.isUnresolved || other.isUnresolved) return false
    if (one.isNever || other.isNever || listOtherValues(one, other)) return true
    const isApart = (type: string) => {
      if (haveOtherSizes(type, one, other) || haveOtherSizes(type, other, one)) return true
      if (type === 'string') return excludesTexts(one, other) || excludesTexts(other, one)
      return type === 'object' && haveOtherProperties(one, other, areApart)
    }
    return listSharedTypes(one, other).every(isApart) || hasOnlyApart(one, other) || hasOnlyApart(other, one)
  }
  const hasOnlyApart = (schema: ComparedSchema, other: ComparedSchema) =>
    listAlternatives(schema).some(({ branches }) =>
      branches.every((each) => areApart(toComparedSchema([each], schema.side), other)),
    )
  return areApart(first, second)
}

/** Whether both schemas list their values, and have none in common. */
function listOtherValues(one: ComparedSchema, other: ComparedSchema): boolean {
  const [values, others] = [one, other].map((schema) => readValues(schema, readTypes(schema).isNullable))
  return values !== undefined && others !== undefined && ![...values.byKey.keys()].some((key) => others.byKey.has(key))
}

const sizes = [
  ['string', 'Length'],
  ['array', 'Items'],
  ['object', 'Properties'],
] as const

/** Whether the values of a type that one schema allows are smaller than those of another one. */
function haveOtherSizes(type: string, one: ComparedSchema, other: ComparedSchema): boolean {
  if (type === 'integer' || type === 'number') {
    const [range, next] = [readNumberRange(one), readNumberRange(other)]
    return !range || !next || range.most < next.least
  }
  const size = sizes.find(([one]) => one === type)?.[1]
  if (!size) return false
  const [most, least] = [readLimit(one, limitRules[`max${size}`]), readLimit(other, limitRules[`min${size}`])]
  return most !== undefined && least !== undefined && most.value < least.value
}

/** Whether a pattern of one schema excludes all texts that another one lists. */
function excludesTexts(schema: ComparedSchema, listing: ComparedSchema): boolean {
  return keywordValues(schema, 'pattern').some((pattern) =>
    listsTexts(listing, (text) => matchPattern(toText(pattern), text) === false),
  )
}

/** Whether a property that one schema requires tells its objects from those of another one. */
function haveOtherProperties(
  one: ComparedSchema,
  other: ComparedSchema,
  areApart: (one: ComparedSchema, other: ComparedSchema) => boolean,
): boolean {
  const [required, isRequired] = [readRequired(one), readRequired(other)]
  const [allowed, isAllowed] = [readAllowed(one), readAllowed(other)]
  return [...new Set([...required.keys(), ...isRequired.keys()])].some((name) => {
    const [own, others] = [one, other].map((schema) => toComparedSchema(readProperties(schema).get(name) ?? [], schema.side))
    // In one direction, objects do not have it.
    if (!own || !others || isLeftOut(own) || isLeftOut(others)) return false
    const isRefused = (required.has(name) && isAllowed?.allows(name) === false) || allowed?.allows(name) === false
    return isRefused || areApart(own, others)
  })
}

function isLeftOut({ parts }: ComparedSchema): boolean {
  return parts.some(({ value }) => value['readOnly'] === true || value['writeOnly'] === true)
}
