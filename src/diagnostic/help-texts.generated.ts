import type { DiagnosticCode } from './codes.ts'

/** What `docs/diagnostics.md` says of each code, in Markdown. Written by `npm run docs`, never by hand. */
export const helpTexts: { readonly [code in DiagnosticCode]?: string } = {
  'file-missing': `**error** · A document that \`docs.json\` or the command line names does not exist. A missing file behind a \`$ref\` is
[\`reference-unresolved\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#reference-unresolved).

If the file is in a Git submodule that was not checked out, run \`git submodule update --init\`; in a workflow, set \`submodules: true\` for
\`actions/checkout\`.

Check the spelling, also of capital letters: a path that works on macOS or Windows may not on Linux. Paths count from the folder of
\`docs.json\`, or from the working directory on the command line.`,
  'file-unreadable': `**error** · A file exists but cannot be read: it is a folder, its permissions forbid it, or it is a Git LFS pointer whose content was not downloaded.

For Git LFS, run \`git lfs pull\`; in a workflow, set \`lfs: true\` for \`actions/checkout\`. The Action also reports this error if the branch got a newer
version of a document that an earlier step regenerated: neither version overwrites the other. Run the workflow again.`,
  'file-outside-boundary': `**error** · A path, or the link behind it, leads out of the boundary: the git work tree that has the entry document, or its folder where
there is no git. Documents come from strangers, so nothing beyond is read.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "../../elsewhere/pet.yaml" }
\`\`\`

Move the file into the repository, or widen the boundary with \`--boundary <folder>\`.`,
  'file-too-large': `**error** · A file has more than is read: a document 64 MiB, a page 8 MiB, \`docs.json\` 16 MiB. Split it, or leave out what was generated into it; or
raise \`limits\` in the [configuration file](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits).`,
  'url-unreachable': `**error** · An address that \`docs.json\` or the command line names did not answer with a document.`,
  'url-refused': `**error** · An address is not read because no setting allows it: only \`https:\` is, and \`http:\` to this machine. \`--allow-http\` allows it
for one run; better commit the document and name its path.`,
  encoding: `**error** · The file is not UTF-8 text: it is binary, UTF-16, or has bytes of another encoding. Save it as UTF-8.`,
  'empty-document': `**error** · The file has no content, or nothing but comments.

Wrong:

\`\`\`yaml
# nothing here yet
\`\`\``,
  'json-syntax': `**error** · A file that begins with \`{\` or \`[\` is read as JSON, strictly: no comments, no trailing commas, names in double quotes.

Wrong:

\`\`\`json
{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1.0.0", }, "paths": {} }
\`\`\`

Right:

\`\`\`json
{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1.0.0" }, "paths": {} }
\`\`\``,
  'yaml-syntax': `**error** · The file is not YAML 1.2. The usual reasons are a value with \`: \` or \` #\` in it that lacks quotes, a tab, and lines that are
not indented alike.

Wrong:

\`\`\`yaml
openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      summary: List: all pets
\`\`\`

Right:

\`\`\`yaml
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      summary: "List: all pets"
\`\`\``,
  'duplicate-key': `**error** · A key stands twice in one mapping, so one of the two values is lost. Source: YAML 1.2.2, section 3.2.1.1; RFC 8259, section 4. Of
JSON files those of up to 1 MiB are looked through.

Wrong:

\`\`\`yaml
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
paths:
  /pets: {}
\`\`\`

Right:

\`\`\`yaml
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: {}
\`\`\`

Wrong:

\`\`\`json
{ "openapi": "3.1.0", "info": { "title": "Pets", "title": "Pets", "version": "1.0.0" }, "paths": {} }
\`\`\``,
  'too-complex': `**error** · A limit was reached that keeps a hostile document from using up the machine: nesting of 1,000 levels, 1,000,000 nodes behind
YAML aliases, an alias inside its own anchor, 10,000 files or 256 MiB in one description. All but the alias can be set: see
[limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits).

Wrong:

\`\`\`yaml
x-loop: &loop [*loop]
\`\`\``,
  'markdown-too-complex': `**warning** · A description or page has Markdown that takes quadratic time to parse: thousands of \`*\`, \`_\` or \`]\` in one paragraph, lists and
quotes nested more than 50 levels deep, HTML nested more than 200 levels deep, or backticks of many lengths. The site shows the text up to the block in question
as Markdown, and the rest as plain text. Texts of up to 1,000 characters are not affected.

**Fix:** split the text into shorter paragraphs, and write \`\\*\` for a character that is not markup.`,
  'not-openapi': `**error** · The file is JSON or YAML, but its top has no \`openapi\`. Collections of Postman and Insomnia, AsyncAPI documents and web pages are named in the
message: export or convert them to OpenAPI first.

Wrong:

\`\`\`yaml
title: Pets
\`\`\`

Right:

\`\`\`yaml
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
\`\`\`

Section: OpenAPI Object.`,
  'unsupported-version': `**error** · The version is not 3.0.x, 3.1.x or 3.2.x, or not written with all three numbers. Swagger 2.0 can be converted:
\`npx swagger2openapi swagger.yaml --outfile openapi.yaml\`.

Wrong:

\`\`\`yaml
swagger: "2.0"
info: { title: Pets, version: 1.0.0 }
paths: {}
\`\`\`

Section: OpenAPI Object, \`openapi\`; Versions.`,
  'unknown-field': `**error** · An object has a field that the specification does not give it: most often mistyped, at the wrong level, or of a later version.
Tools pass over it, so what it was to say is lost. Fields of your own begin with \`x-\`.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get:
      sumary: List all pets
      responses: { "200": { description: OK } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get:
      summary: List all pets
      responses: { "200": { description: OK } }
\`\`\`

The same code is given for unknown keys of \`openapi-pages.config.yaml\` and of \`openapi\` in \`docs.json\`.

Section: the fixed and patterned fields of each object; Specification Extensions.`,
  'unknown-keyword': `**warning** · From OpenAPI 3.1 on a schema can have any keyword, and tools pass over those that they do not know. One that differs from a known keyword in a
letter or two is most likely meant for it, and a mistyped \`properties\` or \`$ref\` lets everything pass. Write an own keyword with \`x-\`.

Wrong:

\`\`\`yaml
openapi: 3.1.1
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Pet: { type: object, propertis: { name: { type: string } } }
\`\`\`

Right:

\`\`\`yaml
openapi: 3.1.1
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string } } }
\`\`\`

Section: Schema Object; JSON Schema 2020-12, core, section 4.3.1.`,
  'missing-field': `**error** · An object lacks a field that it must have. The place is the key of the object.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get:
      responses:
        "200": { content: {} }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: {} }
\`\`\`

Section: the fields marked REQUIRED of each object.`,
  'wrong-type': `**error** · A value is of another type: a number where text is expected, a mapping for a list, nothing at all.

Wrong:

\`\`\`yaml
info: { title: Pets, version: 1.0 }
\`\`\`

Right:

\`\`\`yaml
info: { title: Pets, version: "1.0" }
\`\`\`

Section: the fixed fields of each object.`,
  'wrong-value': `**error** · A value is of the right type but not among those that are allowed, or breaks a limit.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { type: strng }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet: { type: string }
\`\`\`

Section: the fixed fields of each object; JSON Schema 2020-12, Validation.`,
  'wrong-format': `**error** · A text does not have the form it must have: an address, a mail address, the name of an anchor.

Wrong:

\`\`\`yaml
info: { title: Pets, version: 1.0.0, contact: { email: pets at example.com } }
\`\`\`

Right:

\`\`\`yaml
info: { title: Pets, version: 1.0.0, contact: { email: pets@example.com } }
\`\`\`

Section: Info, Contact, License and External Documentation Object; OAuth Flow Object.`,
  'wrong-name': `**error** · The name of a component, header or method has characters that are not allowed. In 3.0 documents it is a warning for
components, since the official schema of 3.0 takes any name.

Wrong:

\`\`\`yaml
components:
  schemas:
    New Pet: { type: object }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    NewPet: { type: object }
\`\`\`

Section: Components Object; Path Item Object, \`additionalOperations\`.`,
  'field-conflict': `**error** · Two fields exclude each other, or a field does not belong to an object of this kind.

Wrong:

\`\`\`yaml
components:
  parameters:
    Limit:
      name: limit
      in: query
      schema: { type: integer }
      example: 10
      examples: { few: { value: 10 } }
\`\`\`

Right:

\`\`\`yaml
components:
  parameters:
    Limit:
      name: limit
      in: query
      schema: { type: integer }
      examples: { few: { value: 10 } }
\`\`\`

Section: Parameter, Header, Media Type, Encoding, Example, Link, License, XML and Security Scheme Object.`,
  'read-write-only': `**error** · A schema says both \`readOnly: true\` and \`writeOnly: true\`: its value would stand neither in a request nor in a response. From 3.1
on, where the two are JSON Schema's, it is a warning.

Wrong:

\`\`\`yaml
openapi: 3.0.3
components:
  schemas:
    Token: { type: string, readOnly: true, writeOnly: true }
\`\`\`

Right:

\`\`\`yaml
openapi: 3.0.3
components:
  schemas:
    Token: { type: string, writeOnly: true }
\`\`\`

Section: Schema Object (3.0.4), \`readOnly\` and \`writeOnly\`.`,
  'media-type-name': `**warning** · A key of \`content\` is no media type and no range of them. Nothing that is sent can match it.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: { json: { schema: { type: object } } } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: { application/json: { schema: { type: object } } } }
\`\`\`

Section: Media Type Object; RFC 9110, sections 8.3.1 and 12.5.1.`,
  'header-ignored': `**info** · A header is described that tools have to ignore, because another part of the document says it: the parameters \`Accept\`,
\`Content-Type\` and \`Authorization\`, and the header \`Content-Type\` of a response or an encoding.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get:
      parameters: [{ name: Authorization, in: header, schema: { type: string } }]
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get: { security: [{ token: [] }] }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
\`\`\`

Section: Parameter Object, \`name\`; Response Object and Encoding Object, \`headers\`.`,
  'required-property': `**info** · A name in \`required\` is not described by \`properties\`, and no other keyword of the schema could describe it. JSON Schema allows
that; most often it is a typo, or a property that was renamed. Parts of an \`allOf\` are not looked at.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet:
      type: object
      required: [nmae]
      properties: { name: { type: string } }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties: { name: { type: string } }
\`\`\`

Section: JSON Schema 2020-12, validation, section 6.5.3.`,
  'array-items': `**warning** · A schema of an OpenAPI 3.0 document has \`type: array\` and no \`items\`. The specification requires \`items\` there; tools that accept the
schema anyway treat the entries as values of any type. From 3.1 on \`items\` is optional.

**Fix:** add \`items\` with the schema of the entries, or \`items: {}\` if any entry is allowed.

Wrong:

\`\`\`yaml
openapi: 3.0.4
paths: {}
components:
  schemas:
    Names: { type: array }
\`\`\`

Right:

\`\`\`yaml
openapi: 3.0.4
paths: {}
components:
  schemas:
    Names: { type: array, items: { type: string } }
\`\`\`

Section: Schema Object, \`items\`.`,
  'runtime-expression': `**warning** · The key of a callback, or a value of a link that begins with \`$\`, is no runtime expression. Nothing can be read from a request
or a response with it.

Wrong:

\`\`\`yaml
components:
  callbacks:
    Added: { "{$request.body.url}": { post: { responses: { "200": { description: OK } } } } }
\`\`\`

Right:

\`\`\`yaml
components:
  callbacks:
    Added: { "{$request.body#/url}": { post: { responses: { "200": { description: OK } } } } }
\`\`\`

Section: Runtime Expressions; Callback Object; Link Object.`,
  'pattern-syntax': `**warning** · A \`pattern\` is not a regular expression as JavaScript (ECMA-262) has them, which the specification recommends. Tools that
check values with it may fail.

Wrong:

\`\`\`yaml
components:
  schemas:
    Code: { type: string, pattern: "(?i)[a-z]+(" }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Code: { type: string, pattern: "[A-Za-z]+" }
\`\`\`

Section: Schema Object; JSON Schema 2020-12, Core, 6.4.`,
  'reference-unresolved': `**error** · A \`$ref\` leads to a file, or to a place in one, that is not there.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pets: { type: array, items: { $ref: "#/components/schemas/Pett" } }
    Pet: { type: object }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }
    Pet: { type: object }
\`\`\`

A \`/\` inside a name is written \`~1\` and a \`~\` is written \`~0\`: \`#/paths/~1pets/get\`. Section: Reference Object; RFC 6901.`,
  'reference-circular': `**error** · A \`$ref\` leads to a \`$ref\`, and so on, and back to the first, so that there is no object at all. A schema that contains
itself, such as a tree, is fine.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "#/components/schemas/Animal" }
    Animal: { $ref: "#/components/schemas/Pet" }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "#/components/schemas/Animal" }
    Animal: { type: object, properties: { parent: { $ref: "#/components/schemas/Animal" } } }
\`\`\`

Section: Reference Object; JSON Schema 2020-12, Core, 9.4.1.`,
  'reference-kind': `**error** · A \`$ref\` leads to an object of another kind than the one that is expected there.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "#/components/responses/Pet" }
  responses:
    Pet: { description: A pet }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet: { type: object }
  responses:
    Pet: { description: A pet }
\`\`\`

Section: Components Object; Reference Object.`,
  'reference-misplaced': `**warning** · A \`$ref\` stands where the specification has no reference: in place of an operation, of all paths, of a text. Many tools
accept it, large descriptions are split that way, and what it leads to is checked all the same (except for text, which is left as it is).

Wrong:

\`\`\`yaml
paths:
  /pets:
    get: { $ref: "#/x-operations/listPets" }
x-operations:
  listPets: { responses: { "200": { description: OK } } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets: { $ref: "#/x-paths/pets" }
x-paths:
  pets:
    get: { responses: { "200": { description: OK } } }
\`\`\`

Section: Reference Object; Path Item Object, \`$ref\`.`,
  'reference-syntax': `**warning** · A \`$ref\` is an address, and some characters in it need percent-encoding. It is followed all the same.

Wrong:

\`\`\`yaml
components:
  schemas:
    Id: { $ref: "#/x-parts/{id}" }
x-parts: { "{id}": { type: string } }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Id: { $ref: "#/x-parts/%7Bid%7D" }
x-parts: { "{id}": { type: string } }
\`\`\`

Section: Reference Object; RFC 3986, section 2.1.`,
  'reference-version': `**warning** · A \`$ref\` leads into a file that is an OpenAPI document of another release. What stands there is read as the release of the
document that was checked: \`nullable\` of a 3.0 file means nothing in a description of 3.1.

Write all files of a description in the same version.

Section: OpenAPI Description Structure.`,
  'remote-reference': `**warning** · A \`$ref\` leads to an address. Nothing is read from the network for a document, so what stands there is not checked.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "https://example.com/pet.yaml" }
\`\`\`

Keep a copy of the file beside the document and refer to that.`,
  'operation-id-unique': `**error** · Two operations have one \`operationId\`. Links, generated clients and pages take it as the operation's name.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get: { operationId: list, responses: { "200": { description: OK } } }
  /stores:
    get: { operationId: list, responses: { "200": { description: OK } } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get: { operationId: listPets, responses: { "200": { description: OK } } }
  /stores:
    get: { operationId: listStores, responses: { "200": { description: OK } } }
\`\`\`

Section: Operation Object, \`operationId\`.`,
  'parameter-unique': `**error** · A list has two parameters with one name and location. An operation may replace one of its path item; that is not meant.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: string } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    parameters:
      - { name: limit, in: query, schema: { type: integer } }
    get:
      parameters:
        - { name: limit, in: query, schema: { type: string } }
\`\`\`

Section: Operation Object and Path Item Object, \`parameters\`.`,
  'path-parameter': `**error** · A name in braces of a path has no path parameter, or a path parameter has no such name in the path. A query (\`/pets?limit={limit}\`) is no part of a path:
parameters with \`in: query\` describe it.

Wrong:

\`\`\`yaml
paths:
  /pets/{petId}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets/{petId}:
    get:
      parameters:
        - { name: petId, in: path, required: true, schema: { type: string } }
\`\`\`

Section: Path Templating; Parameter Object, \`name\`.`,
  'path-template': `**error** · Two paths differ only in the names of their parameters and share a method, so a request matches both. If they share no method, it is a
warning. In OpenAPI 3.2 documents, a path that breaks the grammar of path templates is an error too: an unclosed brace (\`/pets/{id\`), a query
(\`/pets?limit=1\`), an empty segment (\`//\`), or a character that needs percent-encoding.

Wrong:

\`\`\`yaml
paths:
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /pets/{name}:
    get:
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /pets/named/{name}:
    get:
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
\`\`\`

Section: Paths Object; Path Templating.`,
  'path-ambiguous': `**warning** · One request can match two paths, and neither is the more concrete one: each has a parameter where the other has a fixed step.
Which one is meant is left to the tool. A parameter that is a number is taken not to match a word. Where the two paths share no method, it is
only information.

Wrong:

\`\`\`yaml
paths:
  /{entity}/me:
    get: { parameters: [{ name: entity, in: path, required: true, schema: { type: string } }] }
  /books/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }] }
\`\`\`

Right:

\`\`\`yaml
paths:
  /users/me:
    get: {}
  /books/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }] }
\`\`\`

Section: Paths Object, "Path Templating Matching".`,
  'security-scheme': `**error** · A security requirement names a scheme that \`components.securitySchemes\` of the entry document does not have.

Wrong:

\`\`\`yaml
security:
  - apiKey: []
\`\`\`

Right:

\`\`\`yaml
security:
  - apiKey: []
components:
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: X-API-Key }
\`\`\`

Section: Security Requirement Object.`,
  'security-scope': `**warning** · A security requirement names a scope that no flow of the \`oauth2\` scheme declares. In 3.0 the list of a scheme of type \`http\` or
\`apiKey\` must be empty; from 3.1 on it names roles.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get: { security: [{ login: ["pets:raed"] }] }
components:
  securitySchemes:
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://example.com/token, scopes: { "pets:read": Read pets } } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get: { security: [{ login: ["pets:read"] }] }
components:
  securitySchemes:
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://example.com/token, scopes: { "pets:read": Read pets } } }
\`\`\`

Section: Security Requirement Object.`,
  'server-variable': `**warning** · A server's address has a name in braces that \`variables\` lacks, or the \`default\` of a variable is not in its \`enum\`; the
latter is an error from 3.1 on.

Wrong:

\`\`\`yaml
servers:
  - url: https://{region}.example.com
\`\`\`

Right:

\`\`\`yaml
servers:
  - url: https://{region}.example.com
    variables: { region: { default: eu, enum: [eu, us] } }
\`\`\`

Section: Server Object; Server Variable Object.`,
  'tag-unique': `**error** · Two entries of \`tags\` have one name.

Wrong:

\`\`\`yaml
tags:
  - name: pets
  - name: pets
\`\`\`

Right:

\`\`\`yaml
tags:
  - name: pets
  - name: stores
\`\`\`

Section: OpenAPI Object, \`tags\`.`,
  'tag-parent': `**error** · The \`parent\` of a tag (OpenAPI 3.2) is not the name of a declared tag, or the parents of tags form a circle.

**Fix:** declare the parent under \`tags\`, correct its spelling, or remove \`parent\` from one tag of the circle.

Wrong:

\`\`\`yaml
openapi: 3.2.0
tags:
  - name: cats
    parent: pets
\`\`\`

Right:

\`\`\`yaml
openapi: 3.2.0
tags:
  - name: pets
  - name: cats
    parent: pets
\`\`\`

Section: Tag Object, \`parent\`.`,
  'tag-undeclared': `**info** · An operation has a tag that \`tags\` of the document does not declare; told once for each tag, and only where the document declares
any. Its group has no description and no place in the order of groups.

Wrong:

\`\`\`yaml
tags: [{ name: pets }]
paths:
  /pets:
    get: { tags: [pest] }
\`\`\`

Right:

\`\`\`yaml
tags: [{ name: pets }]
paths:
  /pets:
    get: { tags: [pets] }
\`\`\`

Section: OpenAPI Object, \`tags\`.`,
  'link-target': `**warning** · A link leads to an operation that is not there, by \`operationId\` or \`operationRef\`, or gives a parameter that the operation does
not have.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get:
      operationId: listPets
      responses: { "200": { description: OK, links: { Next: { operationId: listPet } } } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get:
      operationId: listPets
      responses: { "200": { description: OK, links: { Next: { operationId: listPets } } } }
\`\`\`

Section: Link Object.`,
  'discriminator-mapping': `**warning** · A value of \`discriminator.mapping\` (or \`defaultMapping\`) names a schema that \`components.schemas\` does not have, or is a reference
that leads nowhere. What could be the name of a file that nothing else refers to is left alone.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { cat: Catt } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { cat: Cat } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
\`\`\`

Section: Discriminator Object, \`mapping\`.`,
  'discriminator-property': `**warning** · The property that \`discriminator.propertyName\` names is not described, or not required, by the schema or by one it chooses from.
Without it nothing tells which schema is meant. With the \`defaultMapping\` of 3.2 it may be left out.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind }
    Cat: { type: object, properties: { kind: { type: string } } }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
\`\`\`

Section: Discriminator Object, \`propertyName\`.`,
  'encoding-property': `**warning** · A key of \`encoding\` is not a property of the media type's schema, so tools ignore it. Properties in \`allOf\`, \`anyOf\` and \`oneOf\` count, and so do
names that match \`patternProperties\`. Nothing is reported for a schema that allows additional properties. In OpenAPI 3.2 documents it is an info.

**Fix:** correct the spelling, or add the property to the schema.

Wrong:

\`\`\`yaml
paths:
  /pets:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { photo: { type: string } } }
            encoding: { foto: { contentType: image/png } }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { photo: { type: string } } }
            encoding: { photo: { contentType: image/png } }
\`\`\`

Section: Media Type Object, \`encoding\`.`,
  'unused-component': `**info** · Nothing refers to a component of the entry document: no \`$ref\` (also not in an extension), no security requirement, no discriminator.
A document without operations is there for its components, so nothing is said of them.

Wrong:

\`\`\`yaml
paths:
  /pets:
    get: { responses: { "200": { description: OK } } }
components:
  schemas:
    Pet: { type: object }
\`\`\`

Right:

\`\`\`yaml
paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
components:
  schemas:
    Pet: { type: object }
\`\`\`

Section: Components Object.`,
  'example-mismatch': `**warning** · An \`example\`, or an entry of \`examples\`, is not what its schema describes. Readers copy examples, and mock servers answer with
them.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet:
      type: object
      properties: { age: { type: integer } }
      example: { age: four }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Pet:
      type: object
      properties: { age: { type: integer } }
      example: { age: 4 }
\`\`\`

What is read-only or write-only may be left out, \`format\` is not looked at, and an example of another media type than JSON is not compared. A
text that holds JSON, or a parameter's value as it is sent, counts as what it stands for. Where a match cannot be told for sure
(\`unevaluatedProperties\`, a costly \`pattern\`), nothing is said. An entry document of more than 4 MiB is not looked through unless the
configuration has \`example-mismatch\`, \`default-mismatch\` or \`enum-mismatch\` under [\`rules\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#severities).

Section: Media Type Object, Parameter Object and Schema Object, \`example\` and \`examples\`.`,
  'default-mismatch': `**warning** · A \`default\` is not what its own schema describes.

Wrong:

\`\`\`yaml
components:
  schemas:
    Limit: { type: integer, default: "20" }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Limit: { type: integer, default: 20 }
\`\`\`

Section: Schema Object, \`default\`.`,
  'enum-mismatch': `**warning** · A choice of an \`enum\` is not of the schema's own \`type\`, so no value can ever be this one.

Wrong:

\`\`\`yaml
components:
  schemas:
    Size: { type: string, enum: [small, large, 3] }
\`\`\`

Right:

\`\`\`yaml
components:
  schemas:
    Size: { type: string, enum: [small, large, "3"] }
\`\`\`

Section: Schema Object, \`enum\`; JSON Schema 2020-12, validation, section 6.1.2.`,
  'baseline-known': `**info** · The [baseline](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline) lists problems that still occur. They are counted here instead of being reported one by one.`,
  'baseline-fixed': `**info** · The [baseline](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline) lists problems that no longer occur in the files that were checked.

**Fix:** run \`openapi-pages check --write-baseline\` to remove them, so that they are reported if they come back.`,
  'baseline-unusable': `**error** · The baseline that \`--baseline\` or the configuration file names does not exist, or is not a baseline of version 1.

**Fix:** correct the path, or write the file with \`openapi-pages check --write-baseline\`.`,
  'docs-config-missing': `**error** · There is no \`docs.json\` in the docs root (nor a \`mint.json\`, as it was called before 2025), and no document was named either, so there is nothing to update.

The finding prints the smallest \`docs.json\`, with an OpenAPI document of the folder in it. Paste it, or give the documents to the Action
(\`openapi\`), which then writes pages without touching a navigation.`,
  'docs-reference': `**error** · A \`$ref\` in \`docs.json\` cannot be followed: there is no such file, it leads out of the docs root or in a circle, or it is an address. The path counts
from the file that has the \`$ref\`. What the missing part lists is not known, so no page and no entry is touched until it can be read; a host refuses to build
the site.

\`\`\`json page-wrong
{ "navigation": { "$ref": "navigation.json" } }
\`\`\`

\`\`\`json page-right
{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }
\`\`\``,
  'docs-config-key': `**info** · A key of \`docs.json\` or \`mint.json\` that hosts pass over: mistyped, in the wrong place, or from the time of \`mint.json\`. It stays as it is. Keys that
begin with \`x-\` are never reported. \`update\` does not tell.

\`\`\`json page-wrong
{ "group": "Start", "pages": ["index"], "opanapi": "openapi.yaml" }
\`\`\`

\`\`\`json page-right
{ "group": "Start", "pages": ["index"] }
\`\`\``,
  'config-not-read': `**warning** · A file in the docs root is called as its configuration file could be, and is not read: \`openapi-pages.config.yml\`, \`openapi-pages.config.ts\`,
\`.openapi-pages.yaml\`. The settings are in \`openapi-pages.config.yaml\`, or else in \`openapi-pages.config.json\`; where both are there, the first counts and the
second is told.`,
  'page-missing': `**warning** · An entry of the navigation names a page that is not there, or cannot be read: a host leaves it out without a word. The nearest page that nothing
lists is named. More than three in one list are one finding.

\`\`\`json page-wrong
{ "group": "Start", "pages": ["Index"] }
\`\`\`

\`\`\`json page-right
{ "group": "Start", "pages": ["index"] }
\`\`\``,
  'navigation-empty': `**error** · The navigation of \`docs.json\` lists no page that is there and no operation, and there is no other page, so there is no site to build. Only \`build\` and
\`preview\` tell.

\`\`\`json
{ "navigation": { "pages": [] } }
\`\`\`

\`\`\`json
{ "navigation": { "openapi": "openapi.yaml" } }
\`\`\``,
  'page-unlisted': `**info** · Pages that no navigation lists: readers find them by their address only. They are one finding, which names folders of which nothing is listed instead
of their pages. Left out are pages with \`hidden: true\`, those that something else in \`docs.json\` leads to, snippets (files in a folder \`snippets\`, or imported
by a page), files such as \`README.md\`, and what \`.mintignore\` names. \`update\` does not tell.`,
  'page-listed-twice': `**warning** · One list has a page twice. The same page in two lists is no finding, as that is often meant.

\`\`\`json page-wrong
{ "group": "Start", "pages": ["index", "/index.mdx"] }
\`\`\`

\`\`\`json page-right
{ "group": "Start", "pages": ["index"] }
\`\`\``,
  'page-url-conflict': `**warning** · Two pages have one address, since they differ only in extension (\`a.md\`, \`a.mdx\`) or case. A host shows one of them; on some disks there can be only
one.`,
  'lock-file': `**warning** · \`openapi-pages.lock.json\` cannot be used as it is. It is the record of which pages are generated or adopted.

Damaged, it is made again by the next update from the pages that are there, as [\`openapi-pages adopt\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/adopting.md) does; no page is changed by that. Of a merge conflict
what both sides record counts. To keep what only the file knows, such as pages that were deleted by hand, put the version in git back instead.

One that a newer release wrote is an **error**: no page, entry or lock line is touched. Update with that release.`,
  'navigation-openapi': `**warning** · \`navigation\` itself has an \`openapi\` key beside tabs, anchors or other divisions. A host shows no groups there, so its pages could not be
listed anywhere; none is made. Other divisions still inherit the key.

\`\`\`json page-wrong
{ "navigation": { "openapi": "openapi.yaml", "tabs": [{ "tab": "API" }] } }
\`\`\`

\`\`\`json page-right
{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }
\`\`\``,
  'overlays-not-applied': `**warning** · The \`openapi\` of a division names \`overlays\`. Pages are written from the document as it is, without them, so the division stays virtual: its
key stays where it is, and the host, which applies the overlays, makes its pages.

Apply the overlays to the document and commit the result, or remove \`overlays\`.

\`\`\`json page-wrong
{ "navigation": { "tabs": [{ "tab": "API", "openapi": { "source": "openapi.yaml", "overlays": ["public.yaml"] } }] } }
\`\`\`

\`\`\`json page-right
{ "navigation": { "tabs": [{ "tab": "API", "openapi": { "source": "openapi.yaml", "overlays": [] } }] } }
\`\`\``,
  'unknown-division': `**warning** · The configuration file has a setting for a division whose label \`docs.json\` does not have, so the setting does nothing.`,
  'unknown-schema': `**warning** · The configuration file asks for the page of a schema that no document has under \`components.schemas\`, so there is none.`,
  'division-gone': `**warning** · The lock file has pages for a division that is not in \`docs.json\` any more, and none of them is listed in another division of its kind.
The pages stay as they are: they may be linked from elsewhere.

Put \`openapi\` on the division that is to list them, or delete the pages together with the division's line in the lock file.`,
  'entry-without-document': `**warning** · A navigation entry names an operation, but neither the entry nor any division around it names a document.

\`\`\`json page-wrong
{ "group": "Pets", "pages": ["GET /pets"] }
\`\`\`

\`\`\`json page-right
{ "group": "Pets", "pages": ["openapi.yaml GET /pets"] }
\`\`\``,
  'entry-unresolved': `**error** · A navigation entry names an operation, webhook or document that is not there. The host refuses to build a site with such an entry. The nearest
operation is named.

\`\`\`json page-wrong
{ "group": "Pets", "pages": ["openapi.yaml GET /petz"] }
\`\`\`

\`\`\`json page-right
{ "group": "Pets", "pages": ["openapi.yaml GET /pets"] }
\`\`\``,
  'operation-skipped': `**info** · A document has errors, and \`update.onError: operation\` (or \`update --keep-going\`) updates only the pages of operations that no error affects. This lists the
operations that are skipped, or the error that concerns the whole document. Pages of skipped operations stay exactly as they are.

**Fix:** fix the errors of the document. The next update brings the remaining pages up to date.`,
  'unlisted-operation': `**info** · Entries without a file switch off the automatic pages of their division: you have taken control of it. This operation is not among them.

Add an entry for it, or set \`unlisted\` in \`openapi-pages.config.yaml\` to \`add\` (it gets a page of its own) or to \`ignore\`.`,
  'order-kept': `**info** · The \`order\` of a division has changed, but somebody has put these entries or groups into an order of his own since they were listed. They
stay in it; said once, by the update that first knows the new setting.`,
  'link-to-moved-page': `**info** · A page has another address now, since \`x-mint.href\` or the directory of its division has changed, and this link has the old one. The
update does not change texts of others; it adds an entry to \`redirects\` in \`docs.json\`, so that the link goes on to work. Without a \`docs.json\`
there is none, and the link is broken: **warning**. A relative link of the page that moves is a **warning** too where it would lead elsewhere from
there. Said once, by the update that moves the page.`,
  'redirect-unresolved': `**warning** · A redirect in \`docs.json\` leads to a page that this update removes, because its operation no longer exists.

Name another page as the \`destination\`, or remove the redirect.`,
  'page-frontmatter': `**warning** · The YAML between the \`---\` lines of a page cannot be read, or nothing ends it: its binding cannot be checked, and its title and description are lost.

\`\`\`yaml page-wrong
title: Pets: all of them
openapi: openapi.yaml GET /pets
\`\`\`

\`\`\`yaml page-right
title: "Pets: all of them"
openapi: openapi.yaml GET /pets
\`\`\``,
  'binding-syntax': `**warning** · The \`openapi\` of a page is not \`[file] METHOD /path\` or \`[file] webhook name\`, or its \`openapi-schema\` is no name of a schema.

\`\`\`yaml page-wrong
openapi: /pets
\`\`\`

\`\`\`yaml page-right
openapi: openapi.yaml GET /pets
\`\`\``,
  'binding-unresolved': `**error** · A page is bound to an operation, webhook, schema or document that is not there, or that \`x-excluded\` keeps out. The API part of the page is
empty. \`update\` warns, since the other pages can be written all the same; \`check\` counts it as an error. The nearest operation is named, or
where the operation has moved to.

\`\`\`yaml page-wrong
openapi: openapi.yaml GET /petz
\`\`\`

\`\`\`yaml page-right
openapi: openapi.yaml GET /pets
\`\`\``,
  'binding-ambiguous': `**error** · A page is bound to an operation without naming a document, and several documents have it. Which one a host takes depends on their names.

\`\`\`yaml page-wrong
openapi: GET /pets
\`\`\`

\`\`\`yaml page-right
openapi: stores.yaml GET /pets
\`\`\``,
  'page-href': `**warning** · \`x-mint.href\` leads out of the docs root, or to another site. The page stays at the path it would have without it.

\`\`\`yaml page-wrong
x-mint: { href: ../outside }
\`\`\`

\`\`\`yaml page-right
x-mint: { href: /guides/pets }
\`\`\``,
  'page-path-taken': `**warning** · A file that is not bound to the operation stands where the operation's page would go. It is not touched; the page goes to another path.

Bind the file to the operation to make it its page, or move it away.`,
  'document-not-committed': `**warning** · Pages show operations that the OpenAPI document in the repository lacks. An earlier step of the job regenerated the document, and the
commit of the Action does not include it: \`add-paths\` leaves it out, git does not track it, or it is executable, over 20 MB or in Git LFS.

Add the document to the input \`add-paths\` (\`documents\` is the default), or commit it in a step of its own before the Action runs.`,
  'page-ignored': `**warning** · \`.gitignore\` covers the folder that pages are written to, or the lock file, so a commit would leave them out and the next run would start anew.

Take the folder out of \`.gitignore\`, or name another \`directory\` on the division.

# Pages of the site

Pages are shown without running them: their code is parsed, and what needs no running is shown.`,
  'page-syntax': `**warning** · The text of a page is not MDX: a brace or a bracket that is text, a tag that is not closed. The page is shown as plain Markdown.

\`\`\`mdx page-wrong-text
Fewer than <5 of {them
\`\`\`

\`\`\`mdx page-right-text
Fewer than &lt;5 of \\{them
\`\`\``,
  'unknown-component': `**warning** · A component that the site does not have and the page does not import. What is inside it is shown.

\`\`\`mdx page-wrong-text
<Warming>Mind the gap</Warming>
\`\`\`

\`\`\`mdx page-right-text
<Warning>Mind the gap</Warning>
\`\`\``,
  'unread-expression': `**warning** · Code whose value cannot be told without running it: a call, a spread, a function. Nothing is shown for it. Literals, exported constants,
props of a snippet, \`frontmatter\` and JSX can be used, and choices between them.

\`\`\`mdx page-wrong-text
The year is {new Date().getFullYear()}
\`\`\`

\`\`\`mdx page-right-text
export const year = 2026

The year is {year}
\`\`\``,
  'unread-import': `**warning** · A page imports what is not there, stands outside the docs root, or would have to be run (\`.jsx\`, packages). A visible note stands in its
place.

\`\`\`mdx page-wrong-text
import Chart from "/snippets/chart.jsx"
\`\`\``,
  'refused-html': `**warning** · HTML that runs something, sends something or shows another site: scripts, forms, frames other than those of the usual players, links
with other schemes than \`http\`, \`https\`, \`mailto\` and \`tel\`. It is left out.

\`\`\`mdx page-wrong-text
<script src="/widget.js"></script>
\`\`\``,
  'link-unresolved': `**warning** · A link of a page leads to an address of this site that no page, file or redirect has. The link stays as it is and leads to the page for
missing pages.

\`\`\`mdx
See the [quick start](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quikstart).
\`\`\`

\`\`\`mdx
See the [quick start](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quickstart).
\`\`\``,
  'fragment-unresolved': `**warning** · A link leads to a page that is there, and to a part (\`#…\`) that this page does not have: it opens at its beginning. Headings have the address
that GitHub gives them; one that differs in signs, blanks or capitals only, as other hosts write it, leads there too. One that names what has a page, as other
readers of descriptions write it (\`#operation/getPet\`), [leads to that page](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#pages). Told by \`build\` only.

\`\`\`mdx
See [the limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quickstart#limit).
\`\`\`

\`\`\`mdx
See [the limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quickstart#limits).
\`\`\``,
  'asset-missing': `**warning** · A page shows an image or links to a file that is not in the docs root. Paths that begin with \`/\` count from the docs root, others from the
folder of the page.

\`\`\`mdx
![The dashboard](https://github.com/openapi-pages/openapi-pages/blob/main/docs//images/dashbord.png)
\`\`\`

\`\`\`mdx
![The dashboard](https://github.com/openapi-pages/openapi-pages/blob/main/docs//images/dashboard.png)
\`\`\``,
  'asset-refused': `**warning** · A file of the repository that is not published: one that a browser would run on the site's own address (HTML, JavaScript, XML), an SVG with
script, a link out of the repository, a file over 64 MB or one over the 200 MB that the files of a site may have together, and one whose name differs from
another only in case.`,
  'setting-not-used': `**info** · \`docs.json\` asks for something a site does not do: fonts of other hosts, a picture as ground, scripts of other services, samples in a language that there are none in, documents of other kinds. Pages load nothing from
elsewhere and run only what this program brings. See [what of docs.json is honoured](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#what-of-docsjson-is-honoured).

**warning** · A setting that cannot be read, so that it does nothing: a text where there has to be an object, a colour that is no \`#0D9373\`, a link without
an address, a redirect that leads back to itself.

\`\`\`json
{ "fonts": { "family": "Inter", "source": "/fonts/inter.woff2" } }
\`\`\``,
  'color-contrast': `**info** · A colour of \`colors\` that text could not be read in. Its lightness is moved until the contrast is 4.5 with every ground of the theme, hue and
chroma kept. A \`background.color\` on which the palest text could not be read is not used.

\`\`\`json
{ "colors": { "primary": "#077D36", "light": "#55D799" } }
\`\`\``,
}
