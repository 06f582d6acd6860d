import {
  boolCoreTag,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  SCALAR_STYLE,
} from 'js-yaml'
import { findChild, type PointerTree, recordPlace } from '../json/pointer-tree.ts'
import type { OffsetRange, SourceFile } from '../plain/source-file.ts'
import { yamlEventsOf } from './kept-events.ts'

/** Callbacks of a walk. All are optional. */
interface YamlVisitor {
  /**
   * A value starts. `key` is its key in a mapping or its index in a list, absent for the root value. Return `false` to skip its
   * contents.
   */
  enter?(key: { name: string | number; offsets: OffsetRange } | undefined, value: OffsetRange): boolean | undefined
  /** The last entered value ends. */
  leave?(): void
  /** A mapping contains the key a second time. */
  duplicateKey?(key: string, offsets: OffsetRange, first: OffsetRange): void
}

type Frame =
  | { kind: 'document' }
  | { kind: 'sequence'; next: number }
  | { kind: 'mapping'; keys: Map<string, OffsetRange>; key: { name: string; offsets: OffsetRange } | undefined }

/**
 * Walks the flat event list of the parser as a tree, with the location of every key and value.
 *
 * The range of a scalar includes its quotes, and for a block scalar excludes surrounding whitespace. The range of a list or mapping is
 * its first character. The range of an empty value is its key or the `-` of its item. Keys have the names of the resulting mapping:
 * `0x10` is named `16`, `~` is named `null`, and an alias has the name of its anchor. Stops at the end of the first document.
 */
export function walkYamlEvents(text: string, events: Iterable<Event>, visitor: YamlVisitor): void {
  const stack: Frame[] = []
  const places = new EventPlaces(text)
  const anchors = new Map<string, ScalarEvent>()
  /** The depth inside a list or mapping whose contents are skipped: a value, or a key, which is no name. */
  let skipped = 0
  for (const event of events) {
    const frame = stack.at(-1)
    if (event.type === EVENT_ID.SCALAR && event.anchorStart !== -1) anchors.set(anchorOf(text, event), event)
    if (skipped > 0) {
      skipped += depthChange(event)
      if (skipped > 0) places.of(event, undefined)
      else if (frame?.kind === 'mapping' && !frame.key) frame.key = { name: '', offsets: { start: 0, end: 0 } }
      else finishValue(stack, visitor)
      continue
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      if (stack.length > 0) return
      stack.push({ kind: 'document' })
      continue
    }
    if (event.type === EVENT_ID.POP) {
      if (stack.pop()?.kind === 'document') return
      finishValue(stack, visitor)
      continue
    }
    if (!frame) return
    if (frame.kind === 'mapping' && frame.key === undefined) {
      const offsets = places.of(event, undefined)
      if (depthChange(event) === 1) skipped = 1
      else startKey(text, event, anchors, offsets, frame, visitor)
      continue
    }
    const key = keyOf(frame)
    const offsets = places.of(event, frame.kind === 'mapping' ? key?.offsets : undefined)
    if (visitor.enter?.(key, offsets) === false && depthChange(event) === 1) skipped = 1
    else if (event.type === EVENT_ID.MAPPING) stack.push({ kind: 'mapping', keys: new Map(), key: undefined })
    else if (event.type === EVENT_ID.SEQUENCE) stack.push({ kind: 'sequence', next: 0 })
    else finishValue(stack, visitor)
  }
}

function depthChange({ type }: Event): number {
  if (type === EVENT_ID.POP) return -1
  return type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE ? 1 : 0
}

function startKey(
  text: string,
  event: Event,
  anchors: ReadonlyMap<string, ScalarEvent>,
  offsets: OffsetRange,
  frame: Frame & { kind: 'mapping' },
  visitor: YamlVisitor,
): void {
  const scalar = event.type === EVENT_ID.ALIAS ? anchors.get(anchorOf(text, event)) : event
  const name = scalar?.type === EVENT_ID.SCALAR ? keyName(text, scalar) : text.slice(offsets.start, offsets.end)
  const first = frame.keys.get(name)
  if (first) visitor.duplicateKey?.(name, offsets, first)
  else frame.keys.set(name, offsets)
  frame.key = { name, offsets }
}

function finishValue(stack: Frame[], visitor: YamlVisitor): void {
  const parent = stack.at(-1)
  if (!parent) return
  visitor.leave?.()
  if (parent.kind === 'mapping') parent.key = undefined
  if (parent.kind === 'sequence') parent.next++
}

function keyOf(frame: Frame): { name: string | number; offsets: OffsetRange } | undefined {
  if (frame.kind === 'mapping') return frame.key
  if (frame.kind === 'sequence') return { name: frame.next, offsets: { start: 0, end: 0 } }
  return undefined
}

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>

function keyName(text: string, event: ScalarEvent): string {
  if (event.valueStart === -1 && event.tagStart === -1) return 'null'
  const written = event.valueStart === -1 ? '' : getScalarValue(text, event)
  if (event.tagStart !== -1) return taggedName(text.slice(event.tagStart, event.tagEnd), written)
  // Fast path for status codes.
  if (event.style !== SCALAR_STYLE.PLAIN || /^(?:0|[1-9]\d{0,14})$/.test(written)) return written
  return String(resolvePlainScalar(written))
}

/** `tag` as written: `!`, `!!str` or `!<tag:yaml.org,2002:str>`. A document with an invalid tag has no value. */
function taggedName(tag: string, written: string): string {
  const type = /(?<![a-z])[a-z]*(?=>?$)/.exec(tag)?.[0]
  if (type === 'null') return 'null'
  return type === '' || type === 'str' ? written : String(resolvePlainScalar(written))
}

function anchorOf(text: string, { anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string {
  return text.slice(anchorStart, anchorEnd)
}

/** Finds the range of each event in order. An empty value has no range, so the end of the previous value is tracked. */
class EventPlaces {
  readonly #text: string
  #last = 0

  constructor(text: string) {
    this.#text = text
  }

  /** `key` is the range of the value's key in a mapping. */
  of(event: Event, key: OffsetRange | undefined): OffsetRange {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#note(this.#ofScalar(event, key))
      case EVENT_ID.ALIAS:
        return this.#note({ start: event.anchorStart - 1, end: event.anchorEnd })
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        this.#last = Math.max(this.#last, event.start)
        return { start: event.start, end: Math.min(this.#text.length, event.start + 1) }
      default:
        return { start: this.#last, end: this.#last }
    }
  }

  #note(offsets: OffsetRange): OffsetRange {
    this.#last = Math.max(this.#last, offsets.end)
    return offsets
  }

  #ofScalar(
    { valueStart, valueEnd, style, tagStart, tagEnd, anchorStart, anchorEnd }: ScalarEvent,
    key: OffsetRange | undefined,
  ): OffsetRange {
    if (valueStart === -1) {
      if (tagStart !== -1) return { start: tagStart, end: tagEnd }
      if (anchorStart !== -1) return { start: anchorStart - 1, end: anchorEnd }
      return key ?? this.#nextIndicator()
    }
    switch (style) {
      case SCALAR_STYLE.SINGLE_QUOTED:
      case SCALAR_STYLE.DOUBLE_QUOTED:
        return { start: valueStart - 1, end: valueEnd + 1 }
      case SCALAR_STYLE.LITERAL_BLOCK:
      case SCALAR_STYLE.FOLDED_BLOCK: {
        const block = this.#text.slice(valueStart, valueEnd)
        const end = valueStart + block.trimEnd().length
        return { start: Math.min(end, valueEnd - block.trimStart().length), end }
      }
      default:
        return { start: valueStart, end: valueEnd }
    }
  }

  /** The `-` of an empty item or the `:` after an empty key. */
  #nextIndicator(): OffsetRange {
    const blanks = /(?:\s|#[^\n\r]*)*/y
    blanks.lastIndex = this.#last
    blanks.exec(this.#text)
    const start = blanks.lastIndex
    return { start, end: Math.min(this.#text.length, start + 1) }
  }
}

/** Records the locations of a pointer tree in a YAML file. Does nothing if the file is not YAML. */
export function locateInYaml(source: SourceFile, tree: PointerTree): void {
  const parsed = yamlEventsOf(source)
  if (!parsed) return
  const { events, text } = parsed
  const path: (PointerTree | undefined)[] = []
  walkYamlEvents(text, events, {
    enter(key, value) {
      const around = path.at(-1)
      const node = key === undefined ? tree : around && findChild(around, String(key.name))
      path.push(node)
      if (!node) return false
      recordPlace(node, key === undefined || typeof key.name === 'number' ? { value } : { key: key.offsets, value })
      return node.children !== undefined
    },
    leave() {
      path.pop()
    },
  })
}

/** The possible types of a plain scalar by the code of its first character. Most characters have none. */
const tagsByStart = Array.from({ length: 128 }, (_, code) => {
  const tags = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag].filter(({ implicitFirstChars }) =>
    implicitFirstChars?.includes(String.fromCharCode(code)),
  )
  return tags.length > 0 ? tags : undefined
})

/**
 * The null, boolean or number that a plain scalar represents, or the scalar if it is a string. Source: YAML 1.2.2, section 10.3.2.
 */
export function resolvePlainScalar(written: string): unknown {
  const tags = tagsByStart[written.charCodeAt(0)]
  if (!tags) return written
  for (const tag of tags) {
    const value: unknown = tag.resolve(written, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value
  }
  return written
}
