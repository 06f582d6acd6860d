import type { DocumentSet } from './document-set.ts'
import { type FoundTarget, findTarget } from './find-target.ts'
import { splitReference } from './split-reference.ts'
import type { Suggest } from './walk.ts'

/**
 * Finds what an address that stands in a file leads to, where it is not the value of a `$ref`.
 *
 * `undefined` for what cannot be told: an address of the network, and a file that no reference has brought in.
 */
export type FindUri = (file: string, uri: string) => FoundTarget | undefined

/** Makes the finder over the files of a description. */
export function toFindUri(set: DocumentSet, suggest: Suggest): FindUri {
  return (file, uri) => {
    const target = splitReference(uri, file)
    const document = target.kind === 'file' ? set.find(target.path) : undefined
    if (target.kind !== 'file' || !document || document.parsed.value === undefined) return undefined
    return findTarget(uri, document, target.fragment, undefined, suggest)
  }
}
