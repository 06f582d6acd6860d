import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

// CodeMirror, for text that is edited or too long for a page. Loaded on demand, because it is larger than the rest of the playground.

interface CodeEditorOptions {
  /** Replaced by the editor's content. In its shadow root, CodeMirror uses style sheets that the Content Security Policy allows. */
  readonly host: HTMLElement
  readonly text: string
  readonly isJson: boolean
  /** The accessible name. */
  readonly label: string
  /** Receives each change by the reader. Without it, the text is read-only. */
  readonly onInput?: (text: string) => void
}

/** A part of a text, as offsets. */
interface TextRange {
  readonly from: number
  readonly to: number
}

export interface CodeEditor {
  readonly setWrapped: (isWrapped: boolean) => void
  /** Describes the content to screen readers. An empty description means that it is valid. */
  readonly setProblem: (description: string) => void
  /** Marks the ranges, and scrolls to the one at an index. */
  readonly mark: (ranges: readonly TextRange[], current: number) => void
  readonly destroy: () => void
}

/** Creates an editor with line numbers, colors and matching brackets. Tab leaves it, as in every other field. */
export function createCodeEditor({ host, text, isJson, label, onInput }: CodeEditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const wrapping = new Compartment()
  const attributes = new Compartment()
  const toAttributes = (description: string) =>
    EditorView.contentAttributes.of({
      'aria-label': label,
      // It can have the focus without this, but tools do not know that.
      tabindex: '0',
      ...(onInput === undefined && { 'aria-readonly': 'true', inputmode: 'none' }),
      ...(description !== '' && { 'aria-invalid': 'true', 'aria-description': description }),
    })
  const extensions: Extension[] = [
    lineNumbers(),
    bracketMatching(),
    syntaxHighlighting(colors),
    theme,
    marks,
    wrapping.of(isLong(text.split('\n')) ? [] : EditorView.lineWrapping),
    EditorState.transactionExtender.of(({ changes }) => {
      let isUnwrapped = false
      changes.iterChanges((_fromBefore, _toBefore, _from, _to, inserted) => {
        isUnwrapped ||= isLong(inserted.iterLines())
      })
      return isUnwrapped ? { effects: wrapping.reconfigure([]) } : null
    }),
    attributes.of(toAttributes('')),
    // The dialog sends the request. By default, CodeMirror would also add a line.
    keymap.of([{ key: 'Mod-Enter', run: () => true }, ...historyKeymap, ...defaultKeymap]),
    onInput === undefined ? EditorState.readOnly.of(true) : history(),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onInput?.(state.doc.toString())
    }),
    isJson ? json() : [],
  ]
  const view = new EditorView({ root, parent: root, state: EditorState.create({ doc: text, extensions }) })
  return {
    setWrapped: (isWrapped) => view.dispatch({ effects: wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []) }),
    setProblem: (description) => view.dispatch({ effects: attributes.reconfigure(toAttributes(description)) }),
    mark: (ranges, current) => {
      const at = ranges[current]
      const decorations = ranges.map(({ from, to }, index) => (index === current ? currentMark : otherMark).range(from, to))
      view.dispatch({
        effects: [setMarks.of(Decoration.set(decorations)), ...(at ? [EditorView.scrollIntoView(at.from, { y: 'center' })] : [])],
      })
    },
    destroy: () => view.destroy(),
  }
}

/** Longer lines are not wrapped, because browsers take seconds to wrap a line of a megabyte. */
const maxWrapped = 20_000

function isLong(lines: Iterable<string>): boolean {
  for (const { length } of lines) if (length > maxWrapped) return true
  return false
}

const currentMark = Decoration.mark({ class: 'current' })
const otherMark = Decoration.mark({ class: 'found' })

const setMarks = StateEffect.define<DecorationSet>()

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, { effects, changes }) =>
    effects.reduce((found, effect) => (effect.is(setMarks) ? effect.value : found), before.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
})

/** The colors of code samples. */
const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--azure)' },
  { tag: tags.string, color: 'var(--green)' },
  { tag: tags.number, color: 'var(--amber)' },
  { tag: [tags.bool, tags.null], color: 'var(--violet)' },
])

const theme = EditorView.theme({
  '&': { maxHeight: 'inherit', minHeight: 'inherit', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', overflow: 'auto' },
  '.cm-content': { caretColor: 'inherit' },
  '.cm-gutters': { background: 'none', border: '0', color: 'var(--dim)' },
  '&.cm-focused .cm-matchingBracket, &.cm-focused .cm-nonmatchingBracket': {
    background: 'none',
    outline: '1px solid var(--edge)',
  },
  '.found': { background: 'color-mix(in srgb, var(--amber) 30%, transparent)' },
  '.current': { background: 'var(--fill)', color: 'var(--on-fill)' },
  '.current *': { color: 'inherit' },
})
