/** How many more values may be copied: what is written at each use can grow without bound when it contains itself twice over. */
export interface Budget {
  left: number
}

/** Several times what the largest description known to us has. */
export const maxCopiedValues = 5_000_000
