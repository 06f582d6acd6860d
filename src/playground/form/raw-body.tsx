import { useEffect, useRef } from 'preact/hooks'
import { isJsonType } from '../../model/written-values.ts'
import { type CodeEditor, createCodeEditor } from '../controls/code-editor.ts'
import { say } from '../controls/playground-messages.ts'
import type { DescribedBody } from '../request/read-operation.ts'
import { type CheckedSchemas, checkText } from './check-value.ts'
import { FieldMessage, useReportedMessage } from './form-context.tsx'

export { fromJsonText } from './check-value.ts'

interface RawBodyProps {
  readonly description: DescribedBody
  readonly text: string
  readonly schemas: CheckedSchemas
  readonly onInput: (text: string) => void
}

const bodyPath = ['body']

/** A code editor for the body, which starts with `text`. Lists where the body does not match its schema. */
export function RawBody({ description: { mediaType, schema }, text, schemas, onInput }: RawBodyProps) {
  const isJson = isJsonType(mediaType)
  const problems = isJson ? checkText(text, schema, schemas) : []
  const reported = useReportedMessage(bodyPath)
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor>(undefined)
  const input = useRef(onInput)
  input.current = onInput
  useEffect(() => {
    if (!host.current) return
    editor.current = createCodeEditor({
      host: host.current,
      text,
      isJson,
      label: say('Body ({type})', mediaType),
      onInput: (next) => input.current(next),
    })
    return () => editor.current?.destroy()
  }, [])
  const listed = problems.slice(0, 8)
  const problem = [
    ...(reported === undefined ? [] : [reported]),
    ...listed.map(({ path, message }) => `${path} ${message}`.trim()),
  ]
  useEffect(() => editor.current?.setProblem(problem.join('. ')), [problem.join('. ')])
  return (
    <div class="row wide">
      <div class="in mono raw" data-invalid={problem.length > 0 || undefined} ref={host} />
      <FieldMessage path={bodyPath} message={reported} />
      {problems.length > 0 && (
        <ul class="err" id="play-raw-errors">
          {listed.map(({ path, message }) => (
            <li>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
          <li>{say('The body is sent anyway.')}</li>
        </ul>
      )}
    </div>
  )
}
