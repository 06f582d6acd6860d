import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type CodeEditor, createCodeEditor } from '../controls/code-editor.ts'
import { yieldToBrowser } from '../controls/loading.tsx'
import { IconButton } from '../controls/pieces.tsx'
import { say, textLanguage } from '../controls/playground-messages.ts'
import { CopyButton } from '../controls/response-pieces.tsx'
import { breakLines, formatJson, maxMatches, toFinder } from './long-text.ts'

interface LongTextViewProps {
  readonly text: string
  /** Whether to format the text, if it is valid JSON. */
  readonly isJson: boolean
}

interface ShownText {
  readonly editor: CodeEditor
  /** The text, formatted if possible. */
  readonly whole: string
  /** The text in the editor, whose offsets the search uses. */
  readonly content: string
  readonly isBroken: boolean
}

/** The buttons beside the search. */
const steps = [
  { label: 'Previous match', icon: 'up', by: -1 },
  { label: 'Next match', icon: 'down', by: 1 },
] as const

/** Delay between the last keystroke and a search, in ms. */
const searchDelay = 150

/** Megabytes of text with search. Only the visible lines are rendered. */
export function LongTextView({ text, isJson }: LongTextViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<ShownText>()
  const [isWrapped, setWrapped] = useState(true)
  const [query, setQuery] = useState('')
  const [current, setCurrent] = useState(0)
  useEffect(() => {
    let isWanted = true
    let created: CodeEditor | undefined
    const create = async () => {
      const formatted = isJson ? await formatJson(text, () => yieldToBrowser().then(() => isWanted)) : undefined
      if (!isWanted || !host.current) return
      const whole = formatted ?? text
      // The editor counts every line break as one character.
      const lines = whole.replace(/\r\n?/g, '\n')
      const content = breakLines(lines)
      created = createCodeEditor({ host: host.current, text: content, isJson, label: say('Response as text') })
      setShown({ editor: created, whole, content, isBroken: content.length > lines.length })
    }
    void create()
    return () => {
      isWanted = false
      created?.destroy()
    }
  }, [text, isJson])
  const { editor, content = '', whole = '', isBroken = false } = shown ?? {}
  const find = useMemo(() => toFinder(content), [content])
  const found = useMemo(() => find(query), [find, query])
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
          aria-label={say('Search the response')}
          placeholder={say('Search the text')}
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
          {steps.map(({ label, icon, by }) => (
            <IconButton icon={icon} label={say(label)} disabled={found.length === 0} onClick={() => step(by)} />
          ))}
        </span>
      </div>
      <div class="in mono lines" ref={host} />
      {!editor && (
        <p class="fail" role="status">
          {say('Formatting…')}
        </p>
      )}
      <div class="tools">
        <label class="keep">
          <input type="checkbox" checked={isWrapped} onChange={({ currentTarget }) => setWrapped(currentTarget.checked)} />{' '}
          {say('Wrap lines')}
        </label>
        {isBroken && <span>{say('Very long lines are broken')}</span>}
        <CopyButton text={() => whole}>{say('Copy')}</CopyButton>
      </div>
    </>
  )
}

function toCount(count: number, current: number): string {
  if (count === 0) return say('No matches')
  const format = (number: number) => number.toLocaleString(textLanguage ?? 'en')
  return say('{number} of {total}', format(current + 1), `${format(count)}${count === maxMatches ? '+' : ''}`)
}
