/** A folder of `src` and the files it may import. Subfolders without a row belong to it. */
interface Folder {
  /** Relative to `src`, such as `text` or `site/page`. */
  readonly path: string
  /** Its content, for the table in ARCHITECTURE-ROOMS.md: Markdown without a final full stop. */
  readonly purpose: string
  /** Part of the core: no disk, network, process, clock, randomness or console. */
  readonly isCore: boolean
  /** What its files may import, besides their own row: rows of the same room, and other rooms (through their doors) or rows of them. */
  readonly imports: readonly string[]
  /** The packages that only this folder may import, with their subpaths. */
  readonly packages: readonly string[]
}

/**
 * A folder, with `◦` if it is part of the core; its content; what it imports, where `.` is its room; its packages. See {@link Folder}.
 */
type Row = readonly [path: string, purpose: string, imports: string, packages?: string]

/**
 * The only list of folders. `test/architecture.test.ts` enforces it, and `npm run docs` writes the tables in ARCHITECTURE-ROOMS.md and
 * CONTRIBUTING.md from it.
 */
// biome-ignore format: a table has one row per line
const rows: readonly Row[] = [
  ['text ◦', 'source text, positions, JSON pointers, JSON and YAML parsing', '', 'js-yaml jsonc-parser'],
  ['diagnostics ◦', '`Diagnostic`, codes, output formats', 'text'],
  ['openapi/schema ◦', 'JSON Schema: types, values, keywords, formats', 'text'],
  ['openapi ◦', 'types of descriptions and of the walk', './schema diagnostics text'],
  ['openapi/hints ◦', 'problems with the hint that fits them', 'diagnostics text . ./schema'],
  ['openapi/tables ◦', 'fields of each object by OpenAPI version, rules for one object', './hints ./schema . text'],
  ['openapi/references ◦', '`$ref` targets, schemas with an `$id` or `$anchor`', 'diagnostics text . ./tables ./schema'],
  ['openapi/overlays ◦', 'Overlay documents', 'diagnostics text ./schema .'],
  ['openapi/read ◦', 'the walk over a description, its operations', 'text ./hints ./references ./overlays . diagnostics ./tables ./schema'],
  ['openapi/public ◦', 'what of a description may be published', 'text ./schema ./read diagnostics . ./tables ./references'],
  ['openapi/bundle ◦', 'copies by the tables, bundles of several files', 'text . ./references ./tables'],
  ['model ◦', 'what a description means: typed objects with all defaults, how values are written, which response and media type apply', 'openapi text'],
  ['model/instances ◦', 'the one interpreter of JSON Schema: values, matched with schemas', 'openapi text'],
  ['checks ◦', '`checkDescription`, checks of whole descriptions', 'model openapi diagnostics text'],
  ['traffic ◦', 'recorded traffic: read, matched with operations, compared with the description; what clients send and receive', 'model openapi diagnostics text', '@streamparser/json yaml'],
  ['changes ◦', 'API changes: codes, levels, places, accepted changes', 'model diagnostics text'],
  ['changes/differences ◦', 'differences: collected, named and identified', 'model . openapi text'],
  ['changes/match ◦', 'operations of both versions, matched and selected', '. checks model openapi diagnostics text'],
  ['changes/schema ◦', 'comparison of schemas, a file for each group of keywords', 'model ./differences openapi text'],
  ['changes/clients ◦', 'what changes do to recorded clients', 'traffic . model openapi diagnostics text'],
  ['changes/compare ◦', 'comparison of descriptions and their operations, changelogs', 'checks model ./clients ./schema ./match ./differences . openapi diagnostics text'],
  ['changes/show ◦', 'changes as text, JSON, SARIF, JUnit and annotations', '. diagnostics text'],
  ['script/parse ◦', 'JavaScript to syntax trees', '', '@sveltejs/acorn-typescript acorn acorn-jsx estree-jsx'],
  ['script/values ◦', 'values of scripts and their methods', 'text', 'estree-jsx'],
  ['script/run ◦', 'JavaScript of pages and rules, evaluated without running it', './values', 'estree-jsx'],
  ['docs/config ◦', 'the configuration file: settings, their names and defaults', 'changes diagnostics openapi text'],
  ['docs/navigation ◦', '`docs.json`: divisions, entries, bindings, redirects, edits of its text', './config diagnostics text', 'jsonc-parser'],
  ['docs/pages ◦', 'pages: frontmatter, bindings, paths, texts, the lock file', './navigation ./config openapi diagnostics text', 'yaml'],
  ['docs/adopt ◦', 'adoption of pages that a team wrote', './pages ./navigation ./config diagnostics text', 'yaml'],
  ['docs/plan ◦', 'plans of pages, navigation and redirects', './adopt ./pages ./navigation ./config openapi diagnostics text'],
  ['rules ◦', 'rules as data, and the formats of documents they apply to', 'diagnostics text'],
  ['rules/path ◦', 'JSONPath expressions: parsed, and all matched in one walk', '. text'],
  ['rules/functions ◦', 'functions of rules: those of Spectral, `openapi/`', '. model openapi text'],
  ['rules/custom ◦', 'functions in JavaScript files of a ruleset', '. script diagnostics text'],
  ['rules/read ◦', 'rulesets: parsed, and combined with those they extend', './custom ./functions ./path . diagnostics text'],
  ['rules/run ◦', 'rules applied to a description', './path . openapi diagnostics text'],
  ['docs', 'what checks and updates take and return', 'files ./pages ./config traffic checks openapi diagnostics text'],
  ['docs/read', 'docs directories, documents and recordings, found and read', 'files traffic . ./pages ./navigation ./config changes openapi diagnostics text', 'json-p3'],
  ['docs/rules', 'rulesets of documents, found, loaded and applied', 'files ./read . rules ./config checks openapi diagnostics text', 'yaml'],
  ['docs/check', 'checks of documents and docs directories', 'files traffic changes model ./rules ./read . rules ./pages ./navigation ./config checks openapi diagnostics text'],
  ['docs/versions', 'versions compared: changes, changelogs, accepted changes', 'files traffic ./check ./read . ./config changes checks openapi diagnostics text', 'yaml'],
  ['docs/update', 'updates, adoptions and their reports', 'files ./check ./read . ./plan ./adopt ./pages ./navigation ./config traffic checks openapi diagnostics text', '@apidevtools/swagger-parser yaml'],
  ['status ◦', 'update status record', 'diagnostics text'],
  ['site/content/allowed ◦', 'HTML, SVG and CSS that pages may contain', 'text script', 'css-tree hast hast-util-sanitize property-information'],
  ['site/content ◦', 'MDX parser', './content/allowed docs diagnostics text script', 'estree-jsx github-slugger hast hast-util-raw mdast mdast-util-from-markdown mdast-util-gfm mdast-util-math mdast-util-mdx mdast-util-to-hast micromark-extension-gfm micromark-extension-math micromark-extension-mdxjs'],
  ['playground/request ◦', 'serialized requests', 'model openapi text'],
  ['playground/samples ◦', 'code samples', './request text'],
  ['site/reference ◦', 'data of reference pages', './messages playground checks model openapi text', 'ret'],
  ['site/messages ◦', 'interface texts', ''],
  ['site/search ◦', 'search: words, index, queries', 'text'],
  ['site/plan ◦', 'pages, navigation and settings of a site, from `docs.json`', './messages ./reference playground docs openapi diagnostics text', 'culori'],
  ['site/plan/checks ◦', 'checks of settings, pages, icons and links of a site', './plan ./content docs diagnostics text openapi'],
  ['site/page ◦', 'data that pages share: URLs, element IDs, languages', './plan ./messages ./reference ./content diagnostics text changes', 'preact'],
  ['site/page/icons ◦', 'icons on pages', './page ./plan text'],
  ['site/page/theme ◦', 'stylesheets: colors, fonts, looks', './page ./plan text', 'css-tree culori'],
  ['site/page/code ◦', 'code blocks and diagrams', './page/icons ./page ./plan playground text script', 'preact shiki'],
  ['site/page/components ◦', 'components of MDX pages', './page/code ./page/theme ./page/icons ./page ./plan/checks ./plan ./messages ./content ./content/allowed diagnostics text script', 'katex preact preact-render-to-string'],
  ['site/page/shell ◦', 'frame of a page: header, sidebar, `<head>`', './page/components ./page/code ./page/theme ./page/icons ./page ./plan ./messages ./content ./content/allowed openapi text script', 'preact preact-render-to-string'],
  ['site/page/api ◦', 'API pages', 'model ./page/shell ./page/components ./page/code ./page/icons ./page ./plan ./messages ./reference playground ./content docs changes openapi diagnostics text script', 'preact preact-render-to-string'],
  ['site/page/search ◦', 'search index', './page/markdown ./page/api ./page/components ./page ./plan ./search ./messages ./content/allowed text script changes', 'preact'],
  ['site/page/markdown ◦', 'Markdown of pages', './page/api ./page/code ./page/components ./page ./plan ./messages text script', 'mdast mdast-util-gfm mdast-util-to-markdown preact'],
  ['site/page/output ◦', 'whole pages, and the files next to them', './page/markdown ./page/search ./page/api ./page/shell ./page/components ./page/icons ./page ./plan/checks ./plan ./messages ./content docs changes diagnostics text script', 'preact preact-render-to-string'],
  ['site/page/review ◦', 'changed pages of an API and changed guides, before and after', './page/api ./page/shell ./page/code ./content ./page/components ./page ./plan ./messages ./reference changes checks model openapi text', 'diff preact preact-render-to-string'],
  ['site/make', 'site builds, full and incremental', 'files ./page/review ./page/output ./page/markdown ./page/search ./page/api ./page/shell ./page/components ./page/code ./page/theme ./page ./plan/checks ./plan ./messages ./reference ./content ./content/allowed docs checks openapi diagnostics text changes', 'image-size js-yaml katex'],
  ['site/preview', 'local preview server', 'files ./make ./page/output ./page/search ./page/api ./page/shell ./page ./plan/checks ./plan ./messages docs diagnostics text', 'preact preact-render-to-string'],
  ['site/client', 'page scripts (browser)', 'playground ./page/code ./page ./search ./messages text', 'mermaid'],
  ['playground/controls', 'buttons, the editor, texts (browser)', 'site/messages ./request text', '@codemirror/commands @codemirror/lang-json @codemirror/language @codemirror/state @codemirror/view @lezer/highlight preact'],
  ['playground/form', 'fields of the form (browser)', './controls ./request model openapi text', 'preact'],
  ['playground/send', 'sending the request (browser)', 'text ./controls ./form ./request'],
  ['playground/authentication', 'credentials (browser)', 'model text ./controls ./request ./send ./form', 'preact'],
  ['playground/answer', 'response and code samples (browser)', './request ./controls ./send ./form text ./samples', 'preact'],
  ['playground', 'API playground (browser)', './answer ./authentication ./send ./form ./controls site/messages ./request text', 'preact'],
  ['files', 'file access below one root, atomic writes', 'text'],
  ['git', 'the `git` process', 'files status text'],
  ['github/report ◦', 'Markdown for checks and comments', 'changes diagnostics text'],
  ['github/requests', 'Octokit: pace, budget, fence and errors of requests', 'text', '@octokit/rest'],
  ['github/repositories', 'archives, commits, branches, pull requests, check runs', './requests ./report files status diagnostics text', 'tar-stream'],
  ['github/apps', 'GitHub Apps, their installations and users', './requests text', '@octokit/auth-app'],
  ['store/database', 'tables, transactions, caches, locks: what SQLite and PostgreSQL have in common', 'text', 'kysely lru-cache'],
  ['store/sqlite', 'SQLite, in one file', './database files text', 'kysely'],
  ['store/postgres', 'PostgreSQL, for several processes', './database text', 'kysely pg'],
  ['store/records', 'updates, projects, audit lines', './database status text', 'kysely'],
  ['store/people', 'sessions, passes, links, tokens', './records ./database', 'kysely'],
  ['store/sites', 'built sites and their domains', './records ./database status text', '@aws-sdk/client-s3 kysely'],
  ['store/queue', 'jobs: accepted, leased, reported', './people ./sites ./records ./database status text', 'kysely'],
  ['store', 'storage in SQLite or PostgreSQL', './queue ./people ./sites ./records ./postgres ./sqlite ./database status text', 'kysely'],
  ['status/client', 'HTTP client of the app', 'files . text'],
  ['site/agents', 'MCP tools', './make ./messages ./page/output ./page/search ./page/api ./page ./search text playground', '@modelcontextprotocol/server typebox'],
  ['action/inputs', 'inputs, event, and what the token may do', 'status github git files docs text', '@actions/core @actions/github tinyglobby'],
  ['action/delivery', 'commits and pull requests', './inputs github git files docs checks openapi diagnostics text'],
  ['action/report', 'log, annotations, job summary, comments, report to the app', './delivery ./inputs status github git files docs changes diagnostics text', '@actions/core'],
  ['action/run', 'steps of a run', './report ./delivery ./inputs github git files site docs diagnostics text', '@actions/core'],
  ['action/docs-repository', 'docs in another repository', './run ./report ./delivery ./inputs git files docs diagnostics text', '@actions/core'],
  ['action', 'entry point: GitHub Action', './docs-repository ./run ./report ./inputs files text', '@actions/core'],
  ['cli/base', 'context, options and errors of commands', 'files docs changes diagnostics text', '@clack/prompts commander'],
  ['cli/print', 'text for the terminal', './base docs diagnostics text', 'diff'],
  ['cli/open', 'docs and documents that arguments name: find, open, watch, write', './print ./base git files site docs changes checks openapi diagnostics text', 'commander tinyglobby'],
  ['cli/setup', '`init` and `doctor`', './commands ./open ./print ./base git files site docs diagnostics text'],
  ['cli/editors', '`lsp` and `mcp`', './open ./print ./base site files docs changes openapi diagnostics text', 'commander typebox vscode-languageserver vscode-languageserver-textdocument'],
  ['cli/commands', 'the other commands', './open ./print ./base status github git files site docs traffic changes checks diagnostics text', 'commander'],
  ['cli', 'entry point: command line', './commands ./editors ./setup ./base docs text', 'commander'],
  ['app/base', 'context, settings, keys, links, logs and metrics', 'store github files status docs changes diagnostics text', 'fastify pino prom-client typebox'],
  ['app/http', 'requests: callers and their limits, problems, waiting', './base store github status text', 'cookie fastify jose typebox'],
  ['app/isolate', 'child processes that read untrusted files', ''],
  ['app/check', 'checks and comparisons of commits, in a child process', './isolate ./base store github files site status docs openapi diagnostics text'],
  ['app/publish', 'site builds, in a child process; their files and screenshots', './isolate ./http ./base store github files site status docs diagnostics text', 'fastify lru-cache playwright-core typebox'],
  ['app/github-events', 'webhooks, comparison with GitHub, checks and comments', './publish ./check ./http ./base store github status docs changes diagnostics text', 'fastify pino probot typebox'],
  ['app/jobs', 'jobs of the queue', './github-events ./publish ./check ./isolate ./base store github files status docs diagnostics text', 'pino'],
  ['app/sites', 'hosting of sites: access, MCP, relay, custom domains', './publish ./http ./base store files playground site docs text', 'fastify lru-cache typebox'],
  ['app/api', 'the HTTP API `/v1`, its description, health', './github-events ./publish ./http ./base store github site status docs text', 'fastify typebox'],
  ['app/screens', 'pages: dashboard, sign-in, setup, updates', './api ./sites ./github-events ./publish ./http ./base store github files status docs changes diagnostics text', 'fastify jose lru-cache openid-client preact preact-render-to-string typebox'],
  ['app/start', 'the server, put together from all parts, and its checks', './screens ./api ./sites ./jobs ./github-events ./publish ./http ./base store github files diagnostics text', 'fastify pino typebox'],
  ['app/commands', 'commands of `openapi-pages-app`', './start ./screens ./github-events ./base store github files status docs diagnostics text', 'commander'],
  ['app', 'entry point: GitHub App, API, dashboard, sites', './commands text'],
]

export const folders: readonly Folder[] = rows.map(([path, purpose, imports, packages]) => ({
  path: path.replace(' ◦', ''),
  purpose,
  isCore: path.endsWith('◦'),
  imports: imports.split(' ').flatMap((name) => (name === '' ? [] : [name.replace(/^\./, path.split(/[/ ]/, 1)[0] ?? '')])),
  packages: packages?.split(' ') ?? [],
}))

/**
 * The doors of each room, which is a top-level folder of `src`: the only files that other rooms may import, types included, with what they use
 * them for. The programs `action` and `app` have none.
 */
export const doors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  action: {},
  app: {},
  cli: { 'commands/module.ts': 'the functions of the module' },
  docs: {
    'types.ts': 'what checks and updates take, and their reports',
    'config/config-files.ts': 'names of configuration files, their defaults, and the version of the package',
    'config/project-config.ts': 'settings of the configuration file, and their defaults',
    'navigation/docs-config.ts': '`docs.json` as it is read: divisions, entries, redirects',
    'navigation/edit-json.ts': 'edits of JSON that keep its layout',
    'navigation/key-support.ts': 'keys of `docs.json` and of frontmatter that sites support',
    'pages/generated-page.ts': 'paths, titles and texts of generated pages',
    'pages/page-bindings.ts': 'frontmatter of pages, and the operations that it binds them to',
    'pages/plan-openapi-file.ts': 'pages of one document, for `openapi-file`',
    'pages/subjects.ts': 'operations, webhooks and schemas that pages are about',
    'read/find-docs.ts': 'docs directories, documents and their configuration files, found',
    'read/read-docs-directory.ts': 'the files of a docs directory, read',
    'rules/list-rules.ts': 'rules, listed and tested',
    'check/run-check.ts': 'checks of documents and docs directories',
    'check/recorded-clients.ts': 'clients of an API, recorded and listed',
    'check/organization-rules.ts': 'the ruleset of an organization',
    'check/survey-docs-directory.ts': 'what was read from a docs directory, for checks of its links',
    'versions/accept-changes.ts': 'the file with accepted changes, edited',
    'versions/changelogs.ts': 'changelogs of a site',
    'versions/compare-documents.ts': 'documents, compared in two versions',
    'update/docs-status.ts': 'the status of pages, their adoption, and settings that would add some',
    'update/public-files.ts': 'files without what only some readers may see',
    'update/run-update.ts': 'updates, planned',
    'update/stored-documents.ts': 'documents of other repositories',
    'update/update-results.ts': 'reports of updates as JSON and log lines',
  },
  github: {
    'apps/github-app.ts': 'GitHub Apps: their clients, installations and deliveries',
    'apps/users.ts': 'people: sign-in, and access to repositories',
    'report/feedback.ts': 'what checks, comments and summaries report, and their sections',
    'report/markdown.ts': 'Markdown that is safe with untrusted text',
    'repositories/archives.ts': 'repositories as archives: download, unpack',
    'repositories/branches.ts': 'branches: read, move, commit to',
    'repositories/check-runs.ts': 'check runs, commit statuses and deployments',
    'repositories/commits.ts': 'commits: find, compare, list their files',
    'repositories/pull-requests.ts': 'pull requests and their comments',
    'requests/github-client.ts': 'the client: its types, and a client for a token',
  },
  site: {
    'agents/site-tools.ts': 'tools for agents: those of a site, and how one is defined',
    'agents/source-pages.ts': 'the pages of a site that is not built, for these tools',
    'agents/mcp-server.ts': 'the MCP server, loaded when an agent connects',
    'make/build-site.ts': 'builds a site',
    'make/review-site.ts': 'the review of a docs directory: its API, guides and navigation, before and after',
    'make/render-memory.ts': 'the record of a build that the next one reuses',
    'make/read-site.ts': 'reads a docs directory as a site without rendering it',
    'make/assets/read-site-assets.ts': 'the scripts and stylesheets of a site',
    'make/links/docs-links.ts': 'checks the links of a docs directory; lists those to other sites',
    'preview/start-preview.ts': 'the local preview',
    'messages/messages.ts': 'texts of the interface',
    'search/find-hits.ts': 'queries of the search index',
    'plan/file-types.ts': 'types of files, and how a site serves them',
    'page/api/server-sources.ts': 'whether a URL belongs to a server of an operation',
  },
  store: {
    'store.ts': 'the store: its methods, and how it is opened',
    'copy-store.ts': 'copies a store from SQLite to PostgreSQL',
    'database/holds.ts': 'leases, locks and leadership of processes',
    'queue/jobs.ts': 'jobs of the queue, and the work that it accepts',
    'records/stored-records.ts': 'stored updates, projects, people and usage',
    'sites/stored-sites.ts': 'stored sites',
  },
  text: {
    'errors.ts': 'errors that only a person can fix: settings, disk, Git, GitHub',
    'parse-source.ts': 'JSON and YAML files: their value, their problems, the places of pointers',
    'json/json-values.ts': 'values of JSON and YAML: own keys, pointers, numbers as written',
    'yaml/parse-yaml.ts': 'YAML in other files, and comments of YAML',
    'plain/source-file.ts': 'files as text: lines, ranges, edits, planned changes',
    'plain/escape-text.ts': 'untrusted text in terminals, logs and XML; masked secrets',
    'plain/paths.ts': 'relative paths and URLs: join, normalize, encode',
    'plain/lists.ts': 'lists: group, sort, name',
    'plain/suggest.ts': 'the name that a person may have meant',
    'plain/limits.ts': 'limits of sizes, counts and times',
    'plain/scan-markdown.ts': 'Markdown that is not parsed: its code, its images, the work that it takes',
  },
  diagnostics: {
    'diagnostic.ts': '`Diagnostic`, codes and severities',
    'finish-diagnostics.ts': 'findings become diagnostics: rules of the configuration, lines, order',
    'format-text.ts': 'output for terminals, GitHub and programs',
    'format-ci.ts': 'SARIF, JUnit, Checkstyle, GitLab and other formats of CI systems; help texts',
  },
  files: {
    'files.ts': '`Files`: what reads files below one root',
    'disk-files.ts': 'files on the disk and streams: read within limits, list, watch',
    'disk-writes.ts': 'single files and folders: write atomically, remove',
    'apply-file-changes.ts': 'planned changes: all of them or none',
    'output-folder.ts': 'the output folder of a site, with its manifest',
    'boundary.ts': 'who named a path, the folder that limits access, and links that leave it',
    'fetch-document.ts': 'documents at URLs',
    'network.ts': 'proxies, reasons of failures, requests to public hosts only',
  },
  git: {
    'git.ts': 'the `git` process and its errors',
    'commit.ts': 'commits, the remote that they go to, and what only Git knows about files',
    'push.ts': 'pushes, and branches that propose a change',
    'revisions.ts': 'files, history and differences of commits',
    'remote-repository.ts': 'another repository, cloned for its files',
  },
  status: {
    'update-record.ts': 'records of updates and projects, the steps of an update, and its summary',
    'subdomain.ts': 'subdomains of sites',
    'client/call-app.ts': 'requests to the app, such as reports of the Action',
  },
  model: {
    'api.ts': 'a description that is read, and what its objects have in common',
    'bodies.ts': 'bodies, responses and links',
    'content.ts': 'media types, encodings, headers and examples',
    'parameters.ts': 'parameters that apply to an operation',
    'schema.ts': 'schemas that apply to a value, merged',
    'security.ts': 'security schemes and requirements',
    'servers.ts': 'servers that apply to an operation',
    'typed-texts.ts': 'texts of queries and forms, with the types of their schemas',
    'written-values.ts': 'media types, what applies, and how values are written',
    'instances/match-schema.ts': 'match a value with a schema, in each dialect of JSON Schema',
  },
  checks: {
    'check-description.ts': 'read and check a description, find what its errors affect',
  },
  openapi: {
    'types.ts': 'descriptions, places, how documents are loaded',
    'walk.ts': 'what a walk collects, the files it read, and what OpenAPI expects in them',
    'read/read-description.ts': 'read a description: its files, overlays, version and parts',
    'read/collect-operations.ts': 'operations and path items',
    'read/titles.ts': 'titles, names and labels for readers',
    'references/follow-reference.ts': '`$ref`, `$id`, `$anchor` and places',
    'schema/json-schema.ts': 'types, limits, equality, patterns and formats of values',
    'tables/object-tables.ts': 'what OpenAPI expects at a place',
    'overlays/parse-overlay.ts': 'Overlay documents',
    'public/filter-description.ts': 'remove what is not published',
    'public/restriction-marks.ts': 'which parts are not published',
    'bundle/bundle-description.ts': 'copy objects by their tables, join the files of a description',
  },
  changes: {
    'change.ts': 'what a change is: codes, levels, places, thresholds; changes that were accepted',
    'compare/compare.ts': 'comparison of two versions of a description',
    'compare/changelog.ts': 'changes by version, and comparison for a changelog',
    'show/changes-text.ts': 'changes for people: groups, names of operations, text',
    'show/changes-formats.ts': 'changes for programs: JSON, SARIF, JUnit, annotations',
  },
  traffic: {
    'exchange.ts': 'recorded exchanges of all formats',
    'read-recording.ts': 'recordings, read',
    'route.ts': 'the operations of recorded requests',
    'drift.ts': 'differences between recordings and documents',
    'client-file.ts': 'what clients send and receive, recorded, written and read',
  },
  rules: {
    'ruleset.ts': 'what a rule and a ruleset are, and what reading them needs from outside',
    'read/read-rulesets.ts': 'rulesets with those they extend, and `spectral:oas`',
    'run/run-ruleset.ts': 'rules applied to a description',
  },
  script: {
    'parse/parse-script.ts': 'JavaScript as a syntax tree',
    'values/values.ts': 'values of scripts, and of pages made from them; limits of an evaluation',
    'values/operators.ts': 'values as text, their kinds in words, their items',
    'run/names.ts': 'names in scope, and those that pages and rules know',
    'run/read-modules.ts': 'modules of pages and of rules, run',
  },
  playground: {
    'open-playground.tsx': 'the dialog, loaded on demand',
    'request/fill-request.ts': 'the request of an operation with values',
    'request/http-request.ts': 'requests: build and serialize',
    'request/request-body.ts': 'bodies of requests',
    'request/read-operation.ts': 'what the playground needs of an operation, and the values of samples',
    'request/match-source.ts': 'which servers a security policy allows',
    'request/relay-format.ts': 'the relay, and how the page of a sign-in answers',
    'samples/all-samples.ts': 'the writers of code samples',
    'samples/sample-languages.ts': 'languages of code samples, and their colors',
  },
}

/** The row of a file of `src`, by the longest matching path; undefined for top-level files and for folders without a row. */
export function findFolder(file: string): Folder | undefined {
  return folders
    .filter(({ path }) => file.startsWith(`${path}/`))
    .reduce<Folder | undefined>((best, row) => (best && best.path.length > row.path.length ? best : row), undefined)
}

/** The rows that a row may import. A name of another room stands for all its rows. */
export function listImportedRows({ path, imports }: Folder): Folder[] {
  const [room = ''] = path.split('/')
  const isOf = (row: string, name: string) => row === name || (name !== room && !name.includes('/') && row.startsWith(`${name}/`))
  return folders.filter((row) => imports.some((name) => isOf(row.path, name)))
}

/** The table in ARCHITECTURE-ROOMS.md, one row per line. */
export function renderFolderTable(): string[] {
  const lines = rows.map(
    ([path, purpose, imports]) =>
      `| \`${path.replace(' ◦', '` ◦')}${path.endsWith('◦') ? '' : '`'} | ${purpose} | ${imports || '–'} |`,
  )
  return ['| Directory | Content | Imports |', '| --- | --- | --- |', ...lines]
}

/** The doors in ARCHITECTURE-ROOMS.md, one row per line. */
export function renderDoorTable(): string[] {
  const lines = Object.entries(doors).flatMap(([room, files]) =>
    Object.entries(files).map(([file, purpose]) => `| \`${room}/${file}\` | ${purpose} |`),
  )
  return ['| Door | For |', '| --- | --- |', ...lines]
}

/** The table in CONTRIBUTING.md, one row per line. */
export function renderPackageTable(): string[] {
  const lines = folders.flatMap(({ path, packages }) =>
    packages.length > 0 ? [`| \`${path}\` | ${packages.map((name) => `\`${name}\``).join(' ')} |`] : [],
  )
  return ['| Directory | Packages it may import |', '| --- | --- |', ...lines]
}
