import { lockFileName } from '../docs/lock-file.ts'
import { configFileNames } from '../docs/project-config.ts'
import { joinPath } from '../text/relative-path.ts'
import type { Update } from './types.ts'

/** The file whose navigation an update changes, relative to the boundary: the `docs.json`, `mint.json`, or a file that a `$ref` of it names. */
export function findEditedConfig({ changes, pages, root }: Pick<Update, 'changes' | 'pages' | 'root'>): string | undefined {
  const others = new Set([
    ...[lockFileName, ...configFileNames].map((name) => joinPath(root, name)),
    ...pages.map(({ path }) => joinPath(root, path)),
  ])
  return changes.find(({ path }) => path.endsWith('.json') && !others.has(path))?.path
}
