import { useContext, useState } from 'preact/hooks'
import { isJsonType } from '../../request/media-type.ts'
import { checkValue, type ValueProblem } from '../check-value.ts'
import { fromJsonText } from '../from-json-text.ts'
import type { FieldValue, PlaygroundBody, PlaygroundOperation } from '../types.ts'
import { Fault, FieldActs, type FieldProps, FormContext, faultProps, idOf, useFault, useTold } from './form-context.tsx'

/** A value of any kind, as JSON; what is no JSON is a text. */
export function JsonField(props: FieldProps) {
  const { path, label, value, required, isItem } = props
  const { change } = useContext(FormContext)
  const [draft, setDraft] = useState<string>()
  const fault = useFault(props)
  const isDrafted = draft !== undefined && JSON.stringify(read(draft)) === JSON.stringify(value)
  const shown = isDrafted ? draft : value === undefined ? '' : JSON.stringify(value, null, 2)
  return (
    <>
      <textarea
        id={idOf(path)}
        class="in mono"
        rows={Math.min(12, shown.split('\n').length)}
        aria-label={`${label}, as JSON`}
        aria-required={required || undefined}
        placeholder={'JSON, such as "text", 1 or {}'}
        spellcheck={false}
        {...faultProps(path, fault)}
        value={shown}
        onInput={({ currentTarget }) => {
          setDraft(currentTarget.value)
          change(path, read(currentTarget.value) ?? (isItem ? null : undefined))
        }}
      />
      <Fault path={path} fault={fault} />
      <FieldActs {...props} />
    </>
  )
}

function read(text: string): FieldValue | undefined {
  const found = fromJsonText(text)
  return 'fault' in found ? text : found.value
}

export { fromJsonText } from '../from-json-text.ts'

interface RawBodyProps {
  readonly description: PlaygroundBody
  readonly text: string
  readonly resolve: PlaygroundOperation['resolve']
  readonly onInput: (text: string) => void
}

const bodyPath = ['body']

/** The body as text, with what does not fit its schema. */
export function RawBody({ description: { mediaType, schema }, text, resolve, onInput }: RawBodyProps) {
  const problems = isJsonType(mediaType) ? checkText(text, schema, resolve) : []
  const told = useTold(bodyPath)
  return (
    <div class="row wide">
      <textarea
        class="in mono raw"
        rows={Math.min(24, Math.max(9, text.split('\n').length))}
        aria-label={`Body as ${mediaType}`}
        spellcheck={false}
        aria-invalid={problems.length > 0 || undefined}
        aria-describedby={problems.length > 0 ? 'play-raw-faults' : undefined}
        {...faultProps(bodyPath, told)}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <Fault path={bodyPath} fault={told} />
      {problems.length > 0 && (
        <ul class="err" id="play-raw-faults">
          {problems.slice(0, 8).map(({ path, message }) => (
            <li>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
          <li>It is sent as typed.</li>
        </ul>
      )}
    </div>
  )
}

function checkText(text: string, schema: unknown, resolve: PlaygroundOperation['resolve']): readonly ValueProblem[] {
  if (text.trim() === '') return []
  try {
    return checkValue(JSON.parse(text), schema, { resolve })
  } catch (error) {
    return [{ path: '', message: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` }]
  }
}
