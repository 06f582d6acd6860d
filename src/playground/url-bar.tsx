import { useContext } from 'preact/hooks'
import { FormContext } from './fields/form-context.ts'
import { Icon } from './icon.tsx'
import { keyOf } from './key-of.ts'
import { mergeSchema } from './merge-schema.ts'
import { readText } from './read-text.ts'
import { toFieldKind } from './to-field-kind.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

interface UrlBarProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  readonly onChange: (part: Partial<PlaygroundValues>) => void
}

/** Method, server and path, in which the parameters of the path are typed. */
export function UrlBar({ operation, values, onChange }: UrlBarProps) {
  const { method, path, servers } = operation
  const kind = method.toLowerCase()
  return (
    <div class="urlbar">
      <span class={`m ${/^(?:get|post|put|patch|delete)$/.test(kind) ? kind : 'other'}`}>{method}</span>
      <div class="url">
        {servers.length > 1 ? (
          <span class="has-pick">
            <select
              class="pick"
              aria-label="Server"
              value={String(values.server.index)}
              onChange={({ currentTarget }) => onChange({ server: { ...values.server, index: Number(currentTarget.value) } })}
            >
              {servers.map(({ url }, index) => (
                <option value={String(index)}>{url}</option>
              ))}
            </select>
            <Icon name="down" />
          </span>
        ) : (
          <span class="muted">{servers[0]?.url.replace(/\/$/, '')}</span>
        )}
        {path
          .split(/(\{[^{}]*\})/)
          .map((part) =>
            part.startsWith('{') ? (
              <PathChip name={part.slice(1, -1)} operation={operation} values={values} />
            ) : (
              <span>{part}</span>
            ),
          )}
      </div>
    </div>
  )
}

/** A parameter of the path where it stands; lists and objects are typed below. */
function PathChip({ name, operation, values }: Pick<UrlBarProps, 'operation' | 'values'> & { readonly name: string }) {
  const { resolve, change } = useContext(FormContext)
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
  const merged = mergeSchema(parameter?.schema, resolve)
  const value = values.parameters[keyOf({ in: 'path', name })]
  const isPlain = value === undefined || typeof value === 'string' || typeof value === 'number'
  const kind = toFieldKind(merged, false)
  if (!isPlain || (kind !== 'text' && kind !== 'json'))
    return <span class="chip">{isPlain && value !== undefined ? value : `{${name}}`}</span>
  return (
    <input
      class="chip"
      aria-label={`${name}, path parameter`}
      placeholder={name}
      value={value === undefined ? '' : String(value)}
      size={Math.max(name.length, 6)}
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) =>
        change(['parameters', keyOf({ in: 'path', name })], readText(currentTarget.value, merged.types))
      }
    />
  )
}
