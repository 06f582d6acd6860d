/**
 * The names of the file that makes a folder a docs root, the first that is there counts. `mint.json` is what `docs.json` was called before 2025;
 * it has a shape of its own and is read with the same meaning.
 */
export const docsConfigNames = ['docs.json', 'mint.json'] as const

/** Tells the configuration of a docs root by its path. */
export function isDocsConfigPath(path: string): boolean {
  return docsConfigNames.some((name) => path === name || path.endsWith(`/${name}`))
}
