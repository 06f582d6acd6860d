import { addFinding, type Finding } from '../../diagnostics/diagnostic.ts'
import { type JsonObject, pointerChild, readOwn, readText } from '../../text/json/json-values.ts'
import { listFirst } from '../../text/plain/lists.ts'
import { findMarkdownCut, markdownTooComplexHint } from '../../text/plain/scan-markdown.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import {
  type CheckedObject,
  currentPointer,
  findMistyped,
  findMistypedReference,
  isMistypedReference,
  type ObjectTable,
  type Shape,
  sectionOf,
  severityOf,
  type TextRule,
  toCollectedObject,
  type Walk,
} from '../walk.ts'
import {
  asksFor,
  describeWrongType,
  findOwner,
  isTextShape,
  missingFieldHint,
  nameValue,
  statusCodeHint,
  unknownFieldHint,
  wordHint,
} from './problem-hints.ts'

/** A problem with one field of the current object, or with the object or value itself. */
interface FieldFinding extends Omit<Finding, 'file' | 'pointer' | 'section'> {
  /** The field; absent for the object itself. */
  readonly key?: string
  /** The entry of the field's list. */
  readonly index?: number
  /** Its name in the table of severities. */
  readonly heldAs?: TextRule['rule']
}

/** Reports a problem with the current object. */
export function reportField({ walk, table }: Pick<CheckedObject, 'walk' | 'table'>, finding: FieldFinding): void {
  const { key, index, heldAs, ...problem } = finding
  const severity = heldAs === undefined ? {} : { severity: severityOf(heldAs, walk.release) }
  const steps = [key, index].filter((step) => step !== undefined)
  const pointer = steps.reduce<string>(pointerChild, currentPointer(walk))
  addFinding(walk.findings, { ...problem, ...severity, file: walk.file, pointer, section: sectionOf(walk.release, table) })
}

/** Names an object for a message: ``response `200` ``, `the Info Object`. */
export function nameObject({ walk, table, value }: CheckedObject): string {
  const last = walk.path.at(-1)
  const name = table.key === 'Parameter' ? readText(value, 'name') : /^(?:Response|Header)$/.test(table.key) ? last : undefined
  return typeof name === 'string' ? `${table.key.toLowerCase()} \`${shorten(name)}\`` : `the ${table.title}`
}

/** Reports a field that is not defined for the object. */
export function reportUnknownField(walk: Walk, table: ObjectTable, value: JsonObject, key: string): void {
  const article = /^[AEIOU]/.test(table.title) && !table.title.startsWith('OAuth2') ? 'an' : 'a'
  const later = walk.laterRelease(table.key, key)
  const owner = later === undefined ? findOwner(table, value, key) : undefined
  const isMoved = (name: string) => findOwner(table, value, name) === owner && walk.laterRelease(table.key, name) === undefined
  const moved = owner === undefined ? [] : Object.keys(value).filter(isMoved)
  if (owner !== undefined && moved[0] !== key) return // Reported with the first of them.
  const name = later === undefined ? shorten(key) : key
  const reason = later === undefined ? '' : `: it requires OpenAPI ${later}, but this document uses ${walk.version}`
  const message = `Unexpected field \`${name}\` in ${article} ${table.title}${reason}`
  const move = `Move ${listFirst(moved, 5, (one) => `\`${shorten(one)}\``)} under \`${owner}\``
  const hint = owner === undefined ? unknownFieldHint(walk, table, value, key, later) : move
  reportField({ walk, table }, { code: 'unknown-field', key, on: 'key', message, hint })
}

/** Reports an unknown schema keyword of 3.1 if it looks misspelled. Any other unknown keyword is a custom one. */
export function reportUnknownKeyword(walk: Walk, table: ObjectTable, value: JsonObject, key: string): void {
  if (key === 'nullable') {
    if (value[key] === true) walk.collected.nullables.push(toCollectedObject(walk, value))
    return
  }
  const near = isMistypedReference(key, readOwn(value, key)) ? '$ref' : nearKeyword(walk, table, readOwn(value, key), key)
  if (near === undefined || Object.hasOwn(value, near)) return
  const message = `Unexpected keyword \`${shorten(key)}\` in a ${table.title}: tools ignore it`
  reportField({ walk, table }, { code: 'unknown-keyword', key, on: 'key', message, hint: didYouMean(near) })
}

/**
 * Returns the most similar keyword. Custom keywords resemble short ones by chance, so the value has to fit those too. Names with `$` belong to JSON
 * Schema.
 */
function nearKeyword(walk: Walk, table: ObjectTable, value: unknown, key: string): string | undefined {
  const isCore = key.startsWith('$')
  const isShort = key.length < 4
  const list = (counts: (name: string) => boolean, end = '') =>
    [...table.fields.keys()].flatMap((name) => (name.startsWith('$') === isCore && counts(name) ? name + end : []))
  const near = isShort && !isCore ? undefined : walk.suggest(key, () => list((name) => isCore || name.length > 3))
  if (near !== undefined || isCore || key.length > 4) return near
  // One more letter allows one change in a short name.
  const short = walk.suggest(`${key}-`, () => list((name) => name.length < (isShort ? 5 : 4), '-'))?.slice(0, -1) ?? ''
  const { kind, choices = [] } = table.fields.get(short)?.shape ?? {}
  const fits = kind === 'types' ? [value].flat().every((one) => choices.includes(String(one))) : typeof value === 'object'
  return fits && kind !== undefined ? short : undefined
}

/** Reports a name that matches no pattern of the object, such as a path without a leading `/`. */
export function reportUnknownName(walk: Walk, table: ObjectTable, key: string, expected: string): void {
  const message = `Unexpected \`${shorten(key)}\` in the ${table.title}, expected ${expected}`
  const path = table.key === 'Paths' && !key.startsWith('x') ? `Write \`/${shorten(key)}\`` : undefined
  const near = table.fields.has('default') ? walk.suggest(key, () => ['default']) : undefined
  const status = table.key === 'Responses' ? statusCodeHint(key) : undefined
  const hint = path ?? status ?? didYouMean(near)
  reportField({ walk, table }, { code: 'unknown-field', key, on: 'key', message, hint })
}

/** Reports each missing required field. `seen` has the bits of the fields that are present. */
export function reportMissingFields(walk: Walk, table: ObjectTable, value: JsonObject, seen: number): void {
  const object = { walk, table, value }
  for (const [key, { bit }] of table.fields) {
    // A misspelled field is already reported as an unknown field.
    if ((bit & table.requiredMask) === 0 || (seen & bit) !== 0 || hasMistyped(object, [key])) continue
    const message = `Missing \`${key}\` in ${nameObject(object)}`
    reportField(object, { code: 'missing-field', on: 'key', message, hint: missingFieldHint(walk, table, key) })
  }
}

/** Whether one of the missing fields is present but misspelled, or a misspelled `$ref` would replace all of them. */
export function hasMistyped({ walk, table, value }: CheckedObject, fields: readonly string[]): boolean {
  if (findMistypedReference(table, value) !== undefined) return true
  return fields.some((field) => asksFor(field, table, value) || findMistyped(table, value, field, walk.suggest) !== undefined)
}

/** Reports a value of the wrong type at the current location. */
export function reportWrongType(walk: Walk, table: ObjectTable, shape: Shape, value: unknown): void {
  if (isTextShape(shape) && readText(value, '$ref') !== undefined) {
    const message = `Unexpected \`$ref\` for ${nameValue(walk)}, expected a string`
    const hint = 'Write the text here: some tools follow this reference, but openapi-pages does not'
    reportField({ walk, table }, { code: 'reference-misplaced', key: '$ref', message, on: 'key', hint })
    return
  }
  const { message, hint, quotes } = describeWrongType(walk, shape, value)
  if (quotes !== undefined) walk.unquoted.set(walk.findings.length, quotes)
  reportField({ walk, table }, { code: 'wrong-type', message, hint })
}

/** Reports a string that is not one of the allowed values. */
export function reportWrongChoice(walk: Walk, table: ObjectTable, value: string, choices: readonly string[]): void {
  const target = nameValue(walk)
  let previous = lastReported.get(choices)
  if (previous?.walk !== walk || previous.table !== table || previous.value !== value || previous.target !== target) {
    const message = `Unexpected \`${shorten(value)}\` for ${target}, expected ${choices.length === 1 ? '' : 'one of '}${choices.map((choice) => `\`${choice}\``).join(', ')}`
    previous = { walk, table, value, target, text: { message, hint: choiceHint(walk, table, value, choices) } }
    lastReported.set(choices, previous)
  }
  reportField({ walk, table }, { ...previous.text, code: 'wrong-value' })
}

/** The last report about a value that is not one of some choices. */
interface ReportedChoice {
  readonly walk: Walk
  readonly table: ObjectTable
  readonly value: string
  readonly target: string
  readonly text: Pick<Finding, 'message' | 'hint'>
}

/**
 * Caches the last report for each list of choices. Repeated mistakes then share their strings, which saves a third of the memory.
 */
const lastReported = new WeakMap<readonly string[], ReportedChoice>()

function choiceHint(walk: Walk, table: ObjectTable, value: string, choices: readonly string[]): string | undefined {
  if (table.key === 'Schema' && value === 'null' && walk.release === '3.0') {
    return 'Write `nullable: true` next to the type: `type: "null"` requires OpenAPI 3.1'
  }
  if (table.key === 'Schema' && value === 'file') return 'Write `type: string` and `format: binary`'
  return wordHint(table.key, value) ?? didYouMean(walk.suggest(value, () => choices))
}

/** A value that violates a rule. */
interface WrongValue extends Pick<Finding, 'code' | 'on' | 'severity' | 'hint'> {
  readonly found: string
  /** Completes "expected …". */
  readonly expected: string
  /** Describes the value instead of the name of its field. */
  readonly target?: string
}

/** Reports a value that violates a rule. Use `on: 'key'` for rules about names. */
export function reportWrongValue(walk: Walk, table: ObjectTable, { found, expected, target, ...problem }: WrongValue): void {
  const name = target ?? (problem.on === 'key' ? 'a name' : nameValue(walk))
  reportField({ walk, table }, { on: 'value', ...problem, message: `Unexpected ${found} for ${name}, expected ${expected}` })
}

/** Reports a `$ref` where the specification does not allow one. */
export function reportMisplacedReference(walk: Walk, table: ObjectTable): void {
  const message = `Unexpected \`$ref\` in place of the ${table.title}: OpenAPI allows no reference here`
  const hint = table.fields.has('schema')
    ? 'Put the `$ref` to a schema under `schema`. Replace any other with the content: not all tools accept a reference here'
    : 'Replace it with the content: not all tools accept a reference here'
  reportField({ walk, table }, { code: 'reference-misplaced', message, key: '$ref', on: 'key', hint })
}

/** Reports a description that is too complex to parse as Markdown. A site shows the rest of it as plain text. */
export function reportComplexMarkdown(walk: Walk, table: ObjectTable, text: string): void {
  const cut = findMarkdownCut(text)
  if (cut === undefined) return
  const line = text.slice(0, cut).split('\n').length
  const from = line === 1 ? 'it' : `from line ${line} on, it`
  const message = `Description is too complex to parse as Markdown: ${from} is shown as plain text`
  const problem = { code: 'markdown-too-complex', key: 'description', on: 'value', hint: markdownTooComplexHint } as const
  reportField({ walk, table }, { ...problem, message })
}
