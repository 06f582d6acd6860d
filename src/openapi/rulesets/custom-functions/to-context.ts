import { type DataReader, toComputedObject } from '../../../site/content/evaluate/data-values.ts'
import { Unevaluable } from '../../../site/content/evaluate/evaluation.ts'
import type { ObjectValue, Value } from '../../../site/content/evaluate/types.ts'
import { toList } from '../../../site/content/evaluate/value-kinds.ts'
import type { RuleContext } from '../ruleset.ts'

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

const refusedOfDocument = ['source', 'input', 'formats', 'diagnostics', 'getRangeForJsonPath', 'trapAccess']
const refusedOfInventory = [
  'graph',
  'referencedDocuments',
  'errors',
  'diagnostics',
  'source',
  'formats',
  'findAssociatedItemForPath',
]

/**
 * The third argument of a function.
 *
 * Source: Spectral, "Custom Functions" (docs/guides/5-custom-functions.md).
 */
export function toContext(context: RuleContext, reader: DataReader): ObjectValue {
  const data: Read = () => reader.read(context.unresolved)
  const document = toComputedObject({
    data,
    parserResult: () => toComputedObject({ data, ...refuse('context.document.parserResult', ['ast', 'lineMap', 'diagnostics']) }),
    ...refuse('context.document', refusedOfDocument),
  })
  return toComputedObject({
    path: () => toList(context.path),
    document: () => document,
    documentInventory: () =>
      toComputedObject({
        resolved: () => reader.read(context.resolved ?? context.document),
        unresolved: data,
        document: () => document,
        ...refuse('context.documentInventory', refusedOfInventory),
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
    ...refuse('context.rule', [
      'severity',
      'definition',
      'given',
      'then',
      'formats',
      'owner',
      'recommended',
      'enabled',
      'overrides',
    ]),
  })
}
