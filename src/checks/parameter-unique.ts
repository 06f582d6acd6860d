import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, listOwners } from './check-context.ts'

/** Reports duplicate parameters in one list. Source: OpenAPI 3.1.1, "Operation Object" and "Path Item Object", `parameters`. */
export const parameterUnique: Check = (context, report) => {
  const pathItems = new Set(context.operations.concat(context.webhookOperations).map(({ pathItem }) => pathItem))
  for (const owner of listOwners(context)) {
    const parameters = context.listParameters(owner)
    if (parameters.length < 2) continue
    const first = new Map<string, Place>()
    for (const { entry, name, location } of parameters) {
      if (name === undefined || location === undefined) continue
      const key = `${location}\n${name}`
      const before = first.get(key)
      if (!before) first.set(key, entry)
      else
        report({
          at: entry,
          message: `Unexpected duplicate ${location} parameter \`${shorten(name)}\`, expected each parameter once`,
          hint: 'Remove one of the two',
          section: pathItems.has(owner) ? 'Path Item Object' : 'Operation Object',
          related: [{ pointer: before.pointer, message: 'first declared here' }],
        })
    }
  }
}
