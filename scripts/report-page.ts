/** Where GitHub shows a report. */
type ReportPlace = 'summary' | 'comment' | 'annotations'

const titles: { readonly [place in ReportPlace]: string } = {
  summary: 'update summary',
  comment: 'github-actions <i>bot</i> commented on this pull request',
  annotations: 'Annotations',
}

/** A page that imitates GitHub's layout around a report. */
export function toGithubPage(place: ReportPlace, html: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${style}</style><main class="${place}"><header>${titles[place]}</header><article>${html}</article></main>`
}

const style = `
body { margin: 16px; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; background: #fff }
main { border: 1px solid #d1d9e0; border-radius: 6px }
header { padding: 8px 16px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; border-radius: 6px 6px 0 0; color: #59636e; font-weight: 600 }
header i { font: 11px sans-serif; border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px }
article { padding: 16px; overflow-wrap: break-word }
article > :first-child { margin-top: 0 }
h3 { font-size: 1.25em; margin: 24px 0 16px }
p, table, details, blockquote, ul { margin: 0 0 16px }
a { color: #0969da }
code { font: 85% ui-monospace, "SFMono-Regular", Menlo, "Liberation Mono", monospace; background: #818b981f; padding: .2em .4em; border-radius: 6px; white-space: break-spaces }
table { border-collapse: collapse; display: block; width: max-content; max-width: 100%; overflow: auto }
th, td { border: 1px solid #d1d9e0; padding: 6px 13px; text-align: left }
tr:nth-child(2n) td { background: #f6f8fa }
blockquote { border-left: 4px solid #d1d9e0; padding: 0 1em; color: #59636e; margin-left: 0 }
sub { font-size: 75% }
summary { cursor: pointer }
.annotation { border-left: 3px solid #d1d9e0; padding: 4px 12px; margin-bottom: 8px; background: #f6f8fa }
.annotation.error { border-color: #cf222e } .annotation.warning { border-color: #9a6700 }
.annotation b { color: #cf222e } .annotation.warning b { color: #9a6700 } .annotation.notice b { color: #59636e }
.annotation p { margin: 0; font-weight: 600 } pre { margin: 0; font: 12px/1.45 ui-monospace, "Liberation Mono", monospace; white-space: pre-wrap }
.log { color: #59636e; margin-top: 12px }`
