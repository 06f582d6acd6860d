import { addFinding, type DiagnosticCode, type Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, type JsonObject, pointerChild, readOwn } from '../../text/json/json-values.ts'
import { findMarkdownCut, markdownTooComplexHint } from '../../text/plain/scan-markdown.ts'
import { didYouMean, shorten } from '../../text/plain/suggest.ts'
import {
  currentPointer,
  findMistyped,
  findMistypedReference,
  isMistypedReference,
  type ObjectTable,
  type Shape,
  sectionOf,
  toCollectedObject,
  type Walk,
} from '../walk.ts'
import {
  describeWrongType,
  isTextShape,
  missingFieldHint,
  nameValue,
  statusCodeHint,
  typeHint,
  unknownFieldHint,
} from './problem-hints.ts'

/** A problem with one field of the current object, or with the object itself. */
export interface FieldFinding {
  readonly code: DiagnosticCode
  readonly message: string
  /** The field; `undefined` for the object itself. */
  readonly key: string | undefined
  /** The entry of the field's list. */
  readonly index?: number
  readonly on: 'key' | 'value'
  readonly hint?: string | undefined
  readonly severity?: 'error' | 'warning' | 'info'
}

/** Reports a problem with a field of the current object. */
export function reportField(walk: Walk, table: ObjectTable, { key, index, hint, ...finding }: FieldFinding): void {
  let pointer = currentPointer(walk)
  if (key !== undefined) pointer = pointerChild(pointer, key)
  if (index !== undefined) pointer = pointerChild(pointer, index)
  report(walk, { ...finding, pointer, section: sectionOf(walk.release, table), ...(hint === undefined ? {} : { hint }) })
}

function report(walk: Walk, finding: Omit<Finding, 'file'>): void {
  addFinding(walk.findings, { ...finding, file: walk.file })
}

/** Names an object for a message: ``response `200` ``, `the Info Object`. */
export function nameObject(walk: Walk, table: ObjectTable, value: JsonObject): string {
  const last = walk.path.at(-1)
  const name = value['name']
  if (table.key === 'Parameter' && typeof name === 'string') return `parameter \`${shorten(name)}\``
  if (table.key === 'Response' && typeof last === 'string') return `response \`${shorten(last)}\``
  if (table.key === 'Header' && typeof last === 'string') return `header \`${shorten(last)}\``
  return `the ${table.title}`
}

/** Reports a field that is not defined for the object. */
export function reportUnknownField(walk: Walk, table: ObjectTable, value: JsonObject, key: string): void {
  const article = /^[AEIOU]/.test(table.title) && !table.title.startsWith('OAuth2') ? 'an' : 'a'
  const later = walk.laterRelease(table.key, key)
  const message =
    later === undefined
      ? `Unexpected field \`${shorten(key)}\` in ${article} ${table.title}`
      : `Unexpected field \`${key}\` in ${article} ${table.title}: it requires OpenAPI ${later}, but this document uses ${walk.version}`
  const hint = unknownFieldHint(walk, table, value, key, later)
  reportField(walk, table, { code: 'unknown-field', key, on: 'key', message, hint })
}

/** Reports an unknown schema keyword of 3.1 if it looks misspelled. Any other unknown keyword is a custom one. */
export function reportUnknownKeyword(walk: Walk, table: ObjectTable, value: JsonObject, key: string): void {
  if (key === 'nullable') {
    if (value[key] === true) walk.collected.nullables.push(toCollectedObject(walk, value))
    return
  }
  const near = isMistypedReference(key, readOwn(value, key)) ? '$ref' : nearKeyword(walk, table, key)
  if (near === undefined || Object.hasOwn(value, near)) return
  const message = `Unexpected keyword \`${shorten(key)}\` in a ${table.title}: tools ignore it`
  reportField(walk, table, { code: 'unknown-keyword', key, on: 'key', message, hint: didYouMean(near) })
}

/** Returns the most similar keyword. Short names and names with `$` are excluded, because they resemble too many common words. */
function nearKeyword(walk: Walk, table: ObjectTable, key: string): string | undefined {
  if (key.length < 4) return undefined
  return walk.suggest(key, () => [...table.fields.keys()].filter((name) => name.length > 3 && !name.startsWith('$')))
}

/** Reports a name that matches no pattern of the object, such as a path without a leading `/`. */
export function reportUnknownName(walk: Walk, table: ObjectTable, key: string, expected: string): void {
  const message = `Unexpected \`${shorten(key)}\` in the ${table.title}, expected ${expected}`
  const hint = table.key === 'Paths' && !key.startsWith('x') ? `Write \`/${shorten(key)}\`` : undefined
  const near = [...table.fields.keys()].includes('default') ? walk.suggest(key, () => ['default']) : undefined
  const status = table.key === 'Responses' ? statusCodeHint(key) : undefined
  reportField(walk, table, { code: 'unknown-field', key, on: 'key', message, hint: hint ?? status ?? didYouMean(near) })
}

/** Reports each missing required field. `seen` has the bits of the fields that are present. */
export function reportMissingFields(walk: Walk, table: ObjectTable, value: JsonObject, seen: number): void {
  for (const [key, { bit }] of table.fields) {
    if ((bit & table.requiredMask) === 0 || (seen & bit) !== 0) continue
    // A misspelled field is already reported as an unknown field.
    if (hasMistyped(walk, table, value, [key])) continue
    const message = `Missing \`${key}\` in ${nameObject(walk, table, value)}`
    const hint = missingFieldHint(walk, table, key)
    reportField(walk, table, { code: 'missing-field', key: undefined, on: 'key', message, hint })
  }
}

/** Whether one of the missing fields is present but misspelled, or a misspelled `$ref` would replace all of them. */
export function hasMistyped(walk: Walk, table: ObjectTable, value: JsonObject, fields: readonly string[]): boolean {
  if (findMistypedReference(table, value) !== undefined) return true
  return fields.some((field) => findMistyped(table, value, field, walk.suggest) !== undefined)
}

/** Reports a value of the wrong type at the current location. */
export function reportWrongType(walk: Walk, table: ObjectTable, shape: Shape, value: unknown): void {
  const pointer = currentPointer(walk)
  if (isTextShape(shape) && isObject(value) && typeof value['$ref'] === 'string') {
    const message = `Unexpected \`$ref\` for ${nameValue(walk)}, expected a string`
    const hint = 'Write the text here: some tools follow this reference, but openapi-pages does not'
    report(walk, {
      code: 'reference-misplaced',
      message,
      pointer: `${pointer}/$ref`,
      on: 'key',
      hint,
      section: sectionOf(walk.release, table),
    })
    return
  }
  const fault = describeWrongType(walk, shape, value)
  if (fault.quotes !== undefined) walk.unquoted.set(walk.findings.length, fault.quotes)
  const { message, hint } = fault
  report(walk, {
    code: 'wrong-type',
    message,
    pointer,
    section: sectionOf(walk.release, table),
    ...(hint === undefined ? {} : { hint }),
  })
}

/** Reports a string that is not one of the allowed values. */
export function reportWrongChoice(walk: Walk, table: ObjectTable, value: string, choices: readonly string[]): void {
  const target = nameValue(walk)
  let previous = lastReported.get(choices)
  if (previous?.walk !== walk || previous.table !== table || previous.value !== value || previous.target !== target) {
    const message = `Unexpected \`${shorten(value)}\` for ${target}, expected ${choices.length === 1 ? '' : 'one of '}${choices.map((choice) => `\`${choice}\``).join(', ')}`
    const hint = choiceHint(walk, table, value, choices)
    previous = { walk, table, value, target, text: hint === undefined ? { message } : { message, hint } }
    lastReported.set(choices, previous)
  }
  report(walk, { ...previous.text, code: 'wrong-value', pointer: currentPointer(walk), section: sectionOf(walk.release, table) })
}

/** The last report about a value that is not one of some choices. */
interface ReportedChoice {
  readonly walk: Walk
  readonly table: ObjectTable
  readonly value: string
  readonly target: string
  readonly text: { readonly message: string; readonly hint?: string }
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
  const type = walk.path.findLast((step) => typeof step === 'string')
  return (type === 'type' ? typeHint(table.key, value) : undefined) ?? didYouMean(walk.suggest(value, () => choices))
}

/** Reports a value that violates a rule. `expected` completes "expected …". Use `on: 'key'` for rules about names. */
export function reportWrongValue(
  walk: Walk,
  table: ObjectTable,
  fault: {
    code: DiagnosticCode
    found: string
    expected: string
    on?: 'key' | 'value'
    severity?: 'error' | 'warning'
    hint?: string
    /** Describes the value instead of the name of its field. */
    target?: string
  },
): void {
  const { code, found, expected, on = 'value', severity, hint } = fault
  const target = fault.target ?? (on === 'key' ? 'a name' : nameValue(walk))
  report(walk, {
    code,
    message: `Unexpected ${found} for ${target}, expected ${expected}`,
    pointer: currentPointer(walk),
    on,
    section: sectionOf(walk.release, table),
    ...(severity === undefined ? {} : { severity }),
    ...(hint === undefined ? {} : { hint }),
  })
}

/** Reports a `$ref` where the specification does not allow one. */
export function reportMisplacedReference(walk: Walk, table: ObjectTable): void {
  report(walk, {
    code: 'reference-misplaced',
    message: `Unexpected \`$ref\` in place of the ${table.title}: OpenAPI allows no reference here`,
    pointer: `${currentPointer(walk)}/$ref`,
    on: 'key',
    hint: 'Replace it with the content: not all tools accept a reference here',
    section: sectionOf(walk.release, table),
  })
}

/** Reports a description that is too complex to parse as Markdown. A site shows the rest of it as plain text. */
export function reportComplexMarkdown(walk: Walk, table: ObjectTable, text: string): void {
  const cut = findMarkdownCut(text)
  if (cut === undefined) return
  const line = text.slice(0, cut).split('\n').length
  const from = line === 1 ? 'it' : `from line ${line} on, it`
  const message = `Description is too complex to parse as Markdown: ${from} is shown as plain text`
  reportField(walk, table, {
    code: 'markdown-too-complex',
    message,
    key: 'description',
    on: 'value',
    hint: markdownTooComplexHint,
  })
}
