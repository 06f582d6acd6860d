import type { OperationView } from '../../reference/types.ts'
import { MethodMark } from '../shell/method-mark.tsx'
import type { ApiContext } from './api-context.ts'
import { Description } from './description.tsx'
import { OperationArticle } from './operation-article.tsx'

/** A webhook: its only method, or each under a heading of its own. */
export function WebhookArticle({ operations, api }: { readonly operations: readonly OperationView[]; readonly api: ApiContext }) {
  const [only] = operations
  if (operations.length === 1 && only) return <OperationArticle operation={only} api={api} />
  return (
    <>
      {operations.map((operation) => {
        const prefix = `${operation.method.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-`
        const id = api.claim(`method-${prefix.slice(0, -1)}`)
        return (
          <section class="part">
            <h2 id={id}>
              <a class="h" href={`#${id}`}>
                <MethodMark method={operation.method} /> {operation.summary ?? operation.path}
              </a>
            </h2>
            <Description text={operation.description} api={api} />
            <OperationArticle operation={operation} api={{ ...api, prefix }} />
          </section>
        )
      })}
    </>
  )
}
