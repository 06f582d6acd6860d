import type { Check } from './check-context.ts'

/** Reports duplicate `operationId`s. Source: OpenAPI 3.1.1, "Operation Object". */
export const operationIdUnique: Check = ({ operations, webhookOperations, callbackOperations }, report) => {
  const firstById = new Map<string, { readonly file: string; readonly pointer: string }>()
  for (const { fields } of [...operations, ...webhookOperations, ...callbackOperations]) {
    const { operationId, file, pointer } = fields
    const first = firstById.get(operationId ?? '')
    if (operationId === undefined || (first?.file === file && first.pointer === pointer)) continue // Two paths can share a path item.
    if (!first) firstById.set(operationId, fields)
    else
      report({
        at: fields,
        key: 'operationId',
        message: `Unexpected duplicate \`operationId\` \`${operationId}\`, expected a unique value`,
        hint: 'Rename one of the two',
        section: 'Operation Object',
        related: [{ file: first.file, pointer: `${first.pointer}/operationId`, message: 'first used here' }],
      })
  }
}
