// Inputs of a site with a text in every place that takes one.

const props = (
  'title description label name alt tip cta icon href src img type default color className id tag caption path headline hint comment ' +
  'srcSet stepNumber titleSize language filename highlight value repo chart query iconType size'
).split(' ')
const components = (
  'Card Tab Accordion Step ParamField ResponseField Tooltip Update Frame Badge Icon Expandable Note Callout Button Link Tree.File ' +
  'Tree.Folder Color.Item Prompt Mermaid Latex CodeBlock GitHub.Repo img a Tile'
).split(' ')
/** Values that are no strings, and elements in others. */
const nested = (text: string) => [
  `<Update label={${text}} tags={[${text}]}>x</Update>`,
  `<ParamField query={${text}} pre={[${text}]} required>x</ParamField>`,
  `<Steps titleSize={${text}}><Step title={${text}} id={${text}} stepNumber={${text}}>x</Step></Steps>`,
  `<Tabs><Tab title={${text}} icon={${text}} id={${text}}>x</Tab></Tabs>`,
  `<Frame caption={${text}}><img src={${text}} alt={${text}} style={${text}} className={${text}} srcSet={${text}} /></Frame>`,
  `<Tree style={{ "--tree-highlight": ${text} }}><Tree.File name={${text}} comment={${text}} highlight /></Tree>`,
  `<Color><Color.Item name={${text}} value={${text}} /></Color>`,
  `<Prompt description={${text}} actions={["copy", "cursor"]}>{${text}}</Prompt>`,
  `<div style={{ color: ${text}, background: ${text} }} onClick={${text}} dangerouslySetInnerHTML={{ __html: ${text} }}>x</div>`,
]

/** A page with a string in every possible place. */
export function hostilePage(text: string): string {
  const quoted = JSON.stringify(text)
  const elements = components.map(
    (name) => `<${name} ${props.map((prop) => `${prop}={${quoted}}`).join(' ')}>{${quoted}}</${name}>`,
  )
  elements.push(...nested(quoted))
  const plain = text.replaceAll(/[<{`]/g, '\\$&').replaceAll('\n', ' ').replaceAll('\0', '')
  const frontmatter = ['title', 'sidebarTitle', 'description', 'icon', 'tag', 'og:title', 'keywords', 'api'].map(
    (key) => `${quoted === '' ? '' : `"${key}"`}: ${quoted}`,
  )
  return `---\n${frontmatter.join('\n')}\n---\n\n## ${plain}\n\n${elements.join('\n\n')}\n\n\`\`\`js ${text.replaceAll(/[\n`]/g, ' ')}\n${text.replaceAll('`', "'")}\n\`\`\`\n`
}

/** A docs.json with hostile strings in every setting. */
export function hostileConfig(texts: readonly string[], pages: readonly string[]): object {
  const [one = '', two = one, three = one, four = two] = texts
  const links = texts.map((text) => ({ label: text, href: text, icon: text }))
  return {
    name: one,
    description: two,
    logo: three,
    favicon: four,
    colors: { primary: two },
    banner: { content: texts.join('\n\n'), dismissible: true },
    navbar: { links, primary: { type: 'button', label: four, href: three } },
    footer: { socials: Object.fromEntries(texts.map((text) => [text, text])), links: [{ header: one, items: links }] },
    seo: { metatags: Object.fromEntries([...texts.map((text) => [text, text]), ['description', two]]) },
    redirects: texts.map((text) => ({ source: `/${text}`, destination: text })),
    errors: { 404: { title: three, description: four } },
    contextual: { options: ['copy', ...texts.map((text) => ({ title: text, description: text, icon: text, href: text }))] },
    navigation: {
      tabs: [
        { tab: one, icon: two, groups: [{ group: three, icon: four, tag: one, pages }] },
        ...texts.map((text) => ({ tab: text, href: text })),
      ],
    },
  }
}

/** An OpenAPI document with an operation for each string (`POST /p0` and so on), in which every text is that string. */
export function documentOfTexts(texts: readonly string[]): object {
  const all = (text: string, index: number) => {
    const schema = {
      type: 'object',
      title: text,
      description: text,
      properties: {
        [text]: { type: 'string', description: text, enum: [text, 'b'], 'x-enumDescriptions': { [text]: text }, default: text },
        b: {
          type: 'string',
          pattern: text,
          format: text,
          example: text,
          externalDocs: { url: `https://example.com/?${index}`, description: text },
        },
        c: { oneOf: [{ title: text, properties: { [text]: {} } }, { title: 'b' }], discriminator: { propertyName: text } },
        d: { const: text, contentMediaType: text },
      },
      patternProperties: { [text]: { description: text } },
    }
    return {
      operationId: `op${index}`,
      summary: text,
      description: text,
      tags: [text],
      externalDocs: { url: `https://example.com/?${index}`, description: text },
      servers: [{ url: text, description: text, variables: { [text]: { default: text, enum: [text], description: text } } }],
      security: [{ [`k${index}`]: [text] }, { [`s${index}`]: [text] }],
      parameters: ['query', 'header', 'cookie'].map((place) => ({
        name: text,
        in: place,
        required: true,
        description: text,
        schema,
        example: text,
      })),
      requestBody: {
        description: text,
        content: {
          [text]: { schema, examples: { [text]: { summary: text, value: text } }, encoding: { [text]: { contentType: text } } },
          'application/json': { schema, example: { [text]: text } },
        },
      },
      responses: {
        200: {
          description: text,
          headers: { [text]: { description: text, schema } },
          content: {
            [text]: {
              schema,
              examples: { [text]: { summary: text, value: text }, b: { externalValue: 'https://example.com/a.json' } },
            },
          },
          links: { [text]: { operationId: text, description: text, parameters: { [text]: text } } },
        },
      },
      callbacks: {
        [text]: {
          [text]: {
            post: {
              description: text,
              requestBody: { content: { [text]: { schema } } },
              responses: { 200: { description: text } },
            },
          },
        },
      },
      'x-codeSamples': [{ lang: text, label: text, source: text }],
    }
  }
  const paths = texts.map((text, index) => [`/p${index}`, { post: all(text, index) }])
  const schemes = texts.flatMap((text, index) => [
    [`k${index}`, { type: 'apiKey', in: 'header', name: text, description: text }],
    [
      `s${index}`,
      {
        type: 'oauth2',
        description: text,
        flows: { implicit: { authorizationUrl: 'https://example.com/', scopes: { [text]: text } } },
      },
    ],
  ])
  return {
    openapi: '3.1.0',
    info: { title: texts[0], version: '1' },
    tags: texts.map((name) => ({ name, description: name })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: Object.fromEntries(schemes),
      schemas: {
        Named: {
          description: texts.join('\n\n'),
          properties: Object.fromEntries(texts.map((text) => [text, { description: text, example: text }])),
        },
      },
    },
  }
}
