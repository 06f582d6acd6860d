import { useEffect, useState } from 'preact/hooks'
import { giveWay } from './give-way.ts'

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
