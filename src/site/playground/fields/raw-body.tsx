import { isJsonType } from '../../request/media-type.ts'
import { checkValue, type ValueProblem } from '../check-value.ts'
import type { PlaygroundBody, PlaygroundOperation } from '../types.ts'
import { Fault, faultProps, useTold } from './form-context.tsx'

export { fromJsonText } from '../from-json-text.ts'

interface RawBodyProps {
  readonly description: PlaygroundBody
  readonly text: string
  readonly resolve: PlaygroundOperation['resolve']
  readonly onInput: (text: string) => void
}

const bodyPath = ['body']

/** The body as text, with mismatches to its schema. */
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
