import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import { type Check, listOwners } from './check-context.ts'

/** Reports duplicate parameters in one list. Source: OpenAPI 3.1.1, "Operation Object" and "Path Item Object", `parameters`. */
export const parameterUnique: Check = (context, report) => {
  const pathItems = new Set(context.operations.concat(context.webhookOperations).map(({ pathItem }) => pathItem))
  for (const owner of listOwners(context)) {
    const parameters = context.listParameters(owner)
    if (parameters.length < 2) continue
    const first = new Map<string, { readonly entry: Place; readonly name: string }>()
    for (const { entry, name, location } of parameters) {
      if (name === undefined || location === undefined) continue
      // The names of headers are the same in any case.
      const key = `${location}\n${location === 'header' ? name.toLowerCase() : name}`
      const before = first.get(key)
      if (!before) first.set(key, { entry, name })
      else
        report({
          at: entry,
          message: `Unexpected duplicate ${location} parameter \`${shorten(name)}\`, expected each parameter once`,
          ...(before.name !== name && { severity: 'warning' as const }),
          hint: 'Remove one of the two',
          section: pathItems.has(owner) ? 'Path Item Object' : 'Operation Object',
          related: [{ pointer: before.entry.pointer, message: 'first declared here' }],
        })
    }
  }
}
