import { join, relative } from 'node:path'
import type { Node } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API, type Project, type Type } from 'typescript/unstable/sync'
import { onTestFinished } from 'vitest'

interface TypedProject {
  readonly folder: string
  readonly project: Project
}

/** Opens a configuration of TypeScript, of the project or with these files only. */
export function openProject(folder: string, config: string, files?: Record<string, string>): TypedProject {
  const api = new API({ cwd: folder, ...(files && { fs: createVirtualFileSystem(files) }) })
  onTestFinished(() => api.close())
  const path = join(folder, config)
  const project = api.updateSnapshot({ openProjects: [path] }).getProject(path)
  if (!project) throw new Error(`No ${config}`)
  return { folder, project }
}

export interface FoundCode {
  /** Relative to the folder, such as `src/text/plain/lazy.ts`. */
  readonly file: string
  readonly line: number
  readonly text: string
}

interface Search<Found> {
  /** What is to judge, from any node of a file in `src`. */
  readonly find: (node: Node) => Found | undefined
  /** The node whose type matters. */
  readonly typed: (found: Found) => Node
  readonly isWrong: (found: Found, type: Type | undefined) => boolean
  /** The node that a test names. */
  readonly shown: (found: Found) => Node
}

/** Finds code by its types. */
export function findByType<Found>({ folder, project }: TypedProject, search: Search<Found>): FoundCode[] {
  const paths = project.program.getSourceFileNames().filter((path) => path.startsWith(join(folder, 'src/')))
  return paths.flatMap((path) => {
    const source = project.program.getSourceFile(path)
    if (!source) return []
    const all: Found[] = []
    const visit = (node: Node): void => {
      const found = search.find(node)
      if (found !== undefined) all.push(found)
      node.forEachChild(visit)
    }
    visit(source)
    // One call for each file, because each asks another process.
    const types = project.checker.getTypeAtLocation(all.map(search.typed))
    return all
      .filter((found, index) => search.isWrong(found, types[index]))
      .map((found) => {
        const node = search.shown(found)
        const line = source.text.slice(0, node.getStart(source)).split('\n').length
        return { file: relative(folder, path), line, text: node.getText(source) }
      })
  })
}
