import type { Metafile } from 'esbuild'

/**
 * Lets a script that loads another one when it is needed load what that one imports at the same time: a browser would learn of it only out of
 * the first answer, and ask again. What the script itself has loaded is left out. A script that could not be loaded is asked for by another
 * address the next time: browsers remember that of a module that failed, and ask for it no more.
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
    const loadAgain = `$l(${toAddress(path)})`
    const together = `Promise.all([${[loadAgain, ...others.map(toImport)].join()}]).then(a=>a[0])`
    text = text.split(load).join(others.length === 0 ? loadAgain : together)
  }
  // What is loaded later finds it there.
  return outputs[name]?.entryPoint !== undefined && text !== code ? loader + text : text
}

/**
 * Loads a script, by another address after each time that this has failed. What the script imports keeps its own, so that there is one of each.
 * In few letters, as every page has them.
 */
const loader = 'self.$l=(u,a=$l[u]||"")=>import(u+a).catch(e=>{throw $l[u]=a+"?",e});'

function toImport(path: string): string {
  return `import(${toAddress(path)})`
}

/** In quotes. Scripts lie in one folder. */
function toAddress(path: string): string {
  return `"./${path.slice(path.lastIndexOf('/') + 1)}"`
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
