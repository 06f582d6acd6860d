import type { Place } from '../openapi/types.ts'
import { isWithin, parsePointer, valueAtPointer } from '../text/json/json-values.ts'
import { type PlaceNames, shortenName } from './name-place.ts'
import type { ChangePlace } from './types.ts'

/** The same object in both descriptions. */
export interface PlacePair {
  readonly base: Place
  readonly revision: Place
}

/**
 * A reference that now refers to another component, or a schema that moved into a component or out of it. Neither component changed, so
 * differences are named after the reference.
 */
export interface Replacement {
  /** The objects that are compared. */
  readonly targets: PlacePair
  /** The references, or the inline schemas. */
  readonly references: PlacePair[]
  /** Whether both components exist in both descriptions. */
  readonly isOtherComponent: boolean
  /** The replacement around the references. */
  readonly outer?: Replacement | undefined
}

/** Finds out whether a reference refers to another component. A renamed component counts as the same one. */
export function findReplacement(
  references: PlacePair,
  targets: PlacePair,
  roots: { readonly base: Place; readonly revision: Place },
): Replacement | undefined {
  const isInline = [references.base === targets.base, references.revision === targets.revision]
  if (isInline[0] && isInline[1]) return undefined
  if (isInline[0] || isInline[1]) return { targets, references: [references], isOtherComponent: false }
  const { base, revision } = targets
  if (base.pointer === revision.pointer || base.file !== roots.base.file || revision.file !== roots.revision.file)
    return undefined
  const remains = valueAtPointer(roots.revision.value, base.pointer) !== undefined
  const existed = valueAtPointer(roots.base.value, revision.pointer) !== undefined
  return remains || existed ? { targets, references: [references], isOtherComponent: remains && existed } : undefined
}

/** Whether places are inside the objects of a replacement. */
export function isInsideReplacement({ targets }: Replacement, base: Place | undefined, revision: Place | undefined): boolean {
  return Boolean(base && revision && toRest(base, targets.base) !== undefined && toRest(revision, targets.revision) !== undefined)
}

/** The place as seen from the reference, if there is only one. */
export function viewFromReference<At extends ChangePlace>(place: At, replacement: Replacement | undefined): At | ChangePlace {
  const [reference, ...others] = replacement?.references ?? []
  if (!replacement || !reference || others.length > 0) return place
  for (const side of ['base', 'revision'] as const) {
    const rest = toRest(place, replacement.targets[side])
    if (rest === undefined) continue
    const seen = { ...place, file: reference[side].file, pointer: `${reference[side].pointer}${rest}` }
    return viewFromReference(seen, replacement.outer)
  }
  return place
}

/**
 * The place to show for a difference: that of the reference if neither component changed. If a schema was replaced by a reference, or the
 * reverse, this is only true of differences that concern the component as a whole.
 */
export function toShownPlace(place: ChangePlace, side: 'base' | 'revision', replacement: Replacement | undefined): ChangePlace {
  const [reference, ...others] = replacement?.references ?? []
  if (!replacement || !reference || others.length > 0) return place
  const rest = toRest(place, replacement.targets[side])
  if (rest === undefined || (rest !== '' && !replacement.isOtherComponent)) return place
  const { file, pointer } = reference[side]
  return { file, pointer }
}

/** Names a place, with both components if one replaced the other in several places. */
export function nameReplaced(place: ChangePlace, names: PlaceNames, replacement: Replacement | undefined): string {
  const name = names.name(viewFromReference(place, replacement))
  if (!replacement || replacement.references.length === 1) return name
  const { base, revision } = replacement.targets
  const isInBase = toRest(place, base) !== undefined
  return `${name} (${isInBase ? 'now' : 'was'} \`${shortenName(parsePointer((isInBase ? revision : base).pointer).at(-1) ?? '')}\`)`
}

/** The rest of a pointer below another place. */
function toRest(place: ChangePlace, around: ChangePlace): string | undefined {
  if (place.file !== around.file) return undefined
  return isWithin(place.pointer, around.pointer) ? place.pointer.slice(around.pointer.length) : undefined
}
