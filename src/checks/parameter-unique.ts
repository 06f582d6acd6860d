import { type ListedParameter, parameterPointer } from '../openapi/read/collect-operations.ts'
import { citedEdition } from '../openapi/walk.ts'
import type { Place } from '../text/json/json-values.ts'
import { shorten } from '../text/plain/suggest.ts'
import type { Check } from './check-context.ts'

/** Reports duplicate parameters in one list. Source: OpenAPI 3.1.1, "Operation Object" and "Path Item Object", `parameters`. */
export const parameterUnique: Check = ({ release, operations, webhookOperations, listParameters }, report) => {
  const checkList = (owner: Place, title: string) => {
    const first = new Map<string, ListedParameter>()
    for (const parameter of listParameters(owner)) {
      const { name, location } = parameter
      if (name === undefined || location === undefined) continue
      const key = `${location}\n${name}`
      const before = first.get(key)
      if (!before) {
        first.set(key, parameter)
        continue
      }
      report({
        code: 'parameter-unique',
        message: `Unexpected duplicate ${location} parameter \`${shorten(name)}\`, expected each parameter once`,
        file: owner.file,
        pointer: parameterPointer(parameter),
        hint: 'Remove one of the two',
        section: `OpenAPI ${citedEdition[release]}, ${title}`,
        related: [{ pointer: parameterPointer(before), message: 'first declared here' }],
      })
    }
  }
  let pathItem: unknown
  for (const operation of [...operations, ...webhookOperations]) {
    if (operation.pathItem.value !== pathItem) checkList(operation.pathItem, 'Path Item Object')
    pathItem = operation.pathItem.value
    checkList(operation.operation, 'Operation Object')
  }
}
