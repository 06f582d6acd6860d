import{t as e}from"./lazy-CsrYZpSq.js";import{n as t}from"./relative-path-BjYqZOQn.js";import{n,t as r}from"./codes-MbablZ9h.js";import{n as i,r as a,t as o}from"./diagnostic-DVnO3zeY.js";import{createHash as s}from"node:crypto";function escapeText(e){return f.test(e)?e.replace(u(),escapeCharacter).replace(/^(\s*):(?=:)/,`$1\\u003a`).replace(/##(?=\w*\[)/g,`#\\u0023`):e}function toSafeJson(e){return JSON.stringify(e,void 0,2).replace(d(),escapeUnit).replace(/##(?=\w*\[)/g,`#\\u0023`)}const c=`\\x00-\\x1f\\x7f-\\x9f`,l=`\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff\\ufff9-\\ufffb`,u=e(()=>RegExp(`[${c}${l}\\u{e0000}-\\u{e007f}]|\\p{Surrogate}`,`gu`)),d=e(()=>RegExp(`[\\x7f-\\x9f${l}]|\\udb40[\\udc00-\\udc7f]`,`g`)),f=RegExp(`[${c}${l}\\ud800-\\udfff]|^\\s*::|##`),p=new Map([[`
`,`\\n`],[`\r`,`\\r`],[`	`,`\\t`]]);function escapeCharacter(e){return p.get(e)??escapeUnit(e)}function escapeUnit(e){let t=``;for(let n=0;n<e.length;n++)t+=`\\u${e.charCodeAt(n).toString(16).padStart(4,`0`)}`;return t}function escapeXml(e){return e.replace(/[<>&'"]/g,e=>`&#${e.charCodeAt(0)};`)}function toOneLine(e){return e.replace(/(?<!\s)\s*\n\s*/g,` `)}function toWellFormed(e){return e.replace(/[\p{Surrogate}\ufffe\uffff]/gu,`�`)}function displayWidth(e){if(/^[\x20-\x7e]*$/.test(e))return e.length;let t=0;for(let n of e)t+=m.test(n)?0:h.test(n)?2:1;return t}const m=/^(?:\p{Mark}|\u200c|\u200d|\p{Emoji_Modifier})$/u,h=/^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u,g={"file-missing":"**error** · A document that `docs.json` or the command line names does not exist. A missing file behind a `$ref` is reported as\n[`reference-unresolved`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#reference-unresolved).\n\n**Fix:** check the spelling, including upper and lower case: macOS and Windows may accept a path that Linux rejects. Paths are relative to\nthe directory of `docs.json`, or to the working directory on the command line. If the file is in a Git submodule, run\n`git submodule update --init`, or set `submodules: true` for `actions/checkout`.","file-unreadable":"**error** · A file exists but cannot be read. It is a directory, its permissions deny access, or it is a Git LFS pointer whose content was\nnot downloaded. The Action also reports this error if the branch received a newer version of a document that an earlier step regenerated. In\nthat case, neither version overwrites the other.\n\n**Fix:** check the file and its permissions. For Git LFS, run `git lfs pull`, or set `lfs: true` for `actions/checkout`. If the branch has a\nnewer version, run the workflow again.","file-outside-boundary":`**error** · A path, or the symbolic link behind it, points outside the boundary. The boundary is the Git working tree that contains the
entry document. If there is no repository, it is the working directory, or the directory of the document if that is elsewhere. Documents are
untrusted input, so nothing outside the boundary is read.

**Fix:** move the file into the repository, or widen the boundary with \`--boundary <directory>\`.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "../../elsewhere/pet.yaml" }
\`\`\``,"file-too-large":"**error** · A file exceeds its size limit: 64 MiB for a document, 8 MiB for a page, or 16 MiB for `docs.json`.\n\n**Fix:** split the file, remove generated content from it, or raise `limits` in the [configuration file](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits).","url-unreachable":`**error** · A URL that \`docs.json\` or the command line names did not return a document.

**Fix:** check the URL, or commit the document and use its path.`,"url-copy-used":"**warning** · `build` could not read a URL that `docs.json` names and used the copy from an earlier build. The message has the age of the copy: the time since the server last\nconfirmed the document. Copies are in `.openapi-pages-cache/` in the docs directory, which Git ignores.\n\nA copy is used if the host is unreachable, does not respond in time, or responds with status 408, 429 or 5xx. For a document that was deleted or requires authentication, the build reports\n[`url-unreachable`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#url-unreachable).\n\n**Fix:** build again when the URL can be read. If it moved, change it in `docs.json`.","url-refused":"**error** · A URL is not read because it is not allowed. It depends on who named it:\n\n| Named by | Allowed |\n| --- | --- |\n| An argument of the command | `https:` and `http:`, any host |\n| A file of the repository, such as `docs.json` | `https:`, hosts with public IP addresses only. With `--allow-http`, as for an argument |\n| A file of the repository, in an editor or agent | Nothing, and the severity is info. With `--network`, as in the row above |\n| A file of the repository or an input, in the Action | `https:`, hosts with public IP addresses only |\n| A `$ref` or an overlay | Nothing |\n\nOtherwise, a file of a repository could make your machine send requests to services that only it can reach. A redirect to another host has the rights of a URL in a file. A redirect\nnever leads from a public address to another one.\n\n**Fix:** commit the document and use its path. To allow the URL for one run, name it as an argument or pass `--allow-http`. In the Action, download it in\nan earlier step and use its path.",encoding:`**error** · The file is not UTF-8 text. It is binary, UTF-16, or uses another encoding.

**Fix:** save the file as UTF-8.`,"empty-document":`**error** · The file is empty or contains only comments.

**Fix:** add the content of the document, or remove the file from your settings.

Wrong:

\`\`\`yaml
# nothing here yet
\`\`\``,"json-syntax":'**error** · The file is not valid JSON. A file that starts with `{` or `[` is read as strict JSON: no comments, no trailing commas, and keys\nin double quotes.\n\n**Fix:** correct the syntax at the reported location.\n\nWrong:\n\n```json\n{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1.0.0", }, "paths": {} }\n```\n\nRight:\n\n```json\n{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1.0.0" }, "paths": {} }\n```',"yaml-syntax":`**error** · The file is not valid YAML 1.2. Common causes are an unquoted value that contains \`: \` or \` #\`, a tab, and inconsistent
indentation.

**Fix:** correct the syntax at the reported location, for example by quoting the value.

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
\`\`\``,"duplicate-key":`**error** · A mapping contains the same key twice, so one of the two values is lost. JSON files larger than 1 MiB are not checked for this.

**Fix:** remove or rename one of the two keys.

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
\`\`\`

Section: YAML 1.2.2, section 3.2.1.1; RFC 8259, section 4.`,"too-complex":`**error** · A document exceeds a limit that protects the machine from hostile input:

- more than 1,000 levels of nesting
- YAML aliases that expand to more than 1,000,000 nodes
- an alias inside its own anchor
- more than 10,000 files or 256 MiB in one API description

**Fix:** split the document or reduce its nesting. You can change the numbers with [limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits). An alias inside its own
anchor is never allowed.

Wrong:

\`\`\`yaml
x-loop: &loop [*loop]
\`\`\``,"markdown-too-complex":"**warning** · A description or page contains Markdown that would take quadratic time to parse. Examples are thousands of `*`, `_` or `]` in\none paragraph, lists and quotes nested more than 50 levels deep, HTML nested more than 200 levels deep, and backticks of many lengths. The\nsite shows the text before the complex part as Markdown and the rest as plain text. Texts of up to 1,000 characters are not affected.\n\n**Fix:** split the text into shorter paragraphs, and write `\\*` for a character that is not markup.","not-openapi":`**error** · The file is JSON or YAML but has no top-level \`openapi\` field. The message names the format if the file is a Postman collection,
an Insomnia export, an AsyncAPI document or a web page.

**Fix:** add \`openapi\` with the version, or convert the file to OpenAPI first.

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

Section: OpenAPI Object.`,"unsupported-version":`**error** · The version is not 3.0.x, 3.1.x or 3.2.x, or does not have all three numbers.

**Fix:** write a full version such as \`3.1.1\`. To convert Swagger 2.0, run \`npx swagger2openapi swagger.yaml --outfile openapi.yaml\`.

Wrong:

\`\`\`yaml
swagger: "2.0"
info: { title: Pets, version: 1.0.0 }
paths: {}
\`\`\`

Section: OpenAPI Object, \`openapi\`; Versions.`,"unknown-field":`**error** · A field is not defined by the OpenAPI version of the document. It may be misspelled, at the wrong level, or from a later
version. Most tools ignore unknown fields, so a typo such as \`sumary\` silently drops the summary from your docs. Unknown keys in
\`openapi-pages.config.yaml\` and in the \`openapi\` setting of \`docs.json\` have the same code.

**Fix:** correct the spelling, or prefix your own extension fields with \`x-\`.

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

Section: the fixed and patterned fields of each object; Specification Extensions.`,"unknown-keyword":`**warning** · A schema in OpenAPI 3.1 or later has a keyword that looks like a misspelled one. Schemas may contain any keyword, and tools
ignore those they do not know. A misspelled \`properties\` or \`$ref\` therefore lets every value pass.

**Fix:** correct the spelling, or prefix your own keyword with \`x-\`.

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

Section: Schema Object; JSON Schema 2020-12, core, section 4.3.1.`,"missing-field":`**error** · An object does not have a required field. The diagnostic points to the key of the object.

**Fix:** add the field.

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

Section: the fields marked REQUIRED of each object.`,"wrong-type":`**error** · A value has the wrong type, for example a number instead of a string, a mapping instead of a list, or no value at all.

**Fix:** write a value of the expected type. In YAML, quote numbers such as \`1.0\` to make them strings.

Wrong:

\`\`\`yaml
info: { title: Pets, version: 1.0 }
\`\`\`

Right:

\`\`\`yaml
info: { title: Pets, version: "1.0" }
\`\`\`

Section: the fixed fields of each object.`,"wrong-value":`**error** · A value has the right type but is not one of the allowed values, or exceeds a limit.

**Fix:** use one of the values that the message lists.

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

Section: the fixed fields of each object; JSON Schema 2020-12, Validation.`,"wrong-format":`**error** · A string does not have the required format, such as a URL, an email address or an anchor name.

**Fix:** correct the value so that it matches the format.

Wrong:

\`\`\`yaml
info: { title: Pets, version: 1.0.0, contact: { email: pets at example.com } }
\`\`\`

Right:

\`\`\`yaml
info: { title: Pets, version: 1.0.0, contact: { email: pets@example.com } }
\`\`\`

Section: Info, Contact, License and External Documentation Object; OAuth Flow Object.`,"wrong-name":`**error** · The name of a component, header or method contains characters that are not allowed. In OpenAPI 3.0 documents, component names
produce a warning instead, because the official schema of 3.0 accepts any name.

**Fix:** rename it. Component names may contain letters, digits, \`.\`, \`-\` and \`_\`.

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

Section: Components Object; Path Item Object, \`additionalOperations\`.`,"field-conflict":`**error** · Two fields exclude each other, or a field is not allowed in this kind of object.

**Fix:** remove the field that does not apply.

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

Section: Parameter, Header, Media Type, Encoding, Example, Link, License, XML and Security Scheme Object.`,"read-write-only":`**error** · A schema has both \`readOnly: true\` and \`writeOnly: true\`, so its value would appear in neither requests nor responses. In
OpenAPI 3.1 and later, where JSON Schema defines both keywords, this is a warning.

**Fix:** remove one of the two.

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

Section: Schema Object (3.0.4), \`readOnly\` and \`writeOnly\`.`,"media-type-name":`**warning** · A key of \`content\` is neither a media type nor a media type range, so no request or response can match it.

**Fix:** write a full media type such as \`application/json\`.

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

Section: Media Type Object; RFC 9110, sections 8.3.1 and 12.5.1.`,"header-ignored":"**info** · The document describes a header that OpenAPI tools must ignore because another part of the document defines it. This affects the\nheader parameters `Accept`, `Content-Type` and `Authorization`, and the header `Content-Type` of a response or encoding.\n\n**Fix:** remove the header. Use `content` for media types and a security scheme for authorization.\n\nWrong:\n\n```yaml\npaths:\n  /pets:\n    get:\n      parameters: [{ name: Authorization, in: header, schema: { type: string } }]\n```\n\nRight:\n\n```yaml\npaths:\n  /pets:\n    get: { security: [{ token: [] }] }\ncomponents:\n  securitySchemes:\n    token: { type: http, scheme: bearer }\n```\n\nSection: Parameter Object, `name`; Response Object and Encoding Object, `headers`.","required-property":`**info** · \`required\` lists a name that \`properties\` does not define, and no other keyword of the schema could define it. JSON Schema allows
this, but it is usually a typo or a renamed property. Subschemas of \`allOf\`, \`anyOf\` and \`oneOf\` are not checked.

**Fix:** correct the name, or define the property.

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

Section: JSON Schema 2020-12, validation, section 6.5.3.`,"array-items":"**warning** · A schema in an OpenAPI 3.0 document has `type: array` but no `items`. The specification requires `items` there. Tools that\naccept the schema anyway treat the entries as values of any type. From OpenAPI 3.1 on, `items` is optional.\n\n**Fix:** add `items` with the schema of the entries, or `items: {}` if any entry is allowed.\n\nWrong:\n\n```yaml\nopenapi: 3.0.4\npaths: {}\ncomponents:\n  schemas:\n    Names: { type: array }\n```\n\nRight:\n\n```yaml\nopenapi: 3.0.4\npaths: {}\ncomponents:\n  schemas:\n    Names: { type: array, items: { type: string } }\n```\n\nSection: Schema Object, `items`.","runtime-expression":`**warning** · The key of a callback, or a link value that starts with \`$\`, is not a valid runtime expression, so it cannot read a value from a
request or response.

**Fix:** correct the expression, for example \`$request.body#/url\`.

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

Section: Runtime Expressions; Callback Object; Link Object.`,"pattern-syntax":`**warning** · A \`pattern\` is not a valid JavaScript (ECMA-262) regular expression, the dialect that the specification recommends. Tools that
validate values against it may fail.

**Fix:** rewrite the pattern in JavaScript syntax.

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

Section: Schema Object; JSON Schema 2020-12, Core, 6.4.`,"reference-unresolved":'**error** · A `$ref` points to a file, or to a location in a file, that does not exist.\n\n**Fix:** correct the path or the name. In a JSON Pointer, write `~1` for a `/` and `~0` for a `~` inside a name, for example\n`#/paths/~1pets/get`.\n\nWrong:\n\n```yaml\ncomponents:\n  schemas:\n    Pets: { type: array, items: { $ref: "#/components/schemas/Pett" } }\n    Pet: { type: object }\n```\n\nRight:\n\n```yaml\ncomponents:\n  schemas:\n    Pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }\n    Pet: { type: object }\n```\n\nSection: Reference Object; RFC 6901.',"reference-circular":`**error** · A chain of \`$ref\`s leads back to its start without reaching an object. A schema that contains itself, such as a tree, is fine.

**Fix:** replace one of the references with the object itself.

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

Section: Reference Object; JSON Schema 2020-12, Core, 9.4.1.`,"reference-kind":`**error** · A \`$ref\` points to a different kind of object than the one that is expected, for example to a response where a schema is
required.

**Fix:** point the reference to an object of the expected kind.

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

Section: Components Object; Reference Object.`,"reference-misplaced":`**warning** · A \`$ref\` is used where the specification does not allow one, for example in place of an operation, all paths or a string. Many
tools accept it, and large descriptions are often split this way. The target is still checked. A reference in place
of a string is not followed, so its target is not checked.

**Fix:** move the reference to an object that supports it, such as a path item, or write the content in place.

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

Section: Reference Object; Path Item Object, \`$ref\`.`,"reference-syntax":`**warning** · A \`$ref\` contains characters that must be percent-encoded in a URL. The reference is still followed.

**Fix:** percent-encode the characters, as the hint shows.

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

Section: Reference Object; RFC 3986, section 2.1.`,"reference-version":`**warning** · A \`$ref\` points to a file that is an OpenAPI document of another version. Its contents are read as the version of the document
that is checked. For example, \`nullable\` from a 3.0 file has no meaning in a 3.1 description.

**Fix:** use the same OpenAPI version in all files of a description.

Section: OpenAPI Description Structure.`,"remote-reference":`**warning** · A \`$ref\` points to a remote URL. References are never fetched from the network, so the target is not checked.

**Fix:** save a copy of the file next to the document and refer to the copy.

Wrong:

\`\`\`yaml
components:
  schemas:
    Pet: { $ref: "https://example.com/pet.yaml" }
\`\`\``,"operation-id-unique":`**error** · Two operations have the same \`operationId\`. Links, generated clients and pages use it to identify an operation.

**Fix:** rename one of the two.

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

Section: Operation Object, \`operationId\`.`,"parameter-unique":`**error** · A list contains two parameters with the same name and location, so only one of them can take effect. An operation may still
override a parameter of its path item.

**Fix:** remove one of the two.

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

Section: Operation Object and Path Item Object, \`parameters\`.`,"path-parameter":`**error** · A path contains a name in braces without a matching path parameter, or a path parameter has no matching name in the path. A
query string such as \`/pets?limit={limit}\` is not part of a path.

**Fix:** make the names match. Describe query strings with \`in: query\` parameters.

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

Section: Path Templating; Parameter Object, \`name\`.`,"path-template":`**error** · Two paths differ only in the names of their parameters and share a method, so a request matches both. If they share no method,
this is a warning.

In OpenAPI 3.2 documents, an invalid path template is an error too. Examples are an unclosed brace (\`/pets/{id\`), a query string
(\`/pets?limit=1\`), an empty segment (\`//\`), and a character that must be percent-encoded.

**Fix:** move the operations of both paths under one path, or correct the template.

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

Section: Paths Object; Path Templating.`,"path-ambiguous":`**warning** · One request can match two paths, and neither path is more specific. Tools may choose either one. A numeric parameter is
assumed not to match a word. If the two paths share no method, this is an info.

**Fix:** change one of the paths so that no request matches both.

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

Section: Paths Object, "Path Templating Matching".`,"security-scheme":`**error** · A security requirement names a scheme that is not defined in \`components.securitySchemes\` of the entry document.

**Fix:** define the scheme, or correct its name.

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

Section: Security Requirement Object.`,"security-scope":`**warning** · A security requirement names a scope that no flow of the \`oauth2\` scheme declares. In OpenAPI 3.0, the list of an \`http\` or
\`apiKey\` scheme must be empty. From 3.1 on, it contains role names.

**Fix:** correct the name, or declare the scope in the flow.

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

Section: Security Requirement Object.`,"server-variable":"**warning** · A server URL contains a name in braces that `variables` does not define, or the `default` of a variable is not in its `enum`.\nFrom OpenAPI 3.1 on, such a `default` is an error.\n\n**Fix:** define the variable, or correct its name or `default`.\n\nWrong:\n\n```yaml\nservers:\n  - url: https://{region}.example.com\n```\n\nRight:\n\n```yaml\nservers:\n  - url: https://{region}.example.com\n    variables: { region: { default: eu, enum: [eu, us] } }\n```\n\nSection: Server Object; Server Variable Object.","tag-unique":`**error** · Two entries of \`tags\` have the same name.

**Fix:** remove or rename one of the two.

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

Section: OpenAPI Object, \`tags\`.`,"tag-parent":`**error** · The \`parent\` of a tag (OpenAPI 3.2) is not a declared tag, or the parents of tags form a cycle.

**Fix:** declare the parent in \`tags\`, correct its spelling, or remove \`parent\` from one tag of the cycle.

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

Section: Tag Object, \`parent\`.`,"tag-undeclared":`**info** · An operation uses a tag that the top-level \`tags\` does not declare. The group of that tag has no description and no defined
position. Each tag is reported once, and only if the document declares any tags.

**Fix:** declare the tag, or correct its spelling.

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

Section: OpenAPI Object, \`tags\`.`,"link-target":`**warning** · A link refers to an operation that does not exist, by \`operationId\` or \`operationRef\`, or passes a parameter that the
operation does not have.

**Fix:** correct the name of the operation or parameter.

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

Section: Link Object.`,"discriminator-mapping":`**warning** · A value in \`discriminator.mapping\`, or \`defaultMapping\`, does not resolve to a schema: it is an unknown name or an unresolved
reference. Values that could be file names are not reported unless another reference loads the file.

**Fix:** correct the name or the reference.

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

Section: Discriminator Object, \`mapping\`.`,"discriminator-property":`**warning** · The property that \`discriminator.propertyName\` names is not defined or not required in the schema or in one of its
alternatives. Without it, tools cannot tell which schema applies. If OpenAPI 3.2's \`defaultMapping\` is present, the property is optional.

**Fix:** define the property in each alternative and add it to \`required\`.

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

Section: Discriminator Object, \`propertyName\`.`,"encoding-property":`**warning** · A key of \`encoding\` is not a property of the media type's schema, so tools ignore it. Properties from \`allOf\`, \`anyOf\`,
\`oneOf\` and matching \`patternProperties\` are included. Schemas that allow additional properties are not checked. In OpenAPI 3.2 documents,
this is an info.

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

Section: Media Type Object, \`encoding\`.`,"unused-component":`**info** · Nothing refers to a component of the entry document. References from \`$ref\` (also in extensions), security requirements and
discriminators are taken into account. Documents without operations are not checked, because they exist for their components.

**Fix:** remove the component, or add the missing reference.

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

Section: Components Object.`,"example-mismatch":"**warning** · An `example`, or an entry of `examples`, does not match its schema. Readers copy examples, and mock servers return them.\n\nExamples may omit read-only and write-only properties. `format` is not checked, and neither are examples of media types other than JSON. A\nstring that contains JSON, or a parameter value in its serialized form, is compared as the value it represents. If a match is uncertain, for\nexample because of a costly `pattern`, nothing is reported. Entry documents over 4 MiB are only checked if the configuration lists\n`example-mismatch`, `default-mismatch` or `enum-mismatch` under [`rules`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#severities).\n\n**Fix:** correct the example or the schema.\n\nWrong:\n\n```yaml\ncomponents:\n  schemas:\n    Pet:\n      type: object\n      properties: { age: { type: integer } }\n      example: { age: four }\n```\n\nRight:\n\n```yaml\ncomponents:\n  schemas:\n    Pet:\n      type: object\n      properties: { age: { type: integer } }\n      example: { age: 4 }\n```\n\nSection: Media Type Object, Parameter Object and Schema Object, `example` and `examples`.","default-mismatch":`**warning** · A \`default\` does not match its own schema.

**Fix:** correct the default or the schema.

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

Section: Schema Object, \`default\`.`,"enum-mismatch":`**warning** · An \`enum\` contains a value that does not match the schema's own \`type\`, so no value can ever equal it.

**Fix:** correct the value or the \`type\`.

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

Section: Schema Object, \`enum\`; JSON Schema 2020-12, validation, section 6.1.2.

# Overlays

[Overlays](https://github.com/openapi-pages/openapi-pages/blob/main/docs/overlays.md) change a document before it is checked. Each of their problems is reported in the overlay.`,"not-overlay":"**error** · A file that is named as an overlay is not an Overlay document. An Overlay document has the fields `overlay`, `info` and `actions`.\n\n**Fix:** name an Overlay document, or add the missing fields:\n\n```yaml\noverlay: 1.1.0\ninfo: { title: Public API, version: 1.0.0 }\nactions:\n  - target: $.info\n    update: { title: Public API }\n```","overlay-target":"**error** · The `target` or `copy` of an action is not a valid JSONPath query (RFC 9535), or it takes too long. Queries of older JSONPath\ndialects, such as `$.paths[?(@property === 'get')]`, are not valid.\n\n**Fix:** correct the query. Names with characters such as `/` and `-` need brackets and quotes: `$.paths['/pets'].get`.","overlay-conflict":"**error** · An action cannot be applied:\n\n- The `update` or `copy` has another type than the selected value, such as a list for a mapping.\n- The `target` selects values of different types.\n- The `copy` does not select exactly one value.\n- The action removes the whole document, or it has both `update` and `copy`.\n\n**Fix:** select other values, use one action for each type, or remove the old value with an action before.","overlay-unmatched":"**warning** · The `target` of an action selects nothing, so the action has no effect. Often the document was changed, or the query has a typo.\n\n**Fix:** correct `target`, or delete the action.","baseline-known":`**info** · The [baseline](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline) lists problems that still occur. This diagnostic counts them, and they are not reported
individually.

**Fix:** no action is needed. Fix the problems when you can, and update the baseline.`,"baseline-fixed":"**info** · The [baseline](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline) lists problems that no longer occur in the checked files.\n\n**Fix:** add `--write-baseline` to your `check` command to remove them, so that they are reported if they come back.","baseline-unusable":"**error** · The baseline that `--baseline` or the configuration file names does not exist, or is not a baseline of version 1.\n\n**Fix:** correct the path, or add `--write-baseline` to your `check` command to create the file.","docs-config-missing":"**error** · The docs directory contains no `docs.json` (or `mint.json`, its name before 2025), and no document was specified. There is\nnothing to update.\n\n**Fix:** paste the minimal `docs.json` from the message, which includes an OpenAPI document from the directory. Or pass the documents to the\nAction with `openapi`, which then writes pages without changing any navigation.","docs-reference":'**error** · A `$ref` in `docs.json` cannot be followed. The file does not exist, is outside the docs directory, refers back to itself, or is\na URL. The missing part may list pages, so no page and no navigation entry is changed until the file can be read. Hosts refuse to build the\nsite.\n\n**Fix:** correct the path. It is relative to the file that contains the `$ref`.\n\n```json page-wrong\n{ "navigation": { "$ref": "navigation.json" } }\n```\n\n```json page-right\n{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }\n```',"docs-config-key":'**info** · A key of `docs.json` or `mint.json` has no effect. It is misspelled, in the wrong place, or a leftover from `mint.json`. The key\nis kept. Keys that start with `x-` are never reported, and `update` does not report this code.\n\n**Fix:** correct or remove the key.\n\n```json page-wrong\n{ "group": "Start", "pages": ["index"], "opanapi": "openapi.yaml" }\n```\n\n```json page-right\n{ "group": "Start", "pages": ["index"] }\n```',"config-not-read":"**warning** · A file in the docs directory looks like a configuration file but is not read, for example `openapi-pages.config.yml`,\n`openapi-pages.config.ts` or `.openapi-pages.yaml`. Settings are read from `openapi-pages.config.yaml`, or from `openapi-pages.config.json`\nif that file does not exist. If both exist, the second one is reported.\n\n**Fix:** move the settings to `openapi-pages.config.yaml`.","page-missing":'**warning** · A navigation entry names a page that does not exist or cannot be read. Hosts silently drop the entry. The hint names the\nnearest unlisted page. If more than three pages of one list are missing, they are combined into one diagnostic.\n\n**Fix:** correct the path, create the page, or remove the entry.\n\n```json page-wrong\n{ "group": "Start", "pages": ["Index"] }\n```\n\n```json page-right\n{ "group": "Start", "pages": ["index"] }\n```',"navigation-empty":'**error** · The navigation lists no existing page and no operation, and the docs directory contains no other page. There is no site to\nbuild. Only `build` and `preview` report this.\n\n**Fix:** add a page or an OpenAPI document to the navigation.\n\n```json\n{ "navigation": { "pages": [] } }\n```\n\n```json\n{ "navigation": { "openapi": "openapi.yaml" } }\n```',"page-unlisted":"**info** · No navigation lists these pages, so readers can only open them by URL. One diagnostic names all of them, or the directories that\ncontain only unlisted pages. `update` does not report this code.\n\nThe following files are not reported:\n\n- pages with `hidden: true`\n- pages that another setting in `docs.json` refers to\n- snippets: files in a directory named `snippets`, or files that a page imports\n- files such as `README.md`, and files that `.mintignore` excludes\n\n**Fix:** add the pages to the navigation, or set `hidden: true`.","page-listed-twice":'**warning** · One navigation list contains the same page twice. The same page in two different lists is not reported, because this is often\nintended.\n\n**Fix:** remove one of the two entries.\n\n```json page-wrong\n{ "group": "Start", "pages": ["index", "/index.mdx"] }\n```\n\n```json page-right\n{ "group": "Start", "pages": ["index"] }\n```',"page-url-conflict":"**warning** · Two pages have the same URL because their paths differ only in extension (`a.md`, `a.mdx`) or case. A host shows only one of\nthem, and some file systems can store only one.\n\n**Fix:** rename or remove one of the pages.","lock-file":`**warning** · \`openapi-pages.lock.json\` cannot be used. This file records which pages are generated or adopted.

If the file is damaged, the next update recreates it from the existing pages, as [\`openapi-pages adopt\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/adopting.md) does. No page changes.
In a merge conflict, the next update uses the entries of both sides. A lock file from a newer release is an **error**: no page, navigation entry
or lock entry is changed.

**Fix:** restore the version from Git to keep information that only the file has, such as which pages you deleted. If a newer release
wrote the file, use that release.`,"navigation-openapi":'**warning** · The top level of `navigation` has an `openapi` key next to tabs, anchors or other divisions. Hosts show no groups there, so\ngenerated pages could not be listed and none are created. Other divisions still inherit the key.\n\n**Fix:** move `openapi` into a division.\n\n```json page-wrong\n{ "navigation": { "openapi": "openapi.yaml", "tabs": [{ "tab": "API" }] } }\n```\n\n```json page-right\n{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }\n```',"overlay-lists":'**error** · Two entries of `docs.json` name the same document with different `overlays`. A document has one list of overlays, because its\noperations have one page each. The first list applies.\n\n**Fix:** use the same list in all entries of the document.\n\n```json page-wrong\n{ "navigation": { "tabs": [{ "tab": "API", "openapi": { "source": "openapi.yaml", "overlays": [] } }, { "tab": "More", "openapi": { "source": "openapi.yaml", "overlays": ["more.yaml"] } }] } }\n```',"unknown-division":`**warning** · The configuration file has a setting for a division that \`docs.json\` does not contain, so the setting has no effect.

**Fix:** correct the label of the division, or remove the setting.`,"unknown-schema":`**warning** · The configuration file requests a page for a schema that no document defines in \`components.schemas\`, so no page is created.

**Fix:** correct the name, or remove it from the configuration.`,"division-gone":"**warning** · The lock file contains pages for a division that `docs.json` no longer has, and no other division of the same kind (tab,\ngroup, …) lists any of them. The pages are kept because other pages may link to them.\n\n**Fix:** add `openapi` to the division that should list them, or delete the pages and the division's entry in the lock file.","entry-without-document":'**warning** · A navigation entry names an operation, but neither the entry nor a parent division names an OpenAPI document.\n\n**Fix:** add the document to the entry, or set `openapi` on the division.\n\n```json page-wrong\n{ "group": "Pets", "pages": ["GET /pets"] }\n```\n\n```json page-right\n{ "group": "Pets", "pages": ["openapi.yaml GET /pets"] }\n```',"entry-unresolved":'**error** · A navigation entry names an operation, webhook or document that does not exist. Hosts refuse to build a site with such an entry.\nThe hint names the nearest operation.\n\n**Fix:** correct the entry, or remove it.\n\n```json page-wrong\n{ "group": "Pets", "pages": ["openapi.yaml GET /petz"] }\n```\n\n```json page-right\n{ "group": "Pets", "pages": ["openapi.yaml GET /pets"] }\n```',"operation-skipped":`**info** · A document has errors, and \`update.onError: operation\` or \`update --keep-going\` updates only the pages of operations that no error
affects. The message lists the skipped operations, or the error that affects the whole document. Pages of skipped operations are not
changed.

**Fix:** fix the errors in the document. The next update also updates the remaining pages.`,"unlisted-operation":"**info** · A division lists operations individually, with entries such as `GET /pets`. No page is generated for an operation that it does not\nlist. The same code reports operations that had no page when the pages of a division were [adopted](https://github.com/openapi-pages/openapi-pages/blob/main/docs/adopting.md#operations-without-a-page).\n\n**Fix:** add an entry for the operation, or set `unlisted` in `openapi-pages.config.yaml` to `add` (create a page) or `ignore`.","order-kept":`**info** · The \`order\` of a division has changed, but these entries or groups were reordered manually. Their order is kept. This is reported
once, by the first update with the new setting.

**Fix:** no action is needed. To apply the new order, rearrange the entries.`,"link-to-moved-page":"**info** · A page has a new URL because `x-mint.href` or the directory of its division has changed, and this link still points to the old\nURL. The update that moves the page reports this once.\n\nThe update does not change the text of other pages. It adds an entry to `redirects` in `docs.json`, so the link continues to work. Without a\n`docs.json`, the link is broken, and this is a **warning**. A relative link in the moved page is also a **warning** if its target changes.\n\n**Fix:** update the link.","redirect-unresolved":"**warning** · A redirect in `docs.json` points to a page that this update removes, because its operation no longer exists.\n\n**Fix:** change the `destination` to another page, or remove the redirect.","page-frontmatter":'**warning** · The YAML between the `---` lines of a page cannot be read, or the closing line is missing. The binding of the page cannot be\nchecked, and its title and description are lost.\n\n**Fix:** correct the YAML, for example by quoting a value that contains `: `.\n\n```yaml page-wrong\ntitle: Pets: all of them\nopenapi: openapi.yaml GET /pets\n```\n\n```yaml page-right\ntitle: "Pets: all of them"\nopenapi: openapi.yaml GET /pets\n```',"binding-syntax":"**warning** · The `openapi` field of a page is not in the form `[file] METHOD /path` or `[file] webhook name`, or its `openapi-schema` field\nis not a schema name.\n\n**Fix:** correct the field.\n\n```yaml page-wrong\nopenapi: /pets\n```\n\n```yaml page-right\nopenapi: openapi.yaml GET /pets\n```","binding-unresolved":"**error** · A page is bound to an operation, webhook, schema or document that does not exist or that `x-excluded` excludes. The API part of\nthe page is empty. The hint names the nearest operation or its new location. `update` reports a warning, because it can still write the\nother pages. `check` reports an error.\n\n**Fix:** correct the binding, or delete the page.\n\n```yaml page-wrong\nopenapi: openapi.yaml GET /petz\n```\n\n```yaml page-right\nopenapi: openapi.yaml GET /pets\n```","binding-ambiguous":"**error** · A page is bound to an operation without a document name, and several documents contain the operation. Which one a host uses\ndepends on the document names.\n\n**Fix:** add the document to the binding.\n\n```yaml page-wrong\nopenapi: GET /pets\n```\n\n```yaml page-right\nopenapi: stores.yaml GET /pets\n```","page-href":"**warning** · `x-mint.href` points outside the docs directory or to another site. The page is written to the path it would have without this\nsetting.\n\n**Fix:** use a path inside the docs directory, for example `/guides/pets`.\n\n```yaml page-wrong\nx-mint: { href: ../outside }\n```\n\n```yaml page-right\nx-mint: { href: /guides/pets }\n```","page-path-taken":`**warning** · A different file already exists at the page's path. The file is not changed, and the page is written to another path.

**Fix:** bind the file to the operation to use it as the page, or move the file.`,"document-not-committed":"**warning** · Pages show operations that the OpenAPI document in the repository does not contain. An earlier step of the job regenerated the\ndocument, but the commit of the Action does not include it. Either `add-paths` excludes\nit, Git does not track it, or it is executable, over 20 MB or in Git LFS.\n\n**Fix:** add the document to the input `add-paths` (default: `documents`), or commit it in a separate step before the Action runs.","page-ignored":`**warning** · \`.gitignore\` excludes the directory of the generated pages, or the lock file. A commit would not include them, and the next
run would start from scratch.

**Fix:** remove the directory from \`.gitignore\`, or set another \`directory\` for the division.

# Pages of the site

Pages are parsed, and no JavaScript engine runs them. A restricted interpreter evaluates their expressions and components.`,"page-syntax":"**warning** · The text of a page is not valid MDX, for example because of a literal brace or angle bracket or an unclosed tag. The page is\nshown as plain Markdown. In a `.jsx`, `.js`, `.tsx` or `.ts` snippet, this code reports a syntax error of JavaScript or TypeScript.\n\n**Fix:** escape literal characters, and close all tags.\n\n```mdx page-wrong-text\nFewer than <5 of {them\n```\n\n```mdx page-right-text\nFewer than &lt;5 of \\{them\n```","unknown-component":"**warning** · A page uses a component that the site does not provide and the page does not import. Only the content inside the component is\nshown.\n\n**Fix:** correct the name, or import the component from a snippet.\n\n```mdx page-wrong-text\n<Warming>Mind the gap</Warming>\n```\n\n```mdx page-right-text\n<Warning>Mind the gap</Warning>\n```","unread-expression":'**warning** · A component or expression of a page cannot be evaluated. The message has the reason, such as "it uses `fetch`". A component shows\nits children instead, and an expression shows nothing. Text in braces that is not a known name, such as `/users/{id}`, is shown as written. Each\ncomponent is reported once, at the code that is not supported.\n\nA restricted interpreter evaluates pages and snippets. It supports props, constants, JSX, conditions, functions without side effects,\nmethods of strings and lists, `Object`, `Math` and `JSON`. Hooks of React have the values of the first render. Not supported are the\nnetwork, the browser, the current time, random numbers, classes, `async`, and components that show nothing until an effect has run.\n\n**Fix:** write the result in the page, or use only supported code.\n\n```mdx page-wrong-text\nThe year is {new Date().getFullYear()}\n```\n\n```mdx page-right-text\nexport const year = 2026\n\nThe year is {year}\n```',"unread-import":'**warning** · A page or snippet imports a file that does not exist, a name that the file does not export, a file outside the docs directory, or an\nnpm package. Only files with the endings `.mdx`, `.md`, `.jsx`, `.js`, `.tsx` and `.ts` can be imported. React and the icons of `lucide-react`\nand `@tabler/icons-react` are built in.\n\n**Fix:** correct the path or the name, or move the code to a snippet.\n\n```mdx page-wrong-text\nimport Chart from "/snippets/chart.jsx"\n```',"refused-html":'**warning** · A page contains HTML that would run code, send data or embed another site. Examples are scripts, forms, frames other than\ncommon video players, and links with schemes other than `http`, `https`, `mailto` and `tel`. The HTML is removed.\n\n**Fix:** remove the HTML, or use a component that the site provides.\n\n```mdx page-wrong-text\n<script src="/widget.js"><\/script>\n```',"link-unresolved":'**warning** · A link points to a URL of this site that matches no page, file or redirect. The link is kept and opens the "not found" page.\n\n**Fix:** correct the link.\n\n```mdx\nSee the [quick start](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quikstart).\n```\n\n```mdx\nSee the [quick start](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quickstart).\n```',"fragment-unresolved":"**warning** · A link points to an existing page but to a section (`#…`) that the page does not have, so the page opens at the top.\n\nHeading IDs are the same as on GitHub. IDs that differ only in punctuation, spaces or case, as other hosts write them, also work. A fragment\nthat identifies an operation with its own page, such as `#operation/getPet`, [opens that page](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#pages).\n\n**Fix:** correct the fragment.\n\n```mdx\nSee [the limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quickstart#limit).\n```\n\n```mdx\nSee [the limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs//guides/quickstart#limits).\n```","content-restricted":"**warning** · Pages or parts of OpenAPI documents are restricted to some readers, so the site leaves them out. The message names all of them. `check` reports it as information.\n\n| Restriction | Left out |\n| --- | --- |\n| `groups` or `public: false` in the frontmatter of a page | the page |\n| `public: false` on a group of the navigation | its pages, except those with `public: true`, and documents that only this group names |\n| `x-mint.groups` on an operation, path, webhook, parameter, property, schema or variant | this part, the components and tags that only it uses, and its name in examples |\n| `x-mint-enum` | the values with groups, also in examples |\n\n**Fix:** nothing, if only readers with access should see the content. To publish it for everyone, set [`site.restricted`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md) to `publish`.\n\n```mdx\n---\ntitle: Internal limits\ngroups: [admin]\n---\n```\n\n```mdx\n---\ntitle: Limits\n---\n```","redirect-loop":'**warning** · A redirect of `docs.json` leads back to itself, so the browser reports an error.\n\n**Fix:** change `destination` to the path of a page.\n\n```json\n{ "redirects": [{ "source": "/old", "destination": "/older" }, { "source": "/older", "destination": "/old" }] }\n```\n\n```json\n{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }, { "source": "/older", "destination": "/guides/pets" }] }\n```',"redirect-chain":'**info** · The destination of a redirect of `docs.json` is redirected too. Each step costs the reader a request.\n\n**Fix:** change `destination` to the last page of the chain.\n\n```json\n{ "redirects": [{ "source": "/oldest", "destination": "/old" }, { "source": "/old", "destination": "/guides/pets" }] }\n```\n\n```json\n{ "redirects": [{ "source": "/oldest", "destination": "/guides/pets" }, { "source": "/old", "destination": "/guides/pets" }] }\n```',"redirect-fragment":'**warning** · The `source` of a redirect of `docs.json` has a fragment. Browsers do not send the fragment of a URL, so no server can redirect it. Sites ignore the redirect, because it\nwould apply to the whole page.\n\n**Fix:** remove the redirect, or the fragment from `source`.\n\n```json\n{ "redirects": [{ "source": "/old#limits", "destination": "/guides/pets" }] }\n```\n\n```json\n{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }] }\n```',"redirect-target":'**warning** · The destination of a redirect of `docs.json`, or the `url` of a page, is neither a path of the site nor an `https` URL. Browsers read forms such as `//example.com` or\n`https:example.com` differently depending on the page, so sites ignore them.\n\n**Fix:** write a path that starts with `/`, or a URL that starts with `https://`.\n\n```json\n{ "redirects": [{ "source": "/contact", "destination": "http://example.com/contact" }] }\n```\n\n```json\n{ "redirects": [{ "source": "/contact", "destination": "https://example.com/contact" }] }\n```',"redirect-unused":'**warning** · A redirect of `docs.json` has no effect, because the site has a page at its source or because an earlier redirect has the same source.\n\n**Fix:** remove the redirect, or the page.\n\n```json\n{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }, { "source": "/old", "destination": "/guides/cats" }] }\n```\n\n```json\n{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }] }\n```',"asset-missing":"**warning** · A page shows an image or links to a file that does not exist in the docs directory. Paths that start with `/` are relative to\nthe docs directory, other paths to the directory of the page.\n\n**Fix:** correct the path, or add the file.\n\n```mdx\n![The dashboard](https://github.com/openapi-pages/openapi-pages/blob/main/docs//images/dashbord.png)\n```\n\n```mdx\n![The dashboard](https://github.com/openapi-pages/openapi-pages/blob/main/docs//images/dashboard.png)\n```","icon-unknown":'**warning** · An icon name of a page or of `docs.json` is not in Font Awesome Free, Lucide or Tabler, so no icon is shown. Each name is reported\nonce. Icons of Font Awesome Pro are not included.\n\n**Fix:** use one of the suggested names, or the path of an SVG file in the docs directory.\n\n```mdx\n<Card title="Deploy" icon="rockt" />\n```\n\n```mdx\n<Card title="Deploy" icon="rocket" />\n```',"asset-refused":`**warning** · A file of the repository is not published for one of these reasons:

- A browser would execute it on the site's own origin: HTML, JavaScript, XML, or an SVG with a script.
- It is a symbolic link that points outside the repository.
- All files of the site together exceed [\`limits.assets-size\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits), by default 200 MiB. The largest are left out.
- Its name differs from another file only in case.

**Fix:** use another file type, make the file smaller, raise the limit, or rename the file.`,"style-refused":'**warning** · A part of a `.css` file in the docs directory is not used, because it loads a file from another host, uses `position: fixed`, or cannot be\nparsed. Each cause is reported once per file. See [stylesheets](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#stylesheets).\n\n**Fix:** add the image or font to the docs directory, or remove the rule.\n\n```css\n@import url("https://fonts.googleapis.com/css2?family=Inter");\n```\n\n```css\n@font-face {\n  font-family: Inter;\n  src: url("/fonts/inter.woff2");\n}\n```',"script-not-run":"**info** · The docs directory has `.js` files. Mintlify runs them on every page, but a site runs only the scripts of openapi-pages by default.\n\n**Fix:** if you trust the repository, allow [scripts](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#scripts) in `openapi-pages.config.yaml`. Otherwise, list the files in `.mintignore`.\n\n```yaml\nsite:\n  scripts: true\n```","setting-not-used":`**info** · \`docs.json\` requests a feature that a built site does not support. Examples are fonts from other hosts, a background image,
third-party scripts, code samples in an unsupported language, and documents of other types, such as AsyncAPI. Pages load nothing from other
hosts and run only the code that openapi-pages provides. See [supported settings](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#supported-docsjson-settings).

A setting that cannot be read is a **warning**, because it has no effect. Examples are a string instead of an object, a color that is not
written like \`#0D9373\`, a link without a URL, and a redirect that leads back to itself.

**Fix:** remove the setting, or correct its value.

\`\`\`json
{ "fonts": { "family": "Inter", "source": "/fonts/inter.woff2" } }
\`\`\``,"color-contrast":'**info** · Text in one of your `colors` would be hard to read. The site adjusts the lightness of the color until its contrast ratio is at\nleast 4.5:1 on every background of the theme. Hue and chroma are kept. A `background.color` on which gray text would be unreadable is not\nused.\n\n**Fix:** choose a color with more contrast.\n\n```json\n{ "colors": { "primary": "#077D36", "light": "#55D799" } }\n```'};function formatSarif(e,{version:t,isComplete:n=!0}={}){let r=keepMostSevere(e);return formatSarifLog({version:t,isComplete:n,notification:e.length-r.length===0?void 0:describeCut(r.length,e.length),rules:[...new Set(r.map(({code:e})=>e))].map(toRule),results:r.map(e=>({ruleId:e.code,level:v[e.severity],message:toMessage(e),place:e,related:e.related,identity:[e.code,e.file,e.pointer,e.message],properties:{pointer:e.pointer}}))})}function formatSarifLog({version:e,isComplete:t,notification:n,rules:r,results:i}){let a=r.toSorted((e,t)=>e.id<t.id?-1:1),o=new Map(a.map(({id:e},t)=>[e,t])),s=[...new Set(i.map(({place:e})=>e.file))].sort(),c=new Map(s.map((e,t)=>[e,t])),l=toFingerprints();return`${toSafeJson({$schema:`https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json`,version:`2.1.0`,runs:[{tool:{driver:{name:`openapi-pages`,...e===void 0?{}:{semanticVersion:e},informationUri:`https://github.com/openapi-pages/openapi-pages`,rules:a.map(toDescriptor)}},invocations:[{executionSuccessful:t,toolExecutionNotifications:n===void 0?[]:[{level:`warning`,message:{text:n}}]}],columnKind:`utf16CodeUnits`,newlineSequences:[`\r
`,`
`,`\r`],originalUriBaseIds:{[_]:{description:{text:`The root of the repository`}}},artifacts:s.map(e=>({location:toArtifactLocation(e)})),results:i.map(({ruleId:e,level:t,message:n,place:r,related:i,identity:a,suppression:s,properties:u})=>({ruleId:e,ruleIndex:o.get(e),level:t,message:{text:n},locations:[toLocation(r.file,r.range,c.get(r.file))],...toRelated(i),partialFingerprints:l(a),...s===void 0?{}:{suppressions:[{kind:`external`,status:`accepted`,justification:s}]},properties:u}))}]})}\n`}function toDescriptor({id:e,title:t,help:n,url:r,level:i}){return{id:e,shortDescription:{text:t},fullDescription:{text:t},help:{text:n,markdown:n},helpUri:r,...i===void 0?{}:{defaultConfiguration:{level:i}},properties:{precision:`very-high`,...i===void 0?{}:{"problem.severity":i===`note`?`recommendation`:i},tags:[`openapi`]}}}const _=`%SRCROOT%`,v={error:`error`,warning:`warning`,info:`note`};function keepMostSevere(e){let t=limitResults(e.length,i(e).errors);return t===e.length?e:o(e).slice(0,t)}function limitResults(e,t){return Math.min(e,Math.max(5e3,t),25e3)}function describeCut(e,t){return`${a(e,`result`)} of ${a(t,`diagnostic`)} are included, the most severe first. The text and JSON formats have all of them`}function toRule(e){let{title:t,severity:i}=r[e];return{id:e,title:t,help:g[e]??t,url:n(e),level:v[i]}}function toMessage({message:e,hint:t,section:n}){let r=[escapeText(e)];return t!==void 0&&r.push(`Hint: ${t.split(`
`).map(escapeText).join(`
`)}`),n!==void 0&&r.push(escapeText(n)),r.join(`
`)}function toLocation(e,{start:t,end:n},r){return{physicalLocation:{artifactLocation:{...toArtifactLocation(e),...r===void 0?{}:{index:r}},region:{startLine:t.line,startColumn:t.column,endLine:n.line,endColumn:n.column}}}}function toRelated(e){return e.length===0?{}:{relatedLocations:e.slice(0,100).map(({file:e,range:t,message:n},r)=>({id:r,...toLocation(e,t),message:{text:escapeText(n)}}))}}function toArtifactLocation(e){if(t(e))return{uri:URL.parse(e)?.href??`about:invalid`};let n=toWellFormed(e).split(`/`),r=n.map(e=>encodeURIComponent(e)).join(`/`);return n[0]===`..`||r===``?{uri:r||`.`}:{uri:r,uriBaseId:_}}function toFingerprints(){let e=new Map;return t=>{let n=s(`sha256`).update(toWellFormed(JSON.stringify(t))).digest(`hex`).slice(0,32),r=(e.get(n)??0)+1;return e.set(n,r),{primaryLocationLineHash:`${n.slice(0,16)}:${r}`,"openapiPages/v1":`${n}:${r}`}}}export{escapeText as a,toSafeJson as c,displayWidth as i,toWellFormed as l,formatSarifLog as n,escapeXml as o,limitResults as r,toOneLine as s,formatSarif as t};