import { render } from 'preact'
import { giveWay, loadPart } from './loading.tsx'
import { asksForCredentials, getAuthentication, Playground } from './playground.tsx'
import { readOperation } from './read-operation.ts'
import type { PlaygroundSettings } from './types.ts'

/** The dialog of a page. It keeps what was typed while it is closed. */
export interface OpenPlayground {
  readonly open: () => void
  readonly close: () => void
}

/**
 * Makes the dialog of the operation that a button is for, out of its slice. `onClose` is called whenever the reader closes it. It is modal,
 * so that the focus stays inside, and goes back to where it was.
 *
 * @throws when the slice has no operation.
 */
export async function openPlayground(button: HTMLElement, slice: unknown, onClose: () => void): Promise<OpenPlayground> {
  const { slice: address = '' } = button.dataset
  const operation = readOperation(slice)
  if (!operation) throw new Error(`Missing an operation in ${address}`)
  // It comes while the rest is drawn; what fails is told of where it would stand.
  if (asksForCredentials(operation)) void loadPart(getAuthentication)
  await giveWay()
  const dialog = document.createElement('dialog')
  dialog.className = 'play'
  dialog.setAttribute('aria-labelledby', 'play-title')
  // The event comes later: it may be open again.
  dialog.addEventListener('close', () => dialog.open || onClose())
  document.body.append(dialog)
  let wantsFocus = false
  /** The first field, once it is there, or the title of a part whose fields come later; nobody who has gone elsewhere is called back. */
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
  // Modal, it changes the style of the whole page below.
  await giveWay()
  return {
    open: () => {
      if (dialog.open) return
      dialog.showModal()
      begun = document.activeElement
      // A keyboard on the screen would hide the form before it was seen.
      wantsFocus = matchMedia('(pointer: fine)').matches
      // Where it stands is known after a frame.
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
