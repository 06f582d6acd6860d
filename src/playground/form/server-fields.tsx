import { Section, TextWithCode } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import type { PlaygroundValues } from '../controls/types.ts'
import type { DescribedServer } from '../request/read-operation.ts'
import { chooseServer, customServer, explainBlock, predictFailure } from './reachable-servers.ts'

export interface ServerProps {
  readonly servers: readonly DescribedServer[]
  readonly value: PlaygroundValues['server']
  readonly onChange: (value: PlaygroundValues['server']) => void
}

interface ServerFieldsProps extends ServerProps {
  /** Absent if the result is not a URL. */
  readonly url: string | undefined
}

/** The variables of the selected server, the resulting URL, and any problem with it. */
export function ServerFields({ servers, value, url, onChange }: ServerFieldsProps) {
  const server = chooseServer(servers, value)
  const isTyped = value.index === servers.length
  const problem = findProblem(url)
  const set = (name: string, text: string) => onChange({ ...value, variables: { ...value.variables, [name]: text } })
  return (
    <Section title={say('Server')} note={url}>
      {isTyped && (
        <div class="row wide">
          <input
            class="in mono"
            type="url"
            aria-label={say('Server URL')}
            placeholder="https://api.example.com"
            value={value.variables[customServer] ?? ''}
            onInput={(event) => set(customServer, event.currentTarget.value)}
          />
        </div>
      )}
      {server.variables.map(({ name, default: preset = '', enum: choices, description }) => {
        const current = (Object.hasOwn(value.variables, name) ? value.variables[name] : undefined) ?? preset
        return (
          <div class="row">
            <div>
              <div class="p-head">
                <span class="p-name">{name}</span> <i>{choices.length > 0 ? 'enum' : 'string'}</i>
              </div>
              {description && (
                <p class="p-desc">
                  <TextWithCode text={description} />
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
            <TextWithCode text={problem} />
          </p>
        </div>
      )}
    </Section>
  )
}

/** Why a request to the server would fail, if this is known before sending. */
function findProblem(url: string | undefined): string | undefined {
  if (url === undefined) return say('Enter a URL that starts with `https://` or `http://`.')
  if (!URL.canParse(url)) return undefined
  if (/[{}]/.test(url)) return say('Enter a value for every server variable.')
  const failure = predictFailure(url)
  if (!failure) return undefined
  const advice = say('Copy a code sample and run it in a terminal.')
  return [
    explainBlock(failure, new URL(url).host),
    ...(failure === 'mixed' ? [say('Select an https server.')] : []),
    advice,
  ].join(' ')
}
