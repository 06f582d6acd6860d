/** What a search finds of one page. Plain data. */
export interface SearchEntry {
  readonly route: string
  readonly kind: 'operation' | 'webhook' | 'schema' | 'page'
  readonly title: string
  /** Upper case; of an operation. */
  readonly method: string | undefined
  /** The path of an operation; a word about a schema, such as `object, 12 properties`. */
  readonly path: string | undefined
  /** Names of parameters, and of properties of the body or the schema. */
  readonly names: readonly string[]
  /** Labels of the language, version, product, dropdown and tab that it stands in. */
  readonly part: readonly string[]
  /** The text of a guide, by its headings. */
  readonly sections: readonly SearchSection[]
}

export interface SearchSection {
  /** `''` for what stands before the first heading. */
  readonly id: string
  readonly heading: string
  readonly text: string
}
