export type Severity = 'error' | 'warning' | 'info'

interface CodeRow {
  readonly severity: Severity
  /** Short title for headings and lists. `docs/diagnostics.md` has the full explanation. */
  readonly title: string
}

/**
 * All diagnostic codes with their default severity. Each code needs a section in `docs/diagnostics.md` and a test.
 *
 * A check can set another severity for a single diagnostic, and a configuration can change it within the limits of `blocking-codes.ts`.
 */
export const diagnosticCodes = {
  // Files
  'file-missing': { severity: 'error', title: 'File does not exist' },
  'file-unreadable': { severity: 'error', title: 'File cannot be read' },
  'file-outside-boundary': { severity: 'error', title: 'Path outside the boundary' },
  'file-too-large': { severity: 'error', title: 'File exceeds its size limit' },
  'url-unreachable': { severity: 'error', title: 'URL cannot be read' },
  'url-copy-used': { severity: 'warning', title: 'Stored copy of a URL is used' },
  'url-refused': { severity: 'error', title: 'URL is not allowed' },
  // Syntax
  encoding: { severity: 'error', title: 'File is not UTF-8 text' },
  'empty-document': { severity: 'error', title: 'Empty file' },
  'json-syntax': { severity: 'error', title: 'Invalid JSON' },
  'yaml-syntax': { severity: 'error', title: 'Invalid YAML' },
  'duplicate-key': { severity: 'error', title: 'Duplicate key' },
  'too-complex': { severity: 'error', title: 'Document exceeds a complexity limit' },
  'markdown-too-complex': { severity: 'warning', title: 'Markdown is too complex to parse' },
  // OpenAPI documents
  'not-openapi': { severity: 'error', title: 'Not an OpenAPI document' },
  'unsupported-version': { severity: 'error', title: 'Unsupported OpenAPI version' },
  'unknown-field': { severity: 'error', title: 'Unknown field' },
  'unknown-keyword': { severity: 'warning', title: 'Misspelled schema keyword' },
  'missing-field': { severity: 'error', title: 'Missing required field' },
  'wrong-type': { severity: 'error', title: 'Value of the wrong type' },
  'wrong-value': { severity: 'error', title: 'Value is not allowed' },
  'wrong-format': { severity: 'error', title: 'Invalid format' },
  'wrong-name': { severity: 'error', title: 'Name with characters that are not allowed' },
  'entry-unique': { severity: 'error', title: 'Duplicate entry in `required` or `type`' },
  'field-conflict': { severity: 'error', title: 'Conflicting fields' },
  'read-write-only': { severity: 'error', title: 'Schema is both `readOnly` and `writeOnly`' },
  'media-type-name': { severity: 'warning', title: 'Invalid media type in `content`' },
  'header-ignored': { severity: 'info', title: 'Header that tools ignore' },
  'nullable-ignored': { severity: 'warning', title: '`nullable` has no effect' },
  'response-code-quotes': { severity: 'info', title: 'Response code without quotes' },
  'required-property': { severity: 'info', title: 'Required property is not defined' },
  'array-items': { severity: 'warning', title: 'Array schema without `items`' },
  'runtime-expression': { severity: 'warning', title: 'Invalid runtime expression' },
  'pattern-syntax': { severity: 'warning', title: 'Invalid regular expression' },
  'reference-unresolved': { severity: 'error', title: 'Unresolved `$ref`' },
  'reference-circular': { severity: 'error', title: 'Circular `$ref`' },
  'reference-kind': { severity: 'error', title: '`$ref` to the wrong kind of object' },
  'reference-misplaced': { severity: 'warning', title: '`$ref` where OpenAPI does not allow one' },
  'reference-syntax': { severity: 'warning', title: '`$ref` with characters that need encoding' },
  'reference-version': { severity: 'warning', title: '`$ref` to a document of another OpenAPI version' },
  'remote-reference': { severity: 'warning', title: '`$ref` to a remote URL' },
  'operation-id-unique': { severity: 'error', title: 'Duplicate `operationId`' },
  'parameter-unique': { severity: 'error', title: 'Duplicate parameter' },
  'path-parameter': { severity: 'error', title: 'Path template and path parameters do not match' },
  'path-template': { severity: 'error', title: 'Invalid or duplicate path template' },
  'path-ambiguous': { severity: 'warning', title: 'Ambiguous paths' },
  'security-scheme': { severity: 'error', title: 'Undeclared security scheme' },
  'security-scope': { severity: 'warning', title: 'Undeclared security scope' },
  'server-variable': { severity: 'warning', title: 'Server URL and its variables do not match' },
  'tag-unique': { severity: 'error', title: 'Duplicate tag' },
  'tag-parent': { severity: 'error', title: 'Undeclared or circular tag parent' },
  'tag-undeclared': { severity: 'info', title: 'Undeclared tag' },
  'link-target': { severity: 'warning', title: 'Link to an unknown operation or parameter' },
  'discriminator-mapping': { severity: 'warning', title: 'Discriminator mapping to an unknown schema' },
  'discriminator-property': { severity: 'warning', title: 'Discriminator property is not required' },
  'encoding-property': { severity: 'warning', title: 'Encoding for an unknown property' },
  'unused-component': { severity: 'info', title: 'Unused component' },
  'example-mismatch': { severity: 'warning', title: 'Example does not match its schema' },
  'default-mismatch': { severity: 'warning', title: 'Default does not match its schema' },
  'enum-mismatch': { severity: 'warning', title: 'Enum value of the wrong type' },
  // Overlays
  'not-overlay': { severity: 'error', title: 'Not an Overlay document' },
  'overlay-target': { severity: 'error', title: 'Query of an overlay cannot be evaluated' },
  'overlay-conflict': { severity: 'error', title: 'Overlay action cannot be applied' },
  'overlay-unmatched': { severity: 'warning', title: 'Overlay action changes nothing' },
  // Rules of the team
  ruleset: { severity: 'warning', title: 'Rule of the ruleset' },
  'ruleset-problem': { severity: 'error', title: 'Ruleset cannot be applied completely' },
  'exception-syntax': { severity: 'warning', title: 'Invalid exception' },
  'unused-exception': { severity: 'warning', title: 'Exception without effect' },
  // Baseline
  'baseline-known': { severity: 'info', title: 'Known problems in the baseline' },
  'baseline-fixed': { severity: 'info', title: 'Fixed problems in the baseline' },
  'baseline-unusable': { severity: 'error', title: 'Baseline cannot be used' },
  // docs.json and pages
  'docs-config-missing': { severity: 'error', title: 'Missing `docs.json`' },
  'docs-reference': { severity: 'error', title: '`$ref` in `docs.json` cannot be followed' },
  'docs-config-key': { severity: 'info', title: 'Key of `docs.json` without effect' },
  'config-spelling': { severity: 'info', title: 'Setting has a new spelling' },
  'config-not-read': { severity: 'warning', title: 'Configuration file is not read' },
  'page-missing': { severity: 'warning', title: 'Navigation lists a missing page' },
  'navigation-empty': { severity: 'error', title: 'Navigation has no pages' },
  'page-unlisted': { severity: 'info', title: 'Page is not in the navigation' },
  'page-listed-twice': { severity: 'warning', title: 'Page is listed twice' },
  'page-url-conflict': { severity: 'warning', title: 'Two pages have the same URL' },
  'lock-file': { severity: 'warning', title: 'Lock file cannot be used' },
  'navigation-openapi': { severity: 'warning', title: '`openapi` key where no page can be listed' },
  'overlay-lists': { severity: 'error', title: 'Different overlays for the same document' },
  'unknown-division': { severity: 'warning', title: 'Setting for an unknown division' },
  'materialize-ignored': { severity: 'warning', title: 'Setting `materialize: false` without effect' },
  'unknown-schema': { severity: 'warning', title: 'Setting for an unknown schema' },
  'division-gone': { severity: 'warning', title: 'Division of generated pages no longer exists' },
  'entry-without-document': { severity: 'warning', title: 'Navigation entry does not name its OpenAPI document' },
  'entry-unresolved': { severity: 'error', title: 'Navigation entry for an unknown operation' },
  'mass-removal': { severity: 'error', title: 'Too many pages would be removed at once' },
  'pages-left-out': { severity: 'error', title: 'Pages missing in a sparse checkout' },
  'operation-skipped': { severity: 'info', title: 'Operations not updated because of errors' },
  'unlisted-operation': { severity: 'info', title: 'Operation is not in the navigation' },
  'order-kept': { severity: 'info', title: 'Manual order kept despite a new `order`' },
  'link-to-moved-page': { severity: 'info', title: 'Link to the old URL of a moved page' },
  'link-to-removed-page': { severity: 'warning', title: 'Link to a page that the update removes' },
  'redirect-unresolved': { severity: 'warning', title: 'Redirect to a removed page' },
  'page-frontmatter': { severity: 'warning', title: 'Invalid page frontmatter' },
  'binding-syntax': { severity: 'warning', title: 'Invalid page binding' },
  'binding-unresolved': { severity: 'error', title: 'Page is bound to an unknown operation' },
  'binding-ambiguous': { severity: 'error', title: 'Page binding matches several documents' },
  'page-href': { severity: 'warning', title: '`x-mint.href` outside the docs directory' },
  'page-path-taken': { severity: 'warning', title: "A different file exists at the page's path" },
  'document-not-committed': { severity: 'warning', title: 'Pages for operations that the committed document lacks' },
  'page-ignored': { severity: 'warning', title: 'Pages in a directory that Git ignores' },
  // Pages of the site
  'page-syntax': { severity: 'warning', title: 'Page is not valid MDX' },
  'unknown-component': { severity: 'warning', title: 'Unknown component' },
  'unread-expression': { severity: 'warning', title: 'Expression that requires code execution' },
  'unread-import': { severity: 'warning', title: 'Import that a page cannot use' },
  'refused-html': { severity: 'warning', title: 'HTML that is not allowed in pages' },
  'link-unresolved': { severity: 'warning', title: 'Broken link' },
  'link-to-directory': { severity: 'info', title: 'Link to a directory' },
  'fragment-unresolved': { severity: 'warning', title: 'Link to a missing section' },
  'link-external': { severity: 'warning', title: 'Broken external link' },
  'content-restricted': { severity: 'warning', title: 'Restricted content is not published' },
  'redirect-loop': { severity: 'warning', title: 'Redirect to itself' },
  'redirect-chain': { severity: 'info', title: 'Redirect to another redirect' },
  'redirect-fragment': { severity: 'warning', title: 'Redirect of a fragment' },
  'redirect-query': { severity: 'warning', title: 'Redirect of a query' },
  'redirect-target': { severity: 'warning', title: 'Redirect to an unsupported URL' },
  'redirect-unused': { severity: 'warning', title: 'Redirect without effect' },
  'asset-missing': { severity: 'warning', title: 'Missing image or file' },
  'image-alt': { severity: 'info', title: 'Image without alternative text' },
  'property-not-used': { severity: 'info', title: 'Property of a component without effect' },
  'icon-unknown': { severity: 'warning', title: 'Unknown icon' },
  'asset-refused': { severity: 'warning', title: 'File is not published' },
  'style-refused': { severity: 'warning', title: 'Part of a stylesheet is not used' },
  'script-not-run': { severity: 'info', title: 'Scripts of the repository do not run' },
  'setting-not-used': { severity: 'info', title: 'Setting of `docs.json` without effect on the site' },
  'color-contrast': { severity: 'info', title: 'Color with too little contrast' },
} as const satisfies Record<string, CodeRow>

export type DiagnosticCode = keyof typeof diagnosticCodes

/** Whether a string is a diagnostic code. */
export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(diagnosticCodes, text)
}

/** The URL of a code's documentation. */
export function diagnosticUrl(code: DiagnosticCode): string {
  return `https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#${code}`
}
