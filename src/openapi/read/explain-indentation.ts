import type { Finding } from '../../diagnostics/diagnostic.ts'
import { parentPointer, parsePointer, pointerChild, valueAtPointer } from '../../text/json/json-values.ts'
import { locatePointers } from '../../text/parse-source.ts'
import { groupBy, lazy } from '../../text/plain/lists.ts'
import { hasOrigins, type OffsetRange } from '../../text/plain/source-file.ts'
import type { WalkedDocument } from '../walk.ts'
import type { CheckedDescription } from './collect-operations.ts'
import { findMisplaced, type MisplacedKey } from './find-misplaced.ts'

/** Documents with more problems than this have other causes. */
const maxExamined = 500

/** The diagnostics of a description and its documents. */
export type DescriptionFindings = Pick<CheckedDescription, 'findings' | 'documents' | 'sources'>

/**
 * Combines all diagnostics that one wrongly indented YAML line causes.
 *
 * Indented too little, fields end up next to their parent key, which becomes empty. Indented too much, they become fields of the wrong
 * object. Without this step, each of these fields and each reference below them would be reported separately.
 */
export async function explainIndentation(found: DescriptionFindings): Promise<readonly Finding[]> {
  const misplaced = listMisplaced(found)
  if (misplaced.size === 0) return found.findings
  const settled = await collectEffects(new Set(misplaced.values()), found.sources)
  if (settled.size === 0) return found.findings
  const reported = new Set<MisplacedKey>()
  return found.findings.flatMap((finding) => {
    const each = misplaced.get(finding)
    if (each && settled.get(each.file)?.pointers.has(each.pointer)) {
      if (reported.has(each)) return []
      reported.add(each)
      return explain(finding, each)
    }
    return isConsequence(finding, settled, found.documents) ? [] : finding
  })
}

function explain(finding: Finding, { pointer, hint, message }: MisplacedKey): Finding {
  if (message === undefined || finding.code === 'wrong-type') return { ...finding, hint }
  return { ...finding, code: 'unknown-field', message, pointer, on: 'key', hint }
}

/** Maps diagnostics to the misplaced key that causes them. Several diagnostics can have the same cause. */
function listMisplaced({ findings, documents }: DescriptionFindings): Map<Finding, MisplacedKey> {
  const misplaced = new Map<Finding, MisplacedKey>()
  const byPointer = new Map<string, MisplacedKey>()
  if (![...documents.values()].some(({ parsed }) => parsed.syntax === 'yaml')) return misplaced
  const listUnresolved = lazy(() => new Set(findings.map((finding) => targetOf(finding, documents) ?? '')))
  let lookedAt = 0
  for (const finding of findings) {
    const { code, file, severity } = finding
    if ((code !== 'unknown-field' && code !== 'wrong-type' && code !== 'missing-field') || severity !== undefined) continue
    const document = documents.get(file)
    if (document?.parsed.syntax !== 'yaml' || hasOrigins(document.parsed.source)) continue
    if (++lookedAt > maxExamined) break
    const each = findMisplaced(finding, document, listUnresolved)
    if (!each) continue
    const id = `${file}\n${each.pointer}`
    const known = byPointer.get(id) ?? each
    byPointer.set(id, known)
    misplaced.set(finding, known)
  }
  // Fields next to an empty misplaced key have the same cause.
  const strays = new Set(
    [...byPointer.values()].flatMap((each) =>
      each.strays.filter((stray) => stray !== each.pointer).map((stray) => `${each.file}\n${stray}`),
    ),
  )
  for (const [finding, { file, pointer }] of misplaced) if (isBelow(`${file}\n${pointer}`, strays)) misplaced.delete(finding)
  return misplaced
}

/** The effects of the misplaced keys of one file. */
interface IndentationEffects {
  readonly pointers: Set<string>
  readonly strays: Set<string>
  readonly homes: string[]
  /** Objects that lack a key only because it is misplaced. */
  readonly lacking: Map<string, string>
  /** Keys that are empty because their content is misplaced. */
  readonly emptied: string[]
  /** Ranges in which keys repeat only because they are indented too little. */
  readonly repeats: OffsetRange[]
}

function isConsequence(
  finding: Finding,
  settled: ReadonlyMap<string, IndentationEffects>,
  documents: ReadonlyMap<string, WalkedDocument>,
): boolean {
  const { code, file, pointer, offsets, message, related } = finding
  // These checks are unreliable while a part of the description is misplaced.
  if (uncertain.has(code)) return true
  const here = settled.get(file)
  if (offsets)
    return (
      code === 'duplicate-key' && (here?.repeats.some(({ start, end }) => offsets.start > start && offsets.start < end) ?? false)
    )
  if (here && isBelow(pointer, here.strays)) return true
  if (code === 'path-parameter') return here?.emptied.some((each) => pointer.startsWith(`${parentPointer(each)}/`)) ?? false
  if (code === 'missing-field') return message.startsWith(`Missing \`${here?.lacking.get(pointer) ?? ''}\``)
  const target = code === 'reference-kind' ? related?.[0]?.pointer : targetOf(finding, documents)
  return (
    target !== undefined && [...settled.values()].some(({ homes }) => homes.some((home) => `${target}/`.startsWith(`${home}/`)))
  )
}

const uncertain: ReadonlySet<Finding['code']> = new Set([
  'unused-component',
  'link-target',
  'tag-undeclared',
  'discriminator-property',
  'discriminator-mapping',
  'server-variable',
  'example-mismatch',
  'default-mismatch',
  'enum-mismatch',
])

/** The missing target of a diagnostic, as a pointer into its file. */
function targetOf({ code, file, pointer }: Finding, documents: ReadonlyMap<string, WalkedDocument>): string | undefined {
  if (code === 'security-scheme') return pointerChild('/components/securitySchemes', parsePointer(pointer).at(-1) ?? '')
  if (code !== 'reference-unresolved') return undefined
  const reference = valueAtPointer(documents.get(file)?.parsed.value, pointer)
  return typeof reference === 'string' && reference.startsWith('#/') ? reference.slice(1) : undefined
}

function isBelow(pointer: string, tops: ReadonlySet<string>): boolean {
  for (let at = pointer; at !== ''; at = parentPointer(at)) if (tops.has(at)) return true
  return false
}

/** Keeps keys at the start of their line. Indentation has no meaning inside braces. */
async function collectEffects(
  misplaced: ReadonlySet<MisplacedKey>,
  sources: DescriptionFindings['sources'],
): Promise<Map<string, IndentationEffects>> {
  const settled = new Map<string, IndentationEffects>()
  for (const [file, inFile] of groupBy(misplaced, (each) => each.file)) {
    const source = sources.get(file)
    if (!source) continue
    const here: IndentationEffects = {
      pointers: new Set(),
      strays: new Set(),
      homes: [],
      lacking: new Map(),
      emptied: [],
      repeats: [],
    }
    const places = await locatePointers(
      source,
      inFile.map(({ pointer }) => pointer),
    )
    for (const { pointer, strays, home, key, isEmpty } of inFile) {
      const start = places.get(pointer)?.key?.start ?? 0
      const column = start - (source.text.lastIndexOf('\n', start - 1) + 1)
      if (!/^[ -]*$/.test(source.text.slice(start - column, start))) continue
      here.pointers.add(pointer)
      for (const stray of [pointer, ...strays]) here.strays.add(stray)
      here.homes.push(home)
      here.lacking.set(parentPointer(home), key)
      if (!isEmpty) continue
      here.emptied.push(pointer)
      here.repeats.push({ start, end: findEnd(source.text, start, column) })
    }
    if (here.pointers.size > 0) settled.set(file, here)
  }
  return settled
}

/** The end of the mapping with a key in this column: the next line with less indentation. Empty lines and comments are skipped. */
function findEnd(text: string, start: number, column: number): number {
  if (column === 0) return text.length
  const fartherOut = new RegExp(`\\n {0,${Math.min(column, 1_000) - 1}}[^\\s#]`, 'g')
  fartherOut.lastIndex = start
  return fartherOut.exec(text)?.index ?? text.length
}

/** Limits for the search for component names. */
const maxExaminedProblems = 500
const maxValues = 20_000

/** Removes `unused-component` for components that are named in a part with an error, because that part was not read. */
export function dropUnused(findings: readonly Finding[], documents: ReadonlyMap<string, WalkedDocument>): readonly Finding[] {
  if (!findings.some(({ code }) => code === 'unused-component')) return findings
  const faults = findings.filter(({ code }) => unread.has(code)).slice(0, maxExaminedProblems)
  if (faults.length === 0) return findings
  const named = listNames(faults, documents)
  return findings.filter(({ code, pointer }) => code !== 'unused-component' || !named.has(parsePointer(pointer).at(-1) ?? ''))
}

const unread: ReadonlySet<Finding['code']> = new Set(['unknown-field', 'wrong-type', 'security-scheme', 'reference-unresolved'])

/** All words in the invalid values and in their hints. */
function listNames(faults: readonly Finding[], documents: ReadonlyMap<string, WalkedDocument>): Set<string> {
  const names = new Set<string>()
  const add = (text: string) => {
    for (const word of text.slice(0, 300).match(/[\w.-]+/g) ?? []) names.add(word)
  }
  const waiting: unknown[] = []
  for (const { file, pointer, hint } of faults) {
    add(hint ?? '')
    waiting.push(valueAtPointer(documents.get(file)?.parsed.value, pointer))
  }
  for (let count = 0; waiting.length > 0 && count < maxValues; count++) {
    const value = waiting.pop()
    if (typeof value === 'string') add(value)
    else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) for (const key of Object.keys(value)) names.add(key)
      for (const entry of Object.values(value)) waiting.push(entry)
    }
  }
  return names
}
