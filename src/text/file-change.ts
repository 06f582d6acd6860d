/**
 * What is to happen to one file. Paths are relative to the boundary with `/`.
 *
 * `before` is the content the plan was made on, so that a writer can notice that the file has changed since.
 */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'modify'; readonly path: string; readonly before: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string; readonly before: string }
