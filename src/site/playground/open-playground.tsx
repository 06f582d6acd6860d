import { render } from 'preact'
import { loadLazyModule, yieldToBrowser } from './loading.tsx'
import { acceptsCredentials, getAuthentication, Playground } from './playground.tsx'
import { readOperation } from './read-operation.ts'
import type { PlaygroundSettings } from './types.ts'

/** The playground dialog of a page. It keeps its values while it is closed. */
export interface OpenPlayground {
  readonly open: () => void
  readonly close: () => void
}

/**
 * Creates the modal dialog for an operation. `slice` is the part of the OpenAPI document that the button links to. Calls `onClose` when the reader
 * closes the dialog.
 *
 * @throws {Error} if the slice has no operation.
 */
export async function openPlayground(button: HTMLElement, slice: unknown, onClose: () => void): Promise<OpenPlayground> {
  const { slice: url = '' } = button.dataset
  const operation = readOperation(slice)
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
  let wantsFocus = false
  /** Focuses the first field, or the section title if its fields are still loading. Does nothing if the reader has moved the focus. */
  const focusFirst = () => {
    const find = (selector: string) => dialog.querySelector<HTMLElement>(selector)
    const first = wantsFocus && (find('input.chip, .sec:first-child .in') ?? find('.sec > summary'))
    if (!first) return
    wantsFocus = false
    if (document.activeElement === begun) first.focus()
  }
  let begun: Element | null = null
  render(
    <Playground
      operation={operation}
      settings={readSettings(button.dataset)}
      memoryKey={`playground:${url}`}
      onClose={() => dialog.close()}
      onForm={focusFirst}
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
      wantsFocus = matchMedia('(pointer: fine)').matches
      // `focusFirst` needs the layout.
      void yieldToBrowser().then(focusFirst)
    },
    close: () => dialog.close(),
  }
}

function readSettings({ withCookies, prefill, defaults, languages }: DOMStringMap): PlaygroundSettings {
  return {
    withCookies: withCookies !== undefined,
    prefill: prefill !== undefined,
    defaults: defaults === 'required' ? 'required' : 'all',
    languages: languages?.split(' '),
  }
}
