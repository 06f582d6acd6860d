import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/**
 * Leaves out the two large parts of Mermaid that diagrams here do not need: KaTeX, because labels show formulas as text, and ELK, a
 * layout program of 1.5 MB under the Eclipse license. Diagrams that ask for ELK get the default layout.
 */
export const onlyNeededMermaid: Plugin = {
  name: 'only-needed-mermaid',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^katex$/ }, ({ path, importer }) => (isMermaid(importer) ? { path, namespace: 'left-out' } : undefined))
    onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export default {}' }))
    onResolve({ filter: /^\.\/elk-\w+\.mjs$/ }, ({ importer }) => {
      const folder = dirname(importer)
      const dagre = readdirSync(folder).find((name) => /^dagre-\w+\.mjs$/.test(name))
      if (dagre === undefined) throw new Error(`Cannot find the default layout of Mermaid in ${folder}`)
      return { path: join(folder, dagre) }
    })
  },
}

function isMermaid(path: string): boolean {
  return /[\\/]node_modules[\\/]mermaid[\\/]/.test(path)
}
