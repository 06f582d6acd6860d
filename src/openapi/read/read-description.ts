import type { Finding, RelatedFinding } from '../../diagnostics/diagnostic.ts'
import { isDeeperThan, type Place, parentPointer } from '../../text/json/json-values.ts'
import { type Limits, limitHint } from '../../text/plain/limits.ts'
import { getOrMake } from '../../text/plain/lists.ts'
import { toDocumentSet } from '../document-set.ts'
import { addQuoteHints } from '../hints/problem-hints.ts'
import type { OverlayOptions } from '../overlays/parse-overlay.ts'
import type { LoadDocument } from '../types.ts'
import type { DocumentSet, ReferenceUse, WalkedDocument } from '../walk.ts'
import type { DescriptionFindings } from './explain-indentation.ts'
import { detectVersion, type WalkOptions, walkDescription } from './walk-description.ts'

/** Loads an entry document and applies its overlays. The files that it refers to are loaded while it is read. */
export async function loadEntry(
  entryPath: string,
  load: LoadDocument,
  limits: Limits,
  overlays: OverlayOptions | undefined,
): Promise<DocumentSet> {
  const set = toDocumentSet(load, limits)
  await set.load(entryPath)
  if (overlays && overlays.paths.length > 0 && set.documents.get(entryPath)?.parsed.value !== undefined) {
    const { overlayEntry } = await import('../overlays/overlay-entry.ts')
    set.findings.push(...(await overlayEntry(entryPath, set, overlays, limits)))
  }
  return set
}

/**
 * Reads a description from its entry document: its version, and all its parts, each compared with its table.
 *
 * `read` is `undefined` if nothing of it can be used. `findings` are those of the files, the version and the walk.
 *
 * @param onExtension called for each key like `x-a`, at any depth.
 */
export async function readDescription(
  entryPath: string,
  set: DocumentSet,
  options: Omit<WalkOptions, 'release' | 'version'>,
  onExtension?: (key: string) => void,
) {
  const entry = set.documents.get(entryPath)
  const failure = set.failures.get(entryPath)
  if (failure) {
    const { code, reason, hint, severity } = failure
    const message = `Cannot read \`${entryPath}\`: ${reason}`
    set.findings.push({ code, message, file: entryPath, pointer: '', hint, ...(severity && { severity }) })
  }
  const value = entry?.parsed.value
  if (!entry || value === undefined) return { read: undefined, findings: set.findings }
  const { release, version, findings: versionFindings } = detectVersion(entryPath, value)
  if (release === undefined) return { read: undefined, findings: [...set.findings, ...versionFindings] }
  const walk = await walkDescription(entry, { ...options, release, version }, set)
  const deepValues = walk.isTooDeep ? [] : reportDeepValues(set, options.limits, onExtension)
  const all = [...set.findings, ...versionFindings]
  if (walk.isTooDeep || deepValues.length > 0) return { read: undefined, findings: [...all, ...walk.findings, ...deepValues] }
  const findings = walk.unquoted.size === 0 ? walk.findings : await addQuoteHints(walk.findings, walk.unquoted, set.sources)
  const root: Place = { file: entryPath, pointer: '', value }
  return { read: { ...walk, findings, release, version, root }, findings: [...all, ...findings] }
}

/** Reports values that are nested deeper than the walk can, such as an example. What reads them later would overflow the stack. */
function reportDeepValues({ documents }: DocumentSet, limits: Limits, onExtension?: (key: string) => void): Finding[] {
  const { nesting } = limits.values
  const document = [...documents.values()].find(({ parsed }) => isDeeperThan(parsed.value, nesting, onExtension))
  if (!document) return []
  const message = `Unexpected nesting of more than ${nesting} levels`
  const hint = limitHint('nesting', limits, 'Shorten the deepest value')
  return [{ code: 'too-complex', message, file: document.path, pointer: '', hint }]
}

/** Loads the explanations only when there are diagnostics to explain. */
export async function explain(found: DescriptionFindings): Promise<readonly Finding[]> {
  const { explainIndentation, dropUnused } = await import('./explain-indentation.ts')
  return dropUnused(await explainIndentation(found), found.documents)
}

/** Longer chains are cut. */
const maxLinks = 3

/**
 * Adds the chain of references, nearest first, to diagnostics in other files than the entry document.
 *
 * Diagnostics below one location share one list, because there can be very many.
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
    const chain = getOrMake(chains, use, () => listUses(use, entryPath, documents))
    return { ...finding, related: finding.related ? [...finding.related, ...chain] : chain }
  })
}

/** The reference to a location or to an object that contains it. */
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
