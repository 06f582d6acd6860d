import { useEffect, useState } from 'preact/hooks'

/** A script that is loaded when something of it is wanted. */
export interface Part<Module> {
  /** Absent until it is loaded. */
  readonly module: Module | undefined
  /** Whether it could not be loaded. */
  readonly isMissing: boolean
  /** Loads it, also after that has failed; nothing comes where it fails again. */
  readonly load: () => Promise<Module | undefined>
}

type Get<Module> = () => Promise<Module>

/** What is loaded is there at once for whoever wants it next. */
const loaded = new WeakMap<Get<unknown>, unknown>()

const missing = new WeakSet<Get<unknown>>()

const pending = new WeakMap<Get<unknown>, Promise<void>>()

/** All that show parts: one try is for all that want the same. */
const listeners = new Set<() => void>()

/** A script of its own, loaded once it is wanted. `get` is the same function as long as the same is wanted. */
export function usePart<Module>(get: Get<Module>, isWanted = true): Part<Module> {
  const [, setCount] = useState(0)
  const module = findPart(get)
  useEffect(() => {
    const redraw = () => setCount((count) => count + 1)
    listeners.add(redraw)
    return () => void listeners.delete(redraw)
  }, [])
  useEffect(() => {
    // Also where it has come since this was drawn, before anybody listened: then all is drawn again.
    if (isWanted && module === undefined) void loadPart(get)
  }, [get, isWanted])
  return { module, isMissing: missing.has(get), load: () => loadPart(get) }
}

function findPart<Module>(get: Get<Module>): Module | undefined {
  return loaded.get(get) as Module | undefined // Kept by the function that gave it.
}

/** Loads a part, also after that has failed; nothing comes where it fails again. Never rejects. */
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
  /** What is said to be missing, at the beginning of a sentence. */
  readonly what: string
  readonly part: Part<unknown>
}

/** Stands where a part will be, and says when it cannot be loaded: most often for want of a network, else since the site was published anew. */
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

/** Counts from `first` to `last`, each number once the one before is painted: what is drawn in parts lets keys and frames in between. */
export function useStages(first: number, last: number): number {
  const [stage, setStage] = useState(first)
  useEffect(() => {
    let isWanted = stage < last
    // Effects run after a frame; another task lets the keys in that came before.
    void giveWay().then(() => isWanted && setStage(stage + 1))
    return () => {
      isWanted = false
    }
  }, [stage])
  return stage
}

/** Lets the browser draw and take keys before what follows. */
export function giveWay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
