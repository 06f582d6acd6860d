import { useEffect, useState } from 'preact/hooks'
import { say } from './playground-messages.ts'

/** A script that is loaded on demand. */
export interface LazyModule<Module> {
  /** Absent until it is loaded. */
  readonly module: Module | undefined
  /** Whether it could not be loaded. */
  readonly isMissing: boolean
  /** Loads it, also again after a failure. Resolves with `undefined` if it fails. */
  readonly load: () => Promise<Module | undefined>
}

type Get<Module> = () => Promise<Module>

/** Modules that were loaded, by the function that loads them. */
const loaded = new WeakMap<Get<unknown>, unknown>()
const missing = new WeakSet<Get<unknown>>()
const pending = new WeakMap<Get<unknown>, Promise<void>>()

/** Redraw functions of every component that uses a part. */
const listeners = new Set<() => void>()

/** Loads a script once it is wanted. `get` identifies the script: pass the same function as long as the same script is wanted. */
export function useLazyModule<Module>(get: Get<Module>, isWanted = true): LazyModule<Module> {
  const [, setCount] = useState(0)
  const module = findLoaded(get)
  useEffect(() => {
    const redraw = () => setCount((count) => count + 1)
    listeners.add(redraw)
    return () => void listeners.delete(redraw)
  }, [])
  useEffect(() => {
    // The module may have arrived between the first render and this effect. Loading it again redraws the component.
    if (isWanted && module === undefined) void loadLazyModule(get)
  }, [get, isWanted])
  return { module, isMissing: missing.has(get), load: () => loadLazyModule(get) }
}

function findLoaded<Module>(get: Get<Module>): Module | undefined {
  return loaded.get(get) as Module | undefined // Stored under the function that returned it.
}

/** Loads a part, also again after a failure. Never rejects; resolves with `undefined` if it fails. */
export async function loadLazyModule<Module>(get: Get<Module>): Promise<Module | undefined> {
  if (missing.delete(get)) redrawAll()
  if (!pending.has(get)) pending.set(get, tryLoading(get))
  await pending.get(get)
  return findLoaded(get)
}

async function tryLoading(get: Get<unknown>): Promise<void> {
  try {
    loaded.set(get, await get())
  } catch {
    missing.add(get)
  }
  pending.delete(get)
  redrawAll()
}

function redrawAll(): void {
  for (const redraw of listeners) redraw()
}

interface LoadingNoteProps {
  /** What is missing, as the beginning of a sentence. */
  readonly what: string
  readonly part: LazyModule<unknown>
}

/** Placeholder while a part loads. If loading fails, it offers to try again: the network may be down, or the site was rebuilt. */
export function LoadingNote({ what, part: { isMissing, load } }: LoadingNoteProps) {
  return (
    <p class="fail loading" role="status">
      {isMissing ? (
        <>
          {say('{part} could not be loaded. Check your connection, or reload the page.', what)}{' '}
          <button type="button" class="btn" onClick={load}>
            {say('Try again')}
          </button>
        </>
      ) : (
        say('Loading…')
      )}
    </p>
  )
}

/** Counts from `first` to `last`, one step per frame, so that rendering a large form does not block input. */
export function useStages(first: number, last: number): number {
  const [stage, setStage] = useState(first)
  useEffect(() => {
    let isWanted = stage < last
    // Effects run after a frame. A new task lets the browser handle pending input first.
    void yieldToBrowser().then(() => isWanted && setStage(stage + 1))
    return () => {
      isWanted = false
    }
  }, [stage])
  return stage
}

/** Yields to the browser for rendering and input. */
export function yieldToBrowser(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
