import type { Place } from '../follow-reference.ts'
import { shorten } from '../name-value.ts'
import { citedEdition } from '../section-of.ts'
import type { Check } from './check.ts'
import { listParameters } from './list-parameters.ts'

/** Reports a parameter that stands twice in one list. Source: OpenAPI 3.1.1, "Operation Object" and "Path Item Object", `parameters`. */
export const parameterUnique: Check = ({ release, operations, webhookOperations, follow }, report) => {
  const checkList = (owner: Place, title: string) => {
    const first = new Map<string, Place>()
    for (const { entry, name, location } of listParameters(owner, follow)) {
      if (name === undefined || location === undefined) continue
      const key = `${location}\n${name}`
      const before = first.get(key)
      if (!before) {
        first.set(key, entry)
        continue
      }
      report({
        code: 'parameter-unique',
        message: `Unexpected second ${location} parameter \`${shorten(name)}\`, expected each only once`,
        file: entry.file,
        pointer: entry.pointer,
        hint: 'remove one of the two',
        section: `OpenAPI ${citedEdition[release]}, ${title}`,
        related: [{ file: before.file, pointer: before.pointer, message: 'first given here' }],
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
