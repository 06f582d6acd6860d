import { describeKind, iterate, toText } from '../../script/values/operators.ts'
import {
  type Evaluation,
  getEntry,
  isKind,
  type ObjectValue,
  toList,
  Unevaluable,
  type Value,
} from '../../script/values/values.ts'
import { lazy } from '../../text/plain/lists.ts'
import type { RuleContext, RuleProblem } from '../ruleset.ts'
import { type DataReader, toComputedObject } from './data-values.ts'

type Read = (place: Unevaluable['place']) => Value

/** The members of Spectral's objects that need its parser or the disk. Reading one ends the rule, so that no result differs silently. */
function refuse(owner: string, names: readonly string[]): Record<string, Read> {
  return Object.fromEntries(
    names.map((name): [string, Read] => [
      name,
      (place) => {
        throw new Unevaluable(`uses \`${owner}.${name}\``, place)
      },
    ]),
  )
}

// Made once: a function can be called for each value of a document.
const refusedOfParserResult = refuse('context.document.parserResult', ['ast', 'lineMap', 'diagnostics'])
const refusedOfDocument = refuse('context.document', [
  ...['source', 'input', 'formats', 'diagnostics', 'getRangeForJsonPath', 'trapAccess'],
])
const refusedOfInventory = refuse('context.documentInventory', [
  ...['graph', 'referencedDocuments', 'errors', 'diagnostics', 'source', 'formats', 'findAssociatedItemForPath'],
])
const refusedOfRule = refuse('context.rule', [
  ...['severity', 'definition', 'given', 'then', 'formats', 'owner', 'recommended', 'enabled', 'overrides'],
])

/**
 * The third argument of a function.
 *
 * Source: Spectral, "Custom Functions" (docs/guides/5-custom-functions.md).
 */
export function toContext(context: RuleContext, reader: DataReader): ObjectValue {
  const data: Read = () => reader.read(context.unresolved)
  const document = lazy(() => {
    const parserResult = () => toComputedObject({ data, ...refusedOfParserResult })
    return toComputedObject({ data, parserResult, ...refusedOfDocument })
  })
  return toComputedObject({
    path: () => toList(context.path),
    document,
    documentInventory: () =>
      toComputedObject({
        resolved: () => reader.read(context.resolved ?? context.document),
        unresolved: data,
        document,
        ...refusedOfInventory,
      }),
    rule: () => toRule(context),
  })
}

function toRule({ rule }: RuleContext): ObjectValue {
  return toComputedObject({
    name: () => rule.name,
    message: () => rule.message ?? null,
    description: () => rule.description ?? null,
    documentationUrl: () => rule.documentationUrl ?? null,
    ...refusedOfRule,
  })
}

type Place = Unevaluable['place']

/** Reads the result of a function: nothing, or a list of problems. */
export function toProblems(result: Value, evaluation: Evaluation, place: Place): readonly RuleProblem[] {
  if (result === undefined) return []
  if (!isKind(result, 'list') && !isKind(result, 'collection') && !isKind(result, 'generator'))
    throw new Unevaluable(`returns ${describeKind(result)} instead of a list of problems`, place)
  return iterate(result, evaluation, place).map((problem) => toProblem(problem, evaluation, place))
}

function toProblem(problem: Value, evaluation: Evaluation, place: Place): RuleProblem {
  if (!isKind(problem, 'object'))
    throw new Unevaluable(`returns ${describeKind(problem)} in its list, instead of an object with \`message\``, place)
  const message = getEntry(problem, 'message', place)
  if (typeof message !== 'string')
    throw new Unevaluable(`returns a problem whose \`message\` is ${describeKind(message)} instead of a string`, place)
  const path = getEntry(problem, 'path', place)
  if (path === undefined || path === null) return { message }
  if (!isKind(path, 'list'))
    throw new Unevaluable(`returns a problem whose \`path\` is ${describeKind(path)} instead of a list of keys`, place)
  return { message, path: path.items.map((key) => (typeof key === 'number' ? key : toText(key, evaluation, place))) }
}
