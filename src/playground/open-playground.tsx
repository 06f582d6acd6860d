import { render } from 'preact'
import type { PlaygroundMessages } from '../site/messages/messages.ts'
import { parseWrittenJson } from '../text/json/json-values.ts'
import { loadLazyModule, yieldToBrowser } from './controls/loading.tsx'
import { useTranslation } from './controls/playground-messages.ts'
import type { PlaygroundSettings } from './controls/types.ts'
import { acceptsCredentials, getAuthentication, Playground } from './playground.tsx'
import { readOperation } from './request/read-operation.ts'

/** The playground dialog of a page. It keeps its values while it is closed. */
export interface OpenPlayground {
  readonly open: () => void
  readonly close: () => void
}

interface PlaygroundInput {
  /** The part of the OpenAPI document that the button links to. */
  readonly slice: unknown
  /** The texts for another language than English, which the button links to; else absent. */
  readonly translation: unknown
  /** Called when the reader closes the dialog. */
  readonly onClose: () => void
}

/**
 * Creates the modal dialog for an operation.
 *
 * @throws {Error} if the slice has no operation.
 */
export async function openPlayground(button: HTMLElement, input: PlaygroundInput): Promise<OpenPlayground> {
  const { slice, translation, onClose } = input
  // Written by the build of this site.
  if (translation !== undefined) useTranslation(translation as PlaygroundMessages)
  const { slice: url = '' } = button.dataset
  const read = readOperation(slice, readJson(button.dataset['generated']))
  const operation = read && { ...read, title: readPageTitle() || read.title }
  if (!operation) throw new Error(`Missing an operation in ${url}`)
  // Start loading early. If it fails, the form shows the error.
  if (acceptsCredentials(operation)) void loadLazyModule(getAuthentication)
  await yieldToBrowser()
  const dialog = document.createElement('dialog')
  dialog.className = 'play'
  dialog.setAttribute('aria-labelledby', 'play-title')
  // The event is asynchronous, so the dialog may be open again.
  dialog.addEventListener('close', () => dialog.open || onClose())
  document.body.append(dialog)
  let begun: Element | null = null
  /** Fields are rendered in stages, so the first required one may be missing at first. Stops when the reader moves the focus. */
  const waiting = new MutationObserver(() => focusFirst())
  const focusFirst = () => {
    const first = document.activeElement === begun ? findFirstField(dialog) : begun
    if (!first) return
    waiting.disconnect()
    if (first !== begun && first instanceof HTMLElement) first.focus()
  }
  render(
    <Playground
      operation={operation}
      settings={readSettings(button.dataset)}
      memoryKey={`playground:${url}`}
      onClose={() => dialog.close()}
    />,
    dialog,
  )
  // Opening a modal dialog recalculates the styles of the whole page.
  await yieldToBrowser()
  return {
    open: () => {
      if (dialog.open) return
      dialog.showModal()
      begun = document.activeElement
      // On touch screens, the keyboard would cover the form.
      if (!matchMedia('(pointer: fine)').matches) return
      waiting.observe(dialog, { childList: true, subtree: true, attributeFilter: ['aria-busy'] })
      focusFirst()
    },
    close: () => dialog.close(),
  }
}

/** The title of the page, which is shorter than many summaries, without its labels. */
function readPageTitle(): string {
  const heading = document.querySelector('h1')?.cloneNode(true)
  if (!(heading instanceof Element)) return ''
  for (const label of heading.querySelectorAll('.tag')) label.remove()
  return heading.textContent.trim()
}

/** The first required field without a value, else the first field. Absent while fields before it are loading. */
function findFirstField(dialog: HTMLElement): HTMLElement | null {
  const find = (selector: string) => dialog.querySelector<HTMLElement>(selector)
  // What loads above a field would move it out of the window.
  if (find('.form[aria-busy=true], .form .loading:not(:has(button))')) return null
  // The innermost row: the fields of a required object come after its name.
  const rows = [...dialog.querySelectorAll('.row:has(> div > .p-head > em):not(:has(.row em))')]
  const fields = rows.map((row) => row.querySelector<HTMLInputElement>('.in, .btn, input'))
  // A menu without a choice has the value -1.
  const empty = fields.find((field) => !field?.value || field.value === '-1')
  return empty ?? find('.sec[open] :is(.in, .btn, input)') ?? find('.urlbar .primary')
}

function readJson(text: string | undefined): unknown {
  try {
    return parseWrittenJson(text ?? '')
  } catch {
    return undefined
  }
}

function readSettings({ slice = '', withCookies, prefill, defaults, languages }: DOMStringMap): PlaygroundSettings {
  return {
    slice,
    withCookies: withCookies !== undefined,
    prefill: prefill as PlaygroundSettings['prefill'], // Written by the build.
    defaults: defaults === 'required' ? 'required' : 'all',
    languages: languages?.split(' '),
  }
}
