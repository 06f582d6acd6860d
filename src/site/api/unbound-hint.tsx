import type { Diagnostic } from '../../diagnostic/diagnostic.ts'
import { Words } from './words.tsx'

/** Tells the author why the API part of a page is empty. Readers never see it. */
export function UnboundHint({ binding, fault }: { readonly binding: string; readonly fault: Diagnostic | undefined }) {
  return (
    <aside class="hint" aria-label="Preview only">
      <p>
        <b>Only in the preview:</b> the API part of this page is empty.{' '}
        {fault ? (
          <>
            <Words text={fault.message} />.
            {fault.hint !== undefined && (
              <>
                {' '}
                <Words text={fault.hint.charAt(0).toUpperCase() + fault.hint.slice(1)} />
                {/[.?]$/.test(fault.hint) ? '' : '.'}
              </>
            )}
          </>
        ) : (
          <>
            No document has <code>{binding}</code>.
          </>
        )}
      </p>
      {fault && (
        <p class="muted">
          {fault.file}, line {fault.range.start.line}
        </p>
      )}
    </aside>
  )
}
