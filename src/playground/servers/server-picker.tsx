import { Icon } from '../icon.tsx'
import { findFailureBefore, isAllowedHere } from '../send/find-failure-before.ts'
import type { PlaygroundServer, PlaygroundValues } from '../types.ts'
import { PartNote, usePart } from '../use-part.tsx'
import { chooseServer, toServerUrl } from './to-server-url.ts'

export interface ServerProps {
  readonly servers: readonly PlaygroundServer[]
  readonly value: PlaygroundValues['server']
  readonly onChange: (value: PlaygroundValues['server']) => void
}

/** The choice among several servers, and of one that the reader types where the page's policy allows any. */
export function ServerPicker({ servers, value, onChange }: ServerProps) {
  const label = ({ url, description }: PlaygroundServer) => (description ? `${url} · ${description}` : url)
  const isOpen = isAllowedHere(new URL('https://any.invalid'))
  const [only] = servers
  if (servers.length === 1 && only && !isOpen) return <span class="only">{toShown(only, value)}</span>
  return (
    <span class="has-pick">
      <select
        class="pick"
        aria-label="Server"
        value={value.index}
        onChange={(event) => onChange({ index: Number(event.currentTarget.value), variables: value.variables })}
      >
        {servers.map((server, index) => (
          <option value={index}>{label(server)}</option>
        ))}
        {isOpen && <option value={servers.length}>Another server …</option>}
      </select>
      <Icon name="down" />
    </span>
  )
}

function toShown(server: PlaygroundServer, { variables }: PlaygroundValues['server']): string {
  return toServerUrl(server, variables, location.href) ?? server.url
}

const getServerFields = () => import('./server-fields.tsx')

/** What is to be filled in of the chosen server, and what stands in its way; nothing where there is nothing to say. */
export function ServerSection(props: ServerProps) {
  const { servers, value } = props
  const server = chooseServer(servers, value)
  const url = toServerUrl(server, value.variables, location.href)
  const isPlain =
    server.variables.length === 0 &&
    value.index < servers.length &&
    url !== undefined &&
    !/[{}]/.test(url) &&
    !findFailureBefore(url)
  const part = usePart(getServerFields, !isPlain)
  if (isPlain) return null
  return part.module ? <part.module.ServerFields {...props} url={url} /> : <PartNote what="The server's fields" part={part} />
}
