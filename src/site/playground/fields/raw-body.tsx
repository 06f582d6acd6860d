import { isJsonType } from '../../request/media-type.ts'
import { checkValue, type ValueProblem } from '../check-value.ts'
import type { PlaygroundBody, PlaygroundOperation } from '../types.ts'
import { FieldMessage, messageProps, useReportedMessage } from './form-context.tsx'

export { fromJsonText } from '../from-json-text.ts'

interface RawBodyProps {
  readonly description: PlaygroundBody
  readonly text: string
  readonly resolve: PlaygroundOperation['resolve']
  readonly onInput: (text: string) => void
}

const bodyPath = ['body']

/** A text editor for the body. Lists where the body does not match its schema. */
export function RawBody({ description: { mediaType, schema }, text, resolve, onInput }: RawBodyProps) {
  const problems = isJsonType(mediaType) ? checkText(text, schema, resolve) : []
  const reported = useReportedMessage(bodyPath)
  return (
    <div class="row wide">
      <textarea
        class="in mono raw"
        rows={Math.min(24, Math.max(9, text.split('\n').length))}
        aria-label={`Body (${mediaType})`}
        spellcheck={false}
        aria-invalid={problems.length > 0 || undefined}
        aria-describedby={problems.length > 0 ? 'play-raw-errors' : undefined}
        {...messageProps(bodyPath, reported)}
        value={text}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <FieldMessage path={bodyPath} message={reported} />
      {problems.length > 0 && (
        <ul class="err" id="play-raw-errors">
          {problems.slice(0, 8).map(({ path, message }) => (
            <li>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
          <li>The body is sent anyway.</li>
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
    return [{ path: '', message: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` }]
  }
}
