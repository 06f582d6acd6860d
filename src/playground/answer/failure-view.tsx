import { useState } from 'preact/hooks'
import { TextWithCode } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import { CopyButton, formatTime } from '../controls/response-pieces.tsx'
import { explainBlock } from '../form/reachable-servers.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { relayMetric } from '../request/relay-format.ts'
import { toCurl } from '../samples/to-curl.ts'
import type { Failure } from '../send/sent.ts'
import { listCorsHeaders } from './cors-headers.ts'

interface FailureViewProps {
  readonly failure: Failure
  readonly explained: Explanation
  readonly request: HttpRequest
  readonly onSend: () => void
  readonly onRelay: (request: HttpRequest) => void
}

/** Explains why there is no response, followed by buttons for what the reader can do. */
export function FailureView({ failure, explained, request, onSend, onRelay }: FailureViewProps) {
  const { title, text, hints, headers, isUnclear } = explained
  return (
    <div class="fail">
      <h3>{title}</h3>
      <p>
        <TextWithCode text={text} />
      </p>
      {hints.length > 0 && (
        <ul>
          {hints.map((hint) => (
            <li>
              <TextWithCode text={hint} />
            </li>
          ))}
        </ul>
      )}
      <div class="choices">
        {failure.kind !== 'stopped' && (
          <CopyButton text={() => toCurl(request)} class="btn">
            {say('Copy as curl')}
          </CopyButton>
        )}
        {/^(?:stopped|offline|blocked|broken|relay)$/.test(failure.kind) && (
          <button type="button" class="btn" onClick={onSend}>
            {say('Try again')}
          </button>
        )}
        {isUnclear && hasRelay(request) && <RelayOffer request={request} onRelay={onRelay} />}
        {isUnclear && <ReachabilityCheck url={request.url} />}
      </div>
      {headers && <MissingHeaders headers={headers} />}
    </div>
  )
}

/** What the owner of the API can change. */
function MissingHeaders({ headers: { always, preflight } }: { readonly headers: ReturnType<typeof listCorsHeaders> }) {
  const text = [...always, ...preflight].join('\n')
  const isOne = always.length + preflight.length === 1
  const note =
    preflight.length === 0
      ? isOne
        ? say('Add this header to every response.')
        : say('Add these headers to every response.')
      : isOne
        ? say('Add this header to every response, and respond to `OPTIONS` with status 204.')
        : say('Add these headers to every response, and respond to `OPTIONS` with status 204.')
  return (
    <details class="more-rows">
      <summary>{say('If you own the API')}</summary>
      <p>
        <TextWithCode text={note} />
      </p>
      <div class="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard */}
        <pre class="wrap" tabIndex={0} role="group" aria-label={say('Headers to add')}>
          <code>{text}</code>
        </pre>
      </div>
      <CopyButton text={() => text}>{say('Copy headers')}</CopyButton>
    </details>
  )
}

/** Whether the server of this site offers to send a request. The page reads this from its own response, without another request. */
function hasRelay({ url }: HttpRequest): boolean {
  const pages = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return url.startsWith('https:') && pages.some(({ serverTiming }) => serverTiming?.some(({ name }) => name === relayMetric))
}

/** Offers to send a blocked request through the server of the site. Tells the reader who receives it, before it is sent. */
function RelayOffer({ request, onRelay }: Pick<FailureViewProps, 'request' | 'onRelay'>) {
  const { host } = new URL(request.url)
  return (
    <>
      <button type="button" class="btn" aria-describedby="play-relay" onClick={() => onRelay(request)}>
        {say('Send through this server')}
      </button>
      <p id="play-relay">
        <TextWithCode
          text={say(
            '`{server}`, the server of this site, would receive the whole request with your credentials, and pass it on to `{host}`. It does not store or log them. Cookies are not sent.',
            location.host,
            host,
          )}
        />
      </p>
    </>
  )
}

/** Sends a request without CORS to find out whether the server is reachable, only if the reader asks for it. */
function ReachabilityCheck({ url }: { readonly url: string }) {
  const [result, setResult] = useState('')
  const { host, origin } = new URL(url)
  const check = async () => {
    setResult(say('Waiting for `{host}`…', host))
    try {
      const plain = { method: 'HEAD', mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const
      await fetch(`${origin}/`, { ...plain, cache: 'no-store', signal: AbortSignal.timeout(5000) })
      setResult(say('`{host}` is reachable, so it does not allow this page.', host))
    } catch {
      setResult(
        say(
          'No response from `{host}`. The hostname may be wrong, the server may be down, its certificate may not be trusted, or it may block requests from pages.',
          host,
        ),
      )
    }
  }
  return (
    <>
      <button type="button" class="btn" title={say('Sends HEAD {url} without credentials', `${origin}/`)} onClick={check}>
        {say('Check connection')}
      </button>
      <p role="status">
        <TextWithCode text={result} />
      </p>
    </>
  )
}

/** The description of a failure. Names are in backticks. */
interface Explanation {
  readonly title: string
  readonly text: string
  readonly hints: readonly string[]
  /** The headers that the owner of the API can add. */
  readonly headers?: ReturnType<typeof listCorsHeaders>
  /** Whether the server may be unreachable. */
  readonly isUnclear?: boolean
}

/** Explains what happened to a request and what to do. `page` is the URL of the page. */
export function explainFailure(failure: Failure, request: HttpRequest, page: URL): Explanation {
  const { url } = request
  const host = URL.canParse(url) ? new URL(url).host : url
  const curl = say('Copy the request as curl and run it in a terminal.')
  const arrived = say('The server may have received the request.')
  const unsent = say('The request was not sent.')
  switch (failure.kind) {
    case 'stopped':
      return {
        title: say('Stopped'),
        text: `${say('You stopped the request after {time}.', formatTime(failure.after))} ${arrived}`,
        hints: [],
      }
    case 'offline':
      return {
        title: say('This device is offline'),
        text: unsent,
        hints: [say('Connect to a network and send the request again.')],
      }
    case 'mixed':
      return {
        title: say('Browsers block http requests from https pages'),
        text: `${explainBlock(failure.kind, host)} ${unsent}`,
        hints: [say('Select an https server.'), curl],
      }
    case 'policy':
      return {
        title: say("This site's security policy blocks the server"),
        text: `${explainBlock(failure.kind, host)} ${unsent}`,
        hints: [curl, say('If you own this site, add the server to `servers` in the OpenAPI document and rebuild the site.')],
      }
    case 'relay':
      return { title: say('The request through this server failed'), text: failure.reason, hints: [curl] }
    case 'refused':
      return {
        title: say('The browser refused to send this request'),
        text: say('Browser message: {message}', failure.reason),
        hints: [say('Pages cannot send `TRACE` or `CONNECT` requests, or a body with `GET` or `HEAD`.'), curl],
      }
    case 'redirect':
      return {
        title: say('The server responded with a redirect'),
        text: `${say(
          'The redirect was not followed because the request contains credentials. The browser does not show where `{host}` redirects to.',
          host,
        )} ${arrived}`,
        hints: [
          say('Copy the request as curl and run it with `-i`. Then use the URL from the `location` header.'),
          say('Or send the request without credentials to follow the redirect.'),
        ],
      }
    case 'blocked': {
      const headers = listCorsHeaders(request, page.origin, failure.withCookies)
      const received = headers.preflight.length > 0 ? say('The server probably did not receive the request.') : arrived
      return {
        title: say('The browser blocked the response'),
        text: `${say(
          '`{host}` does not allow requests from `{page}` (CORS), or it is unreachable. The browser does not show which.',
          host,
          page.host,
        )} ${received}`,
        hints: [],
        headers,
        isUnclear: true,
      }
    }
    case 'broken':
      return {
        title: say('The connection was lost'),
        text: say(
          'The connection to `{host}` closed after {time}. The part that arrived is shown.',
          host,
          formatTime(failure.after),
        ),
        hints: [],
      }
  }
}
