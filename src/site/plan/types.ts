import type { SiteSetting } from '../../docs/config/project-config.ts'
import type { PageFrontmatter } from '../../docs/pages/page-bindings.ts'
import type { Label } from '../../openapi/types.ts'
import type { SampleLanguage } from '../../playground/samples/sample-languages.ts'
import type { JsonObject } from '../../text/json/json-values.ts'
import type { AllowedUrl } from '../../text/plain/paths.ts'
import type { IconLibrary } from './icon-sets.ts'

/**
 * A site before rendering: its settings, its pages and its navigation.
 *
 * A route is a path within the site without a leading `/` and extension, such as `guides/quickstart`. The route of the start page is `''`.
 */
export interface SitePlan {
  readonly settings: SiteSettings
  readonly navigation: DivisionNode
  /** All pages: those in the navigation, in order, then all others, sorted by route. */
  readonly pages: readonly SitePage[]
  readonly pageByRoute: ReadonlyMap<string, SitePage>
  /** The routes of operations by their `operationId`. */
  readonly operationRoutes: ReadonlyMap<string, string>
}

/** The site-wide settings of `docs.json`. Contains only valid values and safe URLs. */
export interface SiteSettings {
  readonly name: string
  readonly description: string | undefined
  /** The BCP 47 language of pages outside of language divisions; `en` by default. */
  readonly language: string
  readonly logo: { readonly light: AllowedUrl; readonly dark: AllowedUrl; readonly href: AllowedUrl | undefined } | undefined
  readonly favicon: { readonly light: AllowedUrl; readonly dark: AllowedUrl } | undefined
  readonly colors: { readonly primary: string | undefined; readonly light: string | undefined; readonly dark: string | undefined }
  /** The initial theme, and whether readers cannot change it. */
  readonly appearance: { readonly default: 'system' | 'light' | 'dark'; readonly strict: boolean }
  /** The library of icon names. Names that it does not have are searched in the others. */
  readonly icons: { readonly library: IconLibrary }
  /** Fonts in the repository, and Inter. Fonts from other hosts are ignored. */
  readonly fonts: { readonly body: SiteFont | undefined; readonly heading: SiteFont | undefined }
  readonly background: {
    readonly color: { readonly light: string | undefined; readonly dark: string | undefined }
    readonly decoration: 'gradient' | undefined
  }
  readonly styling: { readonly eyebrows: 'section' | 'breadcrumbs'; readonly codeblocks: 'system' | 'dark' }
  /** Entries of the page menu. */
  readonly contextual: readonly ContextualOption[]
  readonly navbar: { readonly links: readonly SiteLink[]; readonly primary: SiteLink | undefined }
  readonly footer: {
    readonly socials: readonly SiteLink[]
    readonly columns: readonly { readonly header: string; readonly links: readonly SiteLink[] }[]
  }
  /** Markdown. */
  readonly banner:
    | {
        readonly content: string
        readonly dismissible: boolean
        readonly type: 'info' | 'warning' | 'critical'
        /** The background in each theme. */
        readonly color: { readonly light: string; readonly dark: string } | undefined
      }
    | undefined
  /** Settings that languages override, by label. */
  readonly languages: Readonly<Record<string, Partial<Pick<SiteSettings, 'banner' | 'navbar' | 'footer'>>>>
  readonly redirects: readonly { readonly source: string; readonly destination: string; readonly permanent: boolean }[]
  /** The text of the empty search field; `search.prompt`. */
  readonly searchPrompt: string | undefined
  /** Whether pages show when they were last changed. */
  readonly timestamp: boolean
  readonly metatags: Readonly<Record<string, string>>
  /** Meta tags of the pages below a path, shortest path first. A path has no `/` at its start and end. */
  readonly metatagPaths: readonly { readonly path: string; readonly metatags: Readonly<Record<string, string>> }[]
  /** Whether search engines may list pages outside of the navigation. */
  readonly indexing: 'navigable' | 'all'
  readonly errors: { readonly redirect: boolean; readonly title: string | undefined; readonly description: string | undefined }
  readonly api: ApiSettings
  /** What the authors ask of assistants that read the Markdown of the site. Each can have several lines. */
  readonly instructions: readonly string[]
  /** The publisher in structured data, from `seo.organization`. */
  readonly organization: SiteOrganization
  /** Text variables for pages. */
  readonly variables: Readonly<Record<string, string>>
  /** Absent if there are none, or if this site may not use them. */
  readonly integrations: Integrations | undefined
  /** `site` of the configuration file, as far as this site may follow it. */
  readonly site: SiteSetting
}

/** Services of other hosts that a site uses, such as analytics. */
export interface Integrations {
  /** Their names in `integrations` of `docs.json`. */
  readonly names: readonly string[]
  /** The script that starts them. */
  readonly file: SiteFile
  /** What they need of the Content Security Policy, by directive. */
  readonly sources: Readonly<Record<string, readonly string[]>>
}

/** All URLs are absolute, except for a logo in the repository. */
export interface SiteOrganization {
  /** Identifies the organization on all its pages. */
  readonly id: string | undefined
  readonly name: string | undefined
  readonly legalName: string | undefined
  readonly url: string | undefined
  readonly logo: AllowedUrl | undefined
  /** Official profiles. */
  readonly sameAs: readonly string[]
}

/** A font in the repository, or the one that is part of this package. */
export type SiteFont =
  | 'inter'
  | {
      /** A path within the site. */
      readonly source: string
      /** A CSS font weight such as `400`; absent for variable fonts. */
      readonly weight: string | undefined
    }

/** The size of text in a font. Lengths are in em. */
export interface FontMetrics {
  readonly ascent: number
  readonly descent: number
  readonly lineGap: number
  /** The mean width of letters in English text. */
  readonly letterWidth: number
  /** Whether its default weight is at least 600. */
  readonly isBold: boolean
}

/** A font of a site as it is published. */
export interface FontFile {
  /** Relative to the output directory. The name has a hash. */
  readonly path: string
  /** A CSS font weight; absent for variable fonts. */
  readonly weight: string | undefined
  /** Absent if they could not be read. */
  readonly metrics: FontMetrics | undefined
}

/** The fonts of a site. */
export interface FontFiles {
  readonly body?: FontFile
  /** Only if it differs from the one for text. */
  readonly heading?: FontFile
}

export type ContextualOption =
  | { readonly kind: 'copy' | 'view' | 'chatgpt' | 'claude' | 'perplexity' | 'grok' | 'aistudio' }
  /** They need the MCP server of the site. */
  | { readonly kind: 'mcp' | 'add-mcp' | 'cursor' | 'vscode' }
  /** The OpenAPI documents of API pages, which are otherwise at the end. */
  | { readonly kind: 'download-spec' }
  /** In `href`, `{$page}`, `{$path}` and `{$mcp}` are replaced with the URL and route of the page, and the URL of the MCP server. */
  | {
      readonly kind: 'link'
      readonly title: string
      readonly description: string | undefined
      readonly icon: string | undefined
      readonly href: AllowedUrl
    }

export interface ApiSettings {
  readonly playground: { readonly display: 'interactive' | 'simple' | 'none' | 'auth'; readonly credentials: boolean }
  readonly examples: {
    /** `undefined` for the default ones. */
    readonly languages: readonly SampleLanguage[] | undefined
    readonly defaults: 'required' | 'all'
    /** Without a value, optional bodies that no author wrote stay empty. */
    readonly prefill: boolean | undefined
    readonly autogenerate: boolean
  }
  readonly params: {
    readonly expanded: 'all' | 'closed'
    /** Fields of schemas whose values are labels. */
    readonly post: readonly string[]
  }
  /** For pages with `api: METHOD url` and no OpenAPI document. */
  readonly mdx: {
    readonly servers: readonly string[]
    readonly auth: { readonly method: string; readonly name: string | undefined } | undefined
  }
}

export interface SiteLink extends Omit<LinkNode, 'kind'> {
  readonly type: string | undefined
}

/** A page of the site. */
export interface SitePage {
  readonly route: string
  /** The page file relative to the docs directory, even if it is not written yet; absent for entries such as `GET /pets`. */
  readonly path: string | undefined
  readonly title: string
  readonly sidebarTitle: string
  readonly description: string | undefined
  readonly icon: string | undefined
  /** A label next to the title in the navigation, such as `NEW`. */
  readonly tag: string | undefined
  readonly deprecated: boolean
  /** Next to the title, and the first short one in the navigation. */
  readonly labels: readonly Label[]
  /** The layout, from `mode` in the frontmatter. */
  readonly mode: 'default' | 'wide' | 'custom' | 'center' | 'frame'
  /** The target of a page that is only a link, from `url` in the frontmatter. */
  readonly externalUrl: AllowedUrl | undefined
  /** Whether the page is published but not listed. */
  readonly hidden: boolean
  readonly noindex: boolean
  /** Whether it is the page of an operation with `x-hidden`: only links of authors lead to it, whatever the settings are. */
  readonly isUnlisted?: boolean
  /** The route of the page with the plain address that has the same content. Absent if it is no copy. */
  readonly copyOf?: string
  readonly frontmatter: JsonObject
  /** An error in the frontmatter, with its location. */
  readonly frontmatterError?: PageFrontmatter['fault']
  readonly subject: PageSubjectRef
  /** The ancestors of the page, starting with the root; empty if the navigation does not list the page. */
  readonly trail: readonly NavigationNode[]
}

/** The subject of a page. */
export type PageSubjectRef =
  | { readonly kind: 'guide' }
  /** `source` is `DocumentSource.source`, `target` is for example `GET /pets`. */
  | { readonly kind: 'operation'; readonly source: string; readonly target: string }
  | { readonly kind: 'webhook'; readonly source: string; readonly name: string }
  | { readonly kind: 'schema'; readonly source: string; readonly name: string }
  /** The list of the schemas of an API. */
  | { readonly kind: 'schemas'; readonly source: string }
  /** The start page of an API: servers, authorization, downloads and tags. */
  | { readonly kind: 'description'; readonly source: string }
  /** The changes of an API by version. */
  | { readonly kind: 'changelog'; readonly source: string }
  /** The operations of a tag's group. */
  | { readonly kind: 'tag'; readonly source: string; readonly name: string }
  /** `api: METHOD url` in the frontmatter, without an OpenAPI document. */
  | { readonly kind: 'endpoint'; readonly method: string; readonly url: string }
  /** The OpenAPI document could not be read. */
  | { readonly kind: 'unreadable'; readonly source: string }
  /** The binding does not match anything, so the page has no API reference. */
  | { readonly kind: 'unbound'; readonly binding: string }

/** A node of the navigation. */
export type NavigationNode = DivisionNode | PageNode | LinkNode

export interface DivisionNode {
  readonly kind: 'navigation' | 'tab' | 'anchor' | 'dropdown' | 'product' | 'version' | 'language' | 'item' | 'group'
  /** The unique ID of the division, see `Division.id`. */
  readonly id: string
  readonly label: string
  /** The name of the API tag that the label is made from, if it differs. */
  readonly tagName?: string | undefined
  readonly icon: string | undefined
  readonly description: string | undefined
  readonly tag: string | undefined
  readonly hidden: boolean
  /** Whether this is the default version or language. */
  readonly isDefault: boolean
  /** Whether the pages of a hidden division are still in the search, `llms.txt` and the sitemap. */
  readonly searchable: boolean
  /** Multiplies the rating of the pages of a group in the search. */
  readonly boost?: number
  /** Whether a group is always expanded. */
  readonly expanded: boolean
  /** Whether pages outside of a group only link to its first page, whatever its size. */
  readonly isCompact?: boolean
  /** The route of a group's own page. */
  readonly root: string | undefined
  /** The target of a division that is only a link. */
  readonly href: AllowedUrl | undefined
  /** How the root page of a group lists the group's pages; inherited. */
  readonly directory: 'none' | 'accordion' | 'card'
  readonly children: readonly NavigationNode[]
}

interface PageNode {
  readonly kind: 'page'
  readonly route: string
}

export interface LinkNode {
  readonly kind: 'link'
  readonly label: string
  readonly href: AllowedUrl
  readonly icon: string | undefined
}

/** A file of the built site. */
export interface SiteFile {
  /** Relative to the output directory, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
}
