import {
  binaryTag,
  CORE_SCHEMA,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  EVENT_ID,
  type Event,
  floatCoreTag,
  intCoreTag,
  mapTag,
  mergeTag,
  seqTag,
  YAMLException,
} from 'js-yaml'
import { pointerChild, settleNumbers, toNumber, WrittenNumber } from '../json/json-values.ts'
import { defaultLimits, type LimitName, type Limits, limitHint } from '../plain/limits.ts'
import { findLastUpTo } from '../plain/lists.ts'
import { type OffsetRange, type SourceFile, type SyntaxProblem, toDuplicateKeyProblem } from '../plain/source-file.ts'
import { describeYamlError, toYamlErrorKind } from './describe-yaml-error.ts'
import { keepEvents, yamlEventsOf } from './kept-events.ts'
import { type LenientEvents, parseLenientEvents } from './unindented-lines.ts'
import { walkYamlEvents } from './yaml-events.ts'

/** `<<` is YAML 1.1, but real descriptions use it to share responses. */
const schema = CORE_SCHEMA.withTags(
  mergeTag,
  defineMappingTag(mapTag.tagName, {
    ...mapTag,
    has: (map, key) => mapTag.has(map, plainKey(key)),
    addPair: (map, key, value) => mapTag.addPair(map, plainKey(key), value),
  }),
  ...[intCoreTag, floatCoreTag].map((tag) =>
    defineScalarTag(tag.tagName, {
      ...tag,
      resolve: (source, isExplicit, tagName) => {
        const value = tag.resolve(source, isExplicit, tagName)
        return typeof value === 'number' ? toNumber(value, source) : value
      },
    }),
  ),
)

function plainKey(key: unknown): unknown {
  return key instanceof WrittenNumber ? key.valueOf() : key
}

/** `warnings` are about lines that not all parsers accept. */
interface ParsedYaml {
  readonly value: unknown
  readonly faults: readonly SyntaxProblem[]
  readonly warnings?: readonly SyntaxProblem[]
}

/**
 * Reads one YAML document. Reports all duplicate keys and keeps the last value, as in JSON.
 *
 * Never throws. Invalid YAML gives `value: undefined` and one problem.
 *
 * @param tags Whether unknown tags are problems, or text.
 */
export function parseYaml(original: string, tags: 'known' | 'any' = 'known'): ParsedYaml {
  return parseYamlFile({ path: '', text: original }, defaultLimits, tags === 'any' ? anyTags : schema)
}

/** Reads a file as `parseYaml` does. Its events are kept for `yamlEventsOf`. */
export function parseYamlFile(source: SourceFile, limits: Limits, tags = schema): ParsedYaml {
  const original = source.text
  let parsed: LenientEvents
  try {
    parsed = parseLenientEvents(original, limits.values.nesting)
  } catch (error) {
    return { value: undefined, faults: [toSyntaxProblem(original, error, limits)] }
  }
  keepEvents(source, parsed)
  const { events, text, unindented } = parsed
  const read = constructYaml(text, events, limits, tags)
  return unindented.length === 0 ? read : { ...read, warnings: unindented.map((start) => toIndentationProblem(original, start)) }
}

function constructYaml(
  text: string,
  events: Event[],
  limits: Limits,
  tags: typeof schema,
): { value: unknown; faults: readonly SyntaxProblem[] } {
  const maxAliasedNodes = limits.values['alias-nodes']
  const complexity = hasAlias(text, events) ? checkAliases(text, events, limits) : undefined
  if (complexity) return { value: undefined, faults: [complexity] }
  try {
    const values = constructFromEvents(events, {
      source: text,
      schema: tags,
      maxTotalMergeKeys: maxAliasedNodes,
    })
    const [value] = values
    if (values.length > 1) return { value: settleNumbers(value), faults: [secondDocumentProblem(text, events)] }
    if (values.length === 0 || value === null) return { value: undefined, faults: [emptyProblem] }
    return { value: settleNumbers(value), faults: [] }
  } catch (error) {
    if (!isDuplicateKey(error)) return { value: undefined, faults: [toSyntaxProblem(text, error, limits)] }
    return { value: withLastKeys(text, events, maxAliasedNodes, tags), faults: findDuplicateKeys(text, events, error, limits) }
  }
}

function toIndentationProblem(text: string, start: number): SyntaxProblem {
  const bracket = /[\]}]/.exec(text[start] ?? '')?.[0]
  const [found, what] = bracket === undefined ? ['line of a quoted value', 'the line'] : [`\`${bracket}\``, 'the bracket']
  return {
    code: 'yaml-syntax',
    message: `Unexpected ${found} with the indentation of its key, expected more: not all YAML parsers accept it`,
    offsets: { start, end: start + 1 },
    hint: `Indent ${what}`,
  }
}

/** The value with the last of equal keys, or `undefined` if there are other problems. */
function withLastKeys(text: string, events: Event[], maxTotalMergeKeys: number, tags: typeof schema): unknown {
  try {
    return settleNumbers(constructFromEvents(events, { source: text, schema: tags, json: true, maxTotalMergeKeys })[0])
  } catch {
    return undefined
  }
}

const emptyProblem: SyntaxProblem = {
  code: 'empty-document',
  message: 'Unexpected empty file, expected an OpenAPI document',
  hint: 'Write a document that starts with `openapi: 3.1.1`',
  offsets: { start: 0, end: 0 },
}

function isDuplicateKey(error: unknown): error is YAMLException {
  return error instanceof YAMLException && toYamlErrorKind(error.reason) === 'duplicate-key'
}

function findDuplicateKeys(text: string, events: Event[], error: YAMLException, limits: Limits): SyntaxProblem[] {
  const faults: SyntaxProblem[] = []
  walkYamlEvents(text, events, {
    duplicateKey(key, offsets, first) {
      faults.push(toDuplicateKeyProblem(key, offsets, first))
    },
  })
  // Only the parser considers these keys equal.
  return faults.length > 0 ? faults : [toSyntaxProblem(text, error, limits)]
}

/** Whether there is an alias. Checks the text first, which is faster than checking the events. */
function hasAlias(text: string, events: readonly Event[]): boolean {
  return text.includes('&') && text.includes('*') && events.some(({ type }) => type === EVENT_ID.ALIAS)
}

/** Counts the nodes that aliases expand to, and finds aliases inside their own anchor. */
function checkAliases(text: string, events: Event[], limits: Limits): SyntaxProblem | undefined {
  const maxAliasedNodes = limits.values['alias-nodes']
  const sizes = new Map<string, number>()
  const open: { anchor: string | undefined; size: number }[] = []
  let aliasedNodes = 0
  const add = (size: number, anchor: string | undefined) => {
    const parent = open.at(-1)
    if (parent) parent.size += size
    if (anchor !== undefined) sizes.set(anchor, size)
  }
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        open.push({ anchor: undefined, size: 0 })
        break
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        open.push({ anchor: anchorOf(text, event), size: 1 })
        break
      case EVENT_ID.SCALAR:
        add(1, anchorOf(text, event))
        break
      case EVENT_ID.ALIAS: {
        const anchor = anchorOf(text, event) ?? ''
        const offsets = { start: event.anchorStart - 1, end: event.anchorEnd }
        if (open.some((node) => node.anchor === anchor)) {
          return { code: 'too-complex', message: `Unexpected alias \`*${anchor}\` inside its own anchor`, offsets }
        }
        const size = sizes.get(anchor) ?? 0
        aliasedNodes += size
        add(size, undefined)
        if (aliasedNodes > maxAliasedNodes) {
          const message = `Unexpected aliases that expand to more than ${maxAliasedNodes} nodes`
          const instead = 'Move the repeated parts to `components` and refer to them with `$ref`'
          return toLimitProblem(message, offsets, 'alias-nodes', limits, instead)
        }
        break
      }
      case EVENT_ID.POP: {
        const closed = open.pop()
        if (closed) add(closed.size, closed.anchor)
        break
      }
    }
  }
  return undefined
}

function anchorOf(text: string, event: { anchorStart: number; anchorEnd: number }): string | undefined {
  return event.anchorStart === -1 ? undefined : text.slice(event.anchorStart, event.anchorEnd)
}

function secondDocumentProblem(text: string, events: readonly Event[]): SyntaxProblem {
  const marker = /^(?:---|\.\.\.)/gm
  const second = events.findIndex((event, index) => index > 0 && event.type === EVENT_ID.DOCUMENT)
  marker.lastIndex = Math.max(1, ...events.slice(0, second).map(endOfEvent))
  const start = marker.exec(text)?.index ?? 0
  const message = 'Unexpected second YAML document, expected one document per file'
  return { code: 'yaml-syntax', message, offsets: { start, end: start + 3 }, hint: 'Remove this line or split the file' }
}

function endOfEvent(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return Math.max(event.valueEnd, event.tagEnd, event.anchorEnd)
  return event.type === EVENT_ID.ALIAS ? event.anchorEnd : 0
}

function toSyntaxProblem(text: string, error: unknown, limits: Limits): SyntaxProblem {
  if (!(error instanceof YAMLException)) {
    // Hostile nesting can also cause other exceptions, such as a RangeError for the stack.
    return { code: 'too-complex', message: 'Cannot read the YAML: it is nested too deeply', offsets: { start: 0, end: 0 } }
  }
  const start = Math.min(error.mark?.position ?? 0, text.length)
  const kind = toYamlErrorKind(error.reason)
  if (kind === 'duplicate-key')
    return { code: 'duplicate-key', message: 'Unexpected duplicate key', offsets: { start, end: start + 1 } }
  const here = { start, end: Math.min(text.length, start + 1) }
  if (kind === 'too-deep') {
    const problem = `Cannot read the YAML: it is nested deeper than ${limits.values.nesting} levels`
    return toLimitProblem(problem, here, 'nesting', limits, 'Move inner parts to `components` and refer to them with `$ref`')
  }
  if (kind === 'too-many-merged-keys') {
    const problem = `Cannot read the YAML: its \`<<\` merges expand to more than ${limits.values['alias-nodes']} keys`
    return toLimitProblem(problem, here, 'alias-nodes', limits, 'Use fewer `<<` merges')
  }
  const { message, hint, offsets } = describeYamlError(text, error.reason, start)
  return { code: 'yaml-syntax', message: `Cannot read the YAML: ${message}`, offsets, hint }
}

function toLimitProblem(message: string, offsets: OffsetRange, limit: LimitName, limits: Limits, instead: string): SyntaxProblem {
  return { code: 'too-complex', message, offsets, hint: limitHint(limit, limits, instead) }
}

/** A comment of a YAML file that is about the next line. */
interface YamlComment {
  /** The text after the marker, without surrounding whitespace. */
  readonly text: string
  /** From `#` to the end of the line. */
  readonly offsets: OffsetRange
  /** The next line that is neither blank nor a comment. */
  readonly nextLine: OffsetRange
  /** The values whose key or value starts on that line, in order. Comments about the same line share the list. */
  readonly pointers: readonly string[]
}

/**
 * Finds the comments that begin with a marker, such as `# marker …`, in the order of the text. The marker inside a value is not a comment.
 *
 * Returns none if the file is not valid YAML.
 */
export function findYamlComments(source: SourceFile, marker: string): readonly YamlComment[] {
  const comments = [...listCandidates(source.text, marker)]
  if (comments.length === 0) return []
  const parsed = yamlEventsOf(source)
  if (!parsed) return []
  const starts = comments.map(({ offsets }) => offsets.start)
  const lines = comments.map(({ nextLine }) => nextLine.start)
  const insideValues = new Set<number>()
  const pointers = new Map(lines.map((start): [number, string[]] => [start, []]))
  const path: string[] = []
  const noteStart = (offset: number, pointer: string) => {
    // Several comments can precede the same line.
    const { start, end } = comments[findLastUpTo(lines, offset)]?.nextLine ?? { start: 0, end: -1 }
    const found = pointers.get(start)
    if (offset <= end && found?.at(-1) !== pointer) found?.push(pointer)
  }
  walkYamlEvents(parsed.text, parsed.events, {
    enter(key, value) {
      const pointer = key === undefined ? '' : pointerChild(path.at(-1) ?? '', key.name)
      path.push(pointer)
      if (key && typeof key.name === 'string') noteStart(key.offsets.start, pointer)
      noteStart(value.start, pointer)
      for (let index = findLastUpTo(starts, value.end - 1); (starts[index] ?? -1) >= value.start; index--) insideValues.add(index)
      return undefined
    },
    leave() {
      path.pop()
    },
  })
  return comments.flatMap((comment, index) =>
    insideValues.has(index) ? [] : { ...comment, pointers: pointers.get(comment.nextLine.start) ?? [] },
  )
}

/** Comments, and text that looks like one. */
function* listCandidates(text: string, marker: string): Generator<Omit<YamlComment, 'pointers'>> {
  let nextLine: OffsetRange | undefined
  for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + marker.length)) {
    let start = at - 1
    while (isBlank(text[start])) start--
    if (text[start] !== '#' || !(start === 0 || isBlank(text[start - 1]) || isLineBreak(text[start - 1]))) continue
    const end = findLineEnd(text, at)
    const after = text.slice(at + marker.length, end)
    if (after !== '' && !isBlank(after[0])) continue
    // Very many comments can precede the same line.
    if (!nextLine || nextLine.start < end) nextLine = findNextLine(text, end)
    yield { text: after.trim(), offsets: { start, end }, nextLine }
  }
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}

function isLineBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r'
}

function findLineEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && !isLineBreak(text[end])) end++
  return end
}

/** The empty end of the text if there is no line with content. */
function findNextLine(text: string, end: number): OffsetRange {
  for (let start = end; start < text.length; ) {
    while (isLineBreak(text[start])) start++
    let first = start
    while (isBlank(text[first])) first++
    const lineEnd = findLineEnd(text, first)
    if (first < lineEnd && text[first] !== '#') return { start, end: lineEnd }
    start = lineEnd
  }
  return { start: text.length, end: text.length }
}

const text = { resolve: (source: string): unknown => source, identify: () => false }

/** For files whose tags would construct objects in other programs. Each is text here, or a plain list or mapping; only `!binary` is bytes. */
const anyTags = CORE_SCHEMA.withTags(
  mergeTag,
  ...['!', 'tag:'].flatMap((tag) => [
    defineScalarTag(tag, { ...text, matchByTagPrefix: true }),
    defineSequenceTag(tag, { ...seqTag, matchByTagPrefix: true }),
    defineMappingTag(tag, { ...mapTag, matchByTagPrefix: true }),
  ]),
  // The decoder of the library refuses line breaks and missing padding.
  ...['!binary', binaryTag.tagName].map((tag) =>
    defineScalarTag(tag, { ...text, resolve: (source: string) => new Uint8Array(Buffer.from(source, 'base64')) }),
  ),
)
