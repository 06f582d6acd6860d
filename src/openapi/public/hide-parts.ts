import { type DiagnosticCode, diagnosticCodes, type Finding } from '../../diagnostics/diagnostic.ts'
import { pointerChild } from '../../text/json/json-values.ts'
import { recordOrigins, type SourceFile } from '../../text/plain/source-file.ts'
import type { DocumentSet, WalkedDocument } from '../document-set.ts'
import { collectOperations, collectPathItems } from '../read/collect-operations.ts'
import { splitReference } from '../tables/uri.ts'
import type { Description, FollowReference, Place } from '../types.ts'
import type { DescriptionFiles } from './description-tree.ts'
import { filterDescription } from './filter-description.ts'
import { findMarks, mayHaveMarks } from './find-marks.ts'
import type { FilterRules } from './mark-removed.ts'

/** Which parts of a description a site leaves out, in addition to operations with `x-excluded`. */
export interface PublicOnly {
  /** Whether an operation such as `GET /pets`, a webhook such as `webhook done` or a schema is restricted. */
  readonly hides: (target: string) => boolean
  /** Whether `hides` can hold for a target. */
  readonly hidesSome: boolean
  /** Whether restricted parts are published. Default: they are left out, too. */
  readonly withRestricted?: boolean
  /** Other restricted parts, as `file#pointer`. */
  readonly places?: readonly string[]
}

/** A description that was checked. */
interface Checked {
  readonly description: Description | undefined
  readonly sources: ReadonlyMap<string, SourceFile>
  readonly documents: ReadonlyMap<string, WalkedDocument>
  readonly overlays: readonly string[]
  readonly follow: FollowReference | undefined
}

/** The restricted parts of a description, as `file#pointer`. */
type HiddenParts =
  | { readonly kind: 'none' }
  /** Nothing can be published: the restricted parts are not known because of syntax errors, or not all of their names can be removed. */
  | { readonly kind: 'unknown'; readonly findings: readonly Finding[] }
  | { readonly kind: 'hidden'; readonly parts: readonly string[] }

/** Finds the restricted parts of a checked description. */
export function listRestrictedParts(check: Checked, publicOnly: PublicOnly): readonly string[] {
  const { files, rules } = toFiles(check, publicOnly)
  const found = mayHide(check, rules) ? filterDescription(files, { ...rules, excluded: false }) : undefined
  return found?.parts.map(format) ?? []
}

/** Removes the restricted parts of a checked description from the files of a set. A file that only they use has no value then. */
export function hideParts(check: Checked, set: DocumentSet, publicOnly: PublicOnly): HiddenParts {
  const { files, rules } = toFiles(check, publicOnly)
  if (!mayHide(check, rules) && !publicOnly.hidesSome) return { kind: 'none' }
  // An overlay that cannot be applied may restrict something.
  const isFault = ({ file, code }: { readonly file: string; readonly code: DiagnosticCode }) =>
    check.overlays.includes(file) && diagnosticCodes[code].severity === 'error'
  if ([...set.documents.values()].some(({ parsed }) => parsed.faults.length > 0) || set.findings.some(isFault)) {
    return { kind: 'unknown', findings: [] }
  }
  const found = filterDescription(files, rules)
  if (!found) return { kind: 'none' }
  if (found.leftovers.length > 0) {
    return {
      kind: 'unknown',
      findings: found.leftovers.map(({ name, file, pointer }) => ({
        code: 'content-restricted',
        severity: 'error',
        message: `Cannot leave out \`${name}\`, the name of a part that is not published`,
        file,
        pointer: found.findOriginal(file, pointer),
        hint: 'Use another word here, or publish the part',
      })),
    }
  }
  for (const [path, { parsed }] of set.documents) {
    if (check.overlays.includes(path)) continue
    const value = found.values.get(path)
    set.documents.set(path, { path, parsed: { ...parsed, value }, references: new Map(), walkedFrom: new Map(), uses: new Map() })
    recordOrigins(parsed.source, (pointer) => ({ file: path, pointer: found.findOriginal(path, pointer) }))
  }
  return { kind: 'hidden', parts: found.parts.map(format) }
}

function format({ file, pointer }: { readonly file: string; readonly pointer: string }): string {
  return `${file}#${pointer}`
}

function parse(place: string): { file: string; pointer: string } {
  const hash = place.indexOf('#')
  return { file: place.slice(0, hash), pointer: place.slice(hash + 1) }
}

/** Most descriptions restrict nothing. */
function mayHide({ documents }: Checked, { restricted, hidden = [] }: FilterRules): boolean {
  return (
    hidden.length > 0 ||
    [...documents.values()].some(({ parsed }) => {
      if (parsed.faults.length > 0 && mayHaveMarks(parsed.source.text)) return true
      const marks = findMarks(parsed.value)
      return marks.has('x-excluded') || (restricted === true && (marks.has('x-mint') || marks.has('x-mint-enum')))
    })
  )
}

function toFiles(
  check: Checked,
  { hides, places = [], withRestricted = false }: PublicOnly,
): { readonly files: DescriptionFiles; readonly rules: FilterRules } {
  const { description, documents, overlays, follow } = check
  const described = [...documents].filter(([path]) => !overlays.includes(path))
  const operations = (description?.operations ?? []).filter((one) => hides(`${one.method.toUpperCase()} ${one.pathTemplate}`))
  const entryPath = description?.entryPath ?? [...documents.keys()][0] ?? ''
  const entry = { file: entryPath, pointer: '', value: documents.get(entryPath)?.parsed.value }
  const webhooks = (['webhooks', 'x-webhooks'] as const).flatMap((key) => (follow ? collectPathItems(entry, key, follow) : []))
  const hidden = webhooks
    .filter(({ name }) => hides(`webhook ${name}`))
    .flatMap((webhook) => (follow ? collectOperations(webhook, follow).map(({ operation }) => operation) : []))
  const schemas = (description?.schemas ?? [])
    .filter(({ name }) => hides(name))
    .map(({ name }) => ({ file: entryPath, pointer: pointerChild('/components/schemas', name) }))
  const inResources = createResourceSearch(documents)
  const files: DescriptionFiles = {
    entryPath,
    values: new Map(described.map(([path, { parsed }]) => [path, parsed.value])),
    resolve(file, text) {
      const known = documents.get(file)?.references.get(text)?.target ?? inResources(file, text)
      if (known) return known
      const target = splitReference(text, file)
      return target.kind === 'file' && !/^[^/]/.test(target.fragment)
        ? { file: target.path, pointer: target.fragment }
        : undefined
    },
  }
  const rules = {
    restricted: !withRestricted,
    excluded: true,
    hidden: [...operations, ...hidden, ...schemas, ...places.map(parse)],
  }
  return { files, rules }
}

/** Finds the targets of references inside schemas with an `$id`. */
function createResourceSearch(documents: Checked['documents']): (file: string, text: string) => Place | undefined {
  const byFile = new Map<string, Map<string, Place>>()
  return (file, text) => {
    let found = byFile.get(file)
    if (!found) {
      found = new Map()
      for (const [key, { target }] of documents.get(file)?.references ?? []) {
        if (target && key.includes('\n')) found.set(key.slice(key.indexOf('\n') + 1), target)
      }
      byFile.set(file, found)
    }
    return found.get(text)
  }
}
