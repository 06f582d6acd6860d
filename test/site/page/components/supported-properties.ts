/**
 * What a site does with the properties of Mintlify's components. `components-page.test.ts` tests each row, and writes `docs/components.md` from them.
 *
 * Source: the component pages of Mintlify's documentation, August 2026.
 */
export interface PropertySupport {
  /** The property, as authors write it. */
  readonly name: string
  /** `rendered` as in Mintlify, rendered in a `different` way, or `reported`: it has no effect. */
  readonly support: 'rendered' | 'different' | 'reported'
  /** A page that uses the property. The part between `‹` and `›` is removed to get the page without it. */
  readonly page: string
  /** What the property adds to the HTML; not for reported properties. */
  readonly shows?: string
  /** What is different, or why it has no effect. */
  readonly note?: string
}

interface ComponentSupport {
  /** The heading in the documentation. */
  readonly title: string
  /** The names of the components. */
  readonly names: readonly string[]
  readonly properties: readonly PropertySupport[]
}

type Row = readonly [name: string, support: PropertySupport['support'], page: string, shows?: string | undefined, note?: string]

function component(title: string, names: readonly string[], rows: readonly Row[]): ComponentSupport {
  return {
    title,
    names,
    properties: rows.map(([name, support, page, shows, note]) => ({
      name,
      support,
      page,
      ...(shows !== undefined && { shows }),
      ...(note !== undefined && { note }),
    })),
  }
}

/** The icon properties that many components have. */
function icon(start: string, end: string): readonly Row[] {
  return [
    ['icon', 'rendered', `${start}‹ icon="rocket"›${end}`, '<use href="#fa'],
    [
      'iconType',
      'different',
      `${start} icon="bell"‹ iconType="regular"›${end}`,
      '#far-bell',
      'Styles of Font Awesome Pro become solid or regular',
    ],
  ]
}

export const componentSupport: readonly ComponentSupport[] = [
  component(
    'Accordion',
    ['Accordion', 'AccordionGroup'],
    [
      ['title', 'rendered', '<Accordion‹ title="How"›>x</Accordion>', 'How'],
      ['description', 'rendered', '<Accordion title="How"‹ description="Why"›>x</Accordion>', '<small>Why</small>'],
      ['defaultOpen', 'rendered', '<Accordion title="How"‹ defaultOpen›>x</Accordion>', ' open'],
      ['id', 'rendered', '<Accordion title="How"‹ id="my-how"›>x</Accordion>', 'id="my-how"'],
      ...icon('<Accordion title="How"', '>x</Accordion>'),
    ],
  ),
  component(
    'Badge',
    ['Badge'],
    [
      [
        'color',
        'different',
        '<Badge‹ color="green"›>x</Badge>',
        'badge ok',
        'The closest color of the theme, with enough contrast',
      ],
      ['size', 'rendered', '<Badge‹ size="lg"›>x</Badge>', 'at-lg'],
      ['shape', 'rendered', '<Badge‹ shape="pill"›>x</Badge>', 'pill'],
      ['stroke', 'rendered', '<Badge color="blue"‹ stroke›>x</Badge>', 'class="tag badge post"'],
      ['disabled', 'rendered', '<Badge‹ disabled›>x</Badge>', 'disabled'],
      ...icon('<Badge', '>x</Badge>'),
      ['className', 'rendered', '<Badge‹ className="mt-4"›>x</Badge>', 's-'],
    ],
  ),
  component(
    'Callouts',
    ['Note', 'Warning', 'Info', 'Tip', 'Check', 'Danger', 'Callout'],
    [
      ['icon', 'rendered', '<Callout‹ icon="rocket"›>x</Callout>', '#fas-rocket'],
      [
        'iconType',
        'different',
        '<Callout icon="bell"‹ iconType="regular"›>x</Callout>',
        '#far-bell',
        'Styles of Font Awesome Pro become solid or regular',
      ],
      [
        'color',
        'different',
        '<Callout‹ color="#FFC107"›>x</Callout>',
        'colored',
        'Colors the border, background and icon. The text keeps its color, for contrast',
      ],
      ['title', 'rendered', '<Note‹ title="Careful"›>x</Note>', '<b>Careful</b>'],
      ['type, variant', 'rendered', '<Callout‹ type="warning"›>x</Callout>', 'call warning'],
    ],
  ),
  component(
    'Banner',
    ['Banner'],
    [
      [
        'children',
        'different',
        '<Banner>‹Hello›</Banner>',
        'Hello',
        'Shown like a note. The banner of a site is [`banner`](site.md#supported-docsjson-settings) in `docs.json`',
      ],
    ],
  ),
  component(
    'Card',
    ['Card'],
    [
      ['title', 'rendered', '<Card‹ title="API"›>x</Card>', '<b>API'],
      ...icon('<Card title="API"', '>x</Card>'),
      ['color', 'rendered', '<Card title="API" icon="rocket"‹ color="#FF0000"›>x</Card>', 'tinted'],
      ['href', 'rendered', '<Card title="API"‹ href="/other"›>x</Card>', 'href="/docs/other/"'],
      ['horizontal', 'rendered', '<Card title="API"‹ horizontal›>x</Card>', 'across'],
      ['img', 'rendered', '<Card title="API"‹ img="https://example.com/a.png"›>x</Card>', 'class="cover"'],
      ['cta', 'rendered', '<Card title="API" href="/other"‹ cta="Go"›>x</Card>', 'class="cta"'],
      ['arrow', 'rendered', '<Card title="API" href="/other"‹ arrow="true"›>x</Card>', '#i-ext'],
      ['type', 'rendered', '<Card title="API"‹ type="warning"›>x</Card>', 'call warning'],
      ['description', 'rendered', '<Card title="API"‹ description="About"› />', 'About'],
      ['disabled', 'rendered', '<Card title="API" href="/other"‹ disabled›>x</Card>', ''],
    ],
  ),
  component(
    'Columns',
    ['Columns', 'CardGroup', 'Column'],
    [['cols', 'rendered', '<Columns‹ cols={2}›><Column>x</Column></Columns>', 'of-2']],
  ),
  component(
    'Tiles',
    ['Tile', 'Tiles'],
    [
      ['href', 'rendered', '<Tile‹ href="/other"› title="A">x</Tile>', 'href="/docs/other/"'],
      ['title', 'rendered', '<Tile href="/other"‹ title="Charts"›>x</Tile>', '<b>Charts'],
      ['description', 'rendered', '<Tile href="/other" title="A"‹ description="About"›>x</Tile>', 'About'],
      ['children', 'rendered', '<Tile href="/other" title="A">‹preview›</Tile>', 'preview'],
    ],
  ),
  component(
    'Code groups and examples',
    ['CodeGroup', 'RequestExample', 'ResponseExample'],
    [
      [
        'dropdown',
        'different',
        '<CodeGroup‹ dropdown›>\n```js A\na\n```\n```js B\nb\n```\n</CodeGroup>',
        undefined,
        'Shown as tabs',
      ],
    ],
  ),
  component(
    'Code blocks',
    ['CodeBlock'],
    [
      ['language', 'rendered', '```‹js›\nlet a\n```', 'class="k"'],
      ['My title', 'rendered', '```js‹ My title›\na\n```', 'My title'],
      ['title="My title"', 'rendered', '```js‹ title="utils/a.js"›\na\n```', 'utils/a.js'],
      ['icon', 'rendered', '```js A‹ icon=rocket›\na\n```', '#fas-rocket'],
      ['{1,3-5}', 'rendered', '```js‹ {1-2}›\na\nb\nc\n```', 'class="hl"'],
      ['highlight', 'rendered', '```js‹ highlight={1}›\na\nb\nc\n```', 'class="hl"'],
      ['focus', 'different', '```js‹ focus=2›\na\nb\nc\n```', 'class="off"', 'The other lines are gray, not blurred'],
      ['lines', 'rendered', '```js‹ lines›\na\n```', 'numbered'],
      ['expandable', 'rendered', `\`\`\`js‹ expandable›\n${'a\n'.repeat(30)}\`\`\``, 'class="cut"'],
      ['wrap', 'rendered', '```js‹ wrap›\na\n```', 'wrapped'],
      ['nocopy', 'rendered', '```js‹ nocopy›\na\n```', ''],
      ['[!code ++] [!code --]', 'rendered', '```js\na‹ // [!code ++]›\nb\n```', 'class="add"'],
      [
        'twoslash',
        'reported',
        '```ts‹ twoslash›\nlet a\n```',
        undefined,
        'Types are not computed, because that would run the TypeScript compiler on untrusted code',
      ],
      ['theme', 'reported', '```js‹ theme="dracula"›\na\n```', undefined, 'Colors come from the theme of the site'],
      [
        '<CodeBlock language filename icon lines wrap nocopy expandable highlight focus>',
        'rendered',
        '<CodeBlock language="js" ‹filename="a.js"›>\nlet a\n</CodeBlock>',
        'a.js',
        'The properties of the component. The other rows are options of fenced code blocks',
      ],
    ],
  ),
  component(
    'Color',
    ['Color', 'Color.Row', 'Color.Item'],
    [
      [
        'variant',
        'different',
        '<Color‹ variant="table"›><Color.Item name="a" value="#fff" /></Color>',
        undefined,
        'Not read: a palette with `Color.Row` is a table, any other is a list',
      ],
      [
        'title',
        'rendered',
        '<Color><Color.Row‹ title="Primary"›><Color.Item name="a" value="#fff" /></Color.Row></Color>',
        'Primary',
      ],
      ['name', 'rendered', '<Color><Color.Item‹ name="ink"› value="#fff" /></Color>', 'ink'],
      [
        'value',
        'different',
        '<Color><Color.Item name="a"‹ value={{ light: "#ffffff", dark: "#000000" }}› /></Color>',
        '#ffffff · #000000',
        'If it has a color for each theme, both themes show both colors',
      ],
    ],
  ),
  component(
    'Expandable',
    ['Expandable'],
    [
      ['title', 'rendered', '<Expandable‹ title="properties"›>x</Expandable>', 'Show properties'],
      ['defaultOpen', 'rendered', '<Expandable title="a"‹ defaultOpen›>x</Expandable>', ' open'],
    ],
  ),
  component(
    'Fields',
    ['ParamField', 'ResponseField'],
    [
      ['query, path, body, header', 'rendered', '<ParamField‹ query="limit"› type="string">x</ParamField>', 'limit'],
      ['name', 'rendered', '<ResponseField‹ name="total"› type="string">x</ResponseField>', 'total'],
      ['type', 'rendered', '<ResponseField name="a"‹ type="string[]"›>x</ResponseField>', 'string[]'],
      ['required', 'rendered', '<ParamField query="a"‹ required›>x</ParamField>', 'class="req"'],
      ['deprecated', 'rendered', '<ParamField query="a"‹ deprecated›>x</ParamField>', 'deprecated'],
      ['default', 'rendered', '<ParamField query="a"‹ default="10"›>x</ParamField>', 'Default <code>10'],
      [
        'placeholder',
        'different',
        '<ParamField query="a"‹ placeholder="me"›>x</ParamField>',
        'Example <code>me',
        'Also shown as an example on the page',
      ],
      ['pre', 'rendered', '<ResponseField name="a"‹ pre={["new"]}›>x</ResponseField>', 'new'],
      ['post', 'rendered', '<ResponseField name="a"‹ post={["beta"]}›>x</ResponseField>', 'beta'],
      ['cookie', 'rendered', '<ParamField‹ cookie="sid"› type="string">x</ParamField>', 'sid'],
      ['optional', 'rendered', '<ParamField query="a"‹ optional›>x</ParamField>', 'optional'],
      [
        'initialValue',
        'rendered',
        '<ParamField query="a"‹ initialValue="10"›>x</ParamField>',
        'Default <code>10',
        'As `default`',
      ],
      ['id', 'rendered', '<ParamField query="a"‹ id="my-a"›>x</ParamField>', 'id="my-a"'],
    ],
  ),
  component(
    'Frame',
    ['Frame'],
    [
      ['caption', 'rendered', '<Frame‹ caption="**Bold** and [link](/other)"›>x</Frame>', '<figcaption><strong>Bold</strong>'],
      ['hint', 'rendered', '<Frame‹ hint="Before"›>x</Frame>', 'frame-hint'],
      ['video autoPlay', 'rendered', '<Frame><video src="https://example.com/a.mp4"‹ autoPlay› /></Frame>', 'playsinline'],
    ],
  ),
  component(
    'GitHub',
    ['GitHub.Repo'],
    [
      [
        'repo',
        'different',
        '<GitHub.Repo‹ repo="acme/docs"› />',
        'href="https://github.com/acme/docs"',
        'Without description, stars and forks: pages load nothing from other hosts',
      ],
      ['variant', 'rendered', '<GitHub.Repo repo="acme/docs"‹ variant="flat"› />', 'flat'],
      ['className', 'rendered', '<GitHub.Repo repo="acme/docs"‹ className="mt-4"› />', 's-'],
    ],
  ),
  component(
    'Icon',
    ['Icon'],
    [
      ['icon', 'rendered', '<Icon‹ icon="rocket"› />', '#fas-rocket'],
      ['src', 'rendered', '<Icon‹ src="https://example.com/a.png"› />', 'src="https://example.com/a.png"'],
      ['name', 'rendered', '<Icon‹ name="rocket"› />', '#fas-rocket', 'As `icon`'],
      [
        'iconType',
        'different',
        '<Icon icon="bell"‹ iconType="regular"› />',
        '#far-bell',
        'Styles of Font Awesome Pro become solid or regular',
      ],
      ['color', 'rendered', '<Icon icon="rocket"‹ color="#FF0000"› />', 'tinted'],
      ['size', 'rendered', '<Icon icon="rocket"‹ size={32}› />', 'width="32"'],
      ['className', 'rendered', '<Icon icon="rocket"‹ className="mt-4"› />', '<span class="s-'],
    ],
  ),
  component(
    'Panel',
    ['Panel'],
    [['children', 'different', '<Panel>‹x›</Panel>', 'x', 'Next to the text, also with `mode: wide`']],
  ),
  component(
    'Prompt',
    ['Prompt'],
    [
      ['description', 'rendered', '<Prompt‹ description="Write **docs**"›>x</Prompt>', '<strong>docs</strong>'],
      ['title', 'rendered', '<Prompt‹ title="Write"›>x</Prompt>', 'Write', 'As `description`'],
      ['children', 'rendered', '<Prompt description="a">‹Do this›</Prompt>', 'data-copy="Do this"'],
      ['actions', 'rendered', '<Prompt description="a"‹ actions={["copy", "cursor"]}›>x</Prompt>', 'Open in Cursor'],
      ...icon('<Prompt description="a"', '>x</Prompt>'),
    ],
  ),
  component(
    'Steps',
    ['Steps', 'Step'],
    [
      [
        'titleSize',
        'different',
        '<Steps‹ titleSize="p"›><Step title="A">x</Step></Steps>',
        '<p id="a"',
        'The default is a heading, `h2` or `h3`, so that steps are in the table of contents',
      ],
      ['title', 'rendered', '<Steps><Step‹ title="Install"›>x</Step></Steps>', 'Install'],
      ...icon('<Steps><Step title="A"', '>x</Step></Steps>'),
      ['stepNumber', 'rendered', '<Steps><Step title="A"‹ stepNumber={4}›>x</Step></Steps>', 's-'],
      ['id', 'rendered', '<Steps><Step title="A"‹ id="first"›>x</Step></Steps>', 'id="first"'],
      ['noAnchor', 'rendered', '<Steps><Step title="A"‹ noAnchor›>x</Step></Steps>', ''],
    ],
  ),
  component(
    'Tabs',
    ['Tabs', 'Tab'],
    [
      [
        'defaultTabIndex',
        'rendered',
        '<Tabs‹ defaultTabIndex={1}›><Tab title="A">x</Tab><Tab title="B">y</Tab></Tabs>',
        'value="B" checked',
      ],
      ['sync', 'rendered', '<Tabs‹ sync={false}›><Tab title="A">x</Tab></Tabs>', ''],
      ['borderBottom', 'rendered', '<Tabs‹ borderBottom›><Tab title="A">x</Tab></Tabs>', 'ruled'],
      ['title', 'rendered', '<Tabs><Tab‹ title="npm"›>x</Tab></Tabs>', 'npm'],
      ['label, name', 'rendered', '<Tabs><Tab‹ label="npm"›>x</Tab></Tabs>', 'npm', 'As `title`'],
      ['id', 'rendered', '<Tabs><Tab title="A"‹ id="with-a"›>x</Tab></Tabs>', 'id="with-a"'],
      ...icon('<Tabs><Tab title="A"', '>x</Tab></Tabs>'),
    ],
  ),
  component(
    'Tooltip',
    ['Tooltip'],
    [
      ['tip', 'rendered', '<Tooltip‹ tip="A set of rules"›>API</Tooltip>', 'A set of rules'],
      ['headline', 'rendered', '<Tooltip tip="a"‹ headline="API"›>x</Tooltip>', '<b>API'],
      ['cta', 'rendered', '<Tooltip tip="a" href="/other"‹ cta="Read"›>x</Tooltip>', 'Read'],
      ['href', 'rendered', '<Tooltip tip="a" cta="Read"‹ href="/other"›>x</Tooltip>', 'href="/docs/other/"'],
    ],
  ),
  component(
    'Tree',
    ['Tree', 'FileTree', 'Tree.Folder', 'Tree.File'],
    [
      ['Markdown list', 'rendered', '<FileTree>\n\n‹- app/\n  - page.tsx›\n\n</FileTree>', '<details open'],
      ['name', 'rendered', '<Tree><Tree.File‹ name="a.ts"› /></Tree>', 'a.ts'],
      [
        'defaultOpen',
        'rendered',
        '<Tree><Tree.Folder name="a"‹ defaultOpen›><Tree.File name="b" /></Tree.Folder></Tree>',
        'open',
      ],
      ['openable', 'rendered', '<Tree><Tree.Folder name="a"‹ openable={false}›><Tree.File name="b" /></Tree.Folder></Tree>', ''],
      ['highlight', 'rendered', '<Tree><Tree.File name="a"‹ highlight› /></Tree>', 'marked'],
      ['comment', 'rendered', '<Tree><Tree.File name="a"‹ comment="new"› /></Tree>', 'new'],
      [
        'style={{ "--tree-highlight": … }}',
        'rendered',
        '<Tree‹ style={{ "--tree-highlight": "rgb(59 130 246)" }}›><Tree.File name="a" highlight /></Tree>',
        's-',
      ],
    ],
  ),
  component(
    'Update',
    ['Update'],
    [
      ['label', 'rendered', '<Update‹ label="May"›>x</Update>', 'id="may"'],
      ['description', 'rendered', '<Update label="May"‹ description="v1"›>x</Update>', 'v1'],
      ['id', 'rendered', '<Update label="May"‹ id="v1"›>x</Update>', 'id="v1"'],
      ['tags', 'different', '<Update label="May"‹ tags={["API"]}›>x</Update>', 'API', 'Shown below the label, without a filter'],
      [
        'rss',
        'reported',
        '<Update label="May"‹ rss={{ title: "May" }}›>x</Update>',
        undefined,
        'Only changelogs of an API have a feed',
      ],
    ],
  ),
  component(
    'View',
    ['View'],
    [
      [
        'title',
        'different',
        '<View‹ title="Python"›>x</View>\n\n<View title="Go">y</View>',
        'Python',
        'Consecutive views are tabs. The table of contents lists the headings of all views',
      ],
      ['id', 'rendered', '<View title="A"‹ id="a-view"›>x</View>', 'id="a-view"'],
      ['label, name', 'rendered', '<View‹ label="npm"›>x</View>', 'npm', 'As `title`'],
      ...icon('<View title="A"', '>x</View>'),
    ],
  ),
  component(
    'Visibility',
    ['Visibility'],
    [
      [
        'for',
        'rendered',
        '<Visibility‹ for="agents"›>x</Visibility>',
        '',
        'Content for agents is part of the Markdown of the page',
      ],
    ],
  ),
  component(
    'Mermaid',
    ['Mermaid'],
    [
      ['chart', 'rendered', '<Mermaid‹ chart="graph LR"› />', 'graph LR'],
      ['actions', 'rendered', '```mermaid‹ actions={false}›\ngraph LR\n```', 'data-actions="false"'],
      ['placement', 'rendered', '```mermaid‹ placement="top-left"›\ngraph LR\n```', 'data-placement="top-left"'],
      ['title', 'rendered', '<Mermaid chart="graph LR"‹ title="Flow"› />', 'Flow'],
      ['code', 'rendered', '<Mermaid‹ code="graph LR"› />', 'graph LR', 'As `chart`'],
    ],
  ),
  component(
    'Other components',
    ['Button', 'Link', 'Kbd', 'Latex'],
    [
      ['<Button href>', 'rendered', '<Button‹ href="/other"›>x</Button>', 'class="btn primary"'],
      ['<Link href>', 'rendered', '<Link‹ href="/other"›>x</Link>', 'href="/docs/other/"'],
      ['<Kbd>', 'rendered', '<Kbd>‹Esc›</Kbd>', 'Esc'],
      ['<Latex>', 'rendered', '<Latex>‹a^2›</Latex>', 'a^2'],
      ['<Button icon>', 'rendered', '<Button href="/other"‹ icon="rocket"›>x</Button>', '#fas-rocket'],
      [
        '<Button variant color>',
        'different',
        '<Button href="/other"‹ variant="secondary"›>x</Button>',
        'class="btn"',
        '`secondary`, `outline`, `ghost` and `link` look the same',
      ],
      ['<Link to>', 'rendered', '<Link‹ to="/other"›>x</Link>', 'href="/docs/other/"', 'As `href`'],
      ['<Latex block>', 'rendered', '<Latex‹ block›>a^2</Latex>', ''],
    ],
  ),
]
