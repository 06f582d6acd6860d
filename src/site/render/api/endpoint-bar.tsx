import type { ComponentChildren } from 'preact'
import type { OperationView, ServerView } from '../../reference/types.ts'
import { Icon } from '../icons/page-icons.tsx'
import { MethodMark } from '../shell/marks.tsx'
import { type SiteContext, toAssetHref } from '../site-context.ts'
import type { SitePage } from '../types.ts'

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

/** What the button that opens the playground needs to know. */
interface PlayButtonProps {
  readonly site: SiteContext
  /** The file of this operation alone, which the playground reads. */
  readonly slicePath: string
}

/**
 * Opens the playground, of which nothing is loaded before. All that its script has to know stands on it; without script it is not there.
 *
 * Source: docs.json, `api.playground` and `api.examples`.
 */
export function PlayButton({ site, slicePath }: PlayButtonProps) {
  const { playground, examples } = site.plan.settings.api
  return (
    <button
      type="button"
      class="btn primary needs-js"
      aria-haspopup="dialog"
      data-open="playground"
      data-slice={toAssetHref(site, slicePath)}
      data-stylesheet={toAssetHref(site, site.assets.playground)}
      data-with-cookies={playground.credentials ? '' : undefined}
      data-prefill={examples.prefill ? '' : undefined}
      data-defaults={examples.defaults}
      data-languages={examples.languages?.join(' ')}
    >
      <Icon name="play" /> Try it
    </button>
  )
}

/** How a page shows its operation: `playground` of its frontmatter, else of docs.json. */
export function toPlaygroundDisplay({ frontmatter }: SitePage, { plan }: SiteContext): 'interactive' | 'simple' | 'none' {
  const { playground: own } = frontmatter
  const display = displays.find((one) => one === own) ?? plan.settings.api.playground.display
  // Only for readers who have signed in; nobody signs in to a static site.
  return display === 'auth' ? 'simple' : display
}

const displays = ['interactive', 'simple', 'none', 'auth'] as const
