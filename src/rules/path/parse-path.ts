import { parseExpression } from './parse-expression.ts'
import { parseStandardExpression } from './parse-standard-expression.ts'
import {
  type Cursor,
  checkRow,
  describeNext,
  type Expression,
  expect,
  type ParsedPath,
  PathLimitError,
  PathSyntaxError,
  readNested,
  readString,
  type Selector,
  type Step,
  skip,
  skipSpaces,
  typeTests,
} from './syntax.ts'

/** A path, or what is wrong with it and where, in UTF-16 units. */
type PathResult =
  | { readonly kind: 'parsed'; readonly path: ParsedPath }
  | { readonly kind: 'failed'; readonly reason: string; readonly offset: number }

/** The longest path. The longest of public rulesets has 300 characters. */
const maxLength = 10_000

/**
 * Parses a JSONPath expression of a ruleset.
 *
 * Accepts everything that Spectral accepts: the syntax of nimma and that of jsonpath-plus, which Spectral uses for paths that nimma cannot
 * handle. Paths of RFC 9535 have the same meaning in both, except filters without parentheses (`[?@.in]`), which only the RFC defines.
 */
export function parsePath(expression: string): PathResult {
  try {
    if (expression.length > maxLength) throw new PathSyntaxError(`it is longer than ${maxLength} characters`, maxLength)
    return { kind: 'parsed', path: readPath(expression) }
  } catch (error) {
    if (error instanceof PathSyntaxError) return { kind: 'failed', reason: error.message, offset: error.offset }
    throw error
  }
}

function readPath(source: string): ParsedPath {
  // Spectral ignores a dot at the end.
  const text = /[^.]\.$/.test(source) ? source.slice(0, -1) : source
  const cursor: Cursor = { text, offset: 0, depth: 0 }
  skipSpaces(cursor)
  if (!skip(cursor, '$')) throw new PathSyntaxError(`expected \`$\` but found ${describeNext(cursor)}`, cursor.offset)
  const steps = readSteps(cursor, /[^.[\]^~()"'@\s]*/y)
  // Spectral ignores the rest, which is `~, $..name~` or `~))` in public rulesets.
  const selectsKeys = skip(cursor, '~')
  if (!selectsKeys) skipSpaces(cursor)
  if (!selectsKeys && cursor.offset < text.length)
    throw new PathSyntaxError(`expected \`.\`, \`[\`, \`^\` or \`~\` but found ${describeNext(cursor)}`, cursor.offset)
  return { steps: withoutDeepWildcard(steps), selectsKeys }
}

/**
 * Drops `..*` before another step: `$..*.name` selects the same as `$..name`.
 *
 * That is what nimma does if the path has no other `..`. RFC 9535 does not select a `name` of the root then.
 */
function withoutDeepWildcard(steps: readonly Step[]): readonly Step[] {
  const isDeep = (step: Step | undefined) => step?.kind === 'objects' || (step?.kind === 'children' && step.isDeep)
  if (steps.filter(isDeep).length !== 1) return steps
  const at = steps.findIndex(isDeep)
  const [step, next] = [steps[at], steps[at + 1]]
  if (step?.kind !== 'children' || step.selectors[0]?.kind !== 'wildcard' || next?.kind !== 'children') return steps
  return [...steps.slice(0, at), { ...next, isDeep: true }, ...steps.slice(at + 2)]
}

/** Reads steps up to a `~`, the end, or a character that no step starts with. `names` are those without quotes. */
function readSteps(cursor: Cursor, names: RegExp): readonly Step[] {
  const steps: Step[] = []
  let parents = 0
  for (;;) {
    const start = cursor.offset
    skipSpaces(cursor)
    const step = readStep(cursor, names)
    if (!step) {
      // Spaces belong to a path only if a step follows them.
      if (cursor.text.charAt(cursor.offset) !== '~') cursor.offset = start
      return steps
    }
    parents = step.kind === 'parent' ? parents + 1 : 0
    checkRow(parents, cursor.offset)
    steps.push(step)
  }
}

function readStep(cursor: Cursor, names: RegExp): Step | undefined {
  if (skip(cursor, '^')) return { kind: 'parent' }
  if (skip(cursor, '..')) {
    skipSpaces(cursor)
    if (cursor.offset === cursor.text.length || '^~'.includes(cursor.text.charAt(cursor.offset))) return { kind: 'objects' }
    return readChildren(cursor, true, names)
  }
  if (skip(cursor, '.')) {
    skipSpaces(cursor)
    // `.[` is `..[` in Spectral, as in jsonpath-plus.
    return readChildren(cursor, cursor.text.charAt(cursor.offset) === '[', names)
  }
  const next = cursor.text.charAt(cursor.offset)
  return next === '[' || next === '@' ? readChildren(cursor, false, names) : undefined
}

function readChildren(cursor: Cursor, isDeep: boolean, names: RegExp): Step {
  const { text, offset } = cursor
  const next = text.charAt(offset)
  // As in jsonpath-plus, `[[name]]` is `..name`.
  if (text.startsWith('[[', offset)) {
    cursor.offset++
    const step = readNested(cursor, () => readChildren(cursor, true, names))
    expect(cursor, ']')
    return step
  }
  if (skip(cursor, '[')) return { kind: 'children', isDeep, selectors: readNested(cursor, () => readBracket(cursor)) }
  if (next === '@') return { kind: 'children', isDeep, selectors: [readTypeTest(cursor)] }
  if (skip(cursor, '*')) return { kind: 'children', isDeep, selectors: [{ kind: 'wildcard' }] }
  if (next === '"' || next === "'") return { kind: 'children', isDeep, selectors: [{ kind: 'name', name: readString(cursor) }] }
  return { kind: 'children', isDeep, selectors: readNames(cursor, names) }
}

function readTypeTest(cursor: Cursor): Selector {
  const found = /^@([a-z]+)\(\s*\)/i.exec(cursor.text.slice(cursor.offset, cursor.offset + 40))
  const type = typeTests.find((name) => name === found?.[1])
  if (!found || !type) {
    throw new PathSyntaxError(`expected ${typeTests.map((name) => `\`@${name}()\``).join(', ')}`, cursor.offset)
  }
  cursor.offset += found[0].length
  return { kind: 'filter', condition: { kind: 'type-test', type } }
}

/** Reads names without quotes. Separated by commas, they are alternatives. */
function readNames(cursor: Cursor, pattern: RegExp): readonly Selector[] {
  pattern.lastIndex = cursor.offset
  const text = pattern.exec(cursor.text)?.[0] ?? ''
  const names = text.split(',')
  for (const name of names) {
    if (name === '') throw new PathSyntaxError(`expected a name, \`*\` or \`[\` but found ${describeNext(cursor)}`, cursor.offset)
  }
  cursor.offset += text.length
  return names.map((name) => ({ kind: 'name', name }))
}

function readBracket(cursor: Cursor): readonly Selector[] {
  const selectors: Selector[] = []
  do {
    skipSpaces(cursor)
    selectors.push(readSelector(cursor))
    skipSpaces(cursor)
  } while (skip(cursor, ','))
  expect(cursor, ']')
  return selectors
}

function readSelector(cursor: Cursor): Selector {
  const next = cursor.text.charAt(cursor.offset)
  if (next === '"' || next === "'") return { kind: 'name', name: readString(cursor) }
  if (skip(cursor, '?')) return { kind: 'filter', condition: readCondition(cursor) }
  if (next === '(') return readScript(cursor)
  return readPlainSelector(cursor)
}

/** Reads a condition as Spectral does. If that fails, as RFC 9535 does, where parentheses are optional and functions have other names. */
function readCondition(cursor: Cursor): Expression {
  const start = cursor.offset
  const { depth } = cursor
  skipSpaces(cursor)
  let reason: PathSyntaxError | undefined
  if (cursor.text.charAt(cursor.offset) === '(') {
    try {
      const condition = parseExpression(cursor)
      skipSpaces(cursor)
      if (!/[\],]/.test(cursor.text.charAt(cursor.offset))) expect(cursor, ']')
      return condition
    } catch (error) {
      if (!(error instanceof PathSyntaxError) || error instanceof PathLimitError) throw error
      reason = error
    }
  }
  cursor.offset = start
  cursor.depth = depth
  try {
    return parseStandardExpression(cursor, () => readSteps(cursor, /[\w\u0080-\uffff]*/y))
  } catch (error) {
    throw reason && error instanceof PathSyntaxError ? reason : error
  }
}

function readScript(cursor: Cursor): Selector {
  const key = parseExpression(cursor)
  // The most frequent script is a selector without an expression.
  const isLast =
    key.kind === 'binary' &&
    key.operator === '-' &&
    key.left.kind === 'member' &&
    key.left.object.kind === 'variable' &&
    key.left.object.name === '@' &&
    key.left.key.kind === 'literal' &&
    key.left.key.value === 'length'
  if (isLast && key.right.kind === 'literal' && Number.isInteger(key.right.value))
    return { kind: 'last', index: -Number(key.right.value) }
  return { kind: 'script', key }
}

function readPlainSelector(cursor: Cursor): Selector {
  const pattern = /[^\],'"]*/y
  pattern.lastIndex = cursor.offset
  const text = pattern.exec(cursor.text)?.[0] ?? ''
  const start = cursor.offset
  cursor.offset += text.length
  const name = text.trim()
  if (name === '')
    throw new PathSyntaxError(`expected a name, number, \`*\` or filter but found ${describeNext(cursor)}`, cursor.offset)
  if (name === '*') return { kind: 'wildcard' }
  if (/^-\d+$/.test(name)) return { kind: 'last', index: toInteger(name, start) }
  const parts = name.split(':').map((part) => part.trim())
  if (parts.length > 1 && parts.length <= 3 && parts.every((part) => /^(?:-?\d+)?$/.test(part))) {
    const [from, to, by] = parts.map((part) => (part === '' ? undefined : toInteger(part, start)))
    return { kind: 'slice', start: from, end: to, step: by ?? 1 }
  }
  const unquoted = /[[(@?^~]/.exec(name)
  if (unquoted)
    throw new PathSyntaxError(`unexpected \`${unquoted[0]}\` in a name, which needs quotes`, start + text.indexOf(unquoted[0]))
  return { kind: 'name', name }
}

function toInteger(text: string, offset: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new PathSyntaxError(`the number ${text} is too large`, offset)
  return value
}
