import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { faultProps, useTold } from './fields/field-fault.tsx'
import { FormContext } from './fields/form-context.ts'
import { keyOf } from './key-of.ts'
import { mergeSchema } from './merge-schema.ts'
import { readText } from './read-text.ts'
import { ServerPicker } from './servers/server-picker.tsx'
import { toFieldKind } from './to-field-kind.ts'
import type { PlaygroundOperation, PlaygroundValues } from './types.ts'

interface UrlBarProps {
  readonly operation: PlaygroundOperation
  readonly values: PlaygroundValues
  readonly onChange: (part: Partial<PlaygroundValues>) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  /** What sends the request. */
  readonly children: ComponentChildren
}

/** Method, server and path, in which the parameters of the path are typed. */
export function UrlBar({ operation, values, onChange, onKeyDown, children }: UrlBarProps) {
  const { method, path, servers } = operation
  const kind = method.toLowerCase()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is typed in the fields inside
    <div class="urlbar" onKeyDown={onKeyDown}>
      <span class={`m ${/^(?:get|post|put|patch|delete)$/.test(kind) ? kind : 'other'}`}>{method}</span>
      <div class="url">
        <ServerPicker servers={servers} value={values.server} onChange={(server) => onChange({ server })} />
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
      {children}
    </div>
  )
}

/** A parameter of the path where it stands; lists and objects are typed below. */
function PathChip({ name, operation, values }: Pick<UrlBarProps, 'operation' | 'values'> & { readonly name: string }) {
  const { resolve, change } = useContext(FormContext)
  const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
  const merged = mergeSchema(parameter?.schema, resolve)
  const key = keyOf({ in: 'path', name })
  const path = ['parameters', key]
  const told = useTold(path)
  const value = values.parameters[key]
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
      {...faultProps(path, told)}
      onInput={({ currentTarget }) => change(path, readText(currentTarget.value, merged.types))}
    />
  )
}
