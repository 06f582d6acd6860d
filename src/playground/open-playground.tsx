import { render } from 'preact'
import { Playground } from './playground.tsx'
import { readOperation } from './read-operation.ts'
import type { PlaygroundSettings } from './types.ts'

/** The dialog of a page. It keeps what was typed while it is closed. */
export interface OpenPlayground {
  readonly open: () => void
  readonly close: () => void
}

/**
 * Makes the dialog of the operation that a button is for: reads its slice and its stylesheet, both only now. `onClose` is called whenever
 * the reader closes it. It is modal, so that the focus stays inside, and goes back to where it was.
 *
 * @throws when something of it cannot be loaded, or the slice has no operation.
 */
export async function openPlayground(button: HTMLElement, onClose: () => void): Promise<OpenPlayground> {
  const { slice: address = '', stylesheet = '' } = button.dataset
  const [slice] = await Promise.all([fetchJson(address), loadStylesheet(stylesheet)])
  const operation = readOperation(slice)
  if (!operation) throw new Error(`Missing an operation in ${address}`)
  const dialog = document.createElement('dialog')
  dialog.className = 'play'
  dialog.setAttribute('aria-labelledby', 'play-title')
  dialog.addEventListener('close', onClose)
  document.body.append(dialog)
  render(
    <Playground
      operation={operation}
      settings={readSettings(button.dataset)}
      memoryKey={`playground:${address}`}
      onClose={() => dialog.close()}
    />,
    dialog,
  )
  return {
    open: () => {
      if (dialog.open) return
      dialog.showModal()
      // A keyboard on the screen would hide the form before it was seen.
      if (matchMedia('(pointer: fine)').matches)
        dialog.querySelector<HTMLElement>('input.chip, .form input, .form textarea')?.focus()
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

async function fetchJson(address: string): Promise<unknown> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} is ${answer.status}`)
  return answer.json()
}

/** Before the dialog shows, so that it does not change its look under the reader's eyes. */
function loadStylesheet(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = () => resolve()
    link.onerror = () => reject(new Error(`Cannot load ${href}`))
    document.head.append(link)
  })
}
