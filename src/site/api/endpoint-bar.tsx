import type { ComponentChildren } from 'preact'
import type { OperationView, ServerView } from '../../reference/types.ts'
import { Icon } from '../icons/icon.tsx'
import { MethodMark } from '../shell/method-mark.tsx'

interface EndpointBarProps {
  readonly operation: OperationView
  /** Whether the page has samples to lead to. */
  readonly hasSamples: boolean
  /** Opens the playground; absent where there is none. */
  readonly play?: ComponentChildren
  /** Whether the address can be copied. */
  readonly canCopy?: boolean
}

/** Method, path and server of an operation. */
export function EndpointBar({ operation, hasSamples, play, canCopy = true }: EndpointBarProps) {
  const { method, path, servers, kind } = operation
  const [server] = servers
  return (
    <div class="endpoint">
      <div>
        <MethodMark method={method} />{' '}
        <span class="path">
          <PathText path={path} />
        </span>
        {hasSamples && (
          <a class="btn jump" href="#samples">
            Samples
          </a>
        )}
        {canCopy && server && (
          <button
            type="button"
            class="btn quiet icon needs-js copy-url"
            data-copy={toAddress(server, path)}
            aria-label="Copy the address"
          >
            <Icon name="copy" />
          </button>
        )}
        {play}
      </div>
      {kind === 'operation' && <Servers servers={servers} />}
    </div>
  )
}

/** A path template with its parameters set off. */
function PathText({ path }: { readonly path: string }) {
  return <>{path.split(/(\{[^{}]*\})/).map((part) => (part.startsWith('{') ? <i>{part}</i> : part))}</>
}

function Servers({ servers }: { readonly servers: readonly ServerView[] }) {
  const words = ({ url, name, description }: ServerView) => [url, name ?? description].filter(Boolean).join(' · ')
  const [only] = servers
  return (
    <div class="server">
      <Icon name="globe" />
      {servers.length === 1 && only ? (
        <span>{words(only)}</span>
      ) : (
        <span class="has-pick">
          <select class="pick" aria-label="Server">
            {servers.map((server) => (
              <option value={server.url}>{words(server)}</option>
            ))}
          </select>
          <Icon name="down" />
        </span>
      )}
    </div>
  )
}

function toAddress({ url, variables }: ServerView, path: string): string {
  const filled = url.replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => variables.find((one) => one.name === name)?.default || whole,
  )
  return filled.replace(/(?<!\/)\/+$/, '') + path
}
