import { Session } from 'node:inspector'
import { families } from './hostile-markdown.ts'

// Prints how many steps it takes to read each hostile text, in two lengths: `node count-steps.ts`. A step is one execution of a block of code, as V8
// counts them for coverage, so the numbers do not depend on the machine. The count has to begin before what is counted is loaded.

const session = new Session()
session.connect()

function ask(method: string, options: object = {}): { readonly result?: readonly Script[] } {
  let answer = {}
  session.post(method, options, (error, result) => {
    if (error) throw new Error(JSON.stringify(error))
    answer = result ?? {}
  })
  return answer
}

interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

ask('Profiler.enable')
ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
const { createMdxReader, markdownToNodes } = await import('../../../src/site/content/mdx-reader.ts')
const { readPage } = createMdxReader({
  root: '',
  readFile: () => undefined,
  components: new Set(),
  variables: new Map(),
  markdownPages: new Set(['a.md']),
})

function countSteps(work: () => unknown): number {
  ask('Profiler.takePreciseCoverage')
  work()
  const { result = [] } = ask('Profiler.takePreciseCoverage')
  const counts = result.filter(({ url }) => /node_modules|\/src\//.test(url)).flatMap(({ functions }) => functions)
  return counts.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0)
}

const length = 3_000
// The first text also counts one-time initialization, so it is read once before.
for (const family of Object.values(families)) {
  markdownToNodes(family(300))
  readPage('a.mdx', family(300))
  readPage('a.md', family(300))
}
const counts = Object.entries(families).flatMap(([name, family]) => {
  const steps = (read: (text: string) => unknown) => [length, 2 * length].map((each) => countSteps(() => read(family(each))))
  return [
    { name, kind: 'description', length, steps: steps(markdownToNodes) },
    { name, kind: 'page', length, steps: steps((text) => readPage('a.mdx', text)) },
    { name, kind: 'page of Markdown', length, steps: steps((text) => readPage('a.md', text)) },
  ]
})
console.log(JSON.stringify(counts))
