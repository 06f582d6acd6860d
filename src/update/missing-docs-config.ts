import type { Finding } from '../diagnostic/diagnostic.ts'
import type { Files } from '../files/files.ts'
import { joinPath } from '../text/relative-path.ts'
import { findDocuments } from './find-documents.ts'
import type { Survey } from './survey-docs-root.ts'

/** The finding for a docs root without `docs.json`; its hint is the smallest one to paste, with a document that is there. */
export async function missingDocsConfig({ root, docsFiles }: Survey, files: Files): Promise<Finding> {
  const openapi = (await findDocuments(root, docsFiles.documents, files))[0] ?? 'openapi.yaml'
  const smallest = {
    theme: 'mint',
    name: 'Documentation',
    colors: { primary: '#0F766E' },
    navigation: { tabs: [{ tab: 'API Reference', openapi }] },
  }
  return {
    code: 'docs-config-missing',
    message: `Cannot find \`docs.json\` in ${root === '' ? 'this folder' : `\`${root}\``}`,
    file: joinPath(root, 'docs.json'),
    pointer: '',
    hint: `the smallest one is\n${JSON.stringify(smallest, undefined, 2)}`,
  }
}
