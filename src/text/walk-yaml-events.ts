import { EVENT_ID, type Event, getScalarValue } from 'js-yaml'
import type { OffsetRange } from './position.ts'

/** What a walk tells. A visitor that does not want a thing leaves it out. */
export interface YamlVisitor {
  /** A value begins. `key` is its key in a mapping or its index in a list; absent for the top value. Return `false` to be told nothing from inside it. */
  enter?(key: { name: string | number; offsets: OffsetRange } | undefined, value: OffsetRange): boolean | undefined
  /** The value that was entered last ends. */
  leave?(): void
  /** A key stands a second time in one mapping. */
  duplicateKey?(key: string, offsets: OffsetRange, first: OffsetRange): void
}

type Frame =
  | { kind: 'document'; silent: boolean }
  | { kind: 'sequence'; silent: boolean; next: number }
  | { kind: 'mapping'; silent: boolean; keys: Map<string, OffsetRange>; key: { name: string; offsets: OffsetRange } | undefined }
  | { kind: 'complex-key'; silent: boolean }

/**
 * Goes through the parser's flat list of events as through a tree, with the place of every key and value in the text.
 *
 * The range of a scalar is the scalar with its quotes; that of a list or mapping is its first character.
 * Stops at the end of the first document.
 */
export function walkYamlEvents(text: string, events: readonly Event[], visitor: YamlVisitor): void {
  const stack: Frame[] = []
  for (const event of events) {
    const frame = stack.at(-1)
    if (event.type === EVENT_ID.DOCUMENT) {
      if (stack.length > 0) return
      stack.push({ kind: 'document', silent: false })
      continue
    }
    if (event.type === EVENT_ID.POP) {
      const closed = stack.pop()
      if (closed?.kind === 'document') return
      finishValue(stack, visitor)
      continue
    }
    if (!frame) return
    if (frame.kind === 'mapping' && frame.key === undefined) {
      startKey(text, event, frame, stack, visitor)
      continue
    }
    const offsets = eventOffsets(text, event)
    const key = keyOf(frame)
    const silent = frame.silent || (frame.kind !== 'complex-key' && visitor.enter?.(key, offsets) === false)
    if (event.type === EVENT_ID.MAPPING) stack.push({ kind: 'mapping', silent, keys: new Map(), key: undefined })
    else if (event.type === EVENT_ID.SEQUENCE) stack.push({ kind: 'sequence', silent, next: 0 })
    else finishValue(stack, visitor)
  }
}

function startKey(text: string, event: Event, frame: Frame & { kind: 'mapping' }, stack: Frame[], visitor: YamlVisitor): void {
  const offsets = eventOffsets(text, event)
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
    stack.push({ kind: 'complex-key', silent: true })
    if (event.type === EVENT_ID.MAPPING) stack.push({ kind: 'mapping', silent: true, keys: new Map(), key: undefined })
    else stack.push({ kind: 'sequence', silent: true, next: 0 })
    return
  }
  const name = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : text.slice(offsets.start, offsets.end)
  const first = frame.keys.get(name)
  if (first) visitor.duplicateKey?.(name, offsets, first)
  else frame.keys.set(name, offsets)
  frame.key = { name, offsets }
}

function finishValue(stack: Frame[], visitor: YamlVisitor): void {
  const parent = stack.at(-1)
  if (!parent) return
  if (parent.kind === 'complex-key') {
    stack.pop()
    const mapping = stack.at(-1)
    if (mapping?.kind === 'mapping') mapping.key = { name: '', offsets: { start: 0, end: 0 } }
    return
  }
  if (!parent.silent) visitor.leave?.()
  if (parent.kind === 'mapping') parent.key = undefined
  if (parent.kind === 'sequence') parent.next++
}

function keyOf(frame: Frame): { name: string | number; offsets: OffsetRange } | undefined {
  if (frame.kind === 'mapping') return frame.key
  if (frame.kind === 'sequence') return { name: frame.next, offsets: { start: 0, end: 0 } }
  return undefined
}

function eventOffsets(text: string, event: Event): OffsetRange {
  switch (event.type) {
    case EVENT_ID.SCALAR: {
      const quote = text[event.valueStart - 1]
      const quoted = (quote === '"' || quote === "'") && text[event.valueEnd] === quote
      return quoted ? { start: event.valueStart - 1, end: event.valueEnd + 1 } : { start: event.valueStart, end: event.valueEnd }
    }
    case EVENT_ID.ALIAS:
      return { start: event.anchorStart - 1, end: event.anchorEnd }
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return { start: event.start, end: Math.min(text.length, event.start + 1) }
    default:
      return { start: 0, end: 0 }
  }
}
