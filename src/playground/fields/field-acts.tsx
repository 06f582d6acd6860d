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
  const merged = mergeSchema(schema, resolve)
  // What an empty field does not show.
  const isSaid = value === null || (value === '' && !isItem) || typeof value === 'object'
  const acts: [string, FieldProps['value']][] = []
  if (hasText && value === undefined && merged.types.includes('string')) acts.push(['Send empty text', ''])
  if (value !== null && merged.isNullable) acts.push(['Send null', null])
  if (isSaid && !isItem && (!required || value === null || value === '')) acts.push(['Do not send', undefined])
  if (acts.length === 0) return null
  return (
    <p class={isSaid ? 'acts said' : 'acts'}>
      {value === null && (
        <span>
          <code>null</code> is sent.
        </span>
      )}
      {value === '' && isSaid && <span>Empty text is sent.</span>}
      {acts.map(([act, next]) => (
        <button type="button" class="act" aria-label={`${act}: ${label}`} onClick={() => change(path, next)}>
          {act}
        </button>
      ))}
    </p>
  )
}
