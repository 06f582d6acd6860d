// A diagram can take forever, and a script cannot interrupt it. The reader then closes or reloads the page. This record keeps the
// diagram from stopping the page again.

/** The key of the diagram that is being drawn. */
let current: string | undefined

// Leaving the page while a diagram is drawn is normal. This event is not sent while a script blocks the page.
addEventListener('pagehide', () => {
  if (current !== undefined) write(current, false)
})

/** Records that drawing starts. The result records that it ended. */
export function markDrawing(source: string): () => void {
  const key = toKey(source)
  current = key
  write(key, true)
  return () => {
    current = undefined
    write(key, false)
  }
}

/** Whether drawing this diagram did not end earlier in this tab. */
export function hasStoppedDrawing(source: string): boolean {
  try {
    return sessionStorage.getItem(toKey(source)) !== null
  } catch {
    return false // Storage can be blocked.
  }
}

function write(key: string, isUnfinished: boolean): void {
  try {
    if (isUnfinished) sessionStorage.setItem(key, '')
    else sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked or full.
  }
}

function toKey(source: string): string {
  let hash = 0
  for (let index = 0; index < source.length; index++) hash = (Math.imul(hash, 31) + source.charCodeAt(index)) | 0
  return `diagram:${source.length}:${hash}`
}
