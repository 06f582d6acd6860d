import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { projectFolder } from './action-harness.ts'
import { documentedExamples, readShellCommands } from './documented-examples.ts'

const page = 'CONTRIBUTING.md'
export const contributing = readFileSync(join(projectFolder, page), 'utf8')

/** A block of a worked example, with the file that its step names. */
interface Step {
  readonly path: string
  readonly language: string
  readonly block: string
}

const lines = contributing.split('\n')
const start = lines.indexOf('## Worked examples') + 1
const end = lines.findIndex((line, index) => index > start && line.startsWith('## ')) + 1
const examples = documentedExamples.filter((example) => example.page === page && example.line > start && example.line < end)

/** The blocks of the worked examples that change or add files, in order. */
export const steps: readonly Step[] = examples
  .filter(({ language }) => language !== 'sh')
  .map(({ line, language, text: block }) => {
    const named = lines.slice(0, line - 1).findLast((one) => /^\d+\. /.test(one))
    return { path: /^\d+\. `([^`]+)`/.exec(named ?? '')?.[1] ?? '', language, block }
  })
/** The commands that run the tests of the worked examples. */
export const commands = examples
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text: block }) => readShellCommands(block))

/** Replaces the lines of a block that start with a space or `-` with those that start with a space or `+`. Parts are separated by `@@`. */
function applyDiff(before: string, diff: string): string {
  let after = before
  for (const part of diff.split('@@\n')) {
    const keep = (signs: string) =>
      part
        .split('\n')
        .filter((line) => line !== '' && signs.includes(line.charAt(0)))
        .map((line) => `${line.slice(1)}\n`)
        .join('')
    expect(after.split(keep(' -')).length - 1, `occurrences of:\n${keep(' -')}`).toBe(1)
    after = after.replace(keep(' -'), () => keep(' +'))
  }
  return after
}

/** The files that the worked examples leave, by path. */
export function applySteps(): Map<string, string> {
  const files = new Map<string, string>()
  for (const { path, language, block } of steps) {
    const target = join(projectFolder, path)
    if (language === 'diff') files.set(path, applyDiff(files.get(path) ?? readFileSync(target, 'utf8'), block))
    else {
      expect(existsSync(target), path).toBe(false)
      files.set(path, block)
    }
  }
  return files
}
