import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from './action-harness.ts'

/** The code blocks of one language below a heading of a Markdown file, also those in lists, without their indentation. */
export function readBlocks(heading: string, language: string, path = 'README.md'): string[] {
  const text = readFileSync(join(projectFolder, path), 'utf8')
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${path} has no section "${heading}"`)
  const blocks = section.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))
  return Array.from(blocks, ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}
