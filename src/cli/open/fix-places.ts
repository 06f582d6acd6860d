import { isAlias, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { parsePointer } from '../../text/json/json-values.ts'
import { applyEdits, type TextEdit } from '../../text/plain/source-file.ts'

/** The places of a problem in a file. */
export interface FixedProblem extends Pick<Finding, 'code'> {
  readonly pointers: readonly string[]
}

/**
 * Fixes problems in the text of a JSON or YAML file, and returns the number of places. Comments and layout are preserved.
 *
 * Places without a safe edit are unchanged: those behind an alias, and those with several meanings.
 */
export function fixPlaces(text: string, problems: readonly FixedProblem[]): { readonly text: string; readonly fixed: number } {
  const unchanged = { text, fixed: 0 }
  const document = parseDocument(text, { uniqueKeys: false, keepSourceTokens: false, merge: false })
  if (document.errors.length > 0) return unchanged
  const edits: TextEdit[] = []
  let fixed = 0
  for (const { code, pointers } of problems) {
    for (const pointer of pointers) {
      const steps = parsePointer(pointer)
      const planned =
        code === 'nullable-ignored'
          ? planNullable(text, find(document.contents, steps))
          : planQuotes(text, find(document.contents, steps.slice(0, -1)), steps.at(-1))
      if (!planned) continue
      edits.push(...planned)
      fixed++
    }
  }
  const next = applyEdits(text, edits)
  return parseDocument(next, { uniqueKeys: false }).errors.length > 0 ? unchanged : { text: next, fixed }
}

/** Edits never overlap, because each concerns the keys of one mapping. */
/** The value at a path. `undefined` behind an alias, whose anchor can have other uses. */
function find(top: unknown, steps: readonly string[]): unknown {
  let node = top
  for (const step of steps) {
    if (isMap(node)) node = pairOf(node, step)?.value
    else if (isSeq(node)) node = node.items[Number(step)]
    else return undefined
  }
  return isAlias(node) ? undefined : node
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  // As in JSON, the last of equal keys counts.
  return map.items.findLast((pair) => isScalar(pair.key) && String(pair.key.value) === key)
}

/** The range of a key or value. */
function rangeOf(node: unknown): readonly [start: number, end: number] | undefined {
  const range = typeof node === 'object' && node !== null && 'range' in node ? (node.range as unknown) : undefined
  return Array.isArray(range) ? [Number(range[0]), Number(range[1])] : undefined
}

function planQuotes(text: string, map: unknown, key: string | undefined): readonly TextEdit[] | undefined {
  const range = isMap(map) && key !== undefined ? rangeOf(pairOf(map, key)?.key) : undefined
  if (!range) return undefined
  const [start, end] = range
  return text.slice(start, end) === key ? [{ offsets: { start, end }, newText: `'${key}'` }] : undefined
}

function planNullable(text: string, map: unknown): readonly TextEdit[] | undefined {
  if (!isMap(map)) return undefined
  const nullable = pairOf(map, 'nullable')
  const removal = nullable && planRemoval(text, map, nullable)
  const addition = planNull(text, map)
  return removal && addition ? [...addition, removal] : undefined
}

/** Adds `null` to the types or alternatives of a schema. */
function planNull(text: string, map: YAMLMap): readonly TextEdit[] | undefined {
  const isFlow = (node: unknown) => text[rangeOf(node)?.[0] ?? 0] === '{' || text[rangeOf(node)?.[0] ?? 0] === '['
  const isJson = /^\s*[{[]/.test(text) && isQuoted(text, map.items[0]?.key)
  const quote = (name: string) => (isJson ? `"${name}"` : name)
  const nullSchema = `${quote('type')}: "null"`
  const type = pairOf(map, 'type')?.value
  if (isScalar(type)) {
    const range = rangeOf(type)
    if (!range || typeof type.value !== 'string') return undefined
    return type.value === 'null'
      ? []
      : [{ offsets: { start: range[0], end: range[1] }, newText: `[${text.slice(...range)}, "null"]` }]
  }
  if (isSeq(type)) {
    if (type.items.some((item) => isScalar(item) && item.value === 'null')) return []
    return append(text, type.items.at(-1), '"null"', isFlow(type))
  }
  if (type !== undefined) return undefined
  const [reference, all, one, any] = ['$ref', 'allOf', 'oneOf', 'anyOf'].map((key) => pairOf(map, key))
  const given = [reference, all, one, any].filter((pair) => pair !== undefined)
  const [only] = given
  if (!only || given.length > 1) return undefined
  const [key, value] = [rangeOf(only.key), rangeOf(only.value)]
  if (!key || !value) return undefined
  if (only === reference) {
    const written = `${text.slice(...key)}: ${text.slice(...value)}`
    return [{ offsets: { start: key[0], end: value[1] }, newText: `${quote('anyOf')}: [{${written}}, {${nullSchema}}]` }]
  }
  if (!isSeq(only.value) || (only === all && only.value.items.length !== 1)) return undefined
  const inFlow = isFlow(only.value)
  const added = append(text, only.value.items.at(-1), inFlow ? `{${nullSchema}}` : nullSchema, inFlow)
  const rename = { offsets: { start: key[0], end: key[1] }, newText: text.slice(...key).replace('allOf', 'anyOf') }
  return added && (only === all ? [rename, ...added] : added)
}

function isQuoted(text: string, node: unknown): boolean {
  return text[rangeOf(node)?.[0] ?? 0] === '"'
}

/** Appends an entry to a list. */
function append(text: string, last: unknown, entry: string, isFlow: boolean): readonly TextEdit[] | undefined {
  const range = rangeOf(last)
  if (!range) return undefined
  const [start, end] = range
  if (isFlow) return [{ offsets: { start: end, end: end }, newText: `, ${entry}` }]
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const indentation = /^( *)- +$/.exec(text.slice(lineStart, start))?.[1]
  if (indentation === undefined) return undefined
  const [newline, at] = [text.includes('\r\n') ? '\r\n' : '\n', endOfLine(text, text.slice(start, end).trimEnd().length + start)]
  return [{ offsets: { start: at, end: at }, newText: `${newline}${indentation}- ${entry}` }]
}

function endOfLine(text: string, from: number): number {
  const end = /\r?\n|$/.exec(text.slice(from))
  return from + (end?.index ?? 0)
}

function planRemoval(text: string, map: YAMLMap, pair: Pair): TextEdit | undefined {
  const [key, value] = [rangeOf(pair.key), rangeOf(pair.value)]
  if (!key || !value || !isScalar(pair.value) || pair.value.value !== true) return undefined
  const index = map.items.indexOf(pair)
  const [before, after] = [map.items[index - 1], map.items[index + 1]]
  const next = rangeOf(after?.key)?.[0]
  const onlySpace = (from: number, to: number) => /^[\s,]*$/.test(text.slice(from, to))
  if (text[rangeOf(map)?.[0] ?? 0] === '{') {
    const previous = rangeOf(before?.value)?.[1]
    if (previous !== undefined && onlySpace(previous, key[0])) return { offsets: { start: previous, end: value[1] }, newText: '' }
    return next !== undefined && onlySpace(value[1], next) ? { offsets: { start: key[0], end: next }, newText: '' } : undefined
  }
  const lineStart = text.lastIndexOf('\n', key[0] - 1) + 1
  const lineEnd = endOfLine(text, value[1])
  if (text.slice(lineStart, key[0]).trim() === '') {
    // A comment stays.
    const rest = text.slice(value[1], lineEnd)
    if (rest.trim() !== '')
      return { offsets: { start: key[0], end: value[1] + rest.length - rest.trimStart().length }, newText: '' }
    return {
      offsets: { start: lineStart, end: Math.min(text.length, lineEnd + (text.startsWith('\r\n', lineEnd) ? 2 : 1)) },
      newText: '',
    }
  }
  return next !== undefined && onlySpace(value[1], next) ? { offsets: { start: key[0], end: next }, newText: '' } : undefined
}
