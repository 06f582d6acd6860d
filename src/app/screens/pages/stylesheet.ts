/**
 * The stylesheet of all HTML pages.
 *
 * Font sizes are in rem to follow the reader's settings, and spacing is in px. The contrast is at least 4.5 for text and 3 for the edges of
 * controls.
 */
export const stylesheet = /* css */ `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fff, #0e1116);
  --well: light-dark(#f7f8fa, #14181f);
  --hover: light-dark(#eef0f4, #1d222b);
  --ink: light-dark(#12151c, #eceef2);
  --mid: light-dark(#434a59, #b8becb);
  --dim: light-dark(#5d6576, #929aaa);
  --line: light-dark(#e4e7ec, #252b35);
  --edge: light-dark(#858d9c, #6b7486);
  --accent: light-dark(#2548c4, #9ab0ff);
  --fill: light-dark(#2548c4, #3f5fdf);
  --fill-hover: light-dark(#1c399f, #4a69e4);
  --green: light-dark(#0a6b43, #62cfa1);
  --azure: light-dark(#0a5ea8, #7cc0f6);
  --amber: light-dark(#875000, #e6b45e);
  --red: light-dark(#b4231c, #ff968d);
  --slate: light-dark(#4b5364, #aab2c0);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace;
  --rule: 1px solid var(--line);
}
[data-theme=light] { color-scheme: light }
[data-theme=dark] { color-scheme: dark }

*, ::before, ::after { box-sizing: border-box }
html { scroll-padding-top: 80px; text-size-adjust: none }
body { margin: 0; background: var(--bg); color: var(--ink); font: .9375rem/1.6 var(--sans); overflow-wrap: anywhere; -webkit-font-smoothing: antialiased }
h1, h2, h3, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; min-width: 0 }
ul, ol, summary { list-style: none }
summary::-webkit-details-marker { display: none }
h1 { font: 650 1.75rem/2.25rem var(--sans); letter-spacing: -.021em; text-wrap: balance }
h2 { font: 620 1.1875rem/1.75rem var(--sans); letter-spacing: -.012em }
h3 { font: 560 .9375rem/1.5rem var(--sans) }
a { color: var(--accent); text-decoration: underline; text-decoration-color: color-mix(in oklab, currentColor 40%, transparent); text-decoration-thickness: 1px; text-underline-offset: 3px }
a:hover { text-decoration-color: currentColor }
code, pre, .mono { font-family: var(--mono); font-size: .84em }
:not(pre) > code { padding: .1em .35em; border-radius: 4px; background: var(--hover) }
button { font: inherit; color: inherit }
button, summary { cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px }
pre:focus-visible { outline-offset: -3px }
main:focus { outline: 0 }
.icon { flex: none; width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; vertical-align: -.14em }
.icon.solid { fill: currentColor; stroke: none }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: fixed; left: 8px; top: 8px; z-index: 2; padding: 8px 14px; border-radius: 6px; background: var(--fill); color: #fff; translate: 0 -200% }
.skip:focus { translate: 0 }
.numeric { font-variant-numeric: tabular-nums }
figure { margin: 0 }
.is-success, .is-added { --state: var(--green) }
.is-failure, .is-error, .is-removed { --state: var(--red) }
.is-in_progress, .is-info { --state: var(--azure) }
.is-warning, .is-modified { --state: var(--amber) }
.is-queued, .is-kept, .is-todo { --state: var(--slate) }

/* Equal for visitors and signed-in users, so that nothing moves at the sign-in. */
.wrap { max-width: 1280px; margin: 0 auto; padding-inline: 32px }
.top { border-bottom: var(--rule) }
.top .wrap { display: flex; align-items: center; justify-content: space-between; height: 56px }
.brand { display: flex; align-items: center; gap: 8px; color: var(--ink); font-weight: 620; letter-spacing: -.012em; text-decoration: none }
.brand svg { width: 22px; height: 22px }
.brand rect { fill: var(--fill) }
.brand path { fill: none; stroke: #fff; stroke-width: 1.75; stroke-linecap: round }
.button { display: inline-flex; align-items: center; justify-content: center; gap: 7px; min-height: 36px; padding: 0 16px; border: 1px solid transparent; border-radius: 6px; background: var(--fill); color: #fff; font-size: .875rem; font-weight: 560; text-decoration: none }
.button:hover { background: var(--fill-hover) }
.button.quiet { font-weight: 500; border-color: var(--edge); background: var(--bg); color: var(--ink) }
.button.quiet:hover { background: var(--well) }
.theme { display: none; width: 36px; height: 36px; padding: 0; align-items: center; justify-content: center; border: 0; border-radius: 6px; background: none; color: var(--mid) }
.theme:hover { background: var(--hover); color: var(--ink) }
[data-js] .theme { display: inline-flex }
.moon, [data-theme=dark] .sun { display: none }
[data-theme=dark] .moon { display: inline }

main { padding-block: 32px 80px }
.crumbs { display: flex; flex-wrap: wrap; gap: 2px 6px; margin-bottom: 8px; color: var(--dim); font-size: .8125rem }
.crumbs li + li::before { content: "/"; margin-right: 6px }
.crumbs a { color: inherit }
.title { display: flex; align-items: start; justify-content: space-between; gap: 16px }
.title > .tags { margin: 6px auto 0 0 }
:is(.tags, .acts):empty { display: none }
.tags { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 4px }
/* Without a state of its own, a tag does not inherit that of its line. */
.tag:not([class*=is-]) { --state: var(--mid) }
.tag { display: inline-flex; flex: none; align-items: center; gap: 6px; padding: 0 10px; border-radius: 99px; background: color-mix(in oklab, var(--state) 9%, var(--bg)); color: var(--state); font-size: .75rem; font-weight: 560; line-height: 1.5rem; white-space: nowrap }
.lead { margin-top: 8px; color: var(--mid); font-size: 1rem; line-height: 1.625rem }
.message { margin-top: 12px; color: var(--mid); font-size: .875rem; white-space: pre-wrap }

.steps { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); margin-top: 32px; color: var(--dim); font-size: .8125rem; line-height: 1.25rem }
.steps li { position: relative; padding: 28px 12px 0 0 }
.steps li:not(:last-child)::before { content: ""; position: absolute; top: 9px; left: 28px; right: 8px; height: 1px; background: var(--edge) }
.steps li:has(+ .is-todo)::before { background: none; border-top: 1px dashed var(--edge) }
.steps .icon { position: absolute; top: 0; left: 0; width: 20px; height: 20px; color: var(--state) }
.steps b { display: block; color: var(--ink); font-weight: 580; font-size: .875rem }
.steps .is-todo b { color: var(--dim); font-weight: 400 }
.steps [aria-current] b { color: var(--state) }

.facts { display: flex; flex-wrap: wrap; gap: 18px 40px; margin-top: 32px; padding: 18px 0; border-block: var(--rule); font-size: .84375rem }
.facts dt { color: var(--dim); font-size: .75rem; line-height: 1.375rem }

section > h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin-top: 40px; padding-bottom: 10px; border-bottom: var(--rule) }
section > h2 small { margin-left: auto; color: var(--dim); font: .75rem/1 var(--mono) }
.empty { margin-top: 14px; color: var(--dim); font-size: .875rem }
.columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 48px }

.shell { display: grid; grid-template-columns: 232px minmax(0, 1fr); column-gap: 48px; align-items: start }
:where(main.wrap) > * { max-width: 976px }
.shell > :only-child { grid-column: 1 / -1 }
.sections { display: flex; align-self: stretch; gap: 22px; margin: 0 auto -1px 32px }
.sections a { display: flex; align-items: center; border-block: 2px solid transparent; color: var(--mid); font-size: .875rem; text-decoration: none }
.sections a:hover { color: var(--ink) }
.sections [aria-current] { border-bottom-color: var(--accent); color: var(--ink); font-weight: 560 }
.person { display: flex; align-items: center; gap: 12px; margin-right: 4px }
.person .button { min-height: 32px; padding: 0 12px; font-size: .8125rem; font-weight: 500 }
.login { color: var(--mid); font-size: .8125rem }
.side { position: sticky; top: 0; max-height: 100dvh; overflow: auto; margin-left: -8px; padding: 28px 0 48px; font-size: .84375rem; line-height: 1.25rem; scrollbar-width: thin; scrollbar-color: var(--edge) transparent }
.side h2 { margin: 0; padding: 4px 8px; border: 0; font: 600 .8125rem/1.25rem var(--sans); letter-spacing: 0 }
.side section + section { margin-top: 20px }
.side li a { display: flex; gap: 8px; padding: 5px 8px; border-radius: 6px; color: var(--mid); text-decoration: none }
.side li a:hover { background: var(--well); color: var(--ink) }
.side li a[aria-current] { background: color-mix(in oklab, var(--accent) 9%, var(--bg)); color: var(--accent); font-weight: 540 }
.side li .icon { margin-top: 2px; color: var(--state) }
.side small, .list small { display: block; color: var(--dim); font-size: .75rem; font-weight: 400; line-height: 1.25rem }
.side > summary { display: flex; align-items: center; gap: 8px; min-height: 44px; color: var(--mid); font-size: .875rem }
.page > .lead { max-width: 720px }
.page > .acts { margin-top: 16px }
.acts { display: flex; flex-wrap: wrap; align-items: center; gap: 8px }
.list { font-size: .875rem; line-height: 1.4375rem }
.list > li { display: grid; grid-template-columns: 18px minmax(0, 1fr) auto 112px; align-items: center; gap: 14px; padding: 11px 0; border-bottom: var(--rule) }
/* A list without buttons has no column for them. */
.list:not(:has(.action)) > li { grid-template-columns: 18px minmax(0, 1fr) auto }
.list > li > .icon { width: 18px; height: 18px; color: var(--state) }
.list span > a:not(.button) { color: var(--ink); font-weight: 530; text-decoration: none }
.list span > a:not(.button):hover { color: var(--accent); text-decoration: underline }
.list small { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 24px; margin-top: 20px }
.card { display: flex; flex-direction: column; overflow: hidden; border: var(--rule); border-radius: 10px; color: var(--mid); font-size: .8125rem; line-height: 1.25rem }
.card .about { display: flex; flex: 1; flex-direction: column; gap: 6px; min-width: 0; padding: 16px }
.card h3 { display: flex; align-items: baseline; gap: 8px }
.card h3 .icon { align-self: start; margin-top: 4px; color: var(--state) }
.card h3 a { color: var(--ink); text-decoration: none }
.card h3 a:hover { color: var(--accent); text-decoration: underline }
.card .acts { margin-top: auto; padding-top: 8px }
.card.production { margin-top: 20px; font-size: .875rem }
.card.production h2 { font-size: 1rem }
.card.production .values > div { grid-template-columns: 6rem minmax(0, 1fr) }
.card.production .values > :last-child { border: 0 }
.picture { border-bottom: var(--rule); background: var(--well) }
.picture img { display: block; width: 100%; aspect-ratio: 16 / 10; object-fit: cover; object-position: left top }
.picture.is-missing { display: grid; place-items: center; aspect-ratio: 16 / 10; padding: 16px; color: var(--dim) }
.picture .dark, [data-theme=dark] .picture .light { display: none }
[data-theme=dark] .picture .dark { display: block }
@media (prefers-color-scheme: dark) {
  :root:not([data-theme]) .picture .light { display: none }
  :root:not([data-theme]) .picture .dark { display: block }
}
@media (min-width: 768px) {
  .card.production { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr) }
  .production .picture { border-bottom: 0; border-right: var(--rule) }
  .production .picture a { display: block }
  .production .picture :is(a, img) { height: 100% }
}
.state-line .icon { width: 12px; height: 12px; margin-right: 5px; color: var(--state) }
.state-line a { color: inherit }
.list .action { display: grid; justify-self: end; justify-items: end; gap: 6px }
.fold > .list { margin-top: 12px; border-top: var(--rule) }
.list .button { min-height: 30px; padding: 0 10px; font-size: .75rem }
.list .button .icon { width: 14px; height: 14px }
.when { color: var(--dim); font-size: .75rem; white-space: nowrap }
.pager { display: flex; align-items: center; gap: 12px; margin-top: 16px; color: var(--dim); font-size: .8125rem }
.pictures { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; padding-top: 16px }
.pictures img { display: block; width: 100%; border: var(--rule); border-radius: 10px }
.pictures figcaption { margin-top: 6px; color: var(--dim); font-size: .8125rem }
.settings { max-width: 560px }
.settings .field, .settings fieldset, .settings .acts { margin: 24px 0 0 }
.settings fieldset { min-width: 0; padding: 0; border: 0 }
.settings legend { padding: 0; font-size: .875rem; font-weight: 560 }
.values { margin-top: 10px; font-size: .875rem }
.values > div { display: grid; grid-template-columns: minmax(0, 14rem) minmax(0, 1fr); gap: 2px 24px; padding: 7px 0; border-bottom: var(--rule) }
.values dt { color: var(--mid) }
.values + .acts { margin-top: 16px }
.button.danger { background: light-dark(#b4231c, #a82720); color: #fff }
.button.danger:hover { background: light-dark(#951b15, #bd332b) }
.list.plain-list > li { grid-template-columns: minmax(0, 1fr) auto }
.list.plain-list small { display: block }
.choice { display: flex; gap: 10px; align-items: start; margin-top: 10px; font-size: .875rem; cursor: pointer }
.choice input { flex: none; width: 16px; height: 16px; margin: 4px 0 0; accent-color: var(--fill) }
.choice small, .hint { display: block; color: var(--dim); font-size: .8125rem }
.hint, .mistake { margin-top: 6px; font-size: .8125rem }
.mistake { color: var(--red) }
.field [aria-invalid] { border-color: var(--red) }
main > .field, .fold > .field { margin-top: 20px; max-width: 560px }

.finding { padding: 18px 0 18px 26px; border-bottom: var(--rule) }
.finding h3 .icon { float: left; margin: 4px 0 0 -26px; color: var(--state) }
.finding .where { display: flex; flex-wrap: wrap; gap: 0 16px; margin: 2px 0 10px; color: var(--dim); font-size: .75rem; line-height: 1.5rem }
.finding > p, .finding > ul { margin-top: 8px; color: var(--mid); font-size: .875rem; line-height: 1.4375rem }
.finding > .where { font-size: .75rem; color: var(--dim) }
:is(.where, .finding li) .mono { font-size: .75rem }
:is(.paths, .facts) .mono { font-size: .78125rem }

.code { overflow-x: auto; padding: 10px 0; border: var(--rule); border-radius: 10px; background: var(--well); font-size: .78125rem; line-height: 1.34375rem; tab-size: 4; scrollbar-width: thin; scrollbar-color: var(--edge) transparent }
.code code { display: block; width: max-content; min-width: 100%; font-size: inherit }
.code .row { display: block; padding-right: 16px; white-space: pre }
.code .number { display: inline-block; width: 52px; margin-right: 16px; padding-right: 12px; border-right: var(--rule); color: var(--dim); text-align: right; user-select: none }
/* On a dark background, the same share is hardly visible. */
.code .marked {
  background: light-dark(color-mix(in oklab, var(--state) 9%, var(--well)), color-mix(in oklab, var(--state) 16%, var(--well)));
  box-shadow: inset 3px 0 var(--state);
}
.code .key { color: var(--accent) }
.code .text { color: var(--green) }
.code .carets { color: var(--state); font-weight: 600 }
.code.log .row { white-space: pre-wrap; padding-left: 68px; text-indent: -68px }
.code.log .number { text-indent: 0 }
.code.log code { width: auto }

.paths li { display: flex; align-items: baseline; gap: 10px; padding: 6px 0; border-bottom: var(--rule); font-size: .8125rem }
.paths .kind { flex: none; width: 60px; color: var(--state); font-size: .75rem }
.paths small { display: block; color: var(--dim); font-family: var(--sans); font-size: .75rem }
.fold > summary { display: flex; align-items: center; gap: 8px; min-height: 44px; color: var(--mid); font-size: .875rem }
.fold > summary:hover { color: var(--accent) }
.fold > summary .icon { width: 12px; height: 12px }
.fold[open] > summary .icon { rotate: 90deg }

.plain { padding-top: 48px }
.plain > * { max-width: 640px }
.plain h2 { margin-top: 48px }
.plain p, .plain form, .plain .note { margin-top: 16px }
.plain form { margin-top: 24px }
.plain ul { margin-top: 12px; padding-left: 20px; list-style: disc; color: var(--mid); font-size: .875rem }
.plain table { width: 100%; margin-top: 16px; border-collapse: collapse; font-size: .875rem }
.plain td, .plain th { padding: 7px 16px 7px 0; border-bottom: var(--rule); text-align: left; vertical-align: top; font-weight: 400 }
.plain th { white-space: nowrap }
.note:has(> form) { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px }
.note { margin: 12px 0; padding: 12px 16px; border: var(--rule); border-left: 3px solid var(--state); border-radius: 6px; color: var(--mid); font-size: .875rem }
.field { display: flex; flex-wrap: wrap; gap: 8px; align-items: end }
.field label { flex: 1 1 220px; color: var(--mid); font-size: .8125rem }
.field :is(input, select) { display: block; width: 100%; min-height: 36px; margin-top: 4px; padding: 6px 10px; border: 1px solid var(--edge); border-radius: 6px; background: var(--bg); color: var(--ink); font: 1rem/1.25rem var(--sans) }

@media (min-width: 1024px) {
  /* Keep the drawer open on wide screens. Firefox before 143 needs a script for this. */
  .side[open] > summary { display: none }
  @supports selector(::details-content) {
    .side > summary { display: none }
    .side::details-content { content-visibility: visible; display: block }
  }
}
@media (max-width: 1023px) {
  .shell { display: block }
  .side { position: static; max-height: none; margin: 0; padding: 0; border-bottom: var(--rule) }
  .side[open] { padding-bottom: 20px }
}
@keyframes turn { to { rotate: 1turn } }
@media (prefers-reduced-motion: no-preference) {
  a, .button, summary, .theme { transition: color .12s, background-color .12s }
  .fold > summary .icon { transition: rotate .15s }
  .is-in_progress > .icon { animation: turn 1.2s linear infinite }
}
@media (max-width: 767px) {
  .wrap { padding-inline: 16px }
  main { padding-top: 20px }
  h1 { font-size: 1.5rem; line-height: 2rem }
  .title { flex-wrap: wrap; row-gap: 10px }
  .title h1:not(:has(+ .tags)) { flex: 1 0 100% }
  .columns, .steps { grid-template-columns: minmax(0, 1fr) }
  .steps { gap: 14px }
  .steps li { padding: 0 0 0 32px }
  .steps li:not(:last-child)::before, .steps li:has(+ .is-todo)::before { top: 26px; bottom: -8px; left: 9px; right: auto; width: 1px; height: auto; background: var(--edge) }
  .values > div { grid-template-columns: minmax(0, 1fr) }
  .facts { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px 20px }
  .finding { padding-left: 0 }
  .finding h3 .icon { float: none; margin: 0 6px 0 0 }
  .code .number { width: 40px; margin-right: 10px; padding-right: 8px }
  .code.log .row { padding-left: 50px; text-indent: -50px }
  .button, .theme { min-height: 40px; min-width: 40px }
  .field :is(input, select) { min-height: 40px }
  .sections { gap: 14px; margin-left: 14px }
  .top .wrap:has(.sections) .brand { font-size: 0; gap: 0 }
  .login { display: none }
  .list > li { grid-template-columns: 18px minmax(0, 1fr) auto }
  .list .when { grid-column: 2; grid-row: 2; margin-top: -12px }
  .list:not(.plain-list) .action { grid-column: 3; grid-row: 1 }
  .list .button { min-height: 36px }
  .title > .acts { width: 100% }
  .side li a { padding-block: 9px }
  .pictures { grid-template-columns: minmax(0, 1fr) }
}
@media (forced-colors: active) {
  .tag, .note { border: 1px solid }
  [aria-current] { outline: 2px solid Highlight }
}
@media print { .top, .skip { display: none } .code { overflow: visible } }
`
