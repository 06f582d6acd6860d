import type { Finding } from '../diagnostic/diagnostic.ts'
import { docsConfigNames } from '../docs/project-config.ts'
import type { Files } from '../files/files.ts'
import { joinPath, parentPath, relativePath } from '../text/relative-path.ts'
import { findDocuments } from './find-documents.ts'
import type { Survey } from './survey-docs-root.ts'

/**
 * The finding for a docs root without `docs.json`. Its hint names the nearest one, below or above; where there is none, it is the smallest
 * one to paste, on lines of its own and with a document that is there.
 */
export async function missingDocsConfig({ root, docsFiles }: Survey, files: Files): Promise<Finding> {
  const finding: Finding = {
    code: 'docs-config-missing',
    message: `Cannot find \`docs.json\` in ${root === '' ? 'this folder' : `\`${root}\``}`,
    file: joinPath(root, 'docs.json'),
    pointer: '',
  }
  const below = docsFiles.otherDocsConfigs.map((path) => joinPath(root, path))
  const near = below.toSorted((a, b) => a.split('/').length - b.split('/').length)[0] ?? (await findAbove(root, files))
  if (near !== undefined) {
    const hint = `did you mean the folder of \`${relativePath(root, near)}\`?`
    return { ...finding, hint, related: [{ file: near, pointer: '', message: 'there is one here' }] }
  }
  const openapi = (await findDocuments(root, docsFiles.documents, files))[0] ?? 'openapi.yaml'
  const smallest = {
    theme: 'mint',
    name: 'Documentation',
    colors: { primary: '#0F766E' },
    navigation: { tabs: [{ tab: 'API Reference', openapi }] },
  }
  return { ...finding, hint: `the smallest one is\n\`${JSON.stringify(smallest, undefined, 2)}\`` }
}

async function findAbove(root: string, files: Files): Promise<string | undefined> {
  for (let folder = root; folder !== ''; ) {
    folder = parentPath(folder)
    for (const name of docsConfigNames) {
      const path = joinPath(folder, name)
      if ((await files.read(path)).kind === 'file') return path
    }
  }
  return undefined
}
