import type { HttpRequest } from '../../request/http-request.ts'
import { toLoadWriter } from '../load-writer.ts'
import type { Explanation } from '../send/explain-failure.ts'
import { PartNote, usePart } from '../use-part.tsx'
import { CopyButton } from './copy-button.tsx'
import { Words } from './words.tsx'

export { explainFailure } from '../send/explain-failure.ts'

const getCurl = toLoadWriter('bash')

interface FailureViewProps {
  readonly explained: Explanation
  readonly request: HttpRequest
}

/** Why there is no answer, and what to do: also with the request as a command, where a browser is what fails. */
export function FailureView({ explained: { title, text, hints, header }, request }: FailureViewProps) {
  return (
    <div class="fail">
      <h3>{title}</h3>
      <p>
        <Words text={text} />
      </p>
      <ul>
        {hints.map((hint) => (
          <li>
            <Words text={hint} />
          </li>
        ))}
      </ul>
      {header && (
        <div class="code">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
          <pre tabIndex={0} role="group" aria-label="Header to add">
            <code>{header}</code>
          </pre>
        </div>
      )}
      {hints.length > 0 && <CopyAsCurl request={request} />}
    </div>
  )
}

function CopyAsCurl({ request }: Pick<FailureViewProps, 'request'>) {
  const curl = usePart(getCurl)
  const write = curl.module
  return write ? <CopyButton text={() => write(request)}>Copy as curl</CopyButton> : <PartNote what="The command" part={curl} />
}
