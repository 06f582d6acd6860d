import { escapePointerSegment, readStep } from '../../../text/json/json-values.ts'
import { listFirst } from '../../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../../text/plain/suggest.ts'
import type { Path, RuleProblem } from '../../ruleset.ts'
import { nameValue, showValue } from '../options.ts'
import type { SchemaError } from './match-state.ts'

/** Allowed values that a message lists. */
const maxListed = 20

/** The errors of one location, and those below it. */
interface ErrorNode {
  readonly children: Map<string, ErrorNode>
  errors: SchemaError[]
}

/**
 * Selects the errors that become problems, as Spectral does: for a value that matches none of several schemas, the errors below it are
 * more helpful than its own, and errors of `enum` are one error.
 *
 * @param path of the matched value.
 */
export function selectErrors(errors: readonly SchemaError[], path: Path, value: unknown): readonly RuleProblem[] {
  const root = toTree(errors)
  dropRedundant(root)
  return [...listErrors(root)].map((error) => {
    const place = [...path, ...error.path]
    return { path: place, message: toMessage(error, place, valueAt(value, error.path)) }
  })
}

function toTree(errors: readonly SchemaError[]): ErrorNode {
  const root: ErrorNode = { children: new Map(), errors: [] }
  for (const error of errors) {
    let node: ErrorNode | undefined
    for (const step of toSteps(error.path)) {
      const { children }: ErrorNode = node ?? root
      node = children.get(step) ?? { children: new Map(), errors: [] }
      children.set(step, node)
    }
    node?.errors.push(error)
  }
  return root
}

/**
 * The steps of the tree: names with the index after them. Spectral's steps end at characters other than letters, digits, `$`, `_` and
 * `-`, and errors below a name that begins with another character are lost.
 */
function toSteps(path: readonly (string | number)[]): readonly string[] {
  const pointer = path.map((step) => `/${escapePointerSegment(String(step))}`).join('')
  return pointer === '' ? [''] : (pointer.match(/\/[\w$-]+(?:\/\d+)?/g) ?? [])
}

function isEnum(error: SchemaError): boolean {
  return error.keyword === 'enum'
}

function dropRedundant(node: ErrorNode, siblings?: Map<string, ErrorNode>, key = ''): void {
  if (node.children.size > 0 && node.errors.some(({ keyword }) => keyword === 'anyOf')) node.errors = []
  if (siblings && siblings.size > 1 && node.errors.length > 0 && node.errors.every(isEnum)) siblings.delete(key)
  for (const [name, child] of [...node.children]) dropRedundant(child, node.children, name)
}

function* listErrors(node: ErrorNode): Iterable<SchemaError> {
  const [first] = node.errors
  if (first && node.errors.every(isEnum)) {
    yield { ...first, allowed: [...new Set(node.errors.flatMap(({ allowed = [] }) => allowed))] }
    return
  }
  yield* node.errors
  for (const child of node.children.values()) yield* listErrors(child)
}

function toMessage({ keyword, requirement, allowed = [], key }: SchemaError, path: Path, value: unknown): string {
  const name = nameValue(path)
  if (keyword === 'enum') {
    const near =
      typeof value === 'string'
        ? suggest(
            value,
            allowed.filter((entry) => typeof entry === 'string'),
          )
        : undefined
    const hint = near === undefined ? '' : `. ${didYouMean(near) ?? ''}`
    return `${name} is ${showValue(value)}, expected one of ${listFirst(allowed, maxListed, showValue)}${hint}`
  }
  if (key !== undefined) return `Unexpected property ${showValue(key)}${path.length === 0 ? '' : ` of ${name}`}`
  return `${name} must ${requirement}`
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(readStep, value)
}
