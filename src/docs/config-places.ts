import type { SourceFile } from '../text/source-file.ts'
import type { JsonEdit } from './edit-json.ts'

/**
 * Where the values of a `DocsConfig` stand on the disk. They are read as if all were one `docs.json`; parts of it can be files of their own
 * (`$ref`), and a `mint.json` has them in another order.
 */
export interface ConfigPlaces {
  /** Every file that has a part of it; the one in the docs root first. */
  readonly sources: readonly SourceFile[]
  /** The file and pointer of a value, or of the key that leads to it: a `$ref` has the two in different files. */
  placeOf(pointer: string, part: 'key' | 'value'): ConfigPlace
  /** The same edit in the words of the file that it is made to; several where one list there holds what are several here. */
  toFileEdits(edit: JsonEdit): readonly FileEdit[]
}

export interface FileEdit {
  /** Relative to the boundary. */
  readonly file: string
  readonly edit: JsonEdit
}

export interface ConfigPlace {
  /** Relative to the boundary. */
  readonly file: string
  readonly pointer: string
}

/** The places of a `docs.json` that is one file. */
export function placesInOneFile(source: SourceFile): ConfigPlaces {
  return {
    sources: [source],
    placeOf: (pointer) => ({ file: source.path, pointer }),
    toFileEdits: (edit) => [{ file: source.path, edit }],
  }
}
