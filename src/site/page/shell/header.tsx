import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { markdownToNodes } from '../../content/mdx-reader.ts'
import { findDefaultLanguage, findLanguage } from '../../plan/divisions.ts'
import type { SitePage } from '../../plan/types.ts'
import { ContentNodes } from '../components/content-nodes.tsx'
import { Icon, NamedIcon } from '../icons/page-icons.tsx'
import { resolveHref, type SiteContext, settingsOf, toHref } from '../site-context.ts'
import { bannerId } from '../theme/render-brand.ts'
import { firstHref, type NavigationView, type PageView } from './navigation-view.ts'
import { NavigationMenu } from './sidebar.tsx'

/** The header: name or logo, menus, tabs, search, links, theme. */
export function Header({ context, page, view }: PageView) {
  const { navbar, appearance, searchPrompt } = settingsOf(page, context.plan.settings)
  const texts = context.messages.page
  const tabs = <Tabs context={context} view={view} />
  const isTall = hasTwoRows(context, page, view)
  return (
    <>
      <Banner context={context} page={page} />
      <header class="top">
        <div class="wrap">
          <Brand context={context} page={page} />
          {view.switches.map((one) => (
            <NavigationMenu one={one} context={context} />
          ))}
          {isTall ? <span class="gap" /> : tabs}
          <a class="find" href={toHref(context.hosting, 'search')} data-open="search">
            <Icon name="search" /> <span>{searchPrompt ?? texts.search}</span> <kbd>/</kbd>
          </a>
          {navbar.links.map(({ label, href, icon }) => (
            <a class="btn quiet bar-link" href={resolveHref(context, href, undefined)}>
              <NamedIcon name={icon} context={context} /> {label}
            </a>
          ))}
          {navbar.primary && (
            <a class="btn primary bar-link" href={resolveHref(context, navbar.primary.href, undefined)}>
              <NamedIcon name={navbar.primary.icon} context={context} /> {navbar.primary.label}
            </a>
          )}
          {!appearance.strict && (
            <button type="button" class="btn quiet icon" data-theme-toggle aria-label={texts.switchTheme}>
              <Icon name="sun" class="sun" />
              <Icon name="moon" class="moon" />
            </button>
          )}
        </div>
        {isTall && <div class="wrap second">{tabs}</div>}
      </header>
    </>
  )
}

/** Whether the tabs get a second row, because they would not fit next to menus or many links at 1024 px. */
export function hasTwoRows(
  { plan }: Pick<SiteContext, 'plan'>,
  page: Pick<SitePage, 'trail'>,
  { tabs, switches }: NavigationView,
): boolean {
  const { links, primary } = settingsOf(page, plan.settings).navbar
  return tabs.length > 0 && (switches.length > 0 || tabs.length > 5 || tabs.length + links.length + (primary ? 1 : 0) > 6)
}

function Tabs({ context, view }: Omit<PageView, 'page'>) {
  if (view.tabs.length === 0) return <span class="gap" />
  return (
    <nav class="sections" aria-label={context.messages.page.sections}>
      {view.tabs.map(({ label, href, icon, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined}>
          <NamedIcon name={icon} context={context} /> {label}
        </a>
      ))}
    </nav>
  )
}

/** The name or logo. The fixed size avoids a layout shift when the logo loads. */
function Brand({ context, page }: Pick<PageView, 'context' | 'page'>) {
  const { logo, name } = context.plan.settings
  const home = logo?.href === undefined ? findHome(context, page) : resolveHref(context, logo.href, undefined)
  const isOne = logo?.light === logo?.dark
  return (
    <a class="brand" href={home}>
      {logo ? (
        <>
          <img class={isOne ? undefined : 'on-light'} src={resolveHref(context, logo.light, undefined)} alt={name} height={28} />
          {!isOne && (
            <img class="on-dark" src={resolveHref(context, logo.dark, undefined)} alt={name} height={28} loading="lazy" />
          )}
        </>
      ) : (
        <span>{name}</span>
      )}
    </a>
  )
}

/** The start page in the language of the page, which is `/` for the default language. */
function findHome(context: SiteContext, { trail }: SitePage): AllowedUrl {
  const own = findLanguage(trail)
  const home = own === undefined || own === findDefaultLanguage(context.plan.navigation) ? undefined : firstHref(context, own)
  return home ?? toHref(context.hosting, '')
}

/** The banner of `docs.json`. If readers close it, it stays closed until its text changes. */
function Banner({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  const { banner } = settingsOf(page, context.plan.settings)
  if (!banner) return null
  return (
    <aside
      class={`banner${banner.type === 'info' ? '' : ` ${banner.type}`}${banner.color ? ` b-${bannerId(banner)}` : ''}`}
      aria-label={context.messages.page.announcement}
    >
      <div>
        <ContentNodes nodes={markdownToNodes(banner.content)} context={context} page={page} />
      </div>
      {banner.dismissible && (
        <button
          type="button"
          class="btn quiet icon needs-js"
          data-close-banner={bannerId(banner)}
          aria-label={context.messages.page.closeAnnouncement}
        >
          <Icon name="x" />
        </button>
      )}
    </aside>
  )
}
