/** Texts of the script that every page has. In its own file, because that script contains it. */
export const pageScript = {
  copied: 'Copied',
  copyFailed: 'Could not copy',
  collapseAll: 'Collapse all',
  expandAll: 'Expand all',
  playgroundFailed: 'The playground could not be loaded. Check your connection and try again.',
} as const
