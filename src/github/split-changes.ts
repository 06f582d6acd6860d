import type { FileChange } from '../text/file-change.ts'
import type { ChunkLimits } from './commit-changes.ts'

/** Splits changes into parts within limits, in their order, as few as that takes. A file over the limit is a part of its own. */
export function splitChanges(changes: readonly FileChange[], limits: ChunkLimits): readonly (readonly FileChange[])[] {
  const parts: FileChange[][] = []
  let current: FileChange[] = []
  let currentBytes = 0
  for (const change of changes) {
    const bytes = change.kind === 'delete' ? 0 : Buffer.byteLength(change.content)
    if (current.length > 0 && (current.length >= limits.files || currentBytes + bytes > limits.bytes)) {
      parts.push(current)
      current = []
      currentBytes = 0
    }
    current.push(change)
    currentBytes += bytes
  }
  if (current.length > 0) parts.push(current)
  return parts
}
