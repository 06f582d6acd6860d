import { type EventType, load, Schema, type State, Type } from 'js-yaml-4'
import { resolvePlainScalar } from './yaml-events.ts'

/**
 * Reads a YAML document as `js-yaml` 4 does, which takes three fifths of the time of version 5, where both read it alike.
 *
 * `undefined` where that is not certain, which may be a fault or only something rare: then version 5 has to decide. Some of what version 4
 * takes is not YAML 1.2 (`"a"#b`), and some means something else to it (`- -` before a `-` further left). What both read was found by comparing
 * them on millions of changed documents; `test/text/read-common-yaml.test.ts` goes on with that.
 */
export function readCommonYaml(text: string, maxDepth: number): object | undefined {
  if (mayBeReadOtherwise(text)) return undefined
  const signs = findSigns(text)
  // What an anchor is for: then it is one, and all would be read for nothing.
  if (signs.some((at) => text.charCodeAt(at) === ampersand) && /[:-] +\*[\w.-]+ *$/m.test(text)) return undefined
  const watch = toWatch()
  const places = signs.length === 0 ? undefined : holdInTexts(signs, watch)
  try {
    const listener = places?.listener ?? watch
    const value: unknown = load(text, { schema, onWarning: giveUp, listener, maxDepth } as LoadOptions)
    if (places && !places.areHeld()) return undefined
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // A fault is told with its place by version 5, which also finds some that this one has to be no fault.
    return undefined
  }
}

type LoadOptions = NonNullable<Parameters<typeof load>[1]>

let resolved: unknown

/** Plain scalars mean what they mean to version 5: version 4 has `1_000` and `0b11` for numbers. */
const schema = new Schema({
  implicit: [
    new Type('tag:yaml.org,2002:scalar', {
      kind: 'scalar',
      resolve(written: string) {
        // Mappings that are merged have a limit, which version 5 tells of.
        if (written === '<<') giveUp()
        resolved = resolvePlainScalar(written)
        return resolved !== written
      },
      construct: () => resolved,
    }),
  ],
})

function giveUp(): never {
  throw new Error('read otherwise by version 5')
}

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const doubleQuote = 0x22
const hash = 0x23
const ampersand = 0x26
const singleQuote = 0x27
const comma = 0x2c
const hyphen = 0x2d
const dot = 0x2e
const colon = 0x3a
const greaterThan = 0x3e
const question = 0x3f
const openList = 0x5b
const closeList = 0x5d
const openMapping = 0x7b
const verticalBar = 0x7c
const closeMapping = 0x7d

const isBlank = (code: number) => code === space || code === lineFeed || code === carriageReturn

/** Told by the text alone. Finding too much costs time only. */
function mayBeReadOtherwise(text: string): boolean {
  return (
    text.includes('\ufeff') ||
    // Tabs that may be indentation.
    (text.includes('\t') && /^ *\t/m.test(text)) ||
    text.startsWith(' ') ||
    text.endsWith(' ') ||
    // Directives, and a marker that has more in its line. More documents than one are no value to version 4.
    /^(?:[ ]*(?:#[^\r\n]*)?[\r\n])*(?:%|---[^\r\n])/.test(text)
  )
}

/**
 * Where signs stand that mean something else to version 5, or that it has more to tell of, unless they are inside a text: tags, anchors, explicit
 * keys, comments without a blank before them, tabs. In ascending order; finding too many costs time only.
 */
function findSigns(text: string): number[] {
  return [
    ...listSigns(text, '\t', (at) => text.charCodeAt(at - 1) !== tab),
    ...listNodeSigns(text, '!'),
    ...listNodeSigns(text, '&'),
    ...listNodeSigns(text, '?', (at) => at + 1 === text.length || isBlank(text.charCodeAt(at + 1))),
    ...listNodeSigns(text, '#', (at) => at > 0 && !isBlank(text.charCodeAt(at - 1))),
  ].sort((a, b) => a - b)
}

function listSigns(text: string, sign: string, isMeant: (at: number) => boolean): number[] {
  const found: number[] = []
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) if (isMeant(at)) found.push(at)
  return found
}

/** Where the sign stands at a place where a node can begin. */
function listNodeSigns(text: string, sign: string, isMeant: (at: number) => boolean = () => true): number[] {
  return listSigns(text, sign, (at) => isMeant(at) && canBegin(text, at))
}

function canBegin(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && text.charCodeAt(before) === space) before--
  if (before < 0) return true
  switch (text.charCodeAt(before)) {
    case lineFeed:
    case carriageReturn:
    case colon:
    case hyphen:
    case question:
    case comma:
    case openList:
    case openMapping:
      return true
  }
  return false
}

/** Watches nodes as `watch` does, and gives up at one of the places (ascending) that is not inside a text. */
function holdInTexts(places: readonly number[], watch: (event: EventType, state: State) => void) {
  const starts: number[] = []
  let next = 0
  return {
    listener(event: EventType, state: State): void {
      if (event === 'open') {
        starts.push(state.position)
        return
      }
      watch(event, state)
      const { input, kind, position } = state
      const start = starts.pop() ?? 0
      let place = places[next]
      if (place === undefined || place >= position) return
      if (kind !== 'scalar') giveUp()
      const isInside = toTextTest(input, start, position)
      for (; place !== undefined && place < position; place = places[++next]) if (!isInside(place)) giveUp()
    },
    areHeld: () => next === places.length,
  }
}

/** Tells whether a place before the end of a scalar, which may begin with blanks, is inside a text that both versions read alike. */
function toTextTest(input: string, start: number, end: number): (place: number) => boolean {
  let begin = start
  while (isBlank(input.charCodeAt(begin))) begin++
  const sign = input.charCodeAt(begin)
  if (sign === doubleQuote || sign === singleQuote) return (place) => place > begin
  // No further than the scalar: a line can be as long as the text, and have very many.
  const length = input.slice(begin, end).indexOf('\n')
  const lineEnd = length === -1 ? end : begin + length
  if (sign === verticalBar || sign === greaterThan) return (place) => place > lineEnd
  const isPlain = /[\p{L}\p{N}/]/u.test(input.charAt(begin))
  return (place) => isPlain && place > begin && place < lineEnd && input.charCodeAt(place) !== tab
}

const isBlankText = (value: unknown) => typeof value === 'string' && value.trim() === ''

/** Sees each node as it ends, and gives up at those that version 5 reads otherwise. */
function toWatch(): (event: EventType, state: State) => void {
  // Items that are a written `null`, of lists that have not ended; the same node may end twice, then maybe behind the blanks after it.
  let nullItems = 0
  let lastNullEnd = -1
  return (event, { input, position, kind, result }) => {
    if (event === 'open') return
    const following = input.charCodeAt(position)
    // A comment without a blank before it, or one that is indented less than the empty lines of an empty block.
    if (following === hash && (!isBlank(input.charCodeAt(position - 1)) || isBlankText(result))) giveUp()
    // Maybe the end of a document.
    if (following === dot) giveUp()
    if (kind === 'scalar' && result === null && position !== lastNullEnd && isBlockItem(input, position)) {
      nullItems++
      lastNullEnd = position
    }
    if (kind !== 'sequence' && kind !== 'mapping') return
    const last = input.charCodeAt(position - 1)
    const isFlow = last === closeList || last === closeMapping
    // An empty item before an item further left: version 4 takes that one into the inner list.
    if (kind === 'sequence' && !isFlow) {
      for (const item of result as unknown[]) if (item === null && --nullItems < 0) giveUp()
    }
    if (!isFlow) return
    // A list or mapping in the place of a key, of which version 4 makes a text: without a value, or with one, or behind a comment may be one.
    if (kind === 'mapping' && Object.values(result as object).includes(null)) giveUp()
    let next = position
    while (isBlank(input.charCodeAt(next))) next++
    const sign = input.charCodeAt(next)
    if (sign === colon || sign === hash || sign === dot) giveUp()
  }
}

/** Whether the `null` that ends here is the last of its line and stands right behind the `-` of an item. */
function isBlockItem(input: string, end: number): boolean {
  // Nobody writes more blanks, and a line can be long.
  const before = input.slice(Math.max(0, end - 40), end)
  return /- +[~A-Za-z]+$/.test(before) && /^ *(?:[\r\n]|$)/.test(input.slice(end, end + 40))
}
