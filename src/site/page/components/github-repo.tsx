import type { AllowedUrl } from '../../../text/plain/paths.ts'
import { NamedIcon } from '../icons/page-icons.tsx'
import { type ComponentProps, readText, toClassName } from './component-props.tsx'

/** `<GitHub.Repo repo variant>`: a link to a repository. Unlike on other hosts, the card does not load its description and stars from GitHub. */
export function GitHubRepo({ element: { props }, context }: ComponentProps) {
  const written = readText(props, 'repo') ?? ''
  const repo = readRepository(written)
  if (repo === undefined) return <>{written}</>
  return (
    <a
      class={toClassName(props, 'card across repo', readText(props, 'variant') === 'flat' && 'flat')}
      href={toRepositoryUrl(repo)}
    >
      <NamedIcon name="github" context={context} size={20} />
      <div>
        <b>{repo}</b>
      </div>
    </a>
  )
}

/** Reads `owner/name` or the URL of a repository on github.com. */
export function readRepository(written: string): string | undefined {
  return /^(?:https:\/\/(?:www\.)?github\.com\/)?([A-Za-z0-9-]{1,39}\/[\w.-]{1,100}?)(?:\.git)?\/?$/.exec(written)?.[1]
}

export function toRepositoryUrl(repo: string): AllowedUrl {
  return `https://github.com/${repo}` as AllowedUrl
}
