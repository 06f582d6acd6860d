import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type CodeEditor, createCodeEditor } from '../editor/code-editor.ts'
import { Icon } from '../pieces.tsx'
import { findText, formatJson, maxMatches } from './long-text.ts'
import { CopyButton } from './response-pieces.tsx'

interface LongTextViewProps {
  readonly text: string
  /** Whether to format the text, if it is valid JSON. */
  readonly isJson: boolean
}

/** Delay between the last keystroke and a search, in ms. */
const searchDelay = 150

/** Megabytes of text with search. Only the visible lines are rendered. */
export function LongTextView({ text, isJson }: LongTextViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<CodeEditor>()
  const [isWrapped, setWrapped] = useState(true)
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    let created: CodeEditor | undefined
    const create = async () => {
      const formatted = isJson ? await formatJson(text, controller.signal) : undefined
      if (controller.signal.aborted || !host.current) return
      created = createCodeEditor({ host: host.current, text: formatted ?? text, isJson, label: 'Response as text' })
      setEditor(created)
    }
    void create()
    return () => {
      controller.abort()
      created?.destroy()
    }
  }, [text, isJson])
  const content = useMemo(() => editor?.text() ?? '', [editor])
  const found = useMemo(() => findText(content, query), [content, query])
  useEffect(() => editor?.setWrapped(isWrapped), [editor, isWrapped])
  useEffect(() => editor?.mark(found, current), [editor, found, current])
  const step = (by: number) => setCurrent((current + by + found.length) % Math.max(1, found.length))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (
    <>
      <div class="tools">
        <input
          class="in"
          type="search"
          aria-label="Search the response"
          placeholder="Search the text"
          onInput={({ currentTarget: { value } }) => {
            clearTimeout(timer.current)
            timer.current = setTimeout(() => {
              setQuery(value)
              setCurrent(0)
            }, searchDelay)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) step(event.shiftKey ? -1 : 1)
          }}
        />
        <span>
          <span class="num" role="status">
            {query !== '' && toCount(found.length, current)}
          </span>
          <button
            type="button"
            class="btn quiet icon"
            aria-label="Previous match"
            disabled={found.length === 0}
            onClick={() => step(-1)}
          >
            <Icon name="up" />
          </button>
          <button type="button" class="btn quiet icon" aria-label="Next match" disabled={found.length === 0} onClick={() => step(1)}>
            <Icon name="down" />
          </button>
        </span>
      </div>
      <div class="in mono lines" ref={host} />
      {!editor && (
        <p class="fail" role="status">
          Formatting…
        </p>
      )}
      <div class="tools">
        <label class="keep">
          <input type="checkbox" checked={isWrapped} onChange={({ currentTarget }) => setWrapped(currentTarget.checked)} /> Wrap
          lines
        </label>
        <CopyButton text={() => content}>Copy</CopyButton>
      </div>
    </>
  )
}

function toCount(count: number, current: number): string {
  if (count === 0) return 'No matches'
  return `${(current + 1).toLocaleString('en')} of ${count.toLocaleString('en')}${count === maxMatches ? '+' : ''}`
}
