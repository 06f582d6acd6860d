/** The address of a part of a page: what is around it, then its own name, without what an address cannot have. */
export function toAnchor(...steps: readonly (string | number)[]): string {
  return steps
    .map((step) =>
      String(step)
        .trim()
        .replace(/[^\p{L}\p{N}_.~$-]+/gu, '-'),
    )
    .filter((step) => step !== '')
    .join('-')
}
