import { type DiagnosticCode, diagnosticCodes, type Finding } from '../../diagnostics/diagnostic.ts'
import {
  isContainer,
  isDeeperThan,
  isObject,
  parentPointer,
  parsePointer,
  pointerChild,
  readOwn,
  readStep,
  valueAtPointer,
} from '../../text/json/json-values.ts'
import { decodePercent } from '../../text/plain/paths.ts'
import { recordOrigins } from '../../text/plain/source-file.ts'
import { type CheckedDescription, collectOperations, collectPathItems } from '../read/collect-operations.ts'
import { splitReference } from '../references/follow-reference.ts'
import type { DocumentSet, WalkedDocument } from '../walk.ts'
import type { Originals } from './clean-data.ts'
import { createCopy } from './copy-kept.ts'
import { type DescriptionFiles, type FilePlace, isInside, type Node, placeOf } from './description-tree.ts'
import { findUsed, type Marked, markRemoved, removeUnused, type Used } from './mark-removed.ts'
import { collectNames, createSearch, listSpecificationWords, type RemovedNames } from './removed-names.ts'
import {
  createIsMark,
  type FilterRules,
  hasMark,
  mayHaveMarks,
  noGroups,
  type PublicOnly,
  resolveEscapes,
} from './restriction-marks.ts'

/** Leaves out parts of a document in one file. Returns the same value if there are none. `parts` has their pointers. */
export function filterDocument(value: unknown, rules: FilterRules) {
  const found = filterDescription(
    {
      entryPath: '',
      values: new Map([['', value]]),
      resolve: (file, reference) =>
        reference.startsWith('#') ? { file, pointer: decodePercent(reference.slice(1)) } : undefined,
    },
    rules,
  )
  if (!found) return { value, parts: [], leftovers: [] }
  const leftovers = [...found.leftovers, ...found.unfit.map((mark) => ({ ...mark, name: 'x-mint' }))]
  return { value: found.values.get('') ?? {}, parts: found.parts.map(({ pointer }) => pointer), leftovers }
}

/**
 * Leaves out the parts that rules name, and all that only these parts use: references, components, files, tags, scopes, links, conditions, and their names
 * and values in examples and code samples. A name that a kept part declares too stays.
 *
 * @returns `undefined` if nothing is left out. A file that only removed parts use has no value. With `leftovers`, it must not be published.
 * @see https://www.mintlify.com/docs/create/personalization
 */
function filterDescription(files: DescriptionFiles, rules: FilterRules) {
  const marked = markRemoved(files, rules)
  const before = findUsed(marked, false)
  const names = removeUses(marked, before)
  if (!names) return undefined
  const originals: Originals = new WeakMap()
  const copy = createCopy(marked, names, { before, after: findUsed(marked, true) }, originals)
  const values = new Map<string, unknown>()
  for (const [file, value] of files.values) {
    const root = marked.roots.get(file)
    const copied = root ? copy(root) : value
    if (copied !== undefined) values.set(file, copied)
  }
  return {
    values,
    parts: listParts(marked),
    names: names.secrets,
    /** Returns where a value is in the original file: lists can be shorter. */
    findOriginal: (file: string, pointer: string) => findOriginal(values.get(file), pointer, originals),
    leftovers: findLeftovers(values, names),
    unfit: [...marked.unfit].filter(([{ isRemoved }]) => !isRemoved).map(([node, message]) => ({ ...placeOf(node), message })),
  }
}

/** A callback that loses its expression can be all that used other parts, whose names are in expressions. Longer chains stay, and are found afterwards. */
const maxRounds = 10

/** Removes what only removed parts use, and callbacks whose expressions name removed parts. Returns the names of all removed parts. */
function removeUses(marked: Marked, before: Used): RemovedNames | undefined {
  const { enums, unfit, hiddenValues, nodes } = marked
  if (enums.size + unfit.size + hiddenValues.length === 0 && !nodes.some(({ isRemoved }) => isRemoved)) return undefined
  const callbacks = nodes.filter(({ role }) => role === 'callback')
  for (let round = 1; ; round++) {
    removeUnused(marked, before, findUsed(marked, true))
    const names = collectNames(marked)
    const gone = callbacks
      .flatMap((callback) => [...callback.children])
      .filter(([expression, node]) => !node.isRemoved && names.isGoneExpression(expression))
    if (gone.length === 0 || round === maxRounds) return names
    for (const [, node] of gone) marked.remove(node)
  }
}

/** The parts that rules name, without those inside others. */
function listParts({ nodes, explicit, enums }: Marked): FilePlace[] {
  const isOuter = (node: Node) => !isInside(node, (around) => explicit.has(around))
  const named = nodes.filter((node) => (explicit.has(node) || enums.has(node)) && isOuter(node))
  return named.flatMap((node) => {
    const { file, pointer } = placeOf(node)
    if (explicit.has(node)) return [{ file, pointer }]
    return [...(enums.get(node) ?? [])].map((index) => ({ file, pointer: pointerChild(`${pointer}/enum`, index) }))
  })
}

/** Returns where a value of a copy is in the original. */
function findOriginal(root: unknown, pointer: string, originals: Originals): string {
  let original = ''
  let value = root
  for (const step of parsePointer(pointer)) {
    original = pointerChild(original, originals.get(Object(value))?.[Number(step)] ?? step)
    value = readStep(value, step)
  }
  return original
}

/** Fields whose value is a name or can contain one. The value of any other field of the specification is one of its words, a text or an address. */
const fieldsWithNames: ReadonlySet<string> = new Set([
  ...['required', 'tags', 'name', 'title', 'summary', 'description', 'parent', 'operationId', 'propertyName', 'enum', 'const'],
  ...['default', 'example', 'examples', 'value', 'dataValue', 'serializedValue', 'parameters', 'requestBody', 'security'],
  'x-tagGroups',
])

/** Fields whose value is one of a few words, or an address. */
const fieldsWithWords: ReadonlySet<string> = new Set(['type', 'in', 'style', 'format', '$ref', '$schema', 'openapi', 'scheme'])

/** Searches a filtered description for names and values of removed parts. Knows nothing of what was removed where. */
function findLeftovers(values: ReadonlyMap<string, unknown>, names: RemovedNames) {
  const words = listSpecificationWords()
  const found: (FilePlace & { readonly name: string })[] = []
  const isLeft = (text: unknown) => names.isGone(text) && !words.has(String(text))
  const visit = (value: unknown, place: FilePlace, field: string) => {
    if (typeof value === 'string') {
      const isName = fieldsWithNames.has(field) || !words.has(field)
      const isWhole = isName && (isLeft(value) || names.isValue(value))
      const name = isWhole ? value : fieldsWithWords.has(field) ? undefined : names.findValue(value)
      if (name !== undefined) found.push({ ...place, name })
    }
    if (!isContainer(value)) return
    for (const [key, child] of Object.entries(value)) {
      const at = { file: place.file, pointer: pointerChild(place.pointer, key) }
      const isValue = !words.has(key) && (names.isValue(key) || names.findValue(key) !== undefined)
      if (isObject(value) && (isLeft(key) || isValue || names.isGoneExpression(key))) found.push({ ...at, name: key })
      visit(child, at, isObject(value) ? key : field)
    }
  }
  for (const [file, value] of values) visit(value, { file, pointer: '' }, '')
  return found
}

/** The restricted parts of a description, as `file#pointer`. */
type HiddenParts =
  | { readonly kind: 'none' }
  /** Nothing can be published: the restricted parts are not known because of syntax errors or depth, or not all of their names can be removed. */
  | { readonly kind: 'unknown'; readonly findings: readonly Finding[] }
  /** `names`: those that only these parts declare, and restricted values. */
  | { readonly kind: 'hidden'; readonly parts: readonly string[]; readonly names: readonly string[] }

/** Finds the restricted parts of a checked description, and what prevents leaving them out. */
export function findRestricted(
  check: CheckedDescription,
  publicOnly: PublicOnly = { hides: () => false, hidesSome: false },
): { parts: readonly string[]; findings: readonly Finding[] } {
  const { files, rules } = toFiles(check, publicOnly)
  const found = check.description && mayHide(check, rules) ? filterDescription(files, { ...rules, excluded: false }) : undefined
  return { parts: found?.parts.map(format) ?? [], findings: [...listUnmatched(check), ...(found ? listProblems(found) : [])] }
}

/** Reports restrictions in actions of overlays that match nothing. */
function listUnmatched({ findings, documents }: CheckedDescription): Finding[] {
  return findings.flatMap(({ code, file, pointer }) => {
    if (code !== 'overlay-unmatched') return []
    const action = valueAtPointer(documents.get(file)?.parsed.value, parentPointer(pointer))
    // Not a mark that the target only asks for, as in `$..[?@["x-mint"]]`.
    const setsMark = /(?<!@)(?:\.|\[\s*["'])x-mint/i.test(resolveEscapes(String(readOwn(action, 'target'))))
    if (!hasMark(action) && !(setsMark && readOwn(action, 'remove') !== true)) return []
    const message = 'Cannot restrict anything here: the target of the action matches nothing'
    return [
      { code: 'content-restricted', severity: 'error', message, file, pointer, hint: 'Correct `target`, or remove the action' },
    ]
  })
}

/** Reports restrictions without effect, and names that are left. */
function listProblems({ unfit, leftovers, findOriginal }: NonNullable<ReturnType<typeof filterDescription>>): Finding[] {
  const left = leftovers.map(({ name, file, pointer }) => ({
    message: `Cannot leave out \`${name}\`, the name or a value of a part that is not published`,
    file,
    pointer: findOriginal(file, pointer),
    hint: 'Use another word here, or publish the part',
  }))
  const hint = 'Write `x-mint-enum` beside `enum`, and `x-mint` in parts such as operations, parameters, schemas and properties'
  return [...unfit.map((mark) => ({ ...mark, hint })), ...left].map((one) => ({
    code: 'content-restricted',
    severity: 'error',
    ...one,
  }))
}

/** Removes the restricted parts of a checked description from the files of a set. A file that only they use has no value then. */
export function hideParts(check: CheckedDescription, set: DocumentSet, publicOnly: PublicOnly): HiddenParts {
  const { files, rules } = toFiles(check, publicOnly)
  if (!mayHide(check, rules) && !publicOnly.hidesSome) return { kind: 'none' }
  // An overlay that cannot be applied may restrict something.
  const isFault = ({ file, code }: { readonly file: string; readonly code: DiagnosticCode }) =>
    check.overlays.includes(file) && diagnosticCodes[code].severity === 'error'
  const isUnread = ({ parsed: { value, faults } }: WalkedDocument) => faults.length > 0 || isDeeperThan(value, 1_000)
  if ([...set.documents.values()].some(isUnread) || set.findings.some(isFault)) {
    return { kind: 'unknown', findings: [] }
  }
  const found = filterDescription(files, rules)
  const findings = [...(rules.restricted ? listUnmatched(check) : []), ...(found ? listProblems(found) : [])]
  if (!found && findings.length === 0) return { kind: 'none' }
  if (!found || findings.length > 0) return { kind: 'unknown', findings }
  for (const [path, { parsed }] of set.documents) {
    if (check.overlays.includes(path)) continue
    const value = found.values.get(path)
    set.documents.set(path, { path, parsed: { ...parsed, value }, references: new Map(), walkedFrom: new Map(), uses: new Map() })
    recordOrigins(parsed.source, (pointer) => ({ file: path, pointer: found.findOriginal(path, pointer) }))
  }
  return { kind: 'hidden', parts: found.parts.map(format), names: found.names }
}

/** Returns a function that finds secrets in a text, of which `publicTexts` have none. Words that can mean something else are no secrets. */
export function createSecretSearch(
  secrets: readonly string[],
  publicTexts: readonly string[],
): (text: string) => string | undefined {
  const unmistakable = new Set(secrets.filter((name) => name.length > 5 && /[^\p{L}]/u.test(name)))
  const search = createSearch(unmistakable)
  // The search index has all texts in lower case.
  for (const text of publicTexts) for (const name of search(`${text}\n${text.toLowerCase()}`, 'name')) unmistakable.delete(name)
  const searchLeft = createSearch(unmistakable)
  return (text) => searchLeft(text, 'name').next().value
}

function format({ file, pointer }: FilePlace): string {
  return `${file}#${pointer}`
}

function parse(place: string): FilePlace {
  const hash = place.indexOf('#')
  return { file: place.slice(0, hash), pointer: place.slice(hash + 1) }
}

/** Most descriptions restrict nothing. Marks can be anywhere, even in examples. */
function mayHide(check: CheckedDescription, { restricted, hidden = [] }: FilterRules): boolean {
  const isMark = createIsMark(restricted)
  const mayHaveOne = ({ parsed: { value, faults, source } }: WalkedDocument) => {
    let hasOne = faults.length > 0 && mayHaveMarks(source.text, restricted)
    return isDeeperThan(value, 1_000, (key) => (hasOne ||= isMark(key))) || hasOne
  }
  const isNamed = hidden.length > 0 || (restricted !== undefined && listUnmatched(check).length > 0)
  return isNamed || [...check.documents.values()].some(mayHaveOne)
}

function toFiles(
  check: CheckedDescription,
  { hides, places = [], withRestricted = false, readers = noGroups }: PublicOnly,
): { readonly files: DescriptionFiles; readonly rules: FilterRules } {
  const { description, documents, overlays, follow } = check
  const described = [...documents].filter(([path]) => !overlays.includes(path))
  const operations = (description?.operations ?? []).filter(
    ({ method, pathTemplate, operationId }) => hides(`${method.toUpperCase()} ${pathTemplate}`) || hides(`#${operationId}`),
  )
  const entryPath = description?.entryPath ?? [...documents.keys()][0] ?? ''
  const entry = { file: entryPath, pointer: '', value: documents.get(entryPath)?.parsed.value }
  const webhooks = (['webhooks', 'x-webhooks'] as const).flatMap((key) => (follow ? collectPathItems(entry, key, follow) : []))
  const hidden = webhooks
    .filter(({ name }) => hides(`webhook ${name}`))
    .flatMap((webhook) => (follow ? collectOperations(webhook, follow).map(({ operation }) => operation) : []))
  const schemas = (description?.schemas ?? [])
    .filter(({ name }) => hides(name))
    .map(({ name }) => ({ file: entryPath, pointer: pointerChild('/components/schemas', name) }))
  const files: DescriptionFiles = {
    entryPath,
    values: new Map(described.map(([path, { parsed }]) => [path, parsed.value])),
    resolve(file, text, holder) {
      const known = follow?.find(file, text, holder)
      if (known) return known
      const target = splitReference(text, file)
      return target.kind === 'file' && !/^[^/]/.test(target.fragment)
        ? { file: target.path, pointer: target.fragment }
        : undefined
    },
  }
  const rules = {
    restricted: withRestricted ? undefined : readers,
    excluded: true,
    hidden: [...operations, ...hidden, ...schemas, ...places.map(parse)],
    hiddenValues: places,
  }
  return { files, rules }
}
