import type { DescriptionCheck } from '../../checks/check-description.ts'
import { diagnosticCodes, type Finding, isDiagnosticCode, ruleNameOf } from '../../diagnostics/diagnostic.ts'
import { isBlockingError, type RuleSettings } from '../../diagnostics/finish-diagnostics.ts'
import { type Expectation, expectationInside } from '../../openapi/tables/object-tables.ts'
import {
  isContainer,
  isObject,
  type JsonObject,
  parentPointer,
  pointerChild,
  valueAtPointer,
} from '../../text/json/json-values.ts'
import { syntaxOf } from '../../text/parse-source.ts'
import { addTo, formatNumber } from '../../text/plain/lists.ts'
import {
  exceptionComment,
  exceptionField,
  hasOrigins,
  mentions,
  type OffsetRange,
  type SourceFile,
  toOrigin,
} from '../../text/plain/source-file.ts'
import { createSuggest, didYouMean, shorten } from '../../text/plain/suggest.ts'
import { listRulesOf } from './drop-repeated.ts'

/** The parts of a check that exceptions depend on. */
type CheckedFiles = Pick<DescriptionCheck, 'sources' | 'documents'>

/** What exceptions are applied to. */
interface ExceptionUse {
  /** With the severities of the configuration. */
  readonly findings: readonly Finding[]
  readonly severities: RuleSettings['severities']
  /** The names of the rules of the ruleset. `undefined` if they did not all run. */
  readonly rules: ReadonlySet<string> | undefined
}

/**
 * Removes the problems that the documents make an exception for, with a reason:
 *
 * - `x-lint-ignore: { rule: reason }` in an object applies to the object and everything below it.
 * - `# openapi-pages-ignore-next-line rule: reason` in YAML applies to the keys and values that start on the next line.
 *
 * Errors that make a document invalid are kept.
 *
 * @returns `findings`: the other problems. `problems`: those of exceptions. `used`: the keys of the exceptions that ignored a problem.
 * `unused`: reports each exception that ignored nothing. Another description with the same file may use it.
 */
export async function applyExceptions(use: ExceptionUse, { sources, documents }: CheckedFiles) {
  const { findings, severities } = use
  const { exceptions, problems, pointers } = await findExceptions({ sources, documents })
  const isInField = ({ file, pointer }: Finding) => {
    const field = new RegExp(`/${exceptionField}(?=/|$)`, 'g')
    return [...pointer.matchAll(field)].some(({ 0: text, index }) =>
      pointers.has(`${file}\n${pointer.slice(0, index + text.length)}`),
    )
  }
  const find = toFindException(exceptions, (file) => sources.get(file))
  const used = new Set<Exception>()
  const refused = new Set<Exception>()
  const kept = findings.filter((finding) => {
    // The field itself is no part of the API.
    if (finding.code === 'ruleset' && isInField(finding)) return false
    const found = find(finding)
    if (found.length === 0) return true
    const isRefused = isBlockingError(finding, severities)
    for (const exception of found) (isRefused ? refused : used).add(exception)
    return isRefused
  })
  const refusals = [...refused].filter((exception) => !used.has(exception))
  // After such errors, other checks may not have run.
  const isComplete = !findings.some((finding) => isBlockingError(finding, severities))
  const unused = exceptions.filter((exception) => {
    const isOther = !used.has(exception) && !refused.has(exception)
    return isComplete && isOther && hasRun(exception.rule, use) && isChecked(exception, documents)
  })
  const describe = toDescribeUnused(use)
  return {
    findings: kept,
    problems: [...problems, ...refusals.map(toRefusal)],
    used: [...used].map(toKey),
    unused: unused.map((exception) => ({ key: toKey(exception), finding: describe(exception) })),
  }
}

/** An exception for one rule. */
interface Exception {
  /** A code, or the name of a rule of the ruleset. */
  readonly rule: string
  readonly place: Pick<Finding, 'file' | 'pointer' | 'on' | 'offsets'>
  /**
   * The values that it applies to, in the file of the place. A field has several if objects share it through an alias of YAML. A comment has
   * those on its line.
   */
  readonly targets: readonly string[]
  /** The line that a comment is about. */
  readonly line?: OffsetRange
}

function toKey({ rule, place: { file, pointer, offsets } }: Exception): string {
  return [file, pointer, offsets?.start, rule].join('\n')
}

/** Finds the exceptions for a problem by rule and location, without comparing each with each. */
function toFindException(
  exceptions: readonly Exception[],
  sourceOf: (file: string) => SourceFile | undefined,
): (finding: Finding) => readonly Exception[] {
  const rules = new Set(exceptions.map(({ rule }) => rule))
  const fields = new Map<string, Exception[]>()
  /** The comments about each line, by the list of targets that they share, and by rule. Of several for a rule, the first counts. */
  const comments = new Map<readonly string[], Map<string, Exception>>()
  const linesOf = new Map<string, (readonly string[])[]>()
  const toPlaceKey = (rule: string, file: string, pointer: string) => `${rule}\n${file}\n${pointer}`
  for (const exception of exceptions) {
    const { rule, place, targets } = exception
    const ofLine = exception.line && comments.get(targets)
    if (ofLine) {
      if (!ofLine.has(rule)) ofLine.set(rule, exception)
      continue
    }
    if (exception.line) comments.set(targets, new Map([[rule, exception]]))
    for (const target of targets) {
      if (exception.line) addTo(linesOf, toPlaceKey('', place.file, target), targets)
      else addTo(fields, toPlaceKey(rule, place.file, target), exception)
    }
  }
  const ofLines = exceptions.filter(({ line }) => line)
  /** The names under which exceptions can mean a problem, those of rules that say the same included. */
  const namesOf = (finding: Finding) => [ruleNameOf(finding), ...listRulesOf(finding.code)].filter((name) => rules.has(name))
  return (finding) => namesOf(finding).flatMap((rule) => findFor(rule, finding))

  function findFor(rule: string, finding: Finding): readonly Exception[] {
    const found: Exception[] = []
    for (let { pointer } = finding; ; pointer = parentPointer(pointer)) {
      found.push(...(fields.get(toPlaceKey(rule, finding.file, pointer)) ?? []))
      if (pointer === '') break
    }
    const { offsets } = finding
    if (!offsets) {
      // The value can be written in an overlay.
      const { file, pointer } = toOrigin(finding, sourceOf)
      const lines = linesOf.get(toPlaceKey('', file, pointer)) ?? []
      return [...found, ...lines.flatMap((targets) => comments.get(targets)?.get(rule) ?? [])]
    }
    const inLine = ofLines.filter(({ rule: other, place, line }) => {
      return rule === other && place.file === finding.file && line && line.start <= offsets.start && offsets.start <= line.end
    })
    return [...found, ...inLine]
  }
}

/** More exceptions have no effect: a hostile document could have millions. */
const maxExceptions = 20_000

interface FoundExceptions {
  readonly exceptions: Exception[]
  readonly problems: Finding[]
  /** The targets by field. */
  readonly fields: Map<JsonObject, string[]>
  /** The fields, as `file` and pointer on two lines. */
  readonly pointers: Set<string>
}

async function findExceptions({ sources, documents }: CheckedFiles): Promise<FoundExceptions> {
  const found: FoundExceptions = { exceptions: [], problems: [], fields: new Map(), pointers: new Set() }
  const hasFields = [...sources.values()].some((source) => mentions(source, exceptionField))
  for (const [file, document] of hasFields ? documents : []) {
    const { value, source } = document.parsed
    // An overlay can add a field.
    if (!mentions(source, exceptionField) && !hasOrigins(source)) continue
    const inside = (around: Expectation | undefined, key: string, pointer: string) =>
      expectationInside(document, { around, key, pointer })
    collectFields({ value, pointer: '', expected: inside(undefined, '', '') }, inside, (field, pointer) => {
      readField(field, file, pointer, found)
    })
  }
  for (const source of sources.values()) {
    if (syntaxOf(source) === 'yaml' && mentions(source, exceptionComment)) await collectComments(source, found)
  }
  return found
}

interface ExpectedValue {
  readonly value: unknown
  readonly pointer: string
  /** Undefined inside extensions. */
  readonly expected: Expectation | undefined
}

/** Finds the fields, which are not names in a mapping such as `properties` and not parts of an example. */
function collectFields(
  { value, pointer, expected }: ExpectedValue,
  inside: (around: Expectation | undefined, key: string, pointer: string) => Expectation | undefined,
  read: (value: unknown, pointer: string) => void,
): void {
  if (!isContainer(value)) return
  const isOfNames = expected !== undefined && expected.table === undefined
  for (const [key, child] of Object.entries(value)) {
    if (key === exceptionField && !isOfNames) read(child, pointer)
    else if (isContainer(child)) {
      const at = pointerChild(pointer, key)
      collectFields({ value: child, pointer: at, expected: inside(expected, key, at) }, inside, read)
    }
  }
}

function readField(value: unknown, file: string, target: string, found: FoundExceptions): void {
  const pointer = pointerChild(target, exceptionField)
  found.pointers.add(`${file}\n${pointer}`)
  if (!isObject(value)) {
    const message = `Unexpected value for \`${exceptionField}\`, expected a mapping from rules to reasons`
    addProblem(found, { message, hint: `Write \`${exceptionField}: { rule: reason }\`` }, { file, pointer })
    return
  }
  const known = found.fields.get(value)
  if (known) {
    known.push(target)
    return
  }
  const targets = [target]
  found.fields.set(value, targets)
  for (const [rule, reason] of Object.entries(value)) {
    const place = { file, pointer: pointerChild(pointer, rule), on: 'key' as const }
    addException(found, { rule, place, targets }, reason)
  }
}

async function collectComments(source: SourceFile, found: FoundExceptions): Promise<void> {
  // It loads the YAML parser.
  const { findYamlComments } = await import('../../text/yaml/parse-yaml.ts')
  for (const { text: comment, offsets, nextLine: line, pointers: targets } of findYamlComments(source, exceptionComment)) {
    const place = { file: source.path, pointer: '', offsets }
    // Names can contain colons, such as `owasp:api1:2023-no-numeric-ids`.
    const colon = comment.search(/:\s/)
    const [names, reason] = colon === -1 ? [comment, ''] : [comment.slice(0, colon), comment.slice(colon + 1)]
    const rules = names.split(',').flatMap((name) => name.trim().replace(/:$/, '') || [])
    if (rules.length === 0) {
      const hint = `Write \`# ${exceptionComment} rule: reason\``
      addProblem(found, { message: 'Missing rule of the exception', hint }, place)
    }
    for (const rule of rules) addException(found, { rule, place, targets, line }, reason)
  }
}

function addException(found: FoundExceptions, exception: Exception, reason: unknown): void {
  const { rule, place } = exception
  if (typeof reason !== 'string' || reason.trim() === '') {
    const message = `Missing reason of the exception for \`${shorten(rule)}\``
    addProblem(found, { message, hint: 'Write why the rule does not apply here' }, place)
  } else if (found.exceptions.length < maxExceptions) found.exceptions.push(exception)
  else addProblem(found, { message: `More than ${formatNumber(maxExceptions)} exceptions. The rest have no effect` }, place)
}

function addProblem({ problems }: FoundExceptions, problem: Pick<Finding, 'message' | 'hint'>, place: Exception['place']): void {
  if (problems.length < maxExceptions) problems.push({ code: 'exception-syntax', ...problem, ...place })
}

/** Whether a rule or code was checked. */
function hasRun(rule: string, { severities, rules }: ExceptionUse): boolean {
  if (isDiagnosticCode(rule)) return severities.get(rule) !== 'off'
  return rules !== undefined && (severities.get(rule) ?? severities.get('ruleset')) !== 'off'
}

/** Whether the check covered the value of an exception. In files that others refer to, only the parts are checked that are used. */
function isChecked({ targets: [target], place }: Exception, documents: CheckedFiles['documents']): boolean {
  if (target === undefined) return true
  const document = documents.get(place.file)
  if (!document || valueAtPointer(document.parsed.value, target) === undefined) return false
  for (let pointer = target; ; pointer = parentPointer(pointer)) {
    if (document.walkedFrom.has(pointer)) return true
    if (pointer === '') return false
  }
}

function toRefusal({ rule, place }: Exception): Finding {
  const message = `Cannot make an exception for \`${shorten(rule)}\`: the error makes the document invalid`
  return { code: 'unused-exception', message, ...place, hint: 'Fix the error' }
}

function toDescribeUnused({ rules }: ExceptionUse): (exception: Exception) => Finding {
  const names = [...Object.keys(diagnosticCodes), ...(rules ?? [])]
  const suggest = createSuggest()
  return ({ rule, place }) => {
    const isKnown = isDiagnosticCode(rule) || rules?.has(rule) === true
    const hint = (isKnown ? undefined : didYouMean(suggest(rule, () => names))) ?? 'Remove the exception'
    const message = `Unexpected exception for \`${shorten(rule)}\`, which reports no problem here`
    return { code: 'unused-exception', message, ...place, hint }
  }
}
