import type { ComponentChildren } from 'preact'
import { numberOf, readOwn } from '../../text/json/json-values.ts'
import { LoadingNote, useLazyModule } from '../controls/loading.tsx'
import { Icon } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { PlaygroundValues } from '../controls/types.ts'
import { type DescribedOperation, type DescribedServer, keyOf } from '../request/read-operation.ts'
import { chooseServer, isAllowedHere, predictFailure, toServerUrl } from './reachable-servers.ts'
import type { ServerProps } from './server-fields.tsx'

interface UrlBarProps {
  readonly operation: DescribedOperation
  readonly values: PlaygroundValues
  readonly onChange: (part: Partial<PlaygroundValues>) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  /** The button that sends the request. */
  readonly children: ComponentChildren
}

/** Method, server and path, with the values of its parameters. */
export function UrlBar({ operation, values, onChange, onKeyDown, children }: UrlBarProps) {
  const { method, path, servers } = operation
  const kind = method.toLowerCase()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the inputs inside
    <div class="urlbar" onKeyDown={onKeyDown}>
      <span class={`m ${/^(?:get|post|put|patch|delete)$/.test(kind) ? kind : 'other'}`}>{method}</span>
      <div class="url">
        <ServerPicker servers={servers} value={values.server} onChange={(server) => onChange({ server })} />
        <span>
          {path
            .split(/(\{[^{}]*\})/)
            .map((part) => (part.startsWith('{') ? <PathPart name={part.slice(1, -1)} values={values} /> : part))}
        </span>
      </div>
      {children}
    </div>
  )
}

/** A path parameter, which is edited in the form. Its name, until it has a value that fits the path. */
function PathPart({ name, values }: Pick<UrlBarProps, 'values'> & { readonly name: string }) {
  const value = readOwn(values.parameters, keyOf({ in: 'path', name }))
  return (
    <span class="chip" title={name}>
      {typeof value === 'string' || numberOf(value) !== undefined ? String(value) : `{${name}}`}
    </span>
  )
}

/** A menu of servers. If the page's Content Security Policy allows any server, the reader can enter a custom one. */
function ServerPicker({ servers, value, onChange }: ServerProps) {
  const label = ({ url, name, description }: DescribedServer) => [url, name || description].filter(Boolean).join(' · ')
  const isOpen = isAllowedHere(new URL('https://any.invalid'))
  const [only] = servers
  if (servers.length === 1 && only && !isOpen)
    return <span class="only">{toServerUrl(only, value.variables, location.href) ?? only.url}</span>
  return (
    <span class="has-pick">
      <select
        class="pick"
        aria-label={say('Server')}
        value={value.index}
        onChange={(event) => onChange({ index: Number(event.currentTarget.value), variables: value.variables })}
      >
        {servers.map((server, index) => (
          <option value={index}>{label(server)}</option>
        ))}
        {isOpen && <option value={servers.length}>{say('Custom server…')}</option>}
      </select>
      <Icon name="down" />
    </span>
  )
}

const getServerFields = () => import('./server-fields.tsx')

/** The server section. Hidden if the server has no variables and no problems. */
export function ServerSection(props: ServerProps) {
  const { servers, value } = props
  const server = chooseServer(servers, value)
  const url = toServerUrl(server, value.variables, location.href)
  const isPlain =
    server.variables.length === 0 &&
    value.index < servers.length &&
    url !== undefined &&
    !/[{}]/.test(url) &&
    !predictFailure(url)
  const part = useLazyModule(getServerFields, !isPlain)
  if (isPlain) return null
  return part.module ? (
    <part.module.ServerFields {...props} url={url} />
  ) : (
    <LoadingNote what={say('The server settings')} part={part} />
  )
}
