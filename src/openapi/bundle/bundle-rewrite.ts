import { isObject, isWithin, type Place, pointerChild, setOwn, valueAtPointer } from '../../text/json/json-values.ts'
import { isUrl, joinPath, parentPath, relativePath } from '../../text/plain/paths.ts'
import {
  childPlace,
  type FollowReference,
  isReference,
  splitReference,
  toFragment,
  toMappedReference,
  toPlaceKey,
} from '../references/follow-reference.ts'
import type { Shape } from '../walk.ts'
import { type BundleTargets, staysInEntryDocument, targetPointerOf, toBundleReference } from './bundle-targets.ts'
import type { Copy, Rewrite } from './copy-object.ts'
import { type Budget, copyUnknown, type Embed } from './embed-values.ts'

/** The source and target of a copied value. */
interface BundlePlace extends Place {
  /** Its pointer in the bundle. */
  readonly to: string
  /** The pointer of the enclosing schema with an `$id`. */
  readonly resource: string | undefined
}

/** What a bundle has in place of references to other files. */
export interface BundleRewrite extends Rewrite<BundlePlace> {
  readonly targets: BundleTargets
  readonly follow: FollowReference
  /** Values that depend on the final pointers. */
  readonly deferred: (() => void)[]
  readonly embeds: Embed[]
  readonly budget: Budget
  /** References that stay unchanged. */
  readonly keptReferences: Set<string>
}

/** Redirects references to their targets in the bundle. */
export function createBundleRewrite(targets: BundleTargets, follow: FollowReference, maxValues: number): BundleRewrite {
  const rewrite: BundleRewrite = {
    targets,
    follow,
    deferred: [],
    embeds: [],
    budget: { left: maxValues },
    keptReferences: new Set(),
    open: new Map(),
    enter(at, object, table) {
      rewrite.budget.left--
      if (rewrite.budget.left < 0) return undefined
      return table.identifies && typeof object['$id'] === 'string' ? { ...at, resource: at.pointer } : at
    },
    child: (at, key, value) => ({ ...at, pointer: pointerChild(at.pointer, key), to: pointerChild(at.to, key), value }),
    refer: (at, table) => refer(rewrite, at, table.key),
    field(copy, key, value, at, table, shape) {
      if (mayEmbed(key, value, shape))
        setOwn(copy, key, copyUnknown(value, { file: at.file, within: [] }, rewrite.embeds, rewrite.budget))
      else if (table.key === 'Discriminator' && key === 'mapping' && isObject(value))
        setOwn(copy, key, Object.fromEntries(Object.entries(value).map(([tag, one]) => [tag, toMapped(rewrite, one, at.file)])))
      else if (table.key === 'Discriminator' && key === 'defaultMapping') copy[key] = toMapped(rewrite, value, at.file)
      else if (typeof value !== 'string') return false
      else if (table.key === 'Link' && key === 'operationRef') retargetLink(rewrite, copy, value, at.file)
      else if (table.key === 'Example' && key === 'externalValue') copy[key] = rebaseUrl(value, at.file, targets.entryPath)
      else return false
      return true
    },
  }
  return rewrite
}

function refer(rewrite: BundleRewrite, at: BundlePlace, tableKey: string): string | BundlePlace {
  const { targets, follow, open, keptReferences } = rewrite
  const { file, to, resource } = at
  const text = isReference(at.value) ? at.value.$ref : ''
  const target = follow.next(at)
  if (!target) {
    if (splitReference(text, targets.entryPath).kind === 'remote') keptReferences.add(text)
    return text
  }
  const isInside = target.file === file
  if (targets.groups.has(tableKey)) {
    // The reference is already valid: within the entry document, or within the enclosing schema with an `$id`.
    const isKept =
      isInside && (staysInEntryDocument(targets, target) || (resource !== undefined && isWithin(target.pointer, resource)))
    return isKept ? text : toBundleReference(targets, target, tableKey)
  }
  if (target.file === targets.entryPath && tableKey === 'Path Item') return isInside ? text : toFragment(target.pointer)
  const key = toPlaceKey(target)
  const around = open.get(key)
  // The object contains itself.
  if (around) return toFragment(around.to)
  if (!targets.inlined.has(key)) targets.inlined.set(key, { tableKey, pointer: to })
  return { ...target, to, resource: undefined }
}

/**
 * Whether a value may contain references to embed: an extension, a mapping in place of a string, or an example that only has a `$ref`.
 */
function mayEmbed(key: string, value: unknown, shape: Shape | undefined): boolean {
  if (shape === undefined) return key.startsWith('x-')
  return isReference(value) && (shape.kind === 'text' || (shape.kind === 'any' && Object.keys(value).length === 1))
}

/** Redirects what a discriminator refers to in other files. */
function toMapped({ targets, keptReferences }: BundleRewrite, value: unknown, from: string): unknown {
  if (typeof value !== 'string') return value
  const { documents, entryPath, groups } = targets
  const root = { file: entryPath, pointer: '', value: documents.get(entryPath)?.parsed.value }
  const { file, reference } = toMappedReference(
    value,
    from,
    childPlace(childPlace(root, 'components'), groups.get('Schema') ?? ''),
  )
  const target = splitReference(reference, file)
  if (target.kind === 'file' && target.path !== entryPath) {
    const place = { file: target.path, pointer: target.fragment }
    const found = valueAtPointer(documents.get(place.file)?.parsed.value, place.pointer)
    if (found !== undefined) return toBundleReference(targets, { ...place, value: found }, 'Schema')
  }
  if (/[./]/.test(reference) && !reference.startsWith('#')) keptReferences.add(value)
  return value
}

/** Redirects a link to an operation of another file once its final pointer is known. */
function retargetLink({ targets, deferred, keptReferences }: BundleRewrite, link: Copy, text: string, file: string): void {
  link['operationRef'] = text
  const target = splitReference(text, file)
  if (target.kind !== 'file') return
  const place = { file: target.path, pointer: target.fragment }
  if (place.file === targets.entryPath) link['operationRef'] = toFragment(place.pointer)
  else
    deferred.push(() => {
      const to = targetPointerOf(targets, place, targets.inlined) ?? targetPointerOf(targets, place, targets.byPlace)
      if (to === undefined) keptReferences.add(text)
      else link['operationRef'] = toFragment(to)
    })
}

/** Rewrites a relative URL for another base file. */
function rebaseUrl(address: string, from: string, to: string): string {
  if (from === to || isUrl(to) || /^(?:[a-z][a-z0-9+.-]*:|[/#])/i.test(address)) return address
  return relativePath(parentPath(to), joinPath(parentPath(from), address))
}
