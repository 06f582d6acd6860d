import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'

/** A TypeScript file below a folder. */
export interface SourceFile {
  /** Relative to the folder, with `/`. */
  readonly name: string
  readonly text: string
  /** Its import and export specifiers, including types and dynamic imports, as written: `./codes.ts`, `node:fs`, `yaml`. */
  readonly imports: readonly string[]
}

/** Reads all `.ts` and `.tsx` files below a folder, sorted by name. */
export function readSourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const text = readFileSync(path, 'utf8')
      return { name: relative(folder, path).split(sep).join('/'), text, imports: findImports(text) }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function findImports(text: string): string[] {
  const withoutComments = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const found = withoutComments.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(?:type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g,
  )
  return [...found].map((match) => match[1] ?? match[2] ?? '')
}

/** The file that a relative import refers to. */
export function resolveImport(from: string, target: string): string {
  return posix.join(posix.dirname(from), target)
}

/** Groups of files that import each other, directly or through others, including types. Each group and the list are sorted. */
export function findImportCycles(files: readonly SourceFile[]): string[][] {
  const targets = new Map(
    files.map(({ name, imports }) => [
      name,
      imports.filter((target) => target.startsWith('.')).map((target) => resolveImport(name, target)),
    ]),
  )
  // Tarjan's strongly connected components.
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const cycles: string[][] = []
  const visit = (name: string) => {
    index.set(name, index.size)
    low.set(name, index.get(name) ?? 0)
    open.push(name)
    isOpen.add(name)
    for (const target of targets.get(name) ?? []) {
      if (!targets.has(target)) continue
      if (!index.has(target)) visit(target)
      if (isOpen.has(target)) low.set(name, Math.min(low.get(name) ?? 0, low.get(target) ?? 0))
    }
    if (low.get(name) !== index.get(name)) return
    const group = open.splice(open.indexOf(name))
    for (const member of group) isOpen.delete(member)
    if (group.length > 1) cycles.push(group.sort())
  }
  for (const { name } of files) if (!index.has(name)) visit(name)
  return cycles.sort((a, b) => b.length - a.length)
}

/** File names without folder and extension that several files share. Conventional names may be repeated. */
export function findRepeatedNames(files: readonly SourceFile[]): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const { name } of files) {
    const base = posix.basename(name).replace(/\.tsx?$/, '')
    byName.set(base, [...(byName.get(base) ?? []), name])
  }
  return new Map([...byName].filter(([name, list]) => list.length > 1 && !conventionalNames.includes(name)))
}

/** `main` is an entry point; `types` has the types that the files of a folder share. */
const conventionalNames = ['main', 'types']
