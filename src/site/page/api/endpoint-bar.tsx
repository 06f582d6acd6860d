import type { ComponentChildren } from 'preact'
import type { GeneratedValues } from '../../../playground/request/read-operation.ts'
import { fillMessage, formatMessage } from '../../messages/format-message.ts'
import type { SitePage } from '../../plan/types.ts'
import { isRelativeServer, placeholderServer, toSampleServer, toServerUrl } from '../../reference/server-urls.ts'
import type { OperationView, ServerView } from '../../reference/types.ts'
import { Icon } from '../icons/page-icons.tsx'
import { MethodMark } from '../shell/marks.tsx'
import { toMessageFiles } from '../shell/message-files.ts'
import { SamplesLink } from '../shell/page-frame.tsx'
import { type SiteContext, toAssetHref } from '../site-context.ts'

interface EndpointBarProps {
  readonly site: SiteContext
  readonly operation: OperationView
  /** Whether the page has code samples to link to. */
  readonly hasSamples: boolean
  /** The button that opens the playground, if the page has one. */
  readonly play?: ComponentChildren
  /** Whether to show the button that copies the URL. */
  readonly canCopy?: boolean
}

/** Method, path and server of an operation. */
export function EndpointBar({ site, operation, hasSamples, play, canCopy = true }: EndpointBarProps) {
  const { method, path, servers, kind } = operation
  const [server] = servers
  const texts = site.messages.reference
  return (
    <div class="endpoint">
      <div>
        {kind === 'webhook' && <MethodMark method="WEBHOOK" />} <MethodMark method={method} />{' '}
        <span class="path">
          <PathText path={path} />
        </span>
        {hasSamples && <SamplesLink label={texts.samples} />}
        {canCopy && server && (
          <button
            type="button"
            class="btn quiet icon needs-js copy-url"
            data-copy={toServerUrl(server) + path}
            data-path={servers.length > 1 ? path : undefined}
            aria-label={texts.copyUrl}
          >
            <Icon name="copy" />
          </button>
        )}
        {play}
      </div>
      {kind === 'operation' && <Servers operation={operation} site={site} />}
    </div>
  )
}

/** A path template with an element for each segment, so that it breaks before a slash, and highlighted parameters. */
function PathText({ path }: { readonly path: string }) {
  const toParts = (text: string) => text.split(/(\{[^{}]*\})/).map((part) => (part.startsWith('{') ? <i>{part}</i> : part))
  return (
    <>
      {path.split(/(?=\/)/).map((segment) => (
        <span>{toParts(segment)}</span>
      ))}
    </>
  )
}

function Servers({ operation: { servers, left }, site: { messages } }: Pick<EndpointBarProps, 'operation' | 'site'>) {
  const { reference: texts, language } = messages
  const showServer = (name: string) => (name === 'server' ? <code>{placeholderServer}</code> : undefined)
  const toLabel = (server: ServerView) => {
    const url = server.variables.length > 0 ? server.url : toServerUrl(server) || '/'
    return [url, server.name ?? server.description].filter(Boolean).join(' · ')
  }
  const [only] = servers
  if (!only) {
    return (
      <div class="server">
        <span>{fillMessage(texts.noServer, showServer)}</span>
      </div>
    )
  }
  return (
    <div class="server">
      <Icon name="globe" />
      {servers.length === 1 ? (
        <span>
          {toLabel(only)}
          {isRelativeServer(only.url) && <> · {fillMessage(texts.relativeServer, showServer)}</>}
        </span>
      ) : (
        <span class="has-pick">
          <select class="pick" aria-label={texts.server} data-servers="" autocomplete="off">
            {servers.map((server) => (
              <option value={server.url} data-url={toSampleServer(server) === server.url ? undefined : toSampleServer(server)}>
                {toLabel(server)}
              </option>
            ))}
            {left.servers > 0 && <option disabled>{formatMessage(texts.more, { count: left.servers }, language)}</option>}
          </select>
          <Icon name="down" />
        </span>
      )}
    </div>
  )
}

/** What the playground opens. */
export interface PlaySource {
  /** The path of the OpenAPI document that contains only this operation. */
  readonly path: string
  /** What the samples of the page have besides the examples in that document, so that the playground offers the same. */
  readonly generated: GeneratedValues
}

/**
 * The button that loads and opens the playground. Its data attributes hold the settings of the playground. Hidden without scripts.
 *
 * Source: docs.json, `api.playground` and `api.examples`.
 */
export function PlayButton({ site, source: { path, generated } }: { readonly site: SiteContext; readonly source: PlaySource }) {
  const { playground, examples } = site.plan.settings.api
  const files = toMessageFiles(site.messages)
  return (
    <button
      type="button"
      class="btn primary needs-js"
      aria-haspopup="dialog"
      data-open="playground"
      data-slice={toAssetHref(site.hosting, path)}
      data-stylesheet={toAssetHref(site.hosting, site.assets.playground)}
      data-messages={files && toAssetHref(site.hosting, files.playground.path)}
      data-with-cookies={playground.credentials ? '' : undefined}
      data-generated={Object.keys(generated).length > 0 ? JSON.stringify(generated) : undefined}
      data-prefill={examples.prefill === false ? undefined : examples.prefill ? 'all' : 'written'}
      data-defaults={examples.defaults}
      data-languages={examples.languages?.join(' ')}
    >
      <Icon name="play" /> {site.messages.reference.tryIt}
    </button>
  )
}

/** The `playground` setting of a page: from its frontmatter, else from `docs.json`. */
export function toPlaygroundDisplay({ frontmatter }: SitePage, { plan }: SiteContext): 'interactive' | 'simple' | 'none' {
  const { playground: own } = frontmatter
  const display = displays.find((one) => one === own) ?? plan.settings.api.playground.display
  // `auth` means signed-in readers only, and static sites have no sign-in.
  return display === 'auth' ? 'simple' : display
}

const displays = ['interactive', 'simple', 'none', 'auth'] as const
