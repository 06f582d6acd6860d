export type Severity = 'error' | 'warning' | 'info'

interface CodeRow {
  readonly severity: Severity
  /** It makes a document invalid: no configuration can turn it off or take it below `error`. */
  readonly fixed?: true
  /** A few words for a heading or a list; `docs/diagnostics.md` has the whole story. */
  readonly title: string
}

/**
 * Every code a diagnostic can have. A row is finished when `docs/diagnostics.md` has its heading and a test shows it.
 *
 * The severity is the usual one; a finding may carry its own where the place decides, and a configuration may change those that are not
 * `fixed`.
 */
export const diagnosticCodes = {
  // Files
  'file-missing': { severity: 'error', fixed: true, title: 'A named file does not exist' },
  'file-unreadable': { severity: 'error', fixed: true, title: 'A file cannot be read' },
  'file-outside-boundary': { severity: 'error', fixed: true, title: 'A path leads out of the boundary' },
  'file-too-large': { severity: 'error', fixed: true, title: 'A file is over its size limit' },
  'url-unreachable': { severity: 'error', fixed: true, title: 'An address cannot be read' },
  'url-refused': { severity: 'error', fixed: true, title: 'An address that no setting allows' },
  // Syntax
  encoding: { severity: 'error', fixed: true, title: 'The file is not UTF-8 text' },
  'empty-document': { severity: 'error', fixed: true, title: 'The file has no content' },
  'json-syntax': { severity: 'error', fixed: true, title: 'The file is not JSON' },
  'yaml-syntax': { severity: 'error', fixed: true, title: 'The file is not YAML' },
  'duplicate-key': { severity: 'error', fixed: true, title: 'A key stands twice in one mapping' },
  'too-complex': { severity: 'error', fixed: true, title: 'A document is over a limit of nesting or aliases' },
  'markdown-too-complex': { severity: 'warning', title: 'A text that takes too much work to read as Markdown' },
  // OpenAPI documents
  'not-openapi': { severity: 'error', fixed: true, title: 'The file is not an OpenAPI document' },
  'unsupported-version': { severity: 'error', fixed: true, title: 'A version that is not supported' },
  'unknown-field': { severity: 'error', fixed: true, title: 'A field that the object does not have' },
  'unknown-keyword': { severity: 'warning', title: 'A keyword of a schema that looks mistyped' },
  'missing-field': { severity: 'error', fixed: true, title: 'A required field is missing' },
  'wrong-type': { severity: 'error', fixed: true, title: 'A value of the wrong type' },
  'wrong-value': { severity: 'error', fixed: true, title: 'A value that is not among the allowed ones' },
  'wrong-format': { severity: 'error', fixed: true, title: 'A text that does not have the form it must have' },
  'wrong-name': { severity: 'error', fixed: true, title: 'A name with characters that are not allowed' },
  'field-conflict': { severity: 'error', fixed: true, title: 'Two fields that exclude each other, or one that does not belong' },
  'read-write-only': { severity: 'error', fixed: true, title: 'A schema that is both `readOnly` and `writeOnly`' },
  'media-type-name': { severity: 'warning', title: 'A key of `content` that is no media type' },
  'header-ignored': { severity: 'info', title: 'A header whose description tools ignore' },
  'required-property': { severity: 'info', title: 'A name in `required` that `properties` does not have' },
  'array-items': { severity: 'warning', title: 'Array schema without `items`' },
  'runtime-expression': { severity: 'warning', title: 'A runtime expression that cannot be read' },
  'pattern-syntax': { severity: 'warning', title: 'A regular expression that JavaScript cannot read' },
  'reference-unresolved': { severity: 'error', fixed: true, title: 'A `$ref` that leads nowhere' },
  'reference-circular': { severity: 'error', fixed: true, title: 'A `$ref` that leads only to itself' },
  'reference-kind': { severity: 'error', fixed: true, title: 'A `$ref` that leads to the wrong kind of object' },
  'reference-misplaced': { severity: 'warning', title: 'A `$ref` where OpenAPI has none' },
  'reference-syntax': { severity: 'warning', title: 'A `$ref` with characters that need encoding' },
  'reference-version': { severity: 'warning', title: 'A `$ref` into a document of another OpenAPI version' },
  'remote-reference': { severity: 'warning', title: 'A `$ref` to an address that is not read' },
  'operation-id-unique': { severity: 'error', fixed: true, title: 'Two operations with one `operationId`' },
  'parameter-unique': { severity: 'error', fixed: true, title: 'Two parameters with one name and location' },
  'path-parameter': { severity: 'error', fixed: true, title: 'Path template and path parameters do not match' },
  'path-template': { severity: 'error', fixed: true, title: 'Invalid or duplicate path template' },
  'path-ambiguous': { severity: 'warning', title: 'Two paths that one request can match' },
  'security-scheme': { severity: 'error', fixed: true, title: 'A security scheme that is not declared' },
  'security-scope': { severity: 'warning', title: 'A scope that the security scheme does not declare' },
  'server-variable': { severity: 'warning', title: 'A server address and its variables do not match' },
  'tag-unique': { severity: 'error', fixed: true, title: 'Two tags with one name' },
  'tag-parent': { severity: 'error', fixed: true, title: 'Undeclared or circular tag parent' },
  'tag-undeclared': { severity: 'info', title: 'A tag that the document does not declare' },
  'link-target': { severity: 'warning', title: 'A link that leads to no operation, or has parameters that the operation lacks' },
  'discriminator-mapping': { severity: 'warning', title: 'A discriminator that leads to no schema' },
  'discriminator-property': { severity: 'warning', title: 'A discriminator whose property is not required' },
  'encoding-property': { severity: 'warning', title: 'Encoding for a property that the schema does not have' },
  'unused-component': { severity: 'info', title: 'A component that nothing refers to' },
  'example-mismatch': { severity: 'warning', title: 'An example that its schema does not allow' },
  'default-mismatch': { severity: 'warning', title: 'A default that its schema does not allow' },
  'enum-mismatch': { severity: 'warning', title: 'A choice of the wrong type' },
  // Baseline
  'baseline-known': { severity: 'info', title: 'Known problems in the baseline' },
  'baseline-fixed': { severity: 'info', title: 'Problems of the baseline that no longer occur' },
  'baseline-unusable': { severity: 'error', title: 'Baseline that cannot be used' },
  // docs.json and pages
  'docs-config-missing': { severity: 'error', title: 'There is no `docs.json`' },
  'docs-reference': { severity: 'error', title: 'A `$ref` of `docs.json` that cannot be followed' },
  'docs-config-key': { severity: 'info', title: 'A key of `docs.json` that no host reads' },
  'config-not-read': { severity: 'warning', title: 'A configuration file that is not read' },
  'page-missing': { severity: 'warning', title: 'The navigation lists a page that is not there' },
  'navigation-empty': { severity: 'error', title: 'The navigation leads to no page' },
  'page-unlisted': { severity: 'info', title: 'A page that no navigation lists' },
  'page-listed-twice': { severity: 'warning', title: 'One list has a page twice' },
  'page-url-conflict': { severity: 'warning', title: 'Two pages have one address' },
  'lock-file': { severity: 'warning', title: 'The lock file cannot be used as it is' },
  'navigation-openapi': { severity: 'warning', title: 'An `openapi` key that no page can be listed under' },
  'overlays-not-applied': { severity: 'warning', title: 'A division with overlays keeps its pages virtual' },
  'unknown-division': { severity: 'warning', title: 'A setting for a division that is not there' },
  'unknown-schema': { severity: 'warning', title: 'A setting for a schema that is not there' },
  'division-gone': { severity: 'warning', title: 'The division of generated pages is gone' },
  'entry-without-document': { severity: 'warning', title: 'A navigation entry whose document is not told' },
  'entry-unresolved': { severity: 'error', title: 'A navigation entry for an operation that is not there' },
  'operation-skipped': { severity: 'info', title: 'Operations not updated because of errors' },
  'unlisted-operation': { severity: 'info', title: 'An operation that the navigation does not list' },
  'order-kept': { severity: 'info', title: 'A list that a new `order` does not change' },
  'link-to-moved-page': { severity: 'info', title: 'A link to a page that has another address now' },
  'redirect-unresolved': { severity: 'warning', title: 'A redirect to a page that is removed' },
  'page-frontmatter': { severity: 'warning', title: 'The frontmatter of a page is not YAML' },
  'binding-syntax': { severity: 'warning', title: 'A binding that cannot be read' },
  'binding-unresolved': { severity: 'error', title: 'A page bound to what does not exist' },
  'binding-ambiguous': { severity: 'error', title: 'A page bound to an operation of several documents' },
  'page-href': { severity: 'warning', title: 'An `x-mint.href` that leads out of the docs root' },
  'page-path-taken': { severity: 'warning', title: 'Another file stands where a page would go' },
  'document-not-committed': { severity: 'warning', title: 'Pages for operations that the committed document lacks' },
  'page-ignored': { severity: 'warning', title: 'Pages in a folder that git ignores' },
  // Pages of the site
  'page-syntax': { severity: 'warning', title: 'A page that is not MDX' },
  'unknown-component': { severity: 'warning', title: 'A component that the site does not have' },
  'unread-expression': { severity: 'warning', title: 'An expression that only running code could tell' },
  'unread-import': { severity: 'warning', title: 'An import that a page cannot use' },
  'refused-html': { severity: 'warning', title: 'HTML that a page may not use' },
  'link-unresolved': { severity: 'warning', title: 'A link to a page that is not there' },
  'fragment-unresolved': { severity: 'warning', title: 'A link to a part that its page does not have' },
  'asset-missing': { severity: 'warning', title: 'An image or file that is not there' },
  'asset-refused': { severity: 'warning', title: 'A file of the repository that is not published' },
  'setting-not-used': { severity: 'info', title: 'A setting of `docs.json` that a site cannot follow' },
  'color-contrast': { severity: 'info', title: 'A colour that text cannot be read in' },
} as const satisfies Record<string, CodeRow>

export type DiagnosticCode = keyof typeof diagnosticCodes

/** Whether the code makes a document invalid, so that a configuration cannot change it. */
export function isFixedCode(code: DiagnosticCode): boolean {
  const row: CodeRow = diagnosticCodes[code]
  return row.fixed === true
}

/** Tells the codes from other words. */
export function isDiagnosticCode(word: string): word is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, word)
}

/** The address of the page of a code. */
export function diagnosticUrl(code: DiagnosticCode): string {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#${code}`
}
