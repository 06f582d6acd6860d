import type { DescriptionCheck } from './check-description.ts'
import { toListParameters } from './checks/list-parameters.ts'
import { collectOperations, collectPathItems, toWebhook } from './collect-operations.ts'
import type { OperationFields, Webhook } from './types.ts'

/**
 * Lists the entries of `x-webhooks`, by which descriptions of 3.0 name what 3.1 has `webhooks` for, as far as these do not have them too.
 * They are not checked: OpenAPI knows nothing of them. Those without a tag have the tag `Webhooks`, and a summary that is no title (GitHub
 * writes whole paragraphs) is part of the description.
 */
export function collectExtensionWebhooks({ description, documents, follow }: DescriptionCheck): Webhook[] {
  const value = description && documents.get(description.entryPath)?.parsed.value
  if (!description || !follow) return []
  const known = new Set(description.webhooks.map(({ name }) => name))
  const listParameters = toListParameters(follow)
  const entries = collectPathItems({ file: description.entryPath, pointer: '', value }, 'x-webhooks', follow)
  return entries
    .filter(({ name }) => !known.has(name))
    .map((entry) => {
      const webhook = toWebhook(entry, collectOperations(entry, follow), listParameters)
      return { ...webhook, operations: webhook.operations.map(withTitle).map(withTag) }
    })
}

/** Longest summary that is taken for a title, in UTF-16 units. */
const maxTitleLength = 100

function withTitle(operation: OperationFields): OperationFields {
  const { summary, description } = operation
  if (summary === undefined || (summary.length <= maxTitleLength && !summary.trim().includes('\n'))) return operation
  const texts = [description, summary].filter((text) => text !== undefined && text.trim() !== '')
  return { ...operation, summary: undefined, description: texts.join('\n\n') }
}

function withTag(operation: OperationFields): OperationFields {
  return operation.tags.length > 0 ? operation : { ...operation, tags: ['Webhooks'] }
}
