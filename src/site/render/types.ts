import type { PageFrontmatter } from '../../docs-config/page-frontmatter.ts'
import type { JsonObject } from '../../source/is-object.ts'

/**
 * A whole site before anything is rendered: its settings, its pages and where each stands in the navigation. Plain data.
 *
 * Routes are addresses inside the site without a leading `/` and without an extension: `guides/quickstart`; the start page is `''`.
 */
export interface SitePlan {
  readonly settings: SiteSettings
  /** The root of the navigation. */
  readonly navigation: DivisionNode
  /** All pages: those of the navigation in its order, then those that only have an address, sorted. */
  readonly pages: readonly SitePage[]
}

/** What docs.json says about the whole site. Only what can be used is here; addresses are checked. */
export interface SiteSettings {
  readonly name: string
  readonly description: string | undefined
  /** BCP 47, for `<html lang>` of pages that stand in no language of the navigation; `en` where nothing says otherwise. */
  readonly language: string
  readonly logo: { readonly light: string; readonly dark: string; readonly href: string | undefined } | undefined
  readonly favicon: { readonly light: string; readonly dark: string } | undefined
  readonly colors: { readonly primary: string | undefined; readonly light: string | undefined; readonly dark: string | undefined }
  /** `appearance`: which theme a first visit sees, and whether it can be changed. */
  readonly appearance: { readonly default: 'system' | 'light' | 'dark'; readonly strict: boolean }
  /** Files of the repository; a font from elsewhere is none here. */
  readonly fonts: { readonly body: SiteFont | undefined; readonly heading: SiteFont | undefined }
  readonly background: {
    readonly color: { readonly light: string | undefined; readonly dark: string | undefined }
    readonly decoration: 'gradient' | undefined
  }
  readonly styling: { readonly eyebrows: 'section' | 'breadcrumbs'; readonly codeblocks: 'system' | 'dark' }
  /** Lines of the menu beside a page's title. */
  readonly contextual: readonly ContextualOption[]
  readonly navbar: { readonly links: readonly SiteLink[]; readonly primary: SiteLink | undefined }
  readonly footer: {
    readonly socials: readonly SiteLink[]
    readonly columns: readonly { readonly header: string; readonly links: readonly SiteLink[] }[]
  }
  /** Markdown. */
  readonly banner: { readonly content: string; readonly dismissible: boolean } | undefined
  /** What the languages of the navigation have of their own instead, by their label. */
  readonly languages: Readonly<Record<string, Partial<Pick<SiteSettings, 'banner' | 'navbar' | 'footer'>>>>
  readonly redirects: readonly { readonly source: string; readonly destination: string; readonly permanent: boolean }[]
  readonly metatags: Readonly<Record<string, string>>
  /** Whether search engines may list the pages that the navigation does not. */
  readonly indexing: 'navigable' | 'all'
  readonly errors: { readonly redirect: boolean; readonly title: string | undefined; readonly description: string | undefined }
  readonly api: ApiSettings
  /** `variables`. */
  readonly variables: Readonly<Record<string, string>>
}

export interface SiteFont {
  /** An address inside the site. */
  readonly source: string
  /** Of CSS, such as `400`; absent where the file has all of them. */
  readonly weight: string | undefined
}

export type ContextualOption =
  | { readonly kind: 'copy' | 'view' | 'chatgpt' | 'claude' | 'perplexity' }
  /** `{$page}`, `{$path}` and the like stand for the page's address in `href`. */
  | {
      readonly kind: 'link'
      readonly title: string
      readonly description: string | undefined
      readonly icon: string | undefined
      readonly href: string
    }

export interface ApiSettings {
  readonly playground: { readonly display: 'interactive' | 'simple' | 'none' | 'auth'; readonly credentials: boolean }
  /** Whether the endpoint bar shows the server as well. */
  readonly url: 'full' | undefined
  readonly examples: {
    readonly languages: readonly string[] | undefined
    readonly defaults: 'required' | 'all'
    readonly prefill: boolean
    readonly autogenerate: boolean
  }
  readonly params: { readonly expanded: 'all' | 'closed' }
  /** For pages with `api: METHOD url` and no document. */
  readonly mdx: {
    readonly servers: readonly string[]
    readonly auth: { readonly method: string; readonly name: string | undefined } | undefined
  }
}

export interface SiteLink {
  readonly label: string
  readonly href: string
  readonly icon: string | undefined
  readonly type: string | undefined
}

/** One page of the site. */
export interface SitePage {
  readonly route: string
  /** Its file relative to the docs root, also where the file is a planned one that nobody wrote; absent for entries such as `GET /pets`. */
  readonly path: string | undefined
  readonly title: string
  readonly sidebarTitle: string
  readonly description: string | undefined
  readonly icon: string | undefined
  /** A word beside the title in the navigation: `NEW`. */
  readonly tag: string | undefined
  readonly deprecated: boolean
  /** `mode` of the frontmatter: how much stands around the text. */
  readonly mode: 'default' | 'wide' | 'custom' | 'center' | 'frame'
  /** Leads elsewhere: `url` of the frontmatter. */
  readonly externalUrl: string | undefined
  /** `hidden`, `noindex`: has an address, and nothing lists it. */
  readonly hidden: boolean
  readonly noindex: boolean
  readonly frontmatter: JsonObject
  /** What is wrong with it, and where in the text. */
  readonly frontmatterFault?: PageFrontmatter['fault']
  readonly subject: PageSubjectRef
  /** The nodes around it from the root of the navigation down; empty for a page that the navigation does not list. */
  readonly trail: readonly NavigationNode[]
}

/** What a page is about. */
export type PageSubjectRef =
  | { readonly kind: 'guide' }
  /** `source`: the document as `DocumentSource.source`; `target`: `GET /pets`. */
  | { readonly kind: 'operation'; readonly source: string; readonly target: string }
  | { readonly kind: 'webhook'; readonly source: string; readonly name: string }
  | { readonly kind: 'schema'; readonly source: string; readonly name: string }
  /** `api: METHOD url` in the frontmatter, without a document. */
  | { readonly kind: 'endpoint'; readonly method: string; readonly url: string }
  /** About a document that nothing could be made of. */
  | { readonly kind: 'unreadable'; readonly source: string }
  /** Bound to what is not there: its API part is empty. */
  | { readonly kind: 'unbound'; readonly binding: string }

/** One node of the navigation. */
export type NavigationNode = DivisionNode | PageNode | LinkNode

export interface DivisionNode {
  readonly kind: 'navigation' | 'tab' | 'anchor' | 'dropdown' | 'product' | 'version' | 'language' | 'item' | 'group'
  /** See `Division.id`: names the node among all. */
  readonly id: string
  readonly label: string
  readonly icon: string | undefined
  readonly description: string | undefined
  readonly tag: string | undefined
  readonly hidden: boolean
  /** The version or language that is shown first. */
  readonly isDefault: boolean
  /** Groups: open when the reader has not come from inside. */
  readonly expanded: boolean
  /** Groups: the page that the group itself is. */
  readonly root: string | undefined
  /** Leads elsewhere instead of having pages. */
  readonly href: string | undefined
  readonly children: readonly NavigationNode[]
}

interface PageNode {
  readonly kind: 'page'
  readonly route: string
}

export interface LinkNode {
  readonly kind: 'link'
  readonly label: string
  readonly href: string
  readonly icon: string | undefined
}

/** One file of the built site. */
export interface SiteFile {
  /** Relative to the output folder, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
}
