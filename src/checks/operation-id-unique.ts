import type { CollectedOperation } from '../openapi/read/collect-operations.ts'
import { citedEdition } from '../openapi/walk.ts'
import type { Check } from './check-context.ts'

/** Reports duplicate `operationId`s. Source: OpenAPI 3.1.1, "Operation Object". */
export const operationIdUnique: Check = ({ release, operations, webhookOperations, callbackOperations }, report) => {
  const firstById = new Map<string, CollectedOperation>()
  for (const operation of [...operations, ...webhookOperations, ...callbackOperations]) {
    const { operationId, file, pointer } = operation.fields
    if (operationId === undefined) continue
    const first = firstById.get(operationId)
    if (!first) {
      firstById.set(operationId, operation)
      continue
    }
    // Two paths can share a path item.
    if (first.fields.file === file && first.fields.pointer === pointer) continue
    report({
      code: 'operation-id-unique',
      message: `Unexpected duplicate \`operationId\` \`${operationId}\`, expected a unique value`,
      file,
      pointer: `${pointer}/operationId`,
      hint: 'Rename one of the two',
      section: `OpenAPI ${citedEdition[release]}, Operation Object`,
      related: [{ file: first.fields.file, pointer: `${first.fields.pointer}/operationId`, message: 'first used here' }],
    })
  }
}
