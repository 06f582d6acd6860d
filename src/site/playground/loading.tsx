import { useEffect, useState } from 'preact/hooks'

/** A script that is loaded on demand. */
export interface Part<Module> {
  /** Absent until it is loaded. */
  readonly module: Module | undefined
  /** Whether it could not be loaded. */
  readonly isMissing: boolean
  /** Loads it, also again after a failure. Resolves with `undefined` if it fails. */
  readonly load: () => Promise<Module | undefined>
}

type Get<Module> = () => Promise<Module>

/** Loaded modules are available to all users at once. */
const loaded = new WeakMap<Get<unknown>, unknown>()
const missing = new WeakSet<Get<unknown>>()
const pending = new WeakMap<Get<unknown>, Promise<void>>()

/** Everything that renders a part: one attempt serves all users of the same part. */
const listeners = new Set<() => void>()

/** Loads a script once it is wanted. `get` identifies the script: pass the same function as long as the same script is wanted. */
export function usePart<Module>(get: Get<Module>, isWanted = true): Part<Module> {
  const [, setCount] = useState(0)
  const module = findPart(get)
  useEffect(() => {
    const redraw = () => setCount((count) => count + 1)
    listeners.add(redraw)
    return () => void listeners.delete(redraw)
  }, [])
  useEffect(() => {
    // Also if it arrived after this was rendered but before the effect subscribed: loading it again renders all users.
    if (isWanted && module === undefined) void loadPart(get)
  }, [get, isWanted])
  return { module, isMissing: missing.has(get), load: () => loadPart(get) }
}

function findPart<Module>(get: Get<Module>): Module | undefined {
  return loaded.get(get) as Module | undefined // Stored under the function that returned it.
}

/** Loads a part, also again after a failure. Never rejects; resolves with `undefined` if it fails. */
export async function loadPart<Module>(get: Get<Module>): Promise<Module | undefined> {
  if (missing.delete(get)) tellAll()
  if (!pending.has(get)) pending.set(get, tryPart(get))
  await pending.get(get)
  return findPart(get)
}

async function tryPart(get: Get<unknown>): Promise<void> {
  try {
    loaded.set(get, await get())
  } catch {
    missing.add(get)
  }
  pending.delete(get)
  tellAll()
}

function tellAll(): void {
  for (const redraw of listeners) redraw()
}

interface PartNoteProps {
  /** What is missing, as the beginning of a sentence. */
  readonly what: string
  readonly part: Part<unknown>
}

/** Placeholder of a part. It offers to try again if the script cannot be loaded: usually there is no network, or the site was rebuilt. */
export function PartNote({ what, part: { isMissing, load } }: PartNoteProps) {
  return (
    <p class="fail loading" role="status">
      {isMissing ? (
        <>
          {what} could not be loaded. Check your connection, or reload the page.{' '}
          <button type="button" class="btn" onClick={load}>
            Try again
          </button>
        </>
      ) : (
        'Loading …'
      )}
    </p>
  )
}

/** Counts from `first` to `last`, one step after each paint, so that rendering in stages leaves time for input and frames. */
export function useStages(first: number, last: number): number {
  const [stage, setStage] = useState(first)
  useEffect(() => {
    let isWanted = stage < last
    // Effects run after a frame; another task lets pending input through.
    void giveWay().then(() => isWanted && setStage(stage + 1))
    return () => {
      isWanted = false
    }
  }, [stage])
  return stage
}

/** Yields to the browser for rendering and input. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
