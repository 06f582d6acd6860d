import type { Metafile } from 'esbuild'

/**
 * Lets a script that loads another one when it is needed load what that one imports at the same time: a browser would learn of it only out of
 * the first answer, and ask again. What the script itself has loaded is left out.
 *
 * @param name the script, as the metafile has it.
 */
export function loadTogether(code: string, name: string, { outputs }: Metafile): string {
  const own = listImported(name, outputs)
  let text = code
  for (const { path, kind } of outputs[name]?.imports ?? []) {
    if (kind !== 'dynamic-import') continue
    const others = [...listImported(path, outputs)].filter((other) => other !== path && !own.has(other))
    const load = toImport(path)
    if (others.length === 0) continue
    // Once each: what is written in keeps the call in it.
    text = text.split(load).join(`Promise.all([${[path, ...others].map(toImport).join()}]).then(all=>all[0])`)
  }
  return text
}

/** Scripts lie in one folder. */
function toImport(path: string): string {
  return `import("./${path.slice(path.lastIndexOf('/') + 1)}")`
}

/** A script and all that it imports at once, through others as well. */
function listImported(name: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const { path, kind } of outputs[name]?.imports ?? []) {
    if (kind === 'import-statement') listImported(path, outputs, found)
  }
  return found
}
