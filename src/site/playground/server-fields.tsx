import { Section, Words } from './pieces.tsx'
import { chooseServer, findFailureBefore, typedServer } from './reachable-servers.ts'
import type { PlaygroundServer, PlaygroundValues } from './types.ts'

export interface ServerProps {
  readonly servers: readonly PlaygroundServer[]
  readonly value: PlaygroundValues['server']
  readonly onChange: (value: PlaygroundValues['server']) => void
}

interface ServerFieldsProps extends ServerProps {
  /** Absent if the result is not a URL. */
  readonly url: string | undefined
}

/** The variables of the selected server, the resulting URL, and problems with it. */
export function ServerFields({ servers, value, url, onChange }: ServerFieldsProps) {
  const server = chooseServer(servers, value)
  const isTyped = value.index === servers.length
  const problem = findProblem(url)
  const set = (name: string, text: string) => onChange({ ...value, variables: { ...value.variables, [name]: text } })
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

/** Why a request to the server will fail, as far as that is known in advance. */
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
