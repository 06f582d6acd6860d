import { render } from 'preact'
import { giveWay, loadPart } from './loading.tsx'
import { asksForCredentials, getAuthentication, Playground } from './playground.tsx'
import { readOperation } from './read-operation.ts'
import type { PlaygroundSettings } from './types.ts'

/** The dialog of a page. It keeps its values while it is closed. */
export interface OpenPlayground {
  readonly open: () => void
  readonly close: () => void
}

/**
 * Creates the dialog for the operation of a button from its slice. It is modal: the focus stays inside and returns to where it was. `onClose` is
 * called whenever the reader closes it.
 *
 * @throws {Error} when the slice has no operation.
 */
export async function openPlayground(button: HTMLElement, slice: unknown, onClose: () => void): Promise<OpenPlayground> {
  const { slice: address = '' } = button.dataset
  const operation = readOperation(slice)
  if (!operation) throw new Error(`Missing an operation in ${address}`)
  // Loads while the rest is rendered. A failure is shown in its place.
  if (asksForCredentials(operation)) void loadPart(getAuthentication)
  await giveWay()
  const dialog = document.createElement('dialog')
  dialog.className = 'play'
  dialog.setAttribute('aria-labelledby', 'play-title')
  // The event is asynchronous: the dialog may be open again.
  dialog.addEventListener('close', () => dialog.open || onClose())
  document.body.append(dialog)
  let wantsFocus = false
  /** Focuses the first field, or the title of a section whose fields load later, unless the reader has moved the focus already. */
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
      memoryKey={`playground:${address}`}
      onClose={() => dialog.close()}
      onForm={focusFirst}
    />,
    dialog,
  )
  // Opening a modal dialog restyles the whole page.
  await giveWay()
  return {
    open: () => {
      if (dialog.open) return
      dialog.showModal()
      begun = document.activeElement
      // An on-screen keyboard would cover the form.
      wantsFocus = matchMedia('(pointer: fine)').matches
      // The layout is known after a frame.
      void giveWay().then(focusFirst)
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
