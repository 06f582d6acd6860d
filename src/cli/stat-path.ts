import { type Stats, statSync } from 'node:fs'

/** What stands at a path; `undefined` where nothing does, or where the system does not let us look: reading it tells why. */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
