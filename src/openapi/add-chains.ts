import type { Finding, RelatedFinding } from '../diagnostic/diagnostic.ts'
import { parentPointer } from '../text/json-pointer.ts'
import type { ReferenceUse, WalkedDocument } from './document-set.ts'

/** Longer chains are cut. */
const maxLinks = 3

/**
 * Adds to findings in other files than the entry document which references led there, from the nearest on.
 *
 * Findings below one place share one list, as there can be very many.
 */
export function addChains(
  findings: readonly Finding[],
  entryPath: string,
  documents: ReadonlyMap<string, WalkedDocument>,
): readonly Finding[] {
  if (!findings.some(({ file }) => file !== entryPath)) return findings
  const chains = new Map<ReferenceUse, readonly RelatedFinding[]>()
  return findings.map((finding) => {
    const use = finding.file === entryPath ? undefined : findUse(finding, documents)
    if (!use) return finding
    let chain = chains.get(use)
    if (!chain) {
      chain = listUses(use, entryPath, documents)
      chains.set(use, chain)
    }
    return { ...finding, related: finding.related ? [...finding.related, ...chain] : chain }
  })
}

/** The reference that led to a place, or to what it is part of. */
function findUse(
  { file, pointer }: { readonly file: string; readonly pointer: string },
  documents: ReadonlyMap<string, WalkedDocument>,
): ReferenceUse | undefined {
  const uses = documents.get(file)?.uses
  if (!uses || uses.size === 0) return undefined
  for (let at = pointer; ; at = parentPointer(at)) {
    const use = uses.get(at)
    if (use || at === '') return use
  }
}

function listUses(first: ReferenceUse, entryPath: string, documents: ReadonlyMap<string, WalkedDocument>): RelatedFinding[] {
  const chain: RelatedFinding[] = []
  const seen = new Set<ReferenceUse>()
  for (let use: ReferenceUse | undefined = first; use && !seen.has(use) && chain.length < maxLinks; ) {
    seen.add(use)
    chain.push({ ...use, message: chain.length === 0 ? 'reached from' : 'which is reached from' })
    use = use.file === entryPath ? undefined : findUse(use, documents)
  }
  return chain
}
