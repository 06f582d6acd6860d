import { toOnce } from '../text/to-once.ts'
import type { ListParameters } from './checks/list-parameters.ts'
import { type CollectedOperation, childPlace, type PathItemEntry, toOperation, toWebhook } from './collect-operations.ts'
import { collectSchemas } from './collect-schemas.ts'
import { collectTags } from './collect-tags.ts'
import type { FollowReference, Place } from './follow-reference.ts'
import type { Description, OpenApiRelease } from './types.ts'

/** What a check knows when it is done, of which a description is made. */
interface DescriptionParts {
  readonly release: OpenApiRelease
  readonly version: string
  /** The entry document. */
  readonly root: Place
  readonly operations: readonly CollectedOperation[]
  readonly webhooks: readonly { readonly entry: PathItemEntry; readonly operations: readonly CollectedOperation[] }[]
  readonly follow: FollowReference
  readonly listParameters: ListParameters
}

/** Makes the description, and each of its lists when that is first asked for: a check that plans no pages needs none of them. */
export function toDescription(parts: DescriptionParts): Description {
  const { release, version, root, follow, listParameters } = parts
  const title = childPlace(follow.end(childPlace(root, 'info')), 'title').value
  const operations = toOnce(() => parts.operations.map((operation) => toOperation(operation, listParameters)))
  const webhooks = toOnce(() => parts.webhooks.map((webhook) => toWebhook(webhook.entry, webhook.operations, listParameters)))
  const tags = toOnce(() => collectTags(root, release))
  const schemas = toOnce(() => collectSchemas(root, follow))
  return {
    entryPath: root.file,
    release,
    version,
    title: typeof title === 'string' ? title : '',
    get operations() {
      return operations()
    },
    get webhooks() {
      return webhooks()
    },
    get tags() {
      return tags()
    },
    get schemas() {
      return schemas()
    },
  }
}
