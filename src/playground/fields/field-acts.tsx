import { useContext } from 'preact/hooks'
import { mergeSchema } from '../merge-schema.ts'
import { type FieldProps, FormContext } from './form-context.ts'

interface FieldActsProps extends FieldProps {
  /** An empty text can be told from none. */
  readonly hasText?: boolean
}

/** What can be done with a field besides typing: send `null` or an empty text, or nothing. Shown while the field is used, and where it says what is sent. */
export function FieldActs({ path, label, schema, value, required, isItem, hasText }: FieldActsProps) {
  const { resolve, change } = useContext(FormContext)
  const acts: [string, FieldProps['value']][] = []
  if (hasText && value === undefined && mergeSchema(schema, resolve).types.includes('string')) acts.push(['Send empty text', ''])
  if (value !== null && mergeSchema(schema, resolve).isNullable) acts.push(['Send null', null])
  if (value !== undefined && !isItem && (!required || value === null)) acts.push(['Do not send', undefined])
  const words = value === null ? <code>null</code> : value === '' ? 'Empty text' : undefined
  if (acts.length === 0 && !words) return null
  return (
    <p class={words ? 'acts said' : 'acts'}>
      {words && <span>{words} is sent.</span>}
      {acts.map(([act, next]) => (
        <button type="button" class="act" aria-label={`${act}: ${label}`} onClick={() => change(path, next)}>
          {act}
        </button>
      ))}
    </p>
  )
}
