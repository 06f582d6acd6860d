import { CHOMPING_MODE, EVENT_ID, type Event } from 'js-yaml'
import { limitBounds } from '../plain/limits.ts'
import type { SourceFile } from '../plain/source-file.ts'
import { type LenientEvents, parseLenientEvents } from './unindented-lines.ts'

/** The events of a YAML file, and the text that they refer to. */
interface YamlEvents {
  readonly text: string
  readonly events: Iterable<Event>
}

/** Events in a tenth of the memory of their objects. */
interface PackedEvents {
  readonly text: string
  /** Of each event, its type and style, and the start and end of its value. */
  readonly numbers: Int32Array
  /** The few events with more than that. */
  readonly others: readonly Event[]
}

const kept = new WeakMap<SourceFile, PackedEvents>()

/** Keeps the events of a file, so that it is not parsed again to find places in it. */
export function keepEvents(source: SourceFile, { text, events }: LenientEvents): void {
  kept.set(source, packEvents(text, events))
}

/** The events of a file, parsed now unless they were kept. `undefined` if the text is not YAML. */
export function yamlEventsOf(source: SourceFile): YamlEvents | undefined {
  const packed = kept.get(source)
  if (packed) return { text: packed.text, events: unpackEvents(packed) }
  try {
    return parseLenientEvents(source.text, limitBounds.nesting.most)
  } catch {
    return undefined
  }
}

/** Numbers of each event. The first one is `inOthers`, or has the type in its lowest three bits. */
const width = 3

/** The second number is an index in `others`. */
const inOthers = 0

function packEvents(text: string, events: readonly Event[]): PackedEvents {
  const numbers = new Int32Array(events.length * width)
  const others: Event[] = []
  let at = -width
  for (const event of events) {
    at += width
    switch (event.type) {
      case EVENT_ID.SCALAR:
        if (!event.fast || event.anchorStart !== -1 || event.tagStart !== -1) break
        numbers[at] = event.type | (event.style << 3)
        numbers[at + 1] = event.valueStart
        numbers[at + 2] = event.valueEnd
        continue
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        if (event.anchorStart !== -1 || event.tagStart !== -1) break
        numbers[at] = event.type | (event.style << 3)
        numbers[at + 1] = event.start
        continue
      case EVENT_ID.POP:
        numbers[at] = event.type
        continue
    }
    numbers[at] = inOthers
    numbers[at + 1] = others.push(event) - 1
  }
  return { text, numbers, others }
}

type OfType<Type> = Extract<Event, { type: Type }>

const noProperties = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 }

function* unpackEvents({ numbers, others }: PackedEvents): Generator<Event> {
  for (let at = 0; at < numbers.length; at += width) {
    const kind = numbers[at] ?? 0
    const start = numbers[at + 1] ?? 0
    const type = kind & 7
    const style = kind >> 3
    switch (type) {
      case EVENT_ID.SCALAR:
        yield {
          type,
          style: style as OfType<typeof type>['style'], // As it was packed, like the one below.
          valueStart: start,
          valueEnd: numbers[at + 2] ?? 0,
          chomping: CHOMPING_MODE.CLIP,
          indent: -1,
          fast: true,
          ...noProperties,
        }
        break
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        yield { type, style: style as OfType<typeof type>['style'], start, ...noProperties }
        break
      case EVENT_ID.POP:
        yield { type }
        break
      default: {
        const other = others[start]
        if (other) yield other
      }
    }
  }
}
