/** Texts for schemas that load when readers open them. */
export const schema = {
  recursive: 'Recursive:',
  failed: 'Could not be loaded. Open its page:',
} as const
