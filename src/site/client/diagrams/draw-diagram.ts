import mermaid from 'mermaid'
import { allowMeasuring, type Measuring, type SvgImage, toImage } from './svg-image.ts'
import { toPlainLabels } from './to-plain-labels.ts'

// Mermaid lays out the untrusted text of a diagram in a hidden part of the page, because only a browser can measure text. The
// reader sees an image of the result. In an image, nothing can run, load, link or cover the page, and the policy of the page does
// not apply to its styles.

export interface DrawnDiagram extends SvgImage {
  /** Whether the author chose a theme for a dark background. */
  readonly isDark: boolean
  /** Mermaid's name of the diagram type, such as `flowchart-v2`. */
  readonly type: string
}

/** The fonts of `--sans` in `tokens.css`. Images cannot use the fonts of a page. */
const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif'

/** Settings that a diagram cannot change, at any level of its configuration. */
const secure = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'dompurifyConfig',
  'themeCSS',
  'fontFamily',
  'altFontFamily',
  'arrowMarkerAbsolute',
  'logLevel',
]

const settings = {
  startOnLoad: false,
  securityLevel: 'strict',
  secure,
  suppressErrorRendering: true,
  htmlLabels: false,
  // Mermaid 12 prefers ELK, a script of 470 kB that lays out most diagrams no better.
  layout: 'dagre',
  fontFamily,
  handDrawnSeed: 1,
} as const

/** The light theme of the site, with the colors of `tokens.css`. In the dark theme, the stylesheet inverts the image. */
const siteTheme = {
  theme: 'base',
  themeVariables: {
    fontSize: '15px',
    useGradient: false,
    dropShadow: 'none',
    primaryColor: '#eef2fd',
    primaryTextColor: '#12151c',
    primaryBorderColor: '#8195d8',
    lineColor: '#5d6576',
    textColor: '#12151c',
    secondaryColor: '#f1f3f6',
    tertiaryColor: '#f7f8fa',
    clusterBkg: '#f7f8fa',
    clusterBorder: '#c9cfda',
    edgeLabelBackground: '#ffffff',
    noteBkgColor: '#fdf4dc',
    noteBorderColor: '#dcc58a',
    noteTextColor: '#12151c',
    activationBkgColor: '#dfe6fb',
    activationBorderColor: '#8195d8',
    labelBoxBkgColor: '#eef2fd',
    actorLineColor: '#a3abba',
  },
} as const

const structural = /^[ \t]*(?:flowchart|graph|sequenceDiagram|classDiagram|stateDiagram|erDiagram|requirementDiagram|block)/m
const hasTheme = /\btheme(?:Variables)?["']?\s*:/

let count = 0

/**
 * Draws a diagram. Must not be called again before it is done.
 *
 * @param width of the place for the diagram, in pixels. @throws if the text is not a diagram.
 */
export async function drawDiagram(source: string, width: number): Promise<DrawnDiagram> {
  const stage = document.createElement('div')
  stage.className = 'diagram-stage'
  stage.ariaHidden = 'true'
  stage.inert = true
  stage.style.width = `${width}px`
  document.body.append(stage)
  let measuring: Measuring | undefined
  try {
    // The variables of the site would mix with another theme, and charts need different colors for their parts.
    const isPlain = structural.test(source) && !hasTheme.test(source)
    mermaid.initialize({ ...settings, ...(isPlain ? siteTheme : { theme: 'default' }) })
    measuring = allowMeasuring(stage)
    const { diagramType } = await mermaid.render(`diagram-${++count}`, toPlainLabels(source), stage)
    const { theme = '' } = mermaid.mermaidAPI.getConfig()
    return { ...toImage(measuring.drawn()), isDark: theme.includes('dark'), type: diagramType }
  } finally {
    measuring?.end()
    stage.remove()
  }
}
