import type { Finding } from '../../diagnostics/diagnostic.ts'
import type { Description, NamedSchema, OperationFields, Webhook } from '../../openapi/types.ts'
import { isDeeperThan } from '../../text/json/json-values.ts'
import { formatTarget } from '../navigation/parse-binding.ts'
import type { OperationBinding } from '../navigation/types.ts'
import type { DescriptionIndex, PageSubject } from './types.ts'

/** Indexes the subjects of a description for lookups. */
export function indexDescription(description: Description): DescriptionIndex {
  const subjects = listSubjects(description)
  return {
    subjects,
    byTarget: new Map(subjects.map((subject) => [subject.target, subject])),
    tags: description.tags,
    tagGroups: description.tagGroups,
    schemas: listSchemas(description),
    schemaNames: new Set(description.schemas.map(({ name }) => name)),
  }
}

/** Lists the operations and webhooks of a description in page order. Hidden and excluded ones are included and marked. */
export function listSubjects(description: Description): PageSubject[] {
  const tagOf = toTagChoice(description.tags)
  const operations = description.operations.map((operation) => {
    const { method, pathTemplate } = operation
    return toSubject({ kind: 'operation', file: undefined, method, pathTemplate }, operation, tagOf)
  })
  return [...operations, ...description.webhooks.flatMap((webhook) => toWebhookSubject(webhook, tagOf) ?? [])]
}

type TagChoice = (tags: readonly string[]) => string | undefined

/** Chooses the tag that decides the group of an operation: a tag meant for navigation if there is one, otherwise the first. */
function toTagChoice(tags: Description['tags']): TagChoice {
  const kinds = new Map(tags.flatMap(({ name, kind }) => (kind === undefined ? [] : [[name, kind]])))
  if (kinds.size === 0) return ([first]) => first
  return (own) => own.find((name) => kinds.get(name) === 'nav') ?? own.find((name) => !kinds.has(name))
}

/** Lists the schemas of a description in document order. Hidden and excluded ones are included and marked. */
export function listSchemas({ schemas }: Description): PageSubject[] {
  return schemas.map((schema: NamedSchema): PageSubject => {
    const { name, title, description, deprecated, hidden, excluded, mint, file, pointer } = schema
    return {
      binding: { kind: 'schema', file: undefined, name },
      target: toSchemaTarget(name),
      operationId: undefined,
      summary: withText(title),
      description: withText(description),
      tag: undefined,
      deprecated,
      hidden,
      excluded,
      mint,
      parameters: [],
      file,
      pointer,
    }
  })
}

function toSubject(binding: OperationBinding, operation: OperationFields, tagOf: TagChoice): PageSubject {
  const { operationId, summary, description, deprecated, hidden, excluded, mint, labels, parameters, file, pointer } = operation
  return {
    binding,
    target: formatTarget(binding),
    operationId,
    summary: withText(summary),
    description: withText(description),
    tag: tagOf(operation.tags),
    deprecated,
    hidden,
    excluded,
    mint,
    ...(labels.length > 0 && { labels }),
    parameters,
    file,
    pointer,
  }
}

/** A page covers all methods of a webhook. Each field comes from the first method that has it. */
function toWebhookSubject({ name, operations }: Webhook, tagOf: TagChoice): PageSubject | undefined {
  const first = operations[0]
  if (!first) return undefined
  const subjects = operations.map((operation) => toSubject({ kind: 'webhook', file: undefined, name }, operation, tagOf))
  const pick = <Key extends keyof PageSubject>(key: Key) => subjects.find((subject) => subject[key] !== undefined)?.[key]
  return {
    ...toSubject({ kind: 'webhook', file: undefined, name }, first, tagOf),
    operationId: pick('operationId'),
    summary: pick('summary'),
    description: pick('description'),
    tag: pick('tag'),
    deprecated: operations.every(({ deprecated }) => deprecated === true) || undefined,
    hidden: operations.every(({ hidden }) => hidden),
    excluded: operations.every(({ excluded }) => excluded),
    mint: pick('mint'),
  }
}

function withText(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text
}

const prefix = 'schema '

/** Returns the target of a schema; see `PageSubject.target`. */
export function toSchemaTarget(name: string): string {
  return prefix + name
}

/** Returns the schema name if the target is a schema. */
export function fromSchemaTarget(target: string): string | undefined {
  return target.startsWith(prefix) ? target.slice(prefix.length) : undefined
}

/** Maximum nesting of `x-mint.metadata` in frontmatter, including the top level. */
const maxNesting = 100

/** Removes metadata that is nested too deep to be written, and reports it. */
export function dropDeepMetadata(subject: PageSubject, findings: Finding[]): PageSubject {
  const { mint, file, pointer } = subject
  if (!mint || !isDeeperThan(mint.metadata, maxNesting)) return subject
  findings.push({
    code: 'too-complex',
    message: `Unexpected \`metadata\` nesting of more than ${maxNesting} levels`,
    file,
    pointer: `${pointer}/x-mint/metadata`,
    on: 'key',
    hint: 'Reduce the nesting. Until then, the page has no metadata',
    severity: 'warning',
  })
  return { ...subject, mint: { ...mint, metadata: undefined } }
}
