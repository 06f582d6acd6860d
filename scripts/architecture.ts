/** A folder of `src` and the files it may import. Subfolders without a row belong to it. */
interface Folder {
  /** Relative to `src`, such as `source` or `site/render`. */
  readonly path: string
  /** Its content, for the table in ARCHITECTURE.md: Markdown without a final full stop. */
  readonly purpose: string
  /** Part of the core: no disk, network, process, clock, randomness or console. */
  readonly isCore?: true
  /** The rows that its files may import, besides their own and `src/text/errors.ts`. */
  readonly imports: readonly string[]
  /** The packages that only this folder may import, with their subpaths. */
  readonly packages?: readonly string[]
}

/**
 * The only list of folders. `test/architecture.test.ts` enforces it, and `npm run docs` writes the tables in ARCHITECTURE.md and
 * CONTRIBUTING.md from it.
 */
export const folders: readonly Folder[] = [
  {
    path: 'text',
    purpose: 'source text, positions, JSON pointers, JSON and YAML parsing',
    isCore: true,
    imports: [],
    packages: ['js-yaml', 'jsonc-parser'],
  },
  {
    path: 'diagnostics',
    purpose: '`Diagnostic`, codes, output formats',
    isCore: true,
    imports: ['text'],
  },
  {
    path: 'openapi/schema',
    purpose: 'JSON Schema: types, values, keywords',
    isCore: true,
    imports: ['text'],
  },
  {
    path: 'openapi',
    purpose: 'types of descriptions and of the walk',
    isCore: true,
    imports: ['diagnostics', 'text'],
  },
  {
    path: 'openapi/hints',
    purpose: 'problems with the hint that fits them',
    isCore: true,
    imports: ['diagnostics', 'text', 'openapi'],
  },
  {
    path: 'openapi/tables',
    purpose: 'fields of each object by OpenAPI version, rules for one object',
    isCore: true,
    imports: ['openapi/hints', 'openapi', 'text'],
  },
  {
    path: 'openapi/references',
    purpose: '`$ref` targets',
    isCore: true,
    imports: ['diagnostics', 'text', 'openapi', 'openapi/hints', 'openapi/tables'],
  },
  {
    path: 'openapi/read',
    purpose: 'the walk over a description, its operations',
    isCore: true,
    imports: ['text', 'openapi/hints', 'openapi/references', 'openapi', 'diagnostics', 'openapi/tables'],
  },
  {
    path: 'openapi/overlays',
    purpose: 'Overlay documents',
    isCore: true,
    imports: ['diagnostics', 'text', 'openapi/hints', 'openapi'],
  },
  {
    path: 'openapi/public',
    purpose: 'what of a description may be published',
    isCore: true,
    imports: ['text', 'openapi/schema', 'openapi/read', 'diagnostics', 'openapi', 'openapi/tables'],
  },
  {
    path: 'openapi/bundle',
    purpose: 'bundles of several files',
    isCore: true,
    imports: ['text', 'openapi', 'openapi/references', 'openapi/tables'],
  },
  {
    path: 'openapi/instances',
    purpose: 'matches of values with schemas',
    isCore: true,
    imports: ['text', 'openapi/hints', 'openapi', 'openapi/references', 'openapi/schema'],
  },
  {
    path: 'openapi/checks',
    purpose: '`checkDescription`, checks of whole descriptions',
    isCore: true,
    imports: [
      'diagnostics',
      'text',
      'openapi',
      'openapi/hints',
      'openapi/read',
      'openapi/references',
      'openapi/tables',
      'openapi/instances',
      'openapi/overlays',
      'openapi/public',
    ],
  },
  {
    path: 'changes',
    purpose: 'comparison of two descriptions: what changed, and what it breaks',
    isCore: true,
    imports: ['openapi', 'openapi/schema', 'diagnostics', 'text'],
  },
  {
    path: 'script/parse',
    purpose: 'JavaScript to syntax trees',
    isCore: true,
    imports: [],
    packages: ['@sveltejs/acorn-typescript', 'acorn', 'acorn-jsx', 'estree-jsx'],
  },
  {
    path: 'script/values',
    purpose: 'values of scripts and their methods',
    isCore: true,
    imports: ['text'],
    packages: ['estree-jsx'],
  },
  {
    path: 'script/run',
    purpose: 'JavaScript of pages and rules, evaluated without running it',
    isCore: true,
    imports: ['script/values'],
    packages: ['estree-jsx'],
  },
  {
    path: 'docs/config',
    purpose: '`docs.json`, frontmatter, configuration, lock file',
    isCore: true,
    imports: ['changes', 'openapi', 'diagnostics', 'text'],
    packages: ['yaml', 'jsonc-parser'],
  },
  {
    path: 'docs/pages',
    purpose: 'page plan, paths, text, navigation',
    isCore: true,
    imports: ['docs/adopt', 'docs/config', 'openapi', 'diagnostics', 'text'],
    packages: ['yaml'],
  },
  {
    path: 'rules',
    purpose: 'Spectral rulesets',
    isCore: true,
    imports: ['script', 'openapi', 'openapi/schema', 'diagnostics', 'text'],
  },
  {
    path: 'docs/adopt',
    purpose: 'adoption of pages that a team wrote',
    isCore: true,
    packages: ['yaml'],
    imports: ['docs/pages', 'docs/config', 'diagnostics', 'text'],
  },
  {
    path: 'docs/update',
    purpose: 'steps of an update',
    imports: ['files', 'docs/adopt', 'rules', 'docs/pages', 'docs/config', 'changes', 'openapi', 'diagnostics', 'text'],
    packages: ['@apidevtools/swagger-parser', 'json-p3', 'yaml'],
  },
  {
    path: 'status',
    purpose: 'update status record',
    isCore: true,
    imports: ['diagnostics', 'text'],
  },
  {
    path: 'site/content',
    purpose: 'MDX parser, allowed HTML',
    isCore: true,
    imports: ['docs/config', 'script', 'diagnostics', 'text'],
    packages: [
      'css-tree',
      'estree-jsx',
      'github-slugger',
      'hast',
      'hast-util-raw',
      'hast-util-sanitize',
      'mdast',
      'mdast-util-from-markdown',
      'mdast-util-gfm',
      'mdast-util-math',
      'mdast-util-mdx',
      'mdast-util-to-hast',
      'micromark-extension-gfm',
      'micromark-extension-math',
      'micromark-extension-mdxjs',
      'property-information',
    ],
  },
  {
    path: 'playground/request',
    purpose: 'serialized requests',
    isCore: true,
    imports: ['text'],
  },
  {
    path: 'playground/samples',
    purpose: 'code samples',
    isCore: true,
    imports: ['playground/request', 'text'],
  },
  {
    path: 'site/reference',
    purpose: 'data of reference pages',
    isCore: true,
    imports: ['playground/samples', 'playground/request', 'openapi', 'openapi/schema', 'text'],
    packages: ['ret'],
  },
  {
    path: 'site/messages',
    purpose: 'interface texts',
    isCore: true,
    imports: [],
  },
  {
    path: 'site/render',
    purpose: 'site plan, components, search index, Markdown',
    isCore: true,
    imports: [
      'site/search',
      'site/messages',
      'site/reference',
      'playground/samples',
      'playground/request',
      'site/content',
      'docs/pages',
      'docs/config',
      'script',
      'changes',
      'openapi',
      'diagnostics',
      'text',
    ],
    packages: [
      'css-tree',
      'culori',
      'katex',
      'mdast',
      'mdast-util-gfm',
      'mdast-util-to-markdown',
      'preact',
      'preact-render-to-string',
      'shiki',
    ],
  },
  {
    path: 'site/make',
    purpose: 'site builds, full and incremental',
    imports: [
      'files',
      'site/render',
      'site/messages',
      'site/reference',
      'site/content',
      'docs/update',
      'docs/pages',
      'docs/config',
      'changes',
      'openapi',
      'diagnostics',
      'text',
    ],
    packages: ['image-size', 'js-yaml'],
  },
  {
    path: 'site/preview',
    purpose: 'local preview server',
    imports: ['files', 'site/make', 'site/render', 'docs/update', 'docs/config', 'diagnostics', 'text'],
    packages: ['preact', 'preact-render-to-string'],
  },
  {
    path: 'site/search',
    purpose: 'search: words, index, queries',
    isCore: true,
    imports: [],
  },
  {
    path: 'site/client',
    purpose: 'page scripts (browser)',
    imports: ['playground', 'site/render', 'site/search', 'site/messages', 'playground/request', 'text'],
    packages: ['mermaid'],
  },
  {
    path: 'playground/controls',
    purpose: 'buttons, the editor, texts (browser)',
    imports: ['site', 'playground/request'],
    packages: [
      '@codemirror/commands',
      '@codemirror/lang-json',
      '@codemirror/language',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/highlight',
      'preact',
    ],
  },
  {
    path: 'playground/form',
    purpose: 'fields of the form (browser)',
    imports: ['openapi', 'text', 'playground/controls', 'playground/request'],
    packages: ['preact'],
  },
  {
    path: 'playground/send',
    purpose: 'sending the request (browser)',
    imports: ['text', 'playground/controls', 'playground/form', 'playground/request'],
    packages: ['eventsource-parser'],
  },
  {
    path: 'playground/authentication',
    purpose: 'credentials (browser)',
    imports: ['text', 'playground/controls', 'playground/request', 'playground/send', 'playground/form'],
    packages: ['preact'],
  },
  {
    path: 'playground/answer',
    purpose: 'response and code samples (browser)',
    imports: ['playground/request', 'playground/controls', 'playground/send', 'playground/form', 'text', 'playground/samples'],
    packages: ['preact'],
  },
  {
    path: 'playground',
    purpose: 'API playground (browser)',
    imports: [
      'site',
      'playground/controls',
      'playground/request',
      'playground/authentication',
      'playground/form',
      'playground/send',
      'playground/answer',
    ],
    packages: ['preact'],
  },
  {
    path: 'files',
    purpose: 'file access below one root, atomic writes',
    imports: ['docs/config', 'openapi', 'text'],
  },
  {
    path: 'git',
    purpose: 'the `git` process',
    imports: ['status', 'text'],
  },
  {
    path: 'github/report',
    purpose: 'Markdown for checks and comments',
    isCore: true,
    imports: ['changes', 'diagnostics', 'text'],
  },
  {
    path: 'github',
    purpose: 'GitHub API client (Octokit)',
    imports: ['github/report', 'files', 'status', 'diagnostics', 'text'],
    packages: ['@octokit/auth-app', '@octokit/rest', 'tar-stream'],
  },
  {
    path: 'store/database',
    purpose: 'tables, transactions, caches, locks: what SQLite and PostgreSQL have in common',
    imports: ['text'],
    packages: ['kysely'],
  },
  {
    path: 'store/sqlite',
    purpose: 'SQLite, in one file',
    imports: ['store/database', 'files', 'text'],
    packages: ['kysely'],
  },
  {
    path: 'store/postgres',
    purpose: 'PostgreSQL, for several processes',
    imports: ['store/database', 'text'],
    packages: ['kysely', 'pg'],
  },
  {
    path: 'store/records',
    purpose: 'updates, projects, audit lines',
    imports: ['store/database', 'status', 'text'],
    packages: ['kysely'],
  },
  {
    path: 'store/people',
    purpose: 'sessions, passes, links, tokens',
    imports: ['store/records', 'store/database'],
    packages: ['kysely'],
  },
  {
    path: 'store/sites',
    purpose: 'built sites and their domains',
    imports: ['store/records', 'store/database', 'status', 'text'],
    packages: ['@aws-sdk/client-s3', 'kysely'],
  },
  {
    path: 'store/queue',
    purpose: 'jobs: accepted, leased, reported',
    imports: ['store/people', 'store/sites', 'store/records', 'store/database', 'status', 'text'],
    packages: ['kysely'],
  },
  {
    path: 'store',
    purpose: 'storage in SQLite or PostgreSQL',
    imports: [
      'store/queue',
      'store/people',
      'store/sites',
      'store/records',
      'store/postgres',
      'store/sqlite',
      'store/database',
      'status',
      'text',
    ],
    packages: ['kysely'],
  },
  {
    path: 'status/client',
    purpose: 'HTTP client of the app',
    imports: ['files', 'status', 'text'],
  },
  {
    path: 'site/agents',
    purpose: 'MCP tools',
    imports: ['site/search', 'playground/samples', 'playground/request', 'text'],
    packages: ['@modelcontextprotocol/server', 'typebox'],
  },
  {
    path: 'action/inputs',
    purpose: 'inputs, event, and what the token may do',
    imports: ['status/client', 'github', 'git', 'files', 'status', 'docs/update', 'docs/config', 'text'],
    packages: ['@actions/core', '@actions/github', 'tinyglobby'],
  },
  {
    path: 'action/delivery',
    purpose: 'commits and pull requests',
    imports: [
      'action/inputs',
      'github',
      'github/report',
      'git',
      'files',
      'docs/update',
      'docs/pages',
      'openapi',
      'diagnostics',
      'text',
    ],
  },
  {
    path: 'action/report',
    purpose: 'log, annotations, job summary, comments, report to the app',
    imports: [
      'action/delivery',
      'action/inputs',
      'status/client',
      'github',
      'github/report',
      'git',
      'files',
      'status',
      'docs/update',
      'changes',
      'diagnostics',
      'text',
    ],
    packages: ['@actions/core'],
  },
  {
    path: 'action/run',
    purpose: 'steps of a run',
    imports: [
      'action/report',
      'action/delivery',
      'action/inputs',
      'github',
      'github/report',
      'git',
      'files',
      'docs/update',
      'diagnostics',
      'text',
    ],
    packages: ['@actions/core'],
  },
  {
    path: 'action/docs-repository',
    purpose: 'docs in another repository',
    imports: [
      'action/run',
      'action/report',
      'action/delivery',
      'action/inputs',
      'github',
      'git',
      'files',
      'docs/update',
      'docs/config',
      'diagnostics',
      'text',
    ],
    packages: ['@actions/core'],
  },
  {
    path: 'action',
    purpose: 'entry point: GitHub Action',
    imports: ['action/docs-repository', 'action/run', 'action/report', 'action/inputs', 'text'],
    packages: ['@actions/core'],
  },
  {
    path: 'cli/base',
    purpose: 'context, options and errors of commands',
    imports: ['files', 'docs/config', 'changes', 'diagnostics', 'text'],
    packages: ['@clack/prompts', 'commander'],
  },
  {
    path: 'cli/print',
    purpose: 'text for the terminal',
    imports: ['cli/base', 'docs/update', 'diagnostics', 'text'],
    packages: ['diff'],
  },
  {
    path: 'cli/open',
    purpose: 'docs and documents that arguments name: find, open, watch, write',
    imports: [
      'cli/print',
      'cli/base',
      'git',
      'files',
      'site/make',
      'docs/update',
      'docs/config',
      'changes',
      'openapi',
      'diagnostics',
      'text',
    ],
    packages: ['commander', 'tinyglobby'],
  },
  {
    path: 'cli/setup',
    purpose: '`init` and `doctor`',
    imports: [
      'cli/open',
      'cli/print',
      'cli/base',
      'git',
      'files',
      'site/make',
      'docs/update',
      'docs/config',
      'diagnostics',
      'text',
    ],
  },
  {
    path: 'cli/editors',
    purpose: '`lsp` and `mcp`',
    imports: [
      'cli/open',
      'cli/base',
      'site/agents',
      'files',
      'site/search',
      'site/make',
      'site/render',
      'docs/update',
      'changes',
      'openapi',
      'diagnostics',
      'text',
    ],
    packages: ['commander', 'typebox', 'vscode-languageserver', 'vscode-languageserver-textdocument'],
  },
  {
    path: 'cli/commands',
    purpose: 'the other commands',
    imports: [
      'cli/open',
      'cli/print',
      'cli/base',
      'status/client',
      'github/report',
      'git',
      'files',
      'site/preview',
      'site/make',
      'site/render',
      'docs/update',
      'docs/pages',
      'docs/config',
      'changes',
      'openapi',
      'diagnostics',
      'text',
    ],
    packages: ['commander'],
  },
  {
    path: 'cli',
    purpose: 'entry point: command line',
    imports: ['cli/commands', 'cli/editors', 'cli/setup', 'cli/base', 'docs/update'],
    packages: ['commander'],
  },
  {
    path: 'app',
    purpose: 'entry point: GitHub App, API, dashboard, sites',
    imports: [
      'site/agents',
      'store',
      'store/queue',
      'store/sites',
      'store/records',
      'store/database',
      'github',
      'github/report',
      'files',
      'site/search',
      'site/make',
      'site/render',
      'playground/request',
      'status',
      'docs/update',
      'docs/config',
      'changes',
      'openapi',
      'diagnostics',
      'text',
    ],
    packages: [
      '@fastify/swagger',
      'commander',
      'cookie',
      'fastify',
      'jose',
      'pino',
      'playwright-core',
      'preact',
      'preact-render-to-string',
      'probot',
      'prom-client',
      'typebox',
    ],
  },
]

/**
 * The doors of each room, which is a top-level folder of `src`: the only files that other rooms may import, types included, with what they use
 * them for. The programs `action`, `app` and `cli` have none.
 */
export const doors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  store: {
    'store.ts': 'the store: its methods, and how it is opened',
    'copy-store.ts': 'copies a store from SQLite to PostgreSQL',
    'database/holds.ts': 'leases, locks and leadership of processes',
    'queue/jobs.ts': 'jobs of the queue, and the work that it accepts',
    'records/stored-records.ts': 'stored updates, projects, people and usage',
    'sites/stored-sites.ts': 'stored sites',
  },
}

/** What is larger than it should be, with its size. Entries only shrink and go. */
export const exceptions = {
  /** Lines of functions with more than 100, except tables. */
  functions: {
    BodySection: 111,
    JsonTree: 105,
    Playground: 111,
    buildSite: 125,
    cleanStylesheet: 115,
    collectNames: 106,
    createAssetCopies: 103,
    createCopy: 145,
    createDocumentChecks: 132,
    createFileLoader: 141,
    createPostgresLocks: 154,
    createProjectStore: 122,
    createSiteReads: 106,
    createStatusStore: 154,
    listen: 106,
    openIndex: 114,
    openOutputFolder: 112,
    openWorkspace: 101,
    readSite: 203,
    registerActions: 113,
    registerSettings: 106,
    renderApiReference: 102,
    renderDocument: 127,
    runAction: 132,
    toBlock: 111,
    workQueue: 120,
  },
  /** Fields of context types with more than six. `CheckContext` and `RuleContext` stay: they are what authors of checks and rules may use. */
  contexts: {
    ApiContext: 13,
    AppContext: 17,
    CheckContext: 12,
    CloneContext: 8,
    FormContext: 7,
    PlacementContext: 7,
    ReferenceContext: 11,
    RuleContext: 7,
    SiteContext: 17,
    UpdateEnvironment: 16,
  },
  /** Lines of files with more than 500. */
  files: {
    'read/parse-ruleset.ts': 599,
    'reference/sample-schema.ts': 537,
    'reference/to-schema-view.ts': 529,
    'client/search.ts': 548,
  },
} satisfies Record<string, Readonly<Record<string, number>>>

/** The row of a file of `src`, by the longest matching path; undefined for top-level files and for folders without a row. */
export function findFolder(file: string): Folder | undefined {
  return folders
    .filter(({ path }) => file.startsWith(`${path}/`))
    .reduce<Folder | undefined>((best, row) => (best && best.path.length > row.path.length ? best : row), undefined)
}

/** The table in ARCHITECTURE.md, one row per line. Imports that another imported folder already implies are omitted. */
export function renderFolderTable(): string[] {
  const rows = folders.map(({ path, purpose, imports, isCore }) => {
    const implied = new Set(imports.flatMap((name) => [...findReached(name)]))
    const direct = imports.filter((name) => !implied.has(name))
    return `| \`${path}\`${isCore ? ' ◦' : ''} | ${purpose} | ${direct.join(' ') || '–'} |`
  })
  return ['| Directory | Content | Imports |', '| --- | --- | --- |', ...rows]
}

/** All folders that a folder may import, directly or through others. */
function findReached(path: string, reached = new Set<string>()): ReadonlySet<string> {
  for (const name of folders.find((folder) => folder.path === path)?.imports ?? []) {
    if (reached.has(name)) continue
    reached.add(name)
    findReached(name, reached)
  }
  return reached
}

/** The doors in ARCHITECTURE.md, one row per line. */
export function renderDoorTable(): string[] {
  const rows = Object.entries(doors).flatMap(([room, files]) =>
    Object.entries(files).map(([file, purpose]) => `| \`${room}/${file}\` | ${purpose} |`),
  )
  return ['| Door | For |', '| --- | --- |', ...rows]
}

/** The table in CONTRIBUTING.md, one row per line. */
export function renderPackageTable(): string[] {
  const rows = folders.flatMap(({ path, packages }) =>
    packages ? [`| \`${path}\` | ${packages.map((name) => `\`${name}\``).join(' ')} |`] : [],
  )
  return ['| Directory | Packages it may import |', '| --- | --- |', ...rows]
}
