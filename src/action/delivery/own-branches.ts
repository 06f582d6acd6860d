const prefix = 'openapi-pages/'

/** Branches that stand for as long as the parts of a large commit are made; no run works on them. */
export const temporaryPrefix = 'openapi-pages-temporary/'

/** The branch that changes for a base are proposed from: one for each, always the same. */
export function toHeadBranch(base: string): string {
  return `${prefix}${base}`
}

/** Whether a branch is one that we propose changes from. */
export function isHeadBranch(branch: string): boolean {
  return branch.startsWith(prefix)
}

/** Whether a branch is one that stands only while a run makes it. */
export function isTemporaryBranch(branch: string): boolean {
  return branch.startsWith(temporaryPrefix)
}
