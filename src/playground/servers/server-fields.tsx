import { Words } from '../answer/words.tsx'
import { Icon } from '../icon.tsx'
import { Section } from '../section.tsx'
import { findFailureBefore, isAllowedHere } from '../send/find-failure-before.ts'
import type { PlaygroundServer, PlaygroundValues } from '../types.ts'
import { chooseServer, toServerUrl, typedServer } from './to-server-url.ts'

interface ServerProps {
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

/** The variables of the chosen server, the address that comes of them, and what stands in its way. Nothing where there is nothing to say. */
export function ServerFields({ servers, value, onChange }: ServerProps) {
  const server = chooseServer(servers, value)
  const isTyped = value.index === servers.length
  const url = toServerUrl(server, value.variables, location.href)
  const problem = findProblem(url)
  const set = (name: string, text: string) => onChange({ ...value, variables: { ...value.variables, [name]: text } })
  if (server.variables.length === 0 && !isTyped && !problem) return null
  return (
    <Section title="Server" note={url}>
      {isTyped && (
        <div class="row wide">
          <input
            class="in mono"
            type="url"
            aria-label="Address of the server"
            placeholder="https://api.example.com"
            value={value.variables[typedServer] ?? ''}
            onInput={(event) => set(typedServer, event.currentTarget.value)}
          />
        </div>
      )}
      {server.variables.map(({ name, default: preset, enum: choices, description }) => {
        const current = (Object.hasOwn(value.variables, name) ? value.variables[name] : undefined) ?? preset
        return (
          <div class="row">
            <div>
              <div class="p-head">
                <span class="p-name">{name}</span> <span class="p-type">{choices.length > 0 ? 'enum' : 'string'}</span>
              </div>
              {description && (
                <p class="p-desc">
                  <Words text={description} />
                </p>
              )}
            </div>
            <div>
              {choices.length > 0 ? (
                <select class="in" aria-label={name} value={current} onChange={(event) => set(name, event.currentTarget.value)}>
                  {(choices.includes(current) ? choices : [current, ...choices]).map((choice) => (
                    <option>{choice}</option>
                  ))}
                </select>
              ) : (
                <input
                  class="in mono"
                  aria-label={name}
                  value={current}
                  onInput={(event) => set(name, event.currentTarget.value)}
                />
              )}
            </div>
          </div>
        )
      })}
      {problem && (
        <div class="row wide" role="status">
          <p class="err">
            <Words text={problem} />
          </p>
        </div>
      )}
    </Section>
  )
}

/** What will keep a request from being sent there, known before it is tried. */
function findProblem(url: string | undefined): string | undefined {
  if (url === undefined) return 'This is not an address that begins with `https://` or `http://`.'
  if (!URL.canParse(url)) return undefined
  if (/[{}]/.test(url)) return 'A variable has no value yet.'
  const failure = findFailureBefore(url)
  if (failure === 'mixed')
    return 'This page is served over https, the server over http: browsers refuse that. Choose an https server, or copy a sample and run it in a terminal.'
  if (failure === 'policy')
    return `This site may send requests to the servers that its descriptions name, and \`${new URL(url).host}\` is not one of them. Copy a sample and run it in a terminal.`
  return undefined
}
