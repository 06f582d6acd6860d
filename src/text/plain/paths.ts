/** Removes `.` and `..` steps and doubled slashes. Steps above the top stay as leading `..`; the top itself is `''`. */
export function normalizePath(path: string): string {
  // Most have nothing to remove.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)) return path
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else steps.push(step)
  }
  return steps.join('/')
}

/** Joins two relative paths with `/` and normalizes the result. */
export function joinPath(folder: string, path: string): string {
  // References lead up at their start, and from folders that are normalized: what is left to join has then nothing to remove.
  let above = folder
  let below = path
  while (below.startsWith('../') && above !== '' && !above.endsWith('.') && !above.endsWith('/')) {
    above = parentPath(above)
    below = below.slice(3)
  }
  return normalizePath(above === '' ? below : `${above}/${below}`)
}

/** The folder of a path, `''` for a file at the top. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The last step of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** How to say `path` as seen from `folder`; both relative to the same top, with `/`. */
export function relativePath(folder: string, path: string): string {
  const from = normalizePath(folder).split('/').filter(Boolean)
  const to = normalizePath(path).split('/').filter(Boolean)
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/')
}

/** Removes the extension of a JSON or YAML file. */
export function withoutDocumentExtension(path: string): string {
  return path.replace(/\.(?:json|ya?ml)$/i, '')
}
