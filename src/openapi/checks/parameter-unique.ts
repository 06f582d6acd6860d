import type { Place } from '../../text/json/json-values.ts'
import { shorten } from '../../text/plain/suggest.ts'
import { type ListedParameter, parameterPointer } from '../read/collect-operations.ts'
import { citedEdition } from '../walk.ts'
import type { Check } from './check-context.ts'

/** Reports duplicate parameters in one list. Source: OpenAPI 3.1.1, "Operation Object" and "Path Item Object", `parameters`. */
export const parameterUnique: Check = ({ release, operations, webhookOperations, listParameters }, report) => {
  const checkList = (owner: Place, title: string) => {
    const parameters = listParameters(owner)
    if (!hasRepeats(parameters)) return
    const first = new Map<string, ListedParameter>()
    for (const parameter of parameters) {
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

/** Fast path: most lists are short and have no duplicates. */
function hasRepeats(parameters: readonly ListedParameter[]): boolean {
  if (parameters.length > 50) return true
  for (let index = 1; index < parameters.length; index++) {
    const parameter = parameters[index]
    for (let before = 0; before < index; before++) {
      const other = parameters[before]
      if (parameter?.name === other?.name && parameter?.location === other?.location) return true
    }
  }
  return false
}
