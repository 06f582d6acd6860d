import { pointerChild } from './json-pointer.ts'
import { yamlEventsOf } from './kept-events.ts'
import type { OffsetRange } from './position.ts'
import type { SourceFile } from './source-file.ts'
import { walkYamlEvents } from './yaml-events.ts'

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
    const { start, end } = comments[findLast(lines, offset)]?.nextLine ?? { start: 0, end: -1 }
    const found = pointers.get(start)
    if (offset <= end && found?.at(-1) !== pointer) found?.push(pointer)
  }
  walkYamlEvents(parsed.text, parsed.events, {
    enter(key, value) {
      const pointer = key === undefined ? '' : pointerChild(path.at(-1) ?? '', key.name)
      path.push(pointer)
      if (key && typeof key.name === 'string') noteStart(key.offsets.start, pointer)
      noteStart(value.start, pointer)
      for (let index = findLast(starts, value.end - 1); (starts[index] ?? -1) >= value.start; index--) insideValues.add(index)
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

/** The index of the last number that is at most `value`, in an ascending list, or -1. */
function findLast(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
