import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import { Words } from './words.tsx'

/** Says in place of a reference why there is none: the description could not be read. Its readers are owed a word as well as its author. */
export function UnreadableNote({ source, fault }: { readonly source: string; readonly fault: Diagnostic | undefined }) {
  return (
    <aside class="hint" role="note" aria-label="Not available">
      <p>
        <b>This reference is not available:</b> the OpenAPI document <code>{source}</code> could not be read.
      </p>
      {fault && (
        <p class="muted">
          <Words text={fault.message} /> ({fault.file}, line {fault.range.start.line})
        </p>
      )}
    </aside>
  )
}
