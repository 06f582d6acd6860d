import type { CollectedOperation } from '../openapi/collect-operations.ts'
import { createSiteMemo } from '../site/create-site-memo.ts'
import type { SiteSource } from '../site/render-site-page.tsx'
import { hashOf } from './hash-of.ts'

/** The hash of all that a link of a page may name in descriptions (see `listNamedParts`), beside the pages of the site: only few pages have such links. */
export function hashNames({ context, references, introduction, textOf }: SiteSource): string {
  const known = hashesOf(context.plan)
  const before = known.get('names')
  if (before !== undefined) return before
  const names = [...references].map(([source, { operations, webhooks }]) => [
    source,
    [...operations].map(([target, operation]) => toNames(target, operation)),
    [...webhooks].map(([target, list]) => list.map((operation) => toNames(target, operation))),
  ])
  const hash = hashOf([names, introduction === undefined ? '' : (textOf(introduction) ?? '')])
  known.set('names', hash)
  return hash
}

const hashesOf = createSiteMemo<'names', string>()

function toNames(target: string, { fields: { operationId, tags } }: CollectedOperation): unknown {
  return [target, operationId, tags]
}
