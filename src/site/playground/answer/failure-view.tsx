import type { HttpRequest } from '../../request/http-request.ts'
import { PartNote, usePart } from '../loading.tsx'
import { Words } from '../pieces.tsx'
import { toLoadWriter } from '../sample-code.ts'
import type { Failure } from '../send/sent.ts'
import { CopyButton, formatTime } from './answer-pieces.tsx'

const getCurl = toLoadWriter('bash')

interface FailureViewProps {
  readonly explained: Explanation
  readonly request: HttpRequest
}

/** Why there is no response and what to do about it, with the request as a curl command where the browser is the obstacle. */
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

/** A failure in words. Names are in backticks. */
interface Explanation {
  readonly title: string
  readonly text: string
  readonly hints: readonly string[]
  /** A header that the owner of the API can add. */
  readonly header?: string
}

/** Explains what happened to a request and what to do. `url` is the URL of the request, `page` that of the page. */
export function explainFailure(failure: Failure, url: string, page: URL): Explanation {
  const host = URL.canParse(url) ? new URL(url).host : url
  const curl = 'Copy the request as curl and run it in a terminal.'
  const arrived = 'The request may have arrived.'
  switch (failure.kind) {
    case 'stopped':
      return { title: 'Stopped', text: `Stopped by you after ${formatTime(failure.after)}. ${arrived}`, hints: [] }
    case 'offline':
      return {
        title: 'This device is offline',
        text: 'The request was not sent.',
        hints: ['Connect to a network, then send it again.'],
      }
    case 'mixed':
      return {
        title: 'Browsers refuse http from a page served over https',
        text: `This page is served over https, the server \`${host}\` over http. The request was not sent.`,
        hints: ['Choose an https server.', curl],
      }
    case 'policy':
      return {
        title: "This page's own policy does not list the server",
        text: `Pages of this site may send requests to the servers that their description names; \`${host}\` is not one of them. The request was not sent.`,
        hints: [curl, 'Own the site? Name the server under `servers` in the OpenAPI description, and build the site again.'],
      }
    case 'refused':
      return {
        title: 'The browser does not send this request',
        text: `Its own words: ${failure.reason}`,
        hints: ['Pages cannot send `TRACE` or `CONNECT`, nor a body with `GET` or `HEAD`.', curl],
      }
    case 'redirect':
      return {
        title: 'The server answered with a redirect',
        text: `It was not followed: the request carries credentials, and a browser does not tell a page where \`${host}\` wanted it to go. ${arrived}`,
        hints: [
          'Copy the request as curl and run it with `-i`: the header `location` says where. Then use that address.',
          'Or send it without credentials: then it is followed.',
        ],
      }
    case 'hidden':
      return {
        title: 'The browser did not let this page read the answer',
        text: `\`${host}\` can be reached, but does not allow requests from \`${page.host}\` (CORS). ${arrived}`,
        hints: [
          'Copy the request as curl and run it in a terminal; curl is not bound by CORS.',
          'Own the API? Answer with the header below, also to `OPTIONS`, and list the headers of the request in `access-control-allow-headers`.',
        ],
        header: `access-control-allow-origin: ${page.origin}`,
      }
    case 'unreachable':
      return {
        title: 'The server could not be reached',
        text: `No answer came from \`${host}\`: its name is not known, it does not run, its certificate is not trusted, or it refuses pages altogether. A browser does not tell a page which.`,
        hints: ['Check the server chosen above.', curl],
      }
    case 'broken':
      return {
        title: 'The answer broke off',
        text: `The connection to \`${host}\` ended after ${formatTime(failure.after)}. What came is shown.`,
        hints: ['Send it again.', curl],
      }
  }
}
