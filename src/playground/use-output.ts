import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { OutputProps } from './output.tsx'

type OutputModule = typeof import('./output.tsx')

export interface LoadedOutput {
  /** Absent until it is loaded. */
  readonly Output: ComponentType<OutputProps> | undefined
  /** Whether it could not be loaded. */
  readonly isMissing: boolean
  /** Loads it, also after that has failed; nothing comes where it fails again. */
  readonly load: () => Promise<OutputModule | undefined>
}

/** What comes of the form, loaded after the form was painted. */
export function useOutput(): LoadedOutput {
  const [Output, setOutput] = useState<ComponentType<OutputProps>>()
  const [isMissing, setMissing] = useState(false)
  const load = async () => {
    setMissing(false)
    try {
      const loaded = await import('./output.tsx')
      setOutput(() => loaded.Output)
      return loaded
    } catch {
      setMissing(true)
      return undefined
    }
  }
  useEffect(() => {
    // Effects run after a frame; another task lets the keys in that came before.
    const timer = setTimeout(load)
    return () => clearTimeout(timer)
  }, [])
  return { Output, isMissing, load }
}
