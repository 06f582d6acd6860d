import { collectTags, type ListedParameter } from '../openapi/read/collect-operations.ts'
import { pointerChild } from '../text/json/json-values.ts'
import { getOrMake, hasRepeated, lazy } from '../text/plain/lists.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, type CheckProblem, listOwners } from './check-context.ts'

/** An object with a name that no other one may have. */
interface NamedObject {
  readonly at: CheckProblem['at']
  readonly name: string
  readonly what: string
  /** What is compared. Default: the name. */
  readonly id?: string
}

/** Reports objects with the name of an earlier one. `field` has the name. */
function reportRepeated(
  objects: readonly NamedObject[],
  report: Parameters<Check>[1],
  { field, ...problem }: Omit<CheckProblem, 'at' | 'key'> & { readonly field?: string },
): void {
  const known = new Map<string, NamedObject>()
  for (const object of objects) {
    const { at, name, what } = object
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
    fields.operationId === undefined ? [] : { at: fields, name: fields.operationId, what: '`operationId`' },
  )
  const problem = { message: 'a unique value', hint: 'Rename one of the two', section: 'Operation Object' }
  reportRepeated(named, report, { ...problem, field: 'operationId' })
}

/** Reports duplicate tags. Source: OpenAPI 3.1.1, "OpenAPI Object", `tags`. */
export const tagUnique: Check = ({ release, root }, report) => {
  const named = collectTags(root, release).map((tag) => ({ at: tag, name: tag.name, what: 'tag' }))
  const problem = { message: 'each name once', hint: 'Remove one of the two', section: 'OpenAPI Object' }
  reportRepeated(named, report, { ...problem, field: 'name' })
}

/** Reports duplicate parameters of a path item or an operation. Source: OpenAPI 3.1.1, "Path Item Object" and "Operation Object". */
export const parameterUnique: Check = (context, report) => {
  const pathItems = lazy(() => new Set([...context.operations, ...context.webhookOperations].map(({ pathItem }) => pathItem)))
  // The names of headers are the same in any case.
  const toCompared = ({ name, location }: ListedParameter) => (location === 'header' ? name?.toLowerCase() : name)
  for (const owner of listOwners(context)) {
    const parameters = context.listParameters(owner)
    // Most lists have no name twice, and there is one for each operation.
    if (!hasRepeated(parameters.map(toCompared))) continue
    const section = pathItems().has(owner) ? 'Path Item Object' : 'Operation Object'
    const named = parameters.flatMap((parameter) => {
      const { entry: at, name, location } = parameter
      if (name === undefined || location === undefined) return []
      return { at, name, id: `${location} ${toCompared(parameter)}`, what: `${location} parameter` }
    })
    reportRepeated(named, report, { message: 'each parameter once', hint: 'Remove one of the two', section })
  }
}
