import type { AssetPaths } from '../../../src/site/render/site-context.ts'

/** Files of every site, for builds in which nobody looks into them. */
export const siteAssets: AssetPaths = {
  stylesheet: '_assets/a.css',
  theme: '_assets/t.js',
  page: '_assets/p.js',
  oauth: '',
  playground: '_assets/p.css',
}
