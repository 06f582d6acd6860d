import type { Place } from '../../text/json/json-values.ts'
import type { ComparisonState, Scope, Side } from '../differences/comparison.ts'
import { nameReference } from '../differences/name-place.ts'
import { type ComparedSchema, readTypes, type SchemaPart, type SchemaTypes, topPlace } from './compared-schema.ts'

/** The input of the rules for schemas. */
export interface SchemaPair {
  readonly state: ComparisonState
  readonly scope: Scope
  readonly before: ComparedSchema
  readonly after: ComparedSchema
  /** The properties in which the types of scalars count, although those around are texts. */
  readonly typed?: ReadonlySet<string> | undefined
  /** Compares schemas inside these: several places if all of them apply to the same value. */
  readonly compareInner: CompareSchemas
  readonly covers: Covers
}

/** Whether schemas are the same in both versions, so that nothing in them needs a comparison. */
export function areSame({ base, revision, isSame }: ComparisonState, from: readonly Place[], to: readonly Place[]): boolean {
  return from.length === 1 && to.length === 1 && base.release === revision.release && isSame(from[0]?.value, to[0]?.value)
}

/** A schema in one of the two descriptions. */
interface SidePlace {
  readonly place: Place
  readonly side: Side
}

/**
 * Whether a schema allows every value of another one. `false` also means that it is unknown.
 *
 * @param isAlone Otherwise, schemas around or beside both describe further properties that clients can send.
 */
type Covers = (outer: SidePlace, inner: SidePlace, isAlone: boolean) => boolean

type CompareSchemas = (scope: Scope, before: readonly Place[], after: readonly Place[]) => void

/**
 * The places of a change. If one version lacks the keyword, its place is the same component, or else the schema itself. So a change of a
 * component is the same one in every schema that contains the component.
 */
export function toPlaces(
  { state: { base, revision }, before, after }: SchemaPair,
  from: Place | undefined,
  to: Place | undefined,
): { readonly base: Place | undefined; readonly revision: Place | undefined } {
  const isSameFile = (one: Place, other: Place) => {
    if (one.file === base.root.file || other.file === revision.root.file) {
      return one.file === base.root.file && other.file === revision.root.file
    }
    return nameReference(one.file) === nameReference(other.file)
  }
  return {
    base: from ?? findCounterpart(after, to, before, (own, other) => isSameFile(other, own)),
    revision: to ?? findCounterpart(before, from, after, isSameFile),
  }
}

function findCounterpart(
  schema: ComparedSchema,
  place: Place | undefined,
  other: ComparedSchema,
  isSameFile: (one: Place, other: Place) => boolean,
): Place | undefined {
  const owner = place && schema.parts.length > 1 ? findOwner(schema, place)?.place : undefined
  const same = owner && other.parts.find((part) => part.place.pointer === owner.pointer && isSameFile(owner, part.place))
  return same?.place ?? topPlace(other)
}

/** The innermost part that contains a place. */
function findOwner({ parts }: ComparedSchema, { file, pointer }: Place): SchemaPart | undefined {
  let owner: SchemaPart | undefined
  for (const part of parts) {
    const isInside = part.place.file === file && `${pointer}/`.startsWith(`${part.place.pointer}/`)
    if (isInside && part.place.pointer.length >= (owner?.place.pointer.length ?? 0)) owner = part
  }
  return owner
}

/** The types of both schemas. */
export function readBothTypes({ before, after }: SchemaPair): { from: SchemaTypes; to: SchemaTypes } {
  return { from: readTypes(before), to: readTypes(after) }
}

/** Whether both schemas allow values of a type. Otherwise, keywords for this type have no effect. */
export function allowsType(pair: SchemaPair, type: string): boolean {
  const { from, to } = readBothTypes(pair)
  return [from, to].every(({ types }) => !types || types.has(type))
}
