import { commonTypes } from '../../openapi/references/follow-reference.ts'
import { matchPattern } from '../../openapi/schema/json-schema.ts'
import { type Place, readOwn } from '../../text/json/json-values.ts'
import { spendNodes } from '../../text/plain/limits.ts'
import type { ComparisonState, Side } from '../differences/comparison.ts'
import { limitRules, listsTexts, readLimit, readNumberRange, readValues } from './allowed-values.ts'
import { type ComparedSchema, keywordPlaces, listAlternatives, readTypes, toComparedSchema } from './compared-schema.ts'
import { readAllowed, readProperties, readRequired } from './described-properties.ts'

/** A schema in one of the two descriptions. */
export interface SideSchema {
  readonly schema: ComparedSchema
  readonly side: Side
}

/** Everything that applies to the value that some schemas describe. */
export function toSideSchema(places: readonly Place[], side: Side): SideSchema {
  return { schema: toComparedSchema(places, side), side }
}

const allTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']

/** The types that values of both schemas can have. Integers are numbers. */
export function listSharedTypes(...schemas: readonly [SideSchema, SideSchema]): readonly string[] {
  const [types = [], others = []] = schemas.map(({ schema, side }) => {
    const { types, isNullable } = readTypes(schema, side)
    return types ? [...types, ...(isNullable ? ['null'] : [])] : allTypes
  })
  return commonTypes(types, others)
}

/** Largest number of pairs of schemas that are compared for one answer. */
const maxPairs = 200

/** What a pair costs, because all that applies to both is collected. */
const costOfPair = 8

/** Whether no value is valid for both of two schemas. `false` also means that it is unknown. */
export function areDisjoint({ budget }: ComparisonState, first: SideSchema, second: SideSchema): boolean {
  let left = maxPairs
  const areApart = (one: SideSchema, other: SideSchema): boolean => {
    const cost = costOfPair + one.schema.parts.length + other.schema.parts.length
    if (left-- <= 0 || !spendNodes(budget, cost) || one.schema.isUnresolved || other.schema.isUnresolved) return false
    if (one.schema.isNever || other.schema.isNever || listOtherValues(one, other)) return true
    const isApart = (type: string) => {
      if (haveOtherSizes(type, one, other) || haveOtherSizes(type, other, one)) return true
      if (type === 'string') return excludesTexts(one, other) || excludesTexts(other, one)
      return type === 'object' && haveOtherProperties(one, other, areApart)
    }
    return listSharedTypes(one, other).every(isApart) || hasOnlyApart(one, other) || hasOnlyApart(other, one)
  }
  const hasOnlyApart = ({ schema, side }: SideSchema, other: SideSchema) =>
    listAlternatives(schema, side).some(({ branches }) => branches.every((each) => areApart(toSideSchema([each], side), other)))
  return areApart(first, second)
}

/** Whether both schemas list their values, and have none in common. */
function listOtherValues(...schemas: readonly [SideSchema, SideSchema]): boolean {
  const [values, others] = schemas.map(({ schema, side }) => readValues(schema, readTypes(schema, side).isNullable))
  return values !== undefined && others !== undefined && ![...values.byKey.keys()].some((key) => others.byKey.has(key))
}

const sizes = { string: 'Length', array: 'Items', object: 'Properties' } as const

/** Whether the values of a type that one schema allows are smaller than those of another one. */
function haveOtherSizes(type: string, one: SideSchema, other: SideSchema): boolean {
  if (type === 'integer' || type === 'number') {
    const [range, next] = [readNumberRange(one.schema, one.side), readNumberRange(other.schema, other.side)]
    return !range || !next || range.most < next.least
  }
  const size = readOwn(sizes, type)
  if (!size) return false
  const [most, least] = [readLimit(one.schema, limitRules[`max${size}`]), readLimit(other.schema, limitRules[`min${size}`])]
  return most !== undefined && least !== undefined && most.value < least.value
}

/** Whether a pattern of one schema excludes all texts that another one lists. */
function excludesTexts({ schema }: SideSchema, listing: SideSchema): boolean {
  return keywordPlaces(schema, 'pattern').some(
    ({ value }) => typeof value === 'string' && listsTexts(listing.schema, (text) => matchPattern(value, text) === false),
  )
}

/** Whether a property that one schema requires tells its objects from those of another one. */
function haveOtherProperties(
  one: SideSchema,
  other: SideSchema,
  areApart: (one: SideSchema, other: SideSchema) => boolean,
): boolean {
  const [required, isRequired] = [readRequired(one.schema), readRequired(other.schema)]
  const [allowed, isAllowed] = [readAllowed(one.schema, one.side), readAllowed(other.schema, other.side)]
  return [...new Set([...required.keys(), ...isRequired.keys()])].some((name) => {
    const [own, others] = [one, other].map(({ schema, side }) => toSideSchema(readProperties(schema).get(name) ?? [], side))
    // In one direction, objects do not have it.
    if (!own || !others || isLeftOut(own) || isLeftOut(others)) return false
    const isRefused = (required.has(name) && isAllowed?.allows(name) === false) || allowed?.allows(name) === false
    return isRefused || areApart(own, others)
  })
}

function isLeftOut({ schema }: SideSchema): boolean {
  return schema.parts.some(({ value }) => value['readOnly'] === true || value['writeOnly'] === true)
}
