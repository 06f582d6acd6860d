import type { UnwrittenOperation } from '../../docs/types.ts'

/** Names an operation among those of all documents. */
export function toOperationKey({ document, operation }: Omit<UnwrittenOperation, 'division'>): string {
  return `${document} ${operation}`
}
