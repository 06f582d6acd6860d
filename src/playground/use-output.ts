import { useMemo } from 'preact/hooks'
import { needsOtherBodies } from './needs-other-bodies.ts'
import type { OtherBodies } from './other-bodies.ts'
import type { PlaygroundOperation } from './types.ts'
import { type Part, usePart } from './use-part.tsx'

type OutputModule = typeof import('./output.tsx')

export type OutputPart = Part<OutputModule & { readonly others: OtherBodies | undefined }>

/** What comes of the form, with all that the requests of an operation may need, loaded once it is wanted. */
export function useOutput(operation: PlaygroundOperation, isWanted: boolean): OutputPart {
  const get = useMemo(
    () => async () => {
      const [output, others] = await Promise.all([
        import('./output.tsx'),
        needsOtherBodies(operation) ? import('./other-bodies.ts') : undefined,
      ])
      return { ...output, others }
    },
    [operation],
  )
  return usePart(get, isWanted)
}
