import { formatCount } from '../diagnostic/diagnostic.ts'
import { escapeText } from '../text/escape-text.ts'
import type { DocumentReport } from '../update/types.ts'

/** `OpenAPI 3.1.0, 12 operations, 2 webhooks, 9 schemas`; what there is none of is left out but for operations. */
export function describeDocument({
  version,
  operationCount,
  webhookCount,
  schemaCount,
}: Pick<DocumentReport, 'version' | 'operationCount' | 'webhookCount' | 'schemaCount'>): string {
  if (version === undefined) return ''
  const parts = [`OpenAPI ${escapeText(version)}`, formatCount(operationCount, 'operation')]
  if (webhookCount > 0) parts.push(formatCount(webhookCount, 'webhook'))
  if (schemaCount > 0) parts.push(formatCount(schemaCount, 'schema'))
  return parts.join(', ')
}
