import { toSafeJson } from '../text/escape-text.ts'
import { joinPath } from '../text/relative-path.ts'
import { toLines } from './describe-error.ts'
import type { Workspace } from './open-workspace.ts'

const usualNames = ['openapi', 'swagger', 'api', 'spec'].flatMap((name) => [`${name}.yaml`, `${name}.yml`, `${name}.json`])

/** Says that a folder has no `docs.json`, and the smallest one to paste, with a document that is there. */
export async function describeMissingDocsConfig(root: string, workspace: Workspace): Promise<string> {
  const folder = workspace.toShown(root)
  const hint = 'Name the folder that has one, or start with this one:'
  const smallest = {
    name: 'API documentation',
    navigation: { tabs: [{ tab: 'API Reference', openapi: await findDocument(root, workspace) }] },
  }
  return `${toLines(`there is no docs.json in ${folder === '.' ? 'this folder' : folder}`, hint)}\n${toSafeJson(smallest)}\n`
}

async function findDocument(root: string, { environment: { files } }: Workspace): Promise<string> {
  for (const name of usualNames) if ((await files.read(joinPath(root, name))).kind === 'file') return name
  return 'openapi.yaml'
}
