import type { SchemaPageView } from '../../reference/types.ts'
import type { ApiContext } from './api-context.ts'
import { Facts } from './facts.tsx'
import { SchemaInside } from './schema-inside.tsx'
import { TypeText } from './type-text.tsx'

/** All that a page says about one named schema, under its title. */
export function SchemaArticle({ view, api }: { readonly view: SchemaPageView; readonly api: ApiContext }) {
  const { schema } = view
  return (
    <section class="part">
      <h2 id="properties">
        <a class="h" href="#properties">
          {schema.properties.length > 0 ? 'Properties' : 'Values'}
        </a>{' '}
        <small>
          <TypeText type={schema.type} api={api} />
        </small>
      </h2>
      <Facts schema={schema} api={api} />
      <SchemaInside schema={schema} api={api} id="" depth={0} />
    </section>
  )
}
