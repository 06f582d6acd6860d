/** What reading one path gave. Only a failing disk is an exception; a path that leads nowhere is an answer. */
export type ReadResult =
  | {
      readonly kind: 'file'
      readonly bytes: Uint8Array
      /** The path with links resolved, which is one for all paths that lead to the file. Absent where every file has one path. */
      readonly identity?: string
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  /** The path, or a link on it, leads out of the root. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'too-large'; readonly sizeBytes: number; readonly limitBytes: number }

/** Files below one root, which is the boundary: nothing outside can be read through it. */
export interface Files {
  /**
   * Reads the file at a path relative to the root with `/`, or at a `file:` address; a leading `..` is `outside`.
   *
   * @param limitBytes the largest file that is read. Default: that of a document, where no setting says otherwise.
   */
  read(path: string, limitBytes?: number): Promise<ReadResult>
  /**
   * Paths of all files below a folder, relative to the root, sorted by UTF-16 units.
   *
   * Leaves out `.git`, `node_modules` and sites that `build` made among them: what is in one is no page and no document of the next. Does not
   * follow links to folders.
   */
  list(folder: string): Promise<readonly string[]>
}
