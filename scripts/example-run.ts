import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const petstore = join(root, 'examples/petstore')

/** Does something in a temporary copy of the petstore, whose folder is the boundary of what may be read. */
export function inExample<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-pages-example-'))
  try {
    cpSync(petstore, folder, { recursive: true })
    mkdirSync(join(folder, '.git'))
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the built command line, and returns what it prints. */
export function runCli(folder: string, ...args: readonly string[]): string {
  const bin = join(root, 'bin/openapi-pages.cjs')
  const { stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8' })
  if (stdout === '') throw new Error(`\`${args.join(' ')}\` printed nothing: ${stderr}`)
  return stdout + stderr
}

export function edit(folder: string, name: string, from: string, to: string): void {
  const path = join(folder, name)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`Cannot find ${from} in ${name} of the example`)
  writeFileSync(path, text.replace(from, to))
}
