/** Texts of the page that prints a section. */
export const print = {
  tooMany: '{limit}. Print a group below.',
  progress: 'Loaded {count} of {total} pages',
  missing: '{missing} of {total} pages could not be loaded. Reload this page to try again.',
  ready: { one: '{count} page is ready to print', other: '{count} pages are ready to print' },
  large: '{ready}. They are very large, so the browser may need minutes or fail. Open its print dialog to print them.',
} as const
