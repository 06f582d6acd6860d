import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Puts what a script shares with scripts that are loaded after it into one file, that of the first: the bundler alone makes a file of what each
 * combination of them shares, which is more to load, and to ask for, before the first can be used.
 *
 * @param later by the path of a script, as its name from `root`: those that are never loaded without it.
 */
export function shareWithLater(root: string, later: Readonly<Record<string, readonly string[]>>): Plugin {
  const before = new Map<string, string[]>()
  for (const [first, others] of Object.entries(later)) {
    for (const other of others) before.set(join(root, other), [...(before.get(join(root, other)) ?? []), join(root, first)])
  }
  return {
    name: 'share-with-later',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const needed = before.get(path)
        if (!needed) return undefined
        // What imports all of the first has all of it in common with it.
        const imports = needed.map((first) => `import ${JSON.stringify(first)}\n`).join('')
        return { contents: readFileSync(path, 'utf8') + imports, loader: extname(path) === '.tsx' ? 'tsx' : 'ts' }
      })
    },
  }
}
