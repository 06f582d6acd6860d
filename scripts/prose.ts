import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { globSync } from 'tinyglobby'
import { checkProse, type ProseProblem } from './prose-check.ts'
import { exceptions, skipped } from './prose-rules.ts'

const usage = `Checks the English that people read: Markdown, messages, comments and test titles.

Usage: npm run prose -- [path...]

Paths are files or directories; the default is the whole project.

  --help  Show this help`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' } },
})

if (values.help) console.log(usage)
else process.exitCode = run()

function run(): number {
  const root = join(import.meta.dirname, '..')
  const paths = findFiles(root)
  const unused = new Set(exceptions)
  const problems: ProseProblem[] = []
  for (const path of paths)
    for (const problem of checkProse(path, readFileSync(join(root, path), 'utf8'))) {
      const exception = exceptions.find((one) => one.path === path && problem.sentence.includes(one.text))
      if (exception) unused.delete(exception)
      else problems.push(problem)
    }
  for (const { path, line, message, sentence } of problems) console.log(`${path}:${line}: ${message}\n    ${sentence}`)
  const outdated = positionals.length === 0 ? [...unused] : []
  for (const { path, text } of outdated)
    console.log(`scripts/prose-rules.ts: the exception for ${path} is no longer needed: ${text}`)
  console.log(`${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in ${paths.length} files`)
  return problems.length + outdated.length === 0 ? 0 : 1
}

function findFiles(root: string): readonly string[] {
  const all = globSync(
    ['*.md', '.github/**/*.md', '{docs,examples,bench}/**/*.{md,mdx}', '{src,test,scripts,bench}/**/*.{ts,tsx,mts,mjs}'],
    {
      cwd: root,
      dot: true,
    },
  )
  const wanted = positionals.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''))
  return all
    .filter((path) => !skipped.some((pattern) => pattern.test(path)))
    .filter((path) => wanted.length === 0 || wanted.some((one) => path === one || path.startsWith(`${one}/`)))
    .toSorted()
}
