import { isObject, type JsonObject, readKey } from '../text/is-object.ts'
import { limitHint } from '../text/limits.ts'
import { addFinding } from './add-finding.ts'
import { shorten } from './name-value.ts'
import { reportWrongChoice, reportWrongType, reportWrongValue } from './report-fault.ts'
import { reportRepeats } from './report-repeats.ts'
import { plainShape } from './tables/plain-shape.ts'
import type { ObjectTable, Shape, TextRule } from './tables/shape.ts'
import { currentPointer, type Walk } from './walk.ts'
import { walkObject } from './walk-document.ts'
import { walkMisplacedReference } from './walk-reference.ts'
import { walkNumber, walkText } from './walk-scalar.ts'

/** Checks a value against its shape, and all below it; `table` is the object whose field it is. */
export function walkValue(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  switch (shape.kind) {
    case 'any':
      return
    case 'object':
      if (walk.path.length > walk.maxDepth) reportTooDeep(walk)
      // Every shape of this kind has a table.
      else walkObject(walk, value, shape.table as ObjectTable)
      return
    case 'list':
      walkList(walk, value, shape, table)
      return
    case 'map':
      walkMap(walk, value, shape, table)
      return
    case 'boolean':
      if (typeof value !== 'boolean') reportWrongType(walk, table, shape, value)
      return
    case 'choice':
      if (typeof value !== 'string') reportWrongType(walk, table, shape, value)
      else if (!shape.choices.includes(value)) reportWrongChoice(walk, table, value, shape.choices)
      return
    case 'number':
    case 'count':
    case 'positive':
      walkNumber(walk, value, shape, table)
      return
    case 'types':
      walkTypes(walk, value, shape, table)
      return
    case 'schema-or-boolean':
      if (typeof value !== 'boolean') walkSchemaOr(walk, value, shape, table)
      return
    case 'schema-or-names':
      if (Array.isArray(value)) walkList(walk, value, namesShape, table)
      else walkSchemaOr(walk, value, shape, table)
      return
    default:
      if (typeof value !== 'string') reportWrongType(walk, table, shape, value)
      else walkText(walk, value, shape, table)
  }
}

function walkSchemaOr(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  const inner = shape.inner
  if (inner !== undefined && (isObject(value) || typeof value === 'boolean')) walkValue(walk, value, inner, table)
  else reportWrongType(walk, table, shape, value)
}

function walkList(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  const inner = shape.inner
  if (!Array.isArray(value) || inner === undefined) {
    reportWrongType(walk, table, shape, value)
    return
  }
  if (value.length < shape.minimum) {
    reportWrongValue(walk, table, { code: 'wrong-value', found: 'empty list', expected: 'at least one entry' })
  }
  if (inner.kind === 'any') return
  const path = walk.path
  for (let index = 0; index < value.length; index++) {
    const entry: unknown = value[index]
    if (inner.kind === 'text' && typeof entry === 'string') continue
    path.push(index)
    walkValue(walk, entry, inner, table)
    path.pop()
  }
  if (shape.unique) reportRepeats(walk, value, table)
}

function walkMap(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  const inner = shape.inner
  if (typeof value !== 'object' || value === null || Array.isArray(value) || inner === undefined) {
    reportWrongType(walk, table, shape, value)
    return
  }
  // Neither null nor a list, so a mapping.
  const object = value as JsonObject
  const path = walk.path
  const text = shape.text
  for (const key in object) {
    const entry = readKey(object, key)
    if (key === '$ref' && typeof entry === 'string' && inner.kind === 'object' && shape.table !== undefined) {
      walkMisplacedReference(walk, entry, shape.table)
      continue
    }
    path.push(key)
    if (text !== undefined && !text.allows(key)) reportWrongName(walk, key, text, table)
    if (inner.kind !== 'any') walkValue(walk, entry, inner, table)
    path.pop()
  }
}

/** The official schema of 3.0 lets any name of a component pass, and documents that use it work, so there it is a warning. */
function reportWrongName(walk: Walk, key: string, rule: TextRule, table: ObjectTable): void {
  const { expected, code } = rule
  const found = `\`${shorten(key)}\``
  if (code !== undefined)
    reportWrongValue(walk, table, {
      code,
      found,
      expected,
      on: 'key',
      target: `a key of \`${shorten(String(walk.path.at(-2)))}\``,
    })
  else {
    const severity = walk.release === '3.0' ? 'warning' : 'error'
    const hint = rule.hint?.(key)
    const fault = { code: 'wrong-name', found, expected, on: 'key', severity } as const
    reportWrongValue(walk, table, hint === undefined ? fault : { ...fault, hint })
  }
}

function walkTypes(walk: Walk, value: unknown, shape: Shape, table: ObjectTable): void {
  if (typeof value === 'string') {
    if (!shape.choices.includes(value)) reportWrongChoice(walk, table, value, shape.choices)
  } else if (Array.isArray(value)) {
    walkList(walk, value, typeListShape(shape), table)
  } else {
    reportWrongType(walk, table, shape, value)
  }
}

function reportTooDeep(walk: Walk): void {
  if (walk.tooDeep) return
  walk.tooDeep = true
  const message = `Unexpected nesting of more than ${walk.maxDepth} levels`
  const hint = limitHint('nesting', walk.limits, 'move inner parts to `components` and refer to them by `$ref`')
  addFinding(walk.findings, { code: 'too-complex', message, file: walk.file, pointer: currentPointer(walk), hint })
}

const namesShape: Shape = { ...plainShape, kind: 'list', inner: plainShape, unique: true }

function typeListShape(shape: Shape): Shape {
  return { ...plainShape, kind: 'list', inner: { ...shape, kind: 'choice' }, minimum: 1, unique: true }
}
