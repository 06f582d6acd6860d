import { markdownToNodes } from '../../mdx/mdx-reader.ts'
import { ContentNodes } from '../content/content-nodes.tsx'
import type { ApiContext } from './api-context.ts'

/** A `description`, which is Markdown; nothing where there is none. */
export function Description({
  text,
  api,
  class: className = 'p-desc',
}: {
  readonly text: string | undefined
  readonly api: ApiContext
  readonly class?: string
}) {
  if (text === undefined || text.trim() === '') return null
  return (
    <div class={className}>
      <ContentNodes nodes={markdownToNodes(text)} context={api.site} page={api.page} />
    </div>
  )
}
