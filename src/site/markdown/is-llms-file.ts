/** Whether a file of a site, by its path, is one of those that `createLlmsText` gathers. Alone here: who asks that need not load what renders pages. */
export function isLlmsFile(path: string): boolean {
  return /^llms-full(?:-\d+)?\.txt$/.test(path)
}
