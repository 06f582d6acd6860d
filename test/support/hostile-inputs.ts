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

/** A page with a string in every possible place. Its description is Markdown. */
export function hostilePage(text: string, description = text): string {
  const quoted = JSON.stringify(text)
  const elements = components.map(
    (name) => `<${name} ${props.map((prop) => `${prop}={${quoted}}`).join(' ')}>{${quoted}}</${name}>`,
  )
  elements.push(...nested(quoted))
  const plain = text.replaceAll(/[<{`]/g, '\\$&').replaceAll('\n', ' ').replaceAll('\0', '')
  const frontmatter = ['title', 'sidebarTitle', 'description', 'icon', 'tag', 'og:title', 'keywords', 'api'].map(
    (key) => `"${key}": ${key === 'description' ? JSON.stringify(description) : quoted}`,
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

const keep = (text: string) => text
export const asIs = { describe: keep, summarize: keep }

/**
 * An OpenAPI document with an operation for each string (`POST /p0` and so on), in which every text is that string.
 *
 * @param markdown makes the descriptions and the summary of an operation, which sites read as Markdown.
 */
export function documentOfTexts(texts: readonly string[], { describe, summarize } = asIs): object {
  const all = (text: string, index: number) => {
    const schema = {
      type: 'object',
      title: text,
      description: describe(text),
      properties: {
        [text]: {
          type: 'string',
          description: describe(text),
          enum: [text, 'b'],
          'x-enumDescriptions': { [text]: describe(text) },
          default: text,
        },
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
      patternProperties: { [text]: { description: describe(text) } },
    }
    return {
      operationId: `op${index}`,
      summary: summarize(text),
      description: describe(text),
      tags: [text],
      externalDocs: { url: `https://example.com/?${index}`, description: text },
      servers: [
        {
          url: text,
          description: describe(text),
          variables: { [text]: { default: text, enum: [text], description: describe(text) } },
        },
      ],
      security: [{ [`k${index}`]: [text] }, { [`s${index}`]: [text] }, { [`h${index}`]: [] }],
      parameters: ['query', 'header', 'cookie'].map((place) => ({
        name: text,
        in: place,
        required: true,
        description: describe(text),
        schema,
        example: text,
      })),
      requestBody: {
        description: describe(text),
        content: {
          [text]: { schema, examples: { [text]: { summary: text, value: text } }, encoding: { [text]: { contentType: text } } },
          'application/json': { schema, example: { [text]: text } },
        },
      },
      responses: {
        200: {
          description: describe(text),
          headers: { [text]: { description: describe(text), schema } },
          content: {
            [text]: {
              schema,
              examples: { [text]: { summary: text, value: text }, b: { externalValue: 'https://example.com/a.json' } },
            },
          },
          links: { [text]: { operationId: text, description: describe(text), parameters: { [text]: text } } },
        },
      },
      callbacks: {
        [text]: {
          [text]: {
            post: {
              description: describe(text),
              requestBody: { content: { [text]: { schema } } },
              responses: { 200: { description: describe(text) } },
            },
          },
        },
      },
      'x-codeSamples': [{ lang: text, label: text, source: text }],
    }
  }
  const paths = texts.map((text, index) => [`/p${index}`, { post: all(text, index) }])
  const schemes = texts.flatMap((text, index) => [
    [`k${index}`, { type: 'apiKey', in: 'header', name: text, description: describe(text) }],
    [`h${index}`, { type: 'http', scheme: 'bearer', bearerFormat: text }],
    [
      `s${index}`,
      {
        type: 'oauth2',
        description: describe(text),
        flows: { implicit: { authorizationUrl: 'https://example.com/', scopes: { [text]: describe(text) } } },
      },
    ],
  ])
  return {
    openapi: '3.1.0',
    info: { title: texts[0], version: '1' },
    tags: texts.map((name) => ({ name, description: describe(name) })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: Object.fromEntries(schemes),
      schemas: {
        Named: {
          description: texts.map(describe).join('\n\n'),
          properties: Object.fromEntries(texts.map((text) => [text, { description: describe(text), example: text }])),
        },
      },
    },
  }
}
