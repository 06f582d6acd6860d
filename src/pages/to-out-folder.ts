/** The folder of `--outDir` as pages are addressed by it. Above the working directory nothing is ours to name, so a name there keeps its case. */
export function toOutFolder(outDir: string): string {
  return /^(?:\/|\.\.(?:\/|$))/.test(outDir) ? outDir : outDir.toLowerCase()
}
