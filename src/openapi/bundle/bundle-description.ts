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

/** A description in one document. */
export interface Bundle {
  readonly document: JsonObject
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
 * Makes one self-contained document of a valid description.
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
  const document: Copy = { ...Object(copyObject(root, objectTable(release, 'OpenAPI'), rewrite)) }
  // Copying a part can add more parts.
  for (const part of targets.parts) {
    const at = { ...part.place, to: part.pointer, resource: undefined }
    const copy = copyObject(at, objectTable(release, part.tableKey), rewrite)
    setOwn(openMember(openMember(document, 'components'), part.group), part.name, copy)
  }
  for (const settle of rewrite.deferred) settle()
  const { values, left } = await embedValues(rewrite.embeds, entryPath, load, rewrite.budget)
  if (rewrite.budget.left < 0) return undefined
  const embedded = putInPlace(document, values)
  return { document: isObject(embedded) ? embedded : {}, left: [...new Set([...rewrite.keptReferences, ...left])] }
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

/** A member of a copy, as a mapping that can be changed. */
function openMember(copy: Copy, key: string): Copy {
  const known = readOwn(copy, key)
  const member = isObject(known) ? known : {}
  setOwn(copy, key, member)
  return member
}
