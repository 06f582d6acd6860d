import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

const leftOut = '\0left-out'

/**
 * Leaves out the two large parts of Mermaid that diagrams here do not need: KaTeX, because labels show formulas as text, and ELK, a
 * layout program of 1.5 MB under the Eclipse license. Diagrams that ask for ELK get the default layout.
 */
export const onlyNeededMermaid: Plugin = {
  name: 'only-needed-mermaid',
  resolveId: {
    filter: { id: [/^katex$/, /^\.\/elk-\w+\.mjs$/] },
    handler: (name, importer) => {
      if (importer === undefined || !/[\\/]node_modules[\\/]mermaid[\\/]/.test(importer)) return undefined
      if (name === 'katex') return leftOut
      const folder = dirname(importer)
      const dagre = readdirSync(folder).find((file) => /^dagre-\w+\.mjs$/.test(file))
      if (dagre === undefined) throw new Error(`Cannot find the default layout of Mermaid in ${folder}`)
      return join(folder, dagre)
    },
  },
  load: (name) => (name === leftOut ? 'export default {}' : undefined),
}
