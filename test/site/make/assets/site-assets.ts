import type { AssetPaths } from '../../../../src/site/page/site-context.ts'

/** Placeholder assets, for builds in tests that do not need their content. */
export const siteAssets: AssetPaths = {
  stylesheet: '_assets/a.css',
  theme: '_assets/t.js',
  page: '_assets/p.js',
  oauth: '',
  diagrams: '_assets/diagrams/d.js',
  feedback: '_assets/f.js',
  playground: '_assets/p.css',
}
