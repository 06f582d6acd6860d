import { entriesOf, isObject, type JsonObject, readOwn, setOwn } from '../../text/json/json-values.ts'
import { type FollowReference, isReference, toPlaceKey } from '../references/follow-reference.ts'
import { componentGroups, objectTable } from '../tables/object-tables.ts'
import type { LoadDocument, OpenApiRelease } from '../types.ts'
import type { WalkedDocument } from '../walk.ts'
import { type BundleRewrite, createBundleRewrite } from './bundle-rewrite.ts'
import { addPart, type BundleTargets, takeSharedNames } from './bundle-targets.ts'
import { type Copy, copyObject, copyValue, type Rewrite } from './copy-object.ts'
import { embedValues, putInPlace } from './embed-values.ts'

export { type Copy, copyObject, copyValue, type Rewrite }

/** Several times the size of the largest known description. */
const maxCopiedValues = 5_000_000

/** A description for one document. */
export interface Bundle {
  /** The entry document without the parts. */
  readonly document: JsonObject
  /** What becomes a component, in the order of its discovery. */
  readonly parts: readonly { readonly group: string; readonly name: string; readonly value: unknown }[]
  /** Unique references that stay unchanged because they are remote or unreadable. */
  readonly left: readonly string[]
}

/** A description that was read and checked. */
interface Read {
  readonly description: { readonly entryPath: string; readonly release: OpenApiRelease } | undefined
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly follow: FollowReference | undefined
}

/**
 * Copies a valid description for one self-contained document, which `joinParts` completes.
 *
 * Referenced objects of other files move to `components`, once each. Path items, operations and other objects without a component group
 * are inlined. The entry document and all examples keep their content. Discriminator mappings and links to files are redirected, and
 * references in extensions are replaced by their values.
 *
 * @returns `undefined` if the bundle would be infinite or too large.
 */
export async function bundleDescription(
  { description, documents, follow }: Read,
  load: LoadDocument,
  maxValues = maxCopiedValues,
): Promise<Bundle | undefined> {
  if (!description || !follow) return undefined
  const { entryPath, release } = description
  const value = documents.get(entryPath)?.parsed.value
  const groups = componentGroups(release)
  const maps = { parts: [], byPlace: new Map(), inlined: new Map(), taken: new Set<string>() }
  const targets: BundleTargets = { documents, entryPath, groups, release, ...maps }
  const rewrite = createBundleRewrite(targets, follow, maxValues)
  assignReferencedComponents(rewrite, readOwn(value, 'components'))
  takeSharedNames(targets)
  const root = { file: entryPath, pointer: '', to: '', value, resource: undefined }
  const document = copyObject(root, objectTable(release, 'OpenAPI'), rewrite)
  const copies: Bundle['parts'][number][] = []
  // Copying a part can add more parts.
  for (const { place, pointer, tableKey, group, name } of targets.parts) {
    const at = { ...place, to: pointer, resource: undefined }
    copies.push({ group, name, value: copyObject(at, objectTable(release, tableKey), rewrite) })
  }
  for (const settle of rewrite.deferred) settle()
  const { values, left } = await embedValues(rewrite.embeds, entryPath, load, rewrite.budget)
  if (rewrite.budget.left < 0) return undefined
  const embedded = putInPlace(document, values)
  return {
    document: isObject(embedded) ? embedded : {},
    parts: copies.map((part) => ({ ...part, value: putInPlace(part.value, values) })),
    left: [...new Set([...rewrite.keptReferences, ...left])],
  }
}

/** Puts the parts of a bundle into its document, with their joined values. */
export function addParts({ document, parts }: Bundle, joined: readonly { readonly value: unknown }[]): JsonObject {
  for (const [index, { group, name }] of parts.entries())
    setOwn(openMember(openMember(document, 'components'), group), name, joined[index]?.value)
  return document
}

/** A member of a document, as a mapping that can be changed. */
function openMember(owner: { [key: string]: unknown }, key: string): { [key: string]: unknown } {
  const known = readOwn(owner, key)
  const member = isObject(known) ? known : {}
  setOwn(owner, key, member)
  return member
}

/** A component that is only a reference to another file becomes the target of that reference. */
function assignReferencedComponents({ targets, follow }: BundleRewrite, components: unknown): void {
  const { entryPath: file, groups, byPlace } = targets
  for (const [tableKey, group] of groups) {
    for (const [name, value] of entriesOf(readOwn(components, group))) {
      if (!isReference(value) || Object.keys(value).length > 1) continue
      const place = follow.next({ file, pointer: '', value })
      if (place && place.file !== file && !byPlace.has(toPlaceKey(place))) addPart(targets, { place, tableKey, group, name })
    }
  }
}
