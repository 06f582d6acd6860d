import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './action-harness.ts'

/** A code block of the documentation. */
export interface DocumentedExample {
  readonly page: string
  readonly line: number
  /** What follows the fence, such as `yaml` or `yaml wrong`. */
  readonly language: string
  /** Without the indentation of the block. */
  readonly text: string
}

/** Every page of the documentation, and the files that people read on GitHub. */
export const documentedPages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.{md,mdx}', { cwd: projectFolder }).sort()]

/** All code blocks of the documentation. */
export const documentedExamples: readonly DocumentedExample[] = documentedPages.flatMap((page) => {
  const text = readFileSync(join(projectFolder, page), 'utf8')
  return Array.from(text.matchAll(/^( *)(`{3,})([^`\n]*)\n([\s\S]*?)^ *\2 *$/gm), (block) => {
    const [, indent = '', , language = '', lines = ''] = block
    const line = text.slice(0, block.index).split('\n').length
    return { page, line, language: language.trim(), text: lines.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
  })
})

/** A command of a shell script. */
interface ShellCommand {
  /** Without `sudo`, `npx` and variables. */
  readonly program: string
  readonly args: readonly string[]
}

/** The commands of a shell script, without what a command reads from and where its output goes. */
export function readShellCommands(script: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  for (const line of script.replaceAll('\\\n', ' ').split('\n')) {
    let words: string[] = []
    let isRedirected = false
    const end = () => {
      while (/^(?:sudo|env|npx|[A-Z_]+=.*|\$\(.*\))$/.test(words[0] ?? '')) words.shift()
      const [program, ...args] = words
      if (program !== undefined) commands.push({ program, args })
      words = []
      isRedirected = false
    }
    const tokens = line.trim().matchAll(/(#.*)|(\|\||\||&&|;)(?= |$)|(>>?)(?= )|((?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"])+)/g)
    for (const [, comment, separator, redirection, word] of tokens) {
      if (comment !== undefined) break
      if (separator !== undefined) end()
      else if (redirection !== undefined) isRedirected = true
      else if (word !== undefined && !isRedirected) words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
    }
    end()
  }
  return commands
}
