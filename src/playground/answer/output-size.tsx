import { useEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '../controls/pieces.tsx'
import { say } from '../controls/playground-messages.ts'
import { readStored, writeStored } from '../controls/site-storage.ts'

/** The least width of the form and of the response, in pixels. */
const least = 320

const storageKey = 'playground-response-width'

const findDialog = () => document.querySelector<HTMLElement>('dialog.play')

/** The border between the form and the response. Readers drag it or use the arrow keys; a double click restores the default. */
export function OutputHandle() {
  const [width, setWidth] = useState(() => Number(readStored(storageKey)) || undefined)
  const handle = useRef<HTMLDivElement>(null)
  const measure = () => document.querySelector('.play > .out')?.getBoundingClientRect().width ?? 0
  const most = () => Math.max(least, (findDialog()?.clientWidth ?? 0) - least)
  const [shown, setShown] = useState(0)
  /** In languages that are written from right to left, the response is on the left. */
  const side = document.dir === 'rtl' ? -1 : 1
  const resize = (next: number | undefined) =>
    setWidth(next === undefined ? undefined : Math.round(Math.min(most(), Math.max(least, next))))
  useEffect(() => {
    // A property set by script, which the Content Security Policy allows.
    if (width === undefined) findDialog()?.style.removeProperty('--response')
    else findDialog()?.style.setProperty('--response', `${width}px`)
    setShown(Math.round(measure()))
    writeStored(storageKey, width)
  }, [width])
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Readonly<Record<string, number>> = {
      ArrowLeft: measure() + 40 * side,
      ArrowRight: measure() - 40 * side,
      Home: least,
      End: most(),
    }
    if (!Object.hasOwn(keys, event.key)) return
    event.preventDefault()
    resize(keys[event.key])
  }
  return (
    <div
      ref={handle}
      class="split"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={say('Width of the response')}
      aria-valuemin={least}
      aria-valuemax={Math.max(most(), shown)}
      aria-valuenow={shown}
      onKeyDown={onKeyDown}
      onDblClick={() => resize(undefined)}
      onPointerDown={(event) => handle.current?.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!handle.current?.hasPointerCapture(event.pointerId)) return
        const { left = 0, right = 0 } = findDialog()?.getBoundingClientRect() ?? {}
        resize(side > 0 ? right - event.clientX : event.clientX - left)
      }}
    />
  )
}

/** The button that hides the form, so that the response has the full width. */
export function FullWidthButton() {
  const [isFull, setFull] = useState(() => findDialog()?.classList.contains('full') === true)
  useEffect(() => {
    findDialog()?.classList.toggle('full', isFull)
  }, [isFull])
  return (
    <IconButton
      icon={isFull ? 'shrink' : 'widen'}
      class="btn quiet icon widen"
      label={say('Full width')}
      title={isFull ? say('Show the form') : say('Full width')}
      aria-pressed={isFull}
      onClick={() => setFull(!isFull)}
    />
  )
}
