import { collectTags } from '../openapi/read/collect-operations.ts'
import { pointerChild } from '../text/json/json-values.ts'
import { getOrMake, groupBy } from '../text/plain/lists.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckProblem, listOwners } from './check-context.ts'

/** An object with a name that no other one may have. */
interface NamedObject {
  readonly at: CheckProblem['at']
  readonly name: string
  /** What is compared. Default: the name. */
  readonly id?: string
}

/** Reports objects with the name of an earlier one. `field` has the name. */
function reportRepeated(
  objects: readonly NamedObject[],
  report: Parameters<Check>[1],
  { field, what, ...problem }: Omit<CheckProblem, 'at' | 'key'> & { readonly what: string; readonly field?: string },
): void {
  const known = new Map<string, NamedObject>()
  for (const object of objects) {
    const { at, name } = object
    const first = getOrMake(known, object.id ?? name, () => object)
    if (first.at.file === at.file && first.at.pointer === at.pointer) continue // Itself, or two paths share a path item.
    const pointer = field === undefined ? first.at.pointer : pointerChild(first.at.pointer, field)
    report({
      at,
      ...(field !== undefined && { key: field }),
      ...problem,
      message: `Unexpected duplicate ${what} \`${shorten(name)}\`, expected ${problem.message}`,
      ...(first.name !== name && { severity: 'warning' }),
      related: [{ file: first.at.file, pointer, message: field === 'operationId' ? 'first used here' : 'first declared here' }],
    })
  }
}

/** Reports duplicate `operationId`s. Source: OpenAPI 3.1.1, "Operation Object". */
export const operationIdUnique: Check = ({ operations, webhookOperations, callbackOperations }, report) => {
  const named = [...operations, ...webhookOperations, ...callbackOperations].flatMap(({ fields }) =>
    fields.operationId === undefined ? [] : { at: fields, name: fields.operationId },
  )
  const problem = { message: 'a unique value', hint: 'Rename one of the two', section: 'Operation Object' }
  reportRepeated(named, report, { ...problem, field: 'operationId', what: '`operationId`' })
}

/** Reports duplicate tags. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`. */
export const tagUnique: Check = ({ release, root }, report) => {
  const named = collectTags(root, release).map((tag) => ({ at: tag, name: tag.name }))
  const problem = { message: 'each name once', hint: 'Remove one of the two', section: 'OpenAPI Object' }
  reportRepeated(named, report, { ...problem, field: 'name', what: 'tag' })
}

/** Reports duplicate parameters of a path item or an operation. Source: OpenAPI 3.1.1, "Path Item Object" and "Operation Object". */
export const parameterUnique: Check = (context, report) => {
  const pathItems = new Set(context.operations.concat(context.webhookOperations).map(({ pathItem }) => pathItem))
  for (const owner of listOwners(context)) {
    const parameters = context.listParameters(owner)
    if (parameters.length < 2) continue
    const section = pathItems.has(owner) ? 'Path Item Object' : 'Operation Object'
    const problem = { message: 'each parameter once', hint: 'Remove one of the two', section }
    for (const [what, inPlace] of groupBy(parameters, ({ location }) => location)) {
      const named = inPlace.flatMap(({ entry: at, name }) =>
        // The names of headers are the same in any case.
        name === undefined ? [] : { at, name, id: what === 'header' ? name.toLowerCase() : name },
      )
      if (what !== undefined) reportRepeated(named, report, { ...problem, what: `${what} parameter` })
    }
  }
}
