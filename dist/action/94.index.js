export const id=94;export const ids=[94];export const modules={66094:((e,t,n)=>{n.d(t,{formatSarif:()=>formatSarif});var r=n(77598),i=n(66367),a=n(65638),o=n(6991),s=n(3122);let c={"file-missing":{text:"A document that `docs.json` or the command line names does not exist. A missing file behind a `$ref` is reported as\n[`reference-unresolved`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#reference-unresolved).\n\n**Fix:** check the spelling, including upper and lower case: macOS and Windows may accept a path that Linux rejects. Paths are relative to\nthe directory of `docs.json`, or to the working directory on the command line. If the file is in a Git submodule, run\n`git submodule update --init`, or set `submodules: true` for `actions/checkout`. If the file is in another repository,\n[that repository can propose it](https://github.com/openapi-pages/openapi-pages/blob/main/docs/action.md#keep-docs-in-another-repository-up-to-date), or [your repository can follow it](https://github.com/openapi-pages/openapi-pages/blob/main/docs/action.md#follow-a-document-of-another-repository).",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "opanapi.yaml" }] } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }
`}]},"file-unreadable":{text:"A file exists but cannot be read. It is a directory, its permissions deny access, or it is a Git LFS pointer whose content was\nnot downloaded. The Action also reports this error if the branch received a newer version of a document that an earlier step regenerated. In\nthat case, neither version overwrites the other.\n\n**Fix:** check the file and its permissions. For Git LFS, run `git lfs pull`, or set `lfs: true` for `actions/checkout`. If the branch has a\nnewer version, run the workflow again.",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "specs" }] } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "specs/pets.yaml" }] } }
`}]},"file-outside-boundary":{text:`A path, or the symbolic link behind it, points outside the boundary. The boundary is the Git working tree that contains the
entry document. If there is no repository, it is the working directory, or the directory of the document if that is elsewhere. Documents are
untrusted input, so nothing outside the boundary is read.

**Fix:** move the file into the repository, or widen the boundary with \`--boundary <directory>\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "../../elsewhere/pet.yaml" }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "pet.yaml" }
`}]},"file-too-large":{text:"A file exceeds its size limit: 64 MiB for a document, 8 MiB for a page, or 16 MiB for `docs.json`.\n\n**Fix:** split the file, remove generated content from it, or raise `limits` in the [configuration file](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits).",examples:[]},"url-unreachable":{text:`A URL that \`docs.json\` or the command line names did not return a document.

**Fix:** check the URL, or commit the document and use its path.`,examples:[]},"url-copy-used":{text:"`build` could not read a URL that `docs.json` names and used the copy from an earlier build. The message has the age of the copy: the time since the server last\nconfirmed the document. Copies are in `.openapi-pages-cache/` in the docs directory, which Git ignores.\n\nA copy is used if the host is unreachable, does not respond in time, or responds with status 408, 429 or 5xx. For a document that was deleted or requires authentication, the build reports\n[`url-unreachable`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#url-unreachable).\n\n**Fix:** build again when the URL can be read. If it moved, change it in `docs.json`.",examples:[]},"url-refused":{text:"A URL is not read because it is not allowed. It depends on who named it:\n\n| Named by | Allowed |\n| --- | --- |\n| An argument of the command | `https:` and `http:`, any host |\n| A file of the repository, such as `docs.json` | `https:`, hosts with public IP addresses only. With `--allow-http`, as for an argument |\n| A file of the repository, in an editor or agent | Nothing, and the severity is info. With `--network`, as in the row above |\n| A file of the repository or an input, in the Action | `https:`, hosts with public IP addresses only |\n| A `$ref` | Nothing |\n\nOtherwise, a file of a repository could make your machine send requests to services that only it can reach. A redirect to another host has the rights of a URL in a file. A redirect\nnever leads from a public address to another one.\n\n**Fix:** commit the document and use its path. To allow the URL for one run, name it as an argument or pass `--allow-http`. In the Action, download it in\nan earlier step and use its path.",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "http://api.example.com/openapi.yaml" }] } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }
`}]},encoding:{text:`The file is not UTF-8 text. It is binary, UTF-16, or uses another encoding. For pages, it is a warning, and single wrong bytes are shown as �.

**Fix:** save the file as UTF-8.`,examples:[]},"empty-document":{text:`The file is empty or contains only comments.

**Fix:** add the content of the document, or remove the file from your settings.`,examples:[{verdict:`wrong`,language:`yaml`,text:`# nothing here yet
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
`}]},"json-syntax":{text:"The file is not valid JSON. A file that starts with `{` or `[` is read as strict JSON: no comments, no trailing commas, and keys\nin double quotes.\n\n**Fix:** correct the syntax at the reported location.",examples:[{verdict:`wrong`,language:`json`,text:`{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1.0.0", }, "paths": {} }
`},{verdict:`right`,language:`json`,text:`{ "openapi": "3.1.0", "info": { "title": "Pets", "version": "1.0.0" }, "paths": {} }
`}]},"yaml-syntax":{text:`The file is not valid YAML 1.2. Common causes are an unquoted value that contains \`: \` or \` #\`, a tab, and inconsistent
indentation.

A bracket with the indentation of its key, and a quoted value that continues at the start of a line, are a warning: YAML requires more indentation, but most parsers accept them.

**Fix:** correct the syntax at the reported location, for example by quoting the value.`,examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
paths:
  /pets:
    get:
      summary: List: all pets
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      summary: "List: all pets"
`}]},"duplicate-key":{text:`A mapping contains the same key twice, so one of the two values is lost. JSON files larger than 1 MiB are not checked for this.

**Fix:** remove or rename one of the two keys.

Section: YAML 1.2.2, section 3.2.1.1; RFC 8259, section 4.`,examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
paths:
  /pets: {}
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: {}
`},{verdict:`wrong`,language:`json`,text:`{ "openapi": "3.1.0", "info": { "title": "Pets", "title": "Pets", "version": "1.0.0" }, "paths": {} }
`}]},"too-complex":{text:`A document exceeds a limit that protects the machine from hostile input:

- more than 1,000 levels of nesting
- YAML aliases that expand to more than 1,000,000 nodes
- an alias inside its own anchor
- more than 10,000 files or 256 MiB in one API description

**Fix:** split the document or reduce its nesting. You can change the numbers with [limits](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits). An alias inside its own
anchor is never allowed.`,examples:[{verdict:`wrong`,language:`yaml`,text:`x-loop: &loop [*loop]
`},{verdict:`right`,language:`yaml`,text:`x-names: &names [pets, cats]
x-more: *names
`}]},"markdown-too-complex":{text:"A description or page contains Markdown that would take quadratic time to parse. Examples are thousands of `*`, `_` or `]` in\none paragraph, lists and quotes nested more than 50 levels deep, HTML nested more than 200 levels deep, and backticks of many lengths. The\nsite shows the text before the complex part as Markdown and the rest as plain text. Texts of up to 1,000 characters are not affected.\n\n**Fix:** split the text into shorter paragraphs, and write `\\*` for a character that is not markup.",examples:[]},"not-openapi":{text:`The file is JSON or YAML but has no top-level \`openapi\` field. The message names the format if the file is a Postman collection,
an Insomnia export, an AsyncAPI document or a web page.

**Fix:** add \`openapi\` with the version, or convert the file to OpenAPI first.

Section: OpenAPI Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`title: Pets
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths: {}
`}]},"unsupported-version":{text:"The version is not 3.0.x, 3.1.x or 3.2.x, or does not have all three numbers.\n\n**Fix:** write a full version such as `3.1.1`. To convert Swagger 2.0, run `npx swagger2openapi swagger.yaml --outfile openapi.yaml`.\n\nSection: OpenAPI Object, `openapi`; Versions.",examples:[{verdict:`wrong`,language:`yaml`,text:`swagger: "2.0"
info: { title: Pets, version: 1.0.0 }
paths: {}
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.1.1
info: { title: Pets, version: 1.0.0 }
paths: {}
`}]},"unknown-field":{text:"A field is not defined by the OpenAPI version of the document. It may be misspelled, at the wrong level, or from a later\nversion. Most tools ignore unknown fields, so a typo such as `sumary` silently drops the summary from your docs. Unknown keys in\n`openapi-pages.config.yaml` and in the `openapi` setting of `docs.json` have the same code.\n\n**Fix:** correct the spelling, or prefix your own extension fields with `x-`.\n\nSection: the fixed and patterned fields of each object; Specification Extensions.",examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      sumary: List all pets
      responses: { "200": { description: OK } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      summary: List all pets
      responses: { "200": { description: OK } }
`}]},"unknown-keyword":{text:"A schema in OpenAPI 3.1 or later has a keyword that looks like a misspelled one. Schemas may contain any keyword, and tools\nignore those they do not know. A misspelled `properties` or `$ref` therefore lets every value pass.\n\n**Fix:** correct the spelling, or prefix your own keyword with `x-`.\n\nSection: Schema Object; JSON Schema 2020-12, core, section 4.3.1.",examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: 3.1.1
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Pet: { type: object, propertis: { name: { type: string } } }
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.1.1
info: { title: Pets, version: 1.0.0 }
paths: {}
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string } } }
`}]},"missing-field":{text:`An object does not have a required field. The diagnostic points to the key of the object.

**Fix:** add the field.

Section: the fields marked REQUIRED of each object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        "200": { content: {} }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: {} }
`}]},"wrong-type":{text:`A value has the wrong type, for example a number instead of a string, a mapping instead of a list, or no value at all.

**Fix:** write a value of the expected type. In YAML, quote numbers such as \`1.0\` to make them strings.

Section: the fixed fields of each object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`info: { title: Pets, version: 1.0 }
`},{verdict:`right`,language:`yaml`,text:`info: { title: Pets, version: "1.0" }
`}]},"wrong-value":{text:`A value has the right type but is not one of the allowed values, or exceeds a limit.

**Fix:** use one of the values that the message lists.

Section: the fixed fields of each object; JSON Schema 2020-12, Validation.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { type: strng }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { type: string }
`}]},"wrong-format":{text:`A string does not have the required format, such as a URL, an email address or an anchor name.

**Fix:** correct the value so that it matches the format.

Section: Info, Contact, License and External Documentation Object; OAuth Flow Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`info: { title: Pets, version: 1.0.0, contact: { email: pets at example.com } }
`},{verdict:`right`,language:`yaml`,text:`info: { title: Pets, version: 1.0.0, contact: { email: pets@example.com } }
`}]},"wrong-name":{text:"The name of a component or header contains characters that are not allowed. In OpenAPI 3.0 documents, component names\nproduce a warning instead, because the official schema of 3.0 accepts any name.\n\n**Fix:** rename it. Component names may contain letters, digits, `.`, `-` and `_`.\n\nSection: Components Object; Response Object, `headers`.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    New Pet: { type: object }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    NewPet: { type: object }
`}]},"entry-unique":{text:`\`required\` or \`type\` contains an entry twice. JSON Schema requires unique entries, and some tools reject the document.

**Fix:** remove one of the two.

Section: Schema Object; JSON Schema 2020-12, Validation.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { type: object, required: [id, name, id] }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { type: object, required: [id, name] }
`}]},"field-conflict":{text:`Two fields exclude each other, or a field is not allowed in this kind of object.

**Fix:** remove the field that does not apply.

Section: Parameter, Header, Media Type, Encoding, Example, Link, License, XML and Security Scheme Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  parameters:
    Limit:
      name: limit
      in: query
      schema: { type: integer }
      example: 10
      examples: { few: { value: 10 } }
`},{verdict:`right`,language:`yaml`,text:`components:
  parameters:
    Limit:
      name: limit
      in: query
      schema: { type: integer }
      examples: { few: { value: 10 } }
`}]},"read-write-only":{text:"A schema has both `readOnly: true` and `writeOnly: true`, so its value would appear in neither requests nor responses. In\nOpenAPI 3.1 and later, where JSON Schema defines both keywords, this is a warning.\n\n**Fix:** remove one of the two.\n\nSection: Schema Object (3.0.4), `readOnly` and `writeOnly`.",examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: 3.0.3
components:
  schemas:
    Token: { type: string, readOnly: true, writeOnly: true }
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.0.3
components:
  schemas:
    Token: { type: string, writeOnly: true }
`}]},"media-type-name":{text:`A key of \`content\` is neither a media type nor a media type range, so no request or response can match it.

**Fix:** write a full media type such as \`application/json\`.

Section: Media Type Object; RFC 9110, sections 8.3.1 and 12.5.1.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: { json: { schema: { type: object } } } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: { application/json: { schema: { type: object } } } }
`}]},"header-ignored":{text:"The document describes a header that OpenAPI tools must ignore because another part of the document defines it. This affects the\nheader parameters `Accept`, `Content-Type` and `Authorization`, and the header `Content-Type` of a response or encoding.\n\n**Fix:** remove the header. Use `content` for media types and a security scheme for authorization.\n\nSection: Parameter Object, `name`; Response Object and Encoding Object, `headers`.",examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      parameters: [{ name: Authorization, in: header, schema: { type: string } }]
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get: { security: [{ token: [] }] }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
`}]},"nullable-ignored":{text:'`nullable: true` exists in OpenAPI 3.0 only. Later versions ignore it, so `null` is not allowed. It is often left over from a converted document. Each file has one\nwarning with the number of schemas.\n\n**Fix:** add `"null"` to `type`, or a schema with `type: "null"` to `anyOf` or `oneOf`. `openapi-pages check --fix` does this, where there is only one way.\n\nSection: Schema Object.',examples:[{verdict:`wrong`,language:`yaml`,text:`paths: {}
components:
  schemas:
    Name: { type: string, nullable: true }
`},{verdict:`right`,language:`yaml`,text:`paths: {}
components:
  schemas:
    Name: { type: [string, "null"] }
`}]},"response-code-quotes":{text:`A response code in a YAML file is a number. The specification requires quotes, because some parsers do not accept numbers as keys. Each file has one info with the
number of response codes.

**Fix:** write \`'200':\`. \`openapi-pages check --fix\` does this.

Section: Responses Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        200: { description: OK }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        '200': { description: OK }
`}]},"required-property":{text:"`required` lists a name that `properties` does not define, and no other keyword of the schema could define it. JSON Schema allows\nthis, but it is usually a typo or a renamed property. Subschemas of `allOf`, `anyOf` and `oneOf` are not checked.\n\n**Fix:** correct the name, or define the property.\n\nSection: JSON Schema 2020-12, validation, section 6.5.3.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet:
      type: object
      required: [nmae]
      properties: { name: { type: string } }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties: { name: { type: string } }
`}]},"array-items":{text:"A schema in an OpenAPI 3.0 document has `type: array` but no `items`. The specification requires `items` there. Tools that\naccept the schema anyway treat the entries as values of any type. From OpenAPI 3.1 on, `items` is optional.\n\n**Fix:** add `items` with the schema of the entries, or `items: {}` if any entry is allowed.\n\nSection: Schema Object, `items`.",examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: 3.0.4
paths: {}
components:
  schemas:
    Names: { type: array }
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.0.4
paths: {}
components:
  schemas:
    Names: { type: array, items: { type: string } }
`}]},"runtime-expression":{text:`The key of a callback, or a link value that starts with \`$\`, is not a valid runtime expression, so it cannot read a value from a
request or response.

**Fix:** correct the expression, for example \`$request.body#/url\`.

Section: Runtime Expressions; Callback Object; Link Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  callbacks:
    Added: { "{$request.body.url}": { post: { responses: { "200": { description: OK } } } } }
`},{verdict:`right`,language:`yaml`,text:`components:
  callbacks:
    Added: { "{$request.body#/url}": { post: { responses: { "200": { description: OK } } } } }
`}]},"pattern-syntax":{text:`A \`pattern\` is not a valid JavaScript (ECMA-262) regular expression, the dialect that the specification recommends. Tools that
validate values against it may fail.

**Fix:** rewrite the pattern in JavaScript syntax.

Section: Schema Object; JSON Schema 2020-12, Core, 6.4.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Code: { type: string, pattern: "(?i)[a-z]+(" }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Code: { type: string, pattern: "[A-Za-z]+" }
`}]},"reference-unresolved":{text:"A `$ref` points to a file, or to a location in a file, that does not exist.\n\n**Fix:** correct the path or the name. In a JSON Pointer, write `~1` for a `/` and `~0` for a `~` inside a name, for example\n`#/paths/~1pets/get`.\n\nSection: Reference Object; RFC 6901.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pets: { type: array, items: { $ref: "#/components/schemas/Pett" } }
    Pet: { type: object }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }
    Pet: { type: object }
`}]},"reference-circular":{text:`A chain of \`$ref\`s leads back to its start without reaching an object. A schema that contains itself, such as a tree, is fine.

**Fix:** replace one of the references with the object itself.

Section: Reference Object; JSON Schema 2020-12, Core, 9.4.1.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "#/components/schemas/Animal" }
    Animal: { $ref: "#/components/schemas/Pet" }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "#/components/schemas/Animal" }
    Animal: { type: object, properties: { parent: { $ref: "#/components/schemas/Animal" } } }
`}]},"reference-kind":{text:`A \`$ref\` points to a different kind of object than the one that is expected, for example to a response where a schema is
required.

**Fix:** point the reference to an object of the expected kind.

Section: Components Object; Reference Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "#/components/responses/Pet" }
  responses:
    Pet: { description: A pet }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { type: object }
  responses:
    Pet: { description: A pet }
`}]},"reference-misplaced":{text:`A \`$ref\` is used where the specification does not allow one, for example in place of an operation, all paths or a string. Many
tools accept it, and large descriptions are often split this way. The target is still checked. A reference in place
of a string is not followed, so its target is not checked.

**Fix:** move the reference to an object that supports it, such as a path item, or write the content in place.

Section: Reference Object; Path Item Object, \`$ref\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get: { $ref: "#/x-operations/listPets" }
x-operations:
  listPets: { responses: { "200": { description: OK } } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets: { $ref: "#/x-paths/pets" }
x-paths:
  pets:
    get: { responses: { "200": { description: OK } } }
`}]},"reference-syntax":{text:`A \`$ref\` contains characters that must be percent-encoded in a URL. The reference is still followed.

**Fix:** percent-encode the characters, as the hint shows.

Section: Reference Object; RFC 3986, section 2.1.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Id: { $ref: "#/x-parts/{id}" }
x-parts: { "{id}": { type: string } }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Id: { $ref: "#/x-parts/%7Bid%7D" }
x-parts: { "{id}": { type: string } }
`}]},"reference-version":{text:`A \`$ref\` points to a file that is an OpenAPI document of another version. Its contents are read as the version of the document
that is checked. For example, \`nullable\` from a 3.0 file has no meaning in a 3.1 description.

**Fix:** use the same OpenAPI version in all files of a description.

Section: OpenAPI Description Structure.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "pets-3.0.yaml#/components/schemas/Pet" }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "pets-3.1.yaml#/components/schemas/Pet" }
`}]},"remote-reference":{text:`A \`$ref\` points to a remote URL. References are never fetched from the network, so the target is not checked.

**Fix:** save a copy of the file next to the document and refer to the copy.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "https://example.com/pet.yaml" }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet: { $ref: "pet.yaml" }
`}]},"operation-id-unique":{text:`Two operations have the same \`operationId\`. Links, generated clients and pages use it to identify an operation.

**Fix:** rename one of the two.

Section: Operation Object, \`operationId\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get: { operationId: list, responses: { "200": { description: OK } } }
  /stores:
    get: { operationId: list, responses: { "200": { description: OK } } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get: { operationId: listPets, responses: { "200": { description: OK } } }
  /stores:
    get: { operationId: listStores, responses: { "200": { description: OK } } }
`}]},"parameter-unique":{text:`A list contains two parameters with the same name and location, so only one of them can take effect. An operation may still
override a parameter of its path item.

**Fix:** remove one of the two.

Section: Operation Object and Path Item Object, \`parameters\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: string } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    parameters:
      - { name: limit, in: query, schema: { type: integer } }
    get:
      parameters:
        - { name: limit, in: query, schema: { type: string } }
`}]},"path-parameter":{text:"A path contains a name in braces without a matching path parameter, or a path parameter has no matching name in the path. A\nquery string such as `/pets?limit={limit}` is not part of a path.\n\n**Fix:** make the names match. Describe query strings with `in: query` parameters.\n\nSection: Path Templating; Parameter Object, `name`.",examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets/{petId}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets/{petId}:
    get:
      parameters:
        - { name: petId, in: path, required: true, schema: { type: string } }
`}]},"path-template":{text:`Two paths differ only in the names of their parameters and share a method, so a request matches both. If they share no method,
this is a warning.

In OpenAPI 3.2 documents, an invalid path template is an error too. Examples are an unclosed brace (\`/pets/{id\`), a query string
(\`/pets?limit=1\`), an empty segment (\`//\`), and a character that must be percent-encoded.

**Fix:** move the operations of both paths under one path, or correct the template.

Section: Paths Object; Path Templating.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /pets/{name}:
    get:
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  /pets/named/{name}:
    get:
      parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
`}]},"path-ambiguous":{text:`One request can match two paths, and neither path is more specific. Tools may choose either one. A numeric parameter is
assumed not to match a word. If the two paths share no method, this is an info.

**Fix:** change one of the paths so that no request matches both.

Section: Paths Object, "Path Templating Matching".`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /{entity}/me:
    get: { parameters: [{ name: entity, in: path, required: true, schema: { type: string } }] }
  /books/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }] }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /users/me:
    get: {}
  /books/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }] }
`}]},"security-scheme":{text:`A security requirement names a scheme that is not defined in \`components.securitySchemes\` of the entry document.

**Fix:** define the scheme, or correct its name.

Section: Security Requirement Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`security:
  - apiKey: []
`},{verdict:`right`,language:`yaml`,text:`security:
  - apiKey: []
components:
  securitySchemes:
    apiKey: { type: apiKey, in: header, name: X-API-Key }
`}]},"security-scope":{text:"A security requirement names a scope that no flow of the `oauth2` scheme declares. In OpenAPI 3.0, the list of an `http` or\n`apiKey` scheme must be empty. From 3.1 on, it contains role names.\n\n**Fix:** correct the name, or declare the scope in the flow.\n\nSection: Security Requirement Object.",examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get: { security: [{ login: ["pets:raed"] }] }
components:
  securitySchemes:
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://example.com/token, scopes: { "pets:read": Read pets } } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get: { security: [{ login: ["pets:read"] }] }
components:
  securitySchemes:
    login:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://example.com/token, scopes: { "pets:read": Read pets } } }
`}]},"server-variable":{text:"A server URL contains a name in braces that `variables` does not define, or the `default` of a variable is not in its `enum`.\nFrom OpenAPI 3.1 on, such a `default` is an error.\n\n**Fix:** define the variable, or correct its name or `default`.\n\nSection: Server Object; Server Variable Object.",examples:[{verdict:`wrong`,language:`yaml`,text:`servers:
  - url: https://{region}.example.com
`},{verdict:`right`,language:`yaml`,text:`servers:
  - url: https://{region}.example.com
    variables: { region: { default: eu, enum: [eu, us] } }
`}]},"tag-unique":{text:`Two entries of \`tags\` have the same name.

**Fix:** remove or rename one of the two.

Section: OpenAPI Object, \`tags\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`tags:
  - name: pets
  - name: pets
`},{verdict:`right`,language:`yaml`,text:`tags:
  - name: pets
  - name: stores
`}]},"tag-parent":{text:"The `parent` of a tag (OpenAPI 3.2) is not a declared tag, or the parents of tags form a cycle.\n\n**Fix:** declare the parent in `tags`, correct its spelling, or remove `parent` from one tag of the cycle.\n\nSection: Tag Object, `parent`.",examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: 3.2.0
tags:
  - name: cats
    parent: pets
`},{verdict:`right`,language:`yaml`,text:`openapi: 3.2.0
tags:
  - name: pets
  - name: cats
    parent: pets
`}]},"tag-undeclared":{text:`An operation uses a tag that the top-level \`tags\` does not declare. The group of that tag has no description and no defined
position. Each tag is reported once, and only if the document declares any tags.

**Fix:** declare the tag, or correct its spelling.

Section: OpenAPI Object, \`tags\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`tags: [{ name: pets }]
paths:
  /pets:
    get: { tags: [pest] }
`},{verdict:`right`,language:`yaml`,text:`tags: [{ name: pets }]
paths:
  /pets:
    get: { tags: [pets] }
`}]},"link-target":{text:`A link refers to an operation that does not exist, by \`operationId\` or \`operationRef\`, or passes a parameter that the
operation does not have.

**Fix:** correct the name of the operation or parameter.

Section: Link Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      operationId: listPets
      responses: { "200": { description: OK, links: { Next: { operationId: listPet } } } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      operationId: listPets
      responses: { "200": { description: OK, links: { Next: { operationId: listPets } } } }
`}]},"discriminator-mapping":{text:"A value in `discriminator.mapping`, or `defaultMapping`, does not resolve to a schema: it is an unknown name or an unresolved\nreference. Values that could be file names are not reported unless another reference loads the file.\n\n**Fix:** correct the name or the reference.\n\nSection: Discriminator Object, `mapping`.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { cat: Catt } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { cat: Cat } }
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }] }
`}]},"discriminator-property":{text:"The property that `discriminator.propertyName` names is not defined or not required in the schema or in one of its\nalternatives. Without it, tools cannot tell which schema applies. If OpenAPI 3.2's `defaultMapping` is present, the property is optional.\n\n**Fix:** define the property in each alternative and add it to `required`.\n\nSection: Discriminator Object, `propertyName`.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind }
    Cat: { type: object, properties: { kind: { type: string } } }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet:
      oneOf: [{ $ref: "#/components/schemas/Cat" }]
      discriminator: { propertyName: kind }
    Cat: { type: object, required: [kind], properties: { kind: { type: string } } }
`}]},"encoding-property":{text:"A key of `encoding` is not a property of the media type's schema, so tools ignore it. Properties from `allOf`, `anyOf`,\n`oneOf` and matching `patternProperties` are included. Schemas that allow additional properties are not checked. In OpenAPI 3.2 documents,\nthis is an info.\n\n**Fix:** correct the spelling, or add the property to the schema.\n\nSection: Media Type Object, `encoding`.",examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { photo: { type: string } } }
            encoding: { foto: { contentType: image/png } }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { photo: { type: string } } }
            encoding: { photo: { contentType: image/png } }
`}]},"unused-component":{text:`Nothing refers to a component of the entry document. References from \`$ref\` (also in extensions), security requirements and
discriminators are taken into account. Documents without operations are not checked, because they exist for their components.

**Fix:** remove the component, or add the missing reference.

Section: Components Object.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get: { responses: { "200": { description: OK } } }
components:
  schemas:
    Pet: { type: object }
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      responses:
        "200": { description: OK, content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
components:
  schemas:
    Pet: { type: object }
`}]},"example-mismatch":{text:"An `example`, or an entry of `examples`, does not match its schema. Readers copy examples, and mock servers return them.\n\nExamples may omit read-only and write-only properties. `format` is not checked, and neither are examples of media types other than JSON. A\nstring that contains JSON, or a parameter value in its serialized form, is compared as the value it represents. If a match is uncertain, for\nexample because of a costly `pattern`, nothing is reported. Entry documents over 4 MiB are only checked if the configuration lists\n`example-mismatch`, `default-mismatch` or `enum-mismatch` under [`rules`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#severities).\n\n**Fix:** correct the example or the schema.\n\nSection: Media Type Object, Parameter Object and Schema Object, `example` and `examples`.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Pet:
      type: object
      properties: { age: { type: integer } }
      example: { age: four }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Pet:
      type: object
      properties: { age: { type: integer } }
      example: { age: 4 }
`}]},"default-mismatch":{text:`A \`default\` does not match its own schema.

**Fix:** correct the default or the schema.

Section: Schema Object, \`default\`.`,examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Limit: { type: integer, default: "20" }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Limit: { type: integer, default: 20 }
`}]},"enum-mismatch":{text:"An `enum` contains a value that does not match the schema's own `type`, so no value can ever equal it.\n\n**Fix:** correct the value or the `type`.\n\nSection: Schema Object, `enum`; JSON Schema 2020-12, validation, section 6.1.2.",examples:[{verdict:`wrong`,language:`yaml`,text:`components:
  schemas:
    Size: { type: string, enum: [small, large, 3] }
`},{verdict:`right`,language:`yaml`,text:`components:
  schemas:
    Size: { type: string, enum: [small, large, "3"] }
`}]},"not-overlay":{text:"A file that is named as an overlay is not an Overlay document. An Overlay document has the fields `overlay`, `info` and `actions`.\n\n**Fix:** name an Overlay document, or add the missing fields:",examples:[{verdict:`wrong`,language:`yaml`,text:`info: { title: Public API, version: 1.0.0 }
`},{verdict:`right`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.info
    update: { title: Public API }
`}]},"overlay-target":{text:"The `target` or `copy` of an action is not a valid JSONPath query (RFC 9535), or it takes too long. Queries of older JSONPath\ndialects, such as `$.paths[?(@property === 'get')]`, are not valid.\n\n**Fix:** correct the query. Names with characters such as `/` and `-` need brackets and quotes: `$.paths['/pets'].get`.",examples:[{verdict:`wrong`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.paths[?(@property === '/pets')]
    remove: true
`},{verdict:`right`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.paths['/pets']
    remove: true
`}]},"overlay-conflict":{text:"An action cannot be applied:\n\n- The `update` or `copy` has another type than the selected value, such as a list for a mapping.\n- The `target` selects values of different types.\n- The `copy` does not select exactly one value.\n- The action removes the whole document, or it has both `update` and `copy`.\n\n**Fix:** select other values, use one action for each type, or remove the old value with an action before.",examples:[{verdict:`wrong`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.info
    update: [Public API]
`},{verdict:`right`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.info
    update: { title: Public API }
`}]},"overlay-unmatched":{text:"The `target` of an action selects nothing, so the action has no effect. Often the document was changed, or the query has a typo.\n\n**Fix:** correct `target`, or delete the action.",examples:[{verdict:`wrong`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.paths['/petz']
    remove: true
`},{verdict:`right`,language:`yaml`,text:`overlay: 1.1.0
info: { title: Public API, version: 1.0.0 }
actions:
  - target: $.paths['/pets']
    remove: true
`}]},ruleset:{text:"A value does not follow a rule of the ruleset. The rule sets the severity and the message. In JSON, the problem has the code `ruleset` and the name of the rule in `rule.name`,\nbecause a rule can have the name of one of the codes on this page.\n\nAn error of a rule fails `check`, but the pages of the document are still updated: they show what the document says.\n\n**Fix:** change the value as the rule requires. The documentation of the rule explains why, if the ruleset has a `documentationUrl` for it. To change or turn off the rule, use `rules` in\nthe [configuration file](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#severities).",examples:[]},"ruleset-problem":{text:`A part of the ruleset cannot be applied, such as a rule with an unknown function, a path that is not valid, or a file that does not exist. All other rules are applied.

**Fix:** correct the ruleset at the location of the problem.`,examples:[]},"exception-syntax":{text:`An exception in a document has no reason, or no rule. It has no effect.

**Fix:** write the name of the rule and why it does not apply here.`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      x-lint-ignore: { tag-undeclared: "" }
      tags: [legacy]
      responses: { "200": { description: OK } }
tags: [{ name: pets }]
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      x-lint-ignore: { tag-undeclared: Only the mobile app uses this tag }
      tags: [legacy]
      responses: { "200": { description: OK } }
tags: [{ name: pets }]
`}]},"unused-exception":{text:`An exception in a document ignores no problem. Usually the problem has been fixed, or the name of the rule has a typo. Errors that make a document invalid cannot be ignored, except those
that you [make warnings](https://github.com/openapi-pages/openapi-pages/blob/main/docs/diagnostics.md#errors-that-can-be-warnings).

**Fix:** remove the exception. An exception applies to problems of the document itself. For problems of pages, use \`ignore\` in the
[configuration file](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#severities).`,examples:[{verdict:`wrong`,language:`yaml`,text:`paths:
  /pets:
    get:
      # openapi-pages-ignore-next-line tag-undeclared: Only the mobile app uses this tag
      tags: [pets]
      responses: { "200": { description: OK } }
tags: [{ name: pets }]
`},{verdict:`right`,language:`yaml`,text:`paths:
  /pets:
    get:
      # openapi-pages-ignore-next-line tag-undeclared: Only the mobile app uses this tag
      tags: [legacy]
      responses: { "200": { description: OK } }
tags: [{ name: pets }]
`}]},"baseline-known":{text:`The [baseline](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline) lists problems that still occur. This diagnostic counts them, and they are not reported
individually.

**Fix:** no action is needed. Fix the problems when you can, and update the baseline.`,examples:[]},"baseline-fixed":{text:"The [baseline](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#baseline) lists problems that no longer occur in the checked files.\n\n**Fix:** add `--write-baseline` to your `check` command to remove them, so that they are reported if they come back.",examples:[]},"baseline-unusable":{text:"The baseline that `--baseline` or the configuration file names does not exist, or is not a baseline of version 1.\n\n**Fix:** correct the path, or add `--write-baseline` to your `check` command to create the file.",examples:[{verdict:`wrong`,language:`yaml`,text:`baseline: basline.json
`},{verdict:`right`,language:`yaml`,text:`baseline: baseline.json
`}]},"docs-config-missing":{text:"The docs directory contains no `docs.json`, and no document was specified. There is nothing to update.\n\n**Fix:** paste the minimal `docs.json` from the message, which includes an OpenAPI document from the directory. Or pass the documents to the\nAction with `openapi`, which then writes pages without changing any navigation. If the directory has a `mint.json`, the format before 2025,\nconvert it with [`openapi-pages init --upgrade`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/migrating.md#mintjson).",examples:[{verdict:`wrong`,language:`text`,text:`openapi.yaml
`},{verdict:`right`,language:`text`,text:`docs.json
openapi.yaml
`}]},"docs-reference":{text:"A `$ref` in `docs.json` cannot be followed. The file does not exist, is outside the docs directory, refers back to itself, or is\na URL. The missing part may list pages, so no page and no navigation entry is changed until the file can be read. Hosts refuse to build the\nsite.\n\n**Fix:** correct the path. It is relative to the file that contains the `$ref`.",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "$ref": "navigation.json" } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }
`}]},"docs-config-key":{text:"A key at any depth of `docs.json` has no effect. It is misspelled, in the wrong place, or a leftover from `mint.json`. The key is kept. Keys that start with `x-` are never reported, and `update` does not report this code.\n\n**Fix:** correct or remove the key.",examples:[{verdict:`wrong`,language:`json`,text:`{ "group": "Start", "pages": ["index"], "opanapi": "openapi.yaml" }
`},{verdict:`right`,language:`json`,text:`{ "group": "Start", "pages": ["index"] }
`}]},"config-spelling":{text:"A setting of the configuration file has its old spelling, which still works: `materialise` is now `materialize`.\n\n**Fix:** rename the setting.",examples:[{verdict:`wrong`,language:`yaml`,text:`materialise: false
`},{verdict:`right`,language:`yaml`,text:`materialize: false
`}]},"config-not-read":{text:"A file in the docs directory looks like a configuration file but is not read, for example `openapi-pages.config.yml`,\n`openapi-pages.config.ts` or `.openapi-pages.yaml`. Settings are read from `openapi-pages.config.yaml`, or from `openapi-pages.config.json`\nif that file does not exist. If both exist, the second one is reported.\n\n**Fix:** move the settings to `openapi-pages.config.yaml`.",examples:[{verdict:`wrong`,language:`text`,text:`docs.json
openapi-pages.config.yml
`},{verdict:`right`,language:`text`,text:`docs.json
openapi-pages.config.yaml
`}]},"page-missing":{text:`A navigation entry names a page that does not exist or cannot be read. Hosts silently drop the entry. The hint names the
nearest unlisted page. If more than three pages of one list are missing, they are combined into one diagnostic.

**Fix:** correct the path, create the page, or remove the entry.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "group": "Start", "pages": ["Index"] }
`},{verdict:`right`,language:`json`,text:`{ "group": "Start", "pages": ["index"] }
`}]},"navigation-empty":{text:"The navigation lists no existing page and no operation, and the docs directory contains no other page. There is no site to\nbuild. Only `build` and `preview` report this.\n\n**Fix:** add a page or an OpenAPI document to the navigation.",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "pages": [] } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "openapi": "openapi.yaml" } }
`}]},"page-unlisted":{text:"No navigation lists these pages, so readers can only open them by URL. One diagnostic names all of them, or the directories that\ncontain only unlisted pages. `update` does not report this code.\n\nThe following files are not reported:\n\n- pages with `hidden: true`\n- pages that another setting in `docs.json` refers to\n- snippets: files in a directory named `snippets`, or files that a page imports\n- files such as `README.md`, and files that `.mintignore` excludes\n\n**Fix:** add the pages to the navigation, or set `hidden: true`.",examples:[{verdict:`wrong`,language:`yaml`,text:`title: Notes
`},{verdict:`right`,language:`yaml`,text:`title: Notes
hidden: true
`}]},"page-listed-twice":{text:`One navigation list contains the same page twice. The same page in two different lists is not reported, because this is often
intended.

**Fix:** remove one of the two entries.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "group": "Start", "pages": ["index", "/index.mdx"] }
`},{verdict:`right`,language:`json`,text:`{ "group": "Start", "pages": ["index"] }
`}]},"page-url-conflict":{text:"Two pages have the same URL because their paths differ only in extension (`a.md`, `a.mdx`) or case. A host shows only one of\nthem, and some file systems can store only one.\n\n**Fix:** rename or remove one of the pages.",examples:[{verdict:`wrong`,language:`text`,text:`docs.json
guides/pets.md
guides/pets.mdx
`},{verdict:`right`,language:`text`,text:`docs.json
guides/pets.mdx
`}]},"lock-file":{text:`\`openapi-pages.lock.json\` cannot be used. This file records which pages are generated or adopted.

If the file is damaged, the next update recreates it from the existing pages, as [\`openapi-pages adopt\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/adopting.md) does. No page changes.
In a merge conflict, the next update uses the entries of both sides. A lock file from a newer release is an **error**: no page, navigation entry
or lock entry is changed.

**Fix:** restore the version from Git to keep information that only the file has, such as which pages you deleted. If a newer release
wrote the file, use that release.`,examples:[]},"navigation-openapi":{text:"The top level of `navigation` has an `openapi` key next to tabs, anchors or other divisions. Hosts show no groups there, so\ngenerated pages could not be listed and none are created. Other divisions still inherit the key.\n\n**Fix:** move `openapi` into a division.",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "openapi": "openapi.yaml", "tabs": [{ "tab": "API" }] } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": "openapi.yaml" }] } }
`}]},"overlay-lists":{text:"Two entries of `docs.json` name the same document with different `overlays`. A document has one list of overlays, because its\noperations have one page each. The first list applies.\n\n**Fix:** use the same list in all entries of the document.",examples:[{verdict:`wrong`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": { "source": "openapi.yaml", "overlays": [] } }, { "tab": "More", "openapi": { "source": "openapi.yaml", "overlays": ["more.yaml"] } }] } }
`},{verdict:`right`,language:`json`,text:`{ "navigation": { "tabs": [{ "tab": "API", "openapi": { "source": "openapi.yaml", "overlays": ["more.yaml"] } }, { "tab": "More", "openapi": { "source": "openapi.yaml", "overlays": ["more.yaml"] } }] } }
`}]},"unknown-division":{text:`The configuration file has a setting for a division that \`docs.json\` does not contain, so the setting has no effect.

**Fix:** correct the label of the division, or remove the setting.`,examples:[{verdict:`wrong`,language:`yaml`,text:`materialize:
  Api: false
`},{verdict:`right`,language:`yaml`,text:`materialize:
  API: false
`}]},"materialize-ignored":{text:"The configuration file has `materialize: false` for a division whose pages are already files. The setting has no effect on it, because\nan update does not remove all pages of a division.\n\n**Fix:** run [`openapi-pages virtual`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#undo-a-materialization), or remove the setting.",examples:[{verdict:`wrong`,language:`yaml`,text:`materialize: false
`},{verdict:`right`,language:`yaml`,text:`materialize: true
`}]},"unknown-schema":{text:`The configuration file requests a page for a schema that no document defines in \`components.schemas\`, so no page is created.

**Fix:** correct the name, or remove it from the configuration.`,examples:[{verdict:`wrong`,language:`yaml`,text:`schemas: [Pett]
`},{verdict:`right`,language:`yaml`,text:`schemas: [Pet]
`}]},"division-gone":{text:"The lock file contains pages for a division that `docs.json` no longer has, and no other division of the same kind (tab,\ngroup, …) lists any of them. The pages are kept because other pages may link to them.\n\n**Fix:** add `openapi` to the division that should list them, or delete the pages and the division's entry in the lock file.",examples:[]},"entry-without-document":{text:`A navigation entry names an operation, but neither the entry nor a parent division names an OpenAPI document.

**Fix:** add the document to the entry, or set \`openapi\` on the division.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "group": "Pets", "pages": ["GET /pets"] }
`},{verdict:`right`,language:`json`,text:`{ "group": "Pets", "pages": ["openapi.yaml GET /pets"] }
`}]},"entry-unresolved":{text:`A navigation entry names an operation, webhook or document that does not exist. Hosts refuse to build a site with such an entry.
The hint names the nearest operation.

**Fix:** correct the entry, or remove it.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "group": "Pets", "pages": ["openapi.yaml GET /petz"] }
`},{verdict:`right`,language:`json`,text:`{ "group": "Pets", "pages": ["openapi.yaml GET /pets"] }
`}]},"operation-skipped":{text:`A document has errors, and \`update.onError: operation\` or \`update --keep-going\` updates only the pages of operations that no error
affects. The message lists the skipped operations, or the error that affects the whole document. Pages of skipped operations are not
changed.

**Fix:** fix the errors in the document. The next update also updates the remaining pages.`,examples:[]},"unlisted-operation":{text:"A division lists operations individually, with entries such as `GET /pets`. No page is generated for an operation that it does not\nlist. The same code reports operations that had no page when the pages of a division were [adopted](https://github.com/openapi-pages/openapi-pages/blob/main/docs/adopting.md#operations-without-a-page).\n\n**Fix:** add an entry for the operation, or set `unlisted` in `openapi-pages.config.yaml` to `add` (create a page) or `ignore`.",examples:[{verdict:`wrong`,language:`json`,text:`{ "group": "Pets", "openapi": "openapi.yaml", "pages": ["GET /pets"] }
`},{verdict:`right`,language:`json`,text:`{ "group": "Pets", "openapi": "openapi.yaml", "pages": ["GET /pets", "POST /pets"] }
`}]},"order-kept":{text:`The \`order\` of a division has changed, but these entries or groups were reordered manually. Their order is kept. This is reported
once, by the first update with the new setting.

**Fix:** no action is needed. To apply the new order, rearrange the entries.`,examples:[]},"link-to-moved-page":{text:"A page has a new URL because `x-mint.href` or the directory of its division has changed, and this link still points to the old\nURL. The update that moves the page reports this once.\n\nThe update does not change the text of other pages. It adds an entry to `redirects` in `docs.json`, so the link continues to work. Without a\n`docs.json`, the link is broken, and this is a **warning**. A relative link in the moved page is also a **warning** if its target changes.\n\n**Fix:** update the link.",examples:[{verdict:`wrong`,language:`mdx`,text:`See [Add a pet](/api-reference/add-a-pet).
`},{verdict:`right`,language:`mdx`,text:`See [Add a pet](/guides/add-a-pet).
`}]},"link-to-removed-page":{text:"A page links to a page that this update removes, because its operation no longer exists. The update reports this once, and does not change the\nlink. A link that a redirect in `docs.json` covers is not reported.\n\n**Fix:** remove the link, link to another page, or add an entry to `redirects` in `docs.json`.",examples:[{verdict:`wrong`,language:`mdx`,text:`See [Sell a pet](/api-reference/sell-a-pet).
`},{verdict:`right`,language:`mdx`,text:`See [Add a pet](/guides/add-a-pet).
`}]},"redirect-unresolved":{text:"A redirect in `docs.json` points to a page that this update removes, because its operation no longer exists.\n\n**Fix:** change the `destination` to another page, or remove the redirect.",examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/sell", "destination": "/api-reference/sell-a-pet" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/sell", "destination": "/guides/add-a-pet" }] }
`}]},"page-frontmatter":{text:"The YAML between the `---` lines of a page cannot be read, or the closing line is missing. The binding of the page cannot be\nchecked, and its title and description are lost.\n\n**Fix:** correct the YAML, for example by quoting a value that contains `: `.",examples:[{verdict:`wrong`,language:`yaml`,text:`title: Pets: all of them
openapi: openapi.yaml GET /pets
`},{verdict:`right`,language:`yaml`,text:`title: "Pets: all of them"
openapi: openapi.yaml GET /pets
`}]},"binding-syntax":{text:"The `openapi` field of a page is not in the form `[file] METHOD /path` or `[file] webhook name`, or its `openapi-schema` field\nis not a schema name. The build of a site also reports an `api` field that is not in the form `METHOD /path` or `METHOD https://…`: the page is a guide without an operation.\n\n**Fix:** correct the field.",examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: /pets
`},{verdict:`right`,language:`yaml`,text:`openapi: openapi.yaml GET /pets
`}]},"binding-unresolved":{text:"A page is bound to an operation, webhook, schema or document that does not exist or that `x-excluded` excludes. The API part of\nthe page is empty. The hint names the nearest operation or its new location. `update` reports a warning, because it can still write the\nother pages. `check` reports an error.\n\n**Fix:** correct the binding, or delete the page.",examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: openapi.yaml GET /petz
`},{verdict:`right`,language:`yaml`,text:`openapi: openapi.yaml GET /pets
`}]},"binding-ambiguous":{text:`A page is bound to an operation without a document name, and several documents contain the operation. Which one a host uses
depends on the document names.

**Fix:** add the document to the binding.`,examples:[{verdict:`wrong`,language:`yaml`,text:`openapi: GET /pets
`},{verdict:`right`,language:`yaml`,text:`openapi: stores.yaml GET /pets
`}]},"page-href":{text:"`x-mint.href` points outside the docs directory or to another site. The page is written to the path it would have without this\nsetting.\n\n**Fix:** use a path inside the docs directory, for example `/guides/pets`.",examples:[{verdict:`wrong`,language:`yaml`,text:`x-mint: { href: ../outside }
`},{verdict:`right`,language:`yaml`,text:`x-mint: { href: /guides/pets }
`}]},"page-path-taken":{text:`A different file already exists at the page's path. The file is not changed, and the page is written to another path.

**Fix:** bind the file to the operation to use it as the page, or move the file.`,examples:[{verdict:`wrong`,language:`yaml`,text:`title: All pets
`},{verdict:`right`,language:`yaml`,text:`title: All pets
openapi: openapi.yaml GET /pets
`}]},"document-not-committed":{text:"Pages show operations that the OpenAPI document in the repository does not contain. An earlier step of the job regenerated the\ndocument, but the commit of the Action does not include it. Either `add-paths` excludes\nit, Git does not track it, or it is executable, over 20 MB or in Git LFS.\n\n**Fix:** add the document to the input `add-paths` (default: `documents`), or commit it in a separate step before the Action runs.",examples:[]},"page-ignored":{text:"`.gitignore` excludes the directory of the generated pages, or the lock file. A commit would not include them, and the next\nrun would start from scratch.\n\n**Fix:** remove the directory from `.gitignore`, or set another `directory` for the division.",examples:[{verdict:`wrong`,language:`text`,text:`node_modules/
api-reference/
`},{verdict:`right`,language:`text`,text:`node_modules/
`}]},"page-syntax":{text:"The text of a page is not valid MDX, for example because of a literal brace or angle bracket or an unclosed tag. The page is\nshown as plain Markdown. In a `.jsx`, `.js`, `.tsx` or `.ts` snippet, this code reports a syntax error of JavaScript or TypeScript.\n\n**Fix:** escape literal characters, and close all tags.",examples:[{verdict:`wrong`,language:`mdx`,text:`Fewer than <5 of {them
`},{verdict:`right`,language:`mdx`,text:`Fewer than &lt;5 of \\{them
`}]},"unknown-component":{text:'A page uses a component that the site does not provide and the page does not import. Only the content inside the component is\nshown. A panel of tabs with another name, such as `<TabItem label="…">`, is shown as a `<Tab>`.\n\n**Fix:** correct the name, or import the component from a snippet.',examples:[{verdict:`wrong`,language:`mdx`,text:`<Warming>Mind the gap</Warming>
`},{verdict:`right`,language:`mdx`,text:`<Warning>Mind the gap</Warning>
`}]},"unread-expression":{text:'A component or expression of a page cannot be evaluated. The message has the reason, such as "it uses `fetch`". A component shows\nits children instead, and an expression shows nothing. Text in braces that is not a known name, such as `/users/{id}`, is shown as written. Each\ncomponent is reported once, at the code that is not supported.\n\nA restricted interpreter evaluates pages and snippets. It supports props, constants, JSX, conditions, functions without side effects,\nmethods of strings and lists, `Object`, `Math` and `JSON`. Hooks of React have the values of the first render. Functions such as `onClick` never run: their\nelements are shown without them. Not supported are the network, the browser, the current time, random numbers, classes, `async`, and components that show nothing until an effect has run.\n\n**Fix:** write the result in the page, or use only supported code.',examples:[{verdict:`wrong`,language:`mdx`,text:`The year is {new Date().getFullYear()}
`},{verdict:`right`,language:`mdx`,text:`export const year = 2026

The year is {year}
`}]},"unread-import":{text:"A page or snippet imports a file that does not exist, a name that the file does not export, a file outside the docs directory, or an\nnpm package. Only files with the endings `.mdx`, `.md`, `.jsx`, `.js`, `.tsx` and `.ts` can be imported. React and the icons of `lucide-react`\nand `@tabler/icons-react` are built in.\n\n**Fix:** correct the path or the name, or move the code to a snippet.",examples:[{verdict:`wrong`,language:`mdx`,text:`import Chart from "/snippets/chart.jsx"
`},{verdict:`right`,language:`mdx`,text:`import { Rocket } from "lucide-react"

<Rocket />
`}]},"refused-html":{text:"A page contains HTML that would run code, send data or embed another site. Examples are scripts, forms, frames other than\ncommon video players, and links with schemes other than `http`, `https`, `mailto` and `tel`. The HTML is removed.\n\n**Fix:** remove the HTML, or use a component that the site provides.",examples:[{verdict:`wrong`,language:`mdx`,text:`<script src="/widget.js"><\/script>
`},{verdict:`right`,language:`mdx`,text:`<Card title="Open the widget" href="https://example.com/widget" />
`}]},"link-unresolved":{text:`A link points to a URL of this site that matches no page, file or redirect. The link is kept and opens the "not found" page.

**Fix:** correct the link.`,examples:[{verdict:`wrong`,language:`mdx`,text:`See the [quick start](/guides/quikstart).
`},{verdict:`right`,language:`mdx`,text:`See the [quick start](/guides/quickstart).
`}]},"link-to-directory":{text:"A link points to a directory that has pages but no index page. Hosts of `docs.json` repositories open the first page in it. The sites of `build` and\nof the app redirect it to the first page in the order of the navigation, so `build` does not report it.\n\n**Fix:** link to the page. You can also add a page for the directory, such as `guides/index.mdx`.",examples:[{verdict:`wrong`,language:`mdx`,text:`See the [guides](/guides).
`},{verdict:`right`,language:`mdx`,text:`See the [guides](/guides/quickstart).
`}]},"fragment-unresolved":{text:`A link points to an existing page but to a section (\`#…\`) that the page does not have, so the page opens at the top.

Heading IDs are the same as on GitHub. IDs that differ only in punctuation, spaces or case, or number repeated headings from 2, as other hosts write them, also work. A fragment
that identifies an operation with its own page, such as \`#operation/getPet\`, [opens that page](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#pages).

**Fix:** correct the fragment.`,examples:[{verdict:`wrong`,language:`mdx`,text:`See [the limits](/guides/quickstart#limit).
`},{verdict:`right`,language:`mdx`,text:`See [the limits](/guides/quickstart#limits).
`}]},"link-external":{text:`With [\`check --external\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/ci.md#check-links-to-other-sites), the target of a link to another site does not exist: the server responds with 404 or 410, or its name cannot be resolved.

**Fix:** correct or remove the link.`,examples:[{verdict:`wrong`,language:`mdx`,text:`See the [specification](https://spec.openapis.org/oas/v3.9.9).
`},{verdict:`right`,language:`mdx`,text:`See the [specification](https://spec.openapis.org/oas/v3.1.1).
`}]},"content-restricted":{text:"Pages or parts of OpenAPI documents are restricted to some readers, so the site leaves them out. The message names all of them. `check` reports it as information.\n\n| Restriction | Left out |\n| --- | --- |\n| `groups` or `public: false` in the frontmatter of a page, also with errors | the page, and its operation or schema in the document, unless another page shows it |\n| `public: false` on a group of the navigation | its pages, except those with `public: true`, and documents that only this group names |\n| `public: false` in `docs.json` | nothing, because the build does not know who can open the site: this is an **error** |\n| `groups`, or `public: false` in `x-mint.metadata` of an operation, path or webhook | this part, as with `x-mint.groups` |\n| `x-mint.groups` on an operation, path, webhook, parameter, property, schema or variant | this part, the components and tags that only it uses, its name in examples, and code samples with its name |\n| `x-mint-enum` | the values with groups, also in examples |\n| `x-mint` in a document with syntax errors, or with an overlay that cannot be applied | the document |\n\n**Fix:** nothing, if only readers with access should see the content. To publish it for everyone, set [`site.restricted`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md) to `publish`. If `docs.json` has\n`public: false`, first make sure that only these readers can open the site. If everyone may read it, remove `public`.",examples:[{verdict:`wrong`,language:`mdx`,text:`---
title: Internal limits
groups: [admin]
---
`},{verdict:`right`,language:`mdx`,text:`---
title: Limits
---
`}]},"redirect-loop":{text:"A redirect of `docs.json` leads back to itself, so the browser reports an error.\n\n**Fix:** change `destination` to the path of a page.",examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/old", "destination": "/older" }, { "source": "/older", "destination": "/old" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }, { "source": "/older", "destination": "/guides/pets" }] }
`}]},"redirect-chain":{text:"The destination of a redirect of `docs.json` is redirected too. Each step costs the reader a request.\n\n**Fix:** change `destination` to the last page of the chain.",examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/oldest", "destination": "/old" }, { "source": "/old", "destination": "/guides/pets" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/oldest", "destination": "/guides/pets" }, { "source": "/old", "destination": "/guides/pets" }] }
`}]},"redirect-fragment":{text:"The `source` of a redirect of `docs.json` has a fragment. Browsers do not send the fragment of a URL, so no server can redirect it. Sites ignore the redirect, because it\nwould apply to the whole page.\n\n**Fix:** remove the redirect, or the fragment from `source`.",examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/old#limits", "destination": "/guides/pets" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }] }
`}]},"redirect-query":{text:"The `source` of a redirect of `docs.json` has a query, or a parameter with `?` such as `:slug?`. Redirects match only paths, and keep the query of a request. Sites ignore\nthe redirect, because it would apply to the path with any query.\n\n**Fix:** remove the redirect, or the query from `source`.",examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/old?lang=en", "destination": "/guides/pets" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }] }
`}]},"redirect-target":{text:"The destination of a redirect of `docs.json`, or the `url` of a page, is neither a path of the site nor an `https` URL. Browsers read forms such as `//example.com` or\n`https:example.com` differently depending on the page, so sites ignore them.\n\n**Fix:** write a path that starts with `/`, or a URL that starts with `https://`.",examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/contact", "destination": "http://example.com/contact" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/contact", "destination": "https://example.com/contact" }] }
`}]},"redirect-unused":{text:`A redirect of \`docs.json\` has no effect, because the site has a page at its source or because an earlier redirect has the same source.

**Fix:** remove the redirect, or the page.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }, { "source": "/old", "destination": "/guides/cats" }] }
`},{verdict:`right`,language:`json`,text:`{ "redirects": [{ "source": "/old", "destination": "/guides/pets" }] }
`}]},"asset-missing":{text:"A page shows an image or links to a file that does not exist in the docs directory. Paths that start with `/` are relative to\nthe docs directory, other paths to the directory of the page. Hosts do not publish directories such as `build`, `dist` and `tmp`, and what `.mintignore`\nnames. The message names the reason if the file is excluded.\n\n**Fix:** correct the path, or add the file. To publish an excluded directory, add a line such as `!images/build` to `.mintignore`.",examples:[{verdict:`wrong`,language:`mdx`,text:`![The dashboard](/images/dashbord.png)
`},{verdict:`right`,language:`mdx`,text:`![The dashboard](/images/dashboard.png)
`}]},"image-alt":{text:`An image has no alternative text, so screen readers cannot describe it
([WCAG 2.2, 1.1.1](https://www.w3.org/WAI/WCAG22/Understanding/non-text-content)). Each page, snippet and description is reported once, at its
first such image.

**Fix:** describe what the image shows. For a decorative image, write \`<img alt="">\`.`,examples:[{verdict:`wrong`,language:`mdx`,text:`![](https://example.com/chart.png)
`},{verdict:`right`,language:`mdx`,text:`![Requests by month: twice as many in May](https://example.com/chart.png)
`}]},"property-not-used":{text:"A component has a property, or a code block an option, that does nothing on a site. [Supported components](https://github.com/openapi-pages/openapi-pages/blob/main/docs/components.md) lists the properties with an effect. Each is reported\nonce, with the number of other files. Properties that are `false` or `null`, and `data-` and `aria-` attributes, are not reported.\n\n**Fix:** remove the property, or correct its name.",examples:[{verdict:`wrong`,language:`mdx`,text:`<Card title="Deploy" image="/images/deploy.png" />
`},{verdict:`right`,language:`mdx`,text:`<Card title="Deploy" img="https://example.com/deploy.png" />
`}]},"icon-unknown":{text:`An icon name of a page or of \`docs.json\` is not in Font Awesome Free, Lucide or Tabler, so no icon is shown. Each name is reported
once. Icons of Font Awesome Pro are not included.

**Fix:** use one of the suggested names, or the path of an SVG file in the docs directory.`,examples:[{verdict:`wrong`,language:`mdx`,text:`<Card title="Deploy" icon="rockt" />
`},{verdict:`right`,language:`mdx`,text:`<Card title="Deploy" icon="rocket" />
`}]},"asset-refused":{text:`A file of the repository is not published for one of these reasons:

- A browser would execute it on the site's own origin: HTML, JavaScript, XML, or an SVG with a script.
- It is a symbolic link that points outside the repository.
- All files of the site together exceed [\`limits.assets-size\`](https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md#limits), by default 200 MiB. The largest are left out.
- Its name differs from another file only in case.
- It is a font in \`fonts\` of \`docs.json\` with more than 16 MB.

**Fix:** use another file type, make the file smaller, raise the limit, or rename the file.`,examples:[{verdict:`wrong`,language:`mdx`,text:`See the [report](/report.html).
`},{verdict:`right`,language:`mdx`,text:`See the [report](/report.pdf).
`}]},"style-refused":{text:"A part of a `.css` file in the docs directory is not used, because it loads a file from another host, uses `position: fixed`, or cannot be\nparsed. Each cause is reported once per file. See [stylesheets](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#stylesheets).\n\n**Fix:** add the image or font to the docs directory, or remove the rule.",examples:[{verdict:`wrong`,language:`css`,text:`@import url("https://fonts.googleapis.com/css2?family=Inter");
`},{verdict:`right`,language:`css`,text:`@font-face {
  font-family: Inter;
  src: url("/fonts/inter.woff2");
}
`}]},"script-not-run":{text:"The docs directory has `.js` files. Mintlify runs them on every page, but a site runs only the scripts of openapi-pages by default.\n\n**Fix:** if you trust the repository, allow [scripts](https://github.com/openapi-pages/openapi-pages/blob/main/docs/site.md#scripts) in `openapi-pages.config.yaml`. Otherwise, list the files in `.mintignore`.",examples:[{verdict:`wrong`,language:`yaml`,text:`site:
  scripts: false
`},{verdict:`right`,language:`yaml`,text:`site:
  scripts: true
`}]},"setting-not-used":{text:`\`docs.json\`, the frontmatter of a page, or an extension such as \`x-mint\` requests a feature that a built site does not support. Examples are fonts from other hosts, a background image,
third-party scripts, code samples in an unsupported language, and documents of other types, such as AsyncAPI. Pages load nothing from other
hosts and run only the code that openapi-pages provides. The hint says what to do instead. See
[all keys](https://github.com/openapi-pages/openapi-pages/blob/main/docs/migrating.md#keys-of-docsjson-and-frontmatter). A key of frontmatter is reported at the first page that has it.

A setting that cannot be read is a **warning**, because it has no effect. Examples are a string instead of an object, a color that is not
written like \`#0D9373\`, a link without a URL, and a redirect that leads back to itself. So is \`site.styleGuide\` of the configuration file without
a ruleset.

**Fix:** remove the setting, or correct its value.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "fonts": { "family": "Poppins" } }
`},{verdict:`right`,language:`json`,text:`{ "fonts": { "family": "Poppins", "source": "/fonts/poppins.woff2" } }
`}]},"color-contrast":{text:`Text in one of your \`colors\` would be hard to read. The site adjusts the lightness of the color until its contrast ratio is at
least 4.5:1 on every background of the theme. Hue and chroma are kept. A \`background.color\` on which gray text would be unreadable is not
used.

**Fix:** choose a color with more contrast.`,examples:[{verdict:`wrong`,language:`json`,text:`{ "colors": { "primary": "#FDE047" } }
`},{verdict:`right`,language:`json`,text:`{ "colors": { "primary": "#077D36", "light": "#55D799" } }
`}]}};function renderHelp({text:e,examples:t}){return`${e}${t.map(({verdict:e,language:t,text:n})=>`\n\n${e===`wrong`?`Wrong`:`Right`}:\n\n\`\`\`${t}\n${n}\`\`\``).join(``)}`}function formatSarif(e,{version:t,isComplete:n=!0}={}){let r=keepMostSevere(e);return formatSarifLog({version:t,isComplete:n,notification:e.length-r.length===0?void 0:describeCut(r.length,e.length),rules:[...new Map(r.map(e=>[toRuleId(e),e])).values()].map(toRule),results:r.map(e=>({ruleId:toRuleId(e),level:u[e.severity],message:toMessage(e),place:e,related:e.related,identity:[toRuleId(e),e.file,e.pointer,e.message],properties:{pointer:e.pointer}}))})}function formatSarifLog({version:e,isComplete:t,notification:n,rules:r,results:a}){let o=r.toSorted((e,t)=>e.id<t.id?-1:1),s=new Map(o.map(({id:e},t)=>[e,t])),c=[...new Set(a.map(({place:e})=>e.file))].sort(),u=new Map(c.map((e,t)=>[e,t])),d=toFingerprints();return`${(0,i.Dy)({$schema:`https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json`,version:`2.1.0`,runs:[{tool:{driver:{name:`openapi-pages`,...e===void 0?{}:{semanticVersion:e},informationUri:`https://github.com/openapi-pages/openapi-pages`,rules:o.map(toDescriptor)}},invocations:[{executionSuccessful:t,toolExecutionNotifications:n===void 0?[]:[{level:`warning`,message:{text:n}}]}],columnKind:`utf16CodeUnits`,newlineSequences:[`\r
`,`
`,`\r`],originalUriBaseIds:{[l]:{description:{text:`The root of the repository`}}},artifacts:c.map(e=>({location:toArtifactLocation(e)})),results:a.map(({ruleId:e,level:t,message:n,place:r,related:i,identity:a,suppression:o,properties:c})=>({ruleId:e,ruleIndex:s.get(e),level:t,message:{text:n},locations:[toLocation(r.file,r.range,u.get(r.file))],...toRelated(i),partialFingerprints:d(a),...o===void 0?{}:{suppressions:[{kind:`external`,status:`accepted`,justification:o}]},properties:c}))}]})}\n`}function toDescriptor({id:e,title:t,description:n=t,help:r,url:i,level:a}){return{id:e,shortDescription:{text:t},fullDescription:{text:n},help:{text:r,markdown:r},helpUri:i,...a===void 0?{}:{defaultConfiguration:{level:a}},properties:{precision:`very-high`,...a===void 0?{}:{"problem.severity":a===`note`?`recommendation`:a},tags:[`openapi`]}}}let l=`%SRCROOT%`,u={error:`error`,warning:`warning`,info:`note`};function keepMostSevere(e){let t=limitResults(e.length,(0,s.Gt)(e).errors);return t===e.length?e:(0,s.Np)(e).slice(0,t)}function limitResults(e,t){return Math.min(e,Math.max(5e3,t),25e3)}function describeCut(e,t){return`${(0,s.B4)(e,`result`)} of ${(0,s.B4)(t,`diagnostic`)} are included, the most severe first. The text and JSON formats have all of them`}function toRule(e){let{code:t,rule:n}=e,{title:r,severity:i}=o.GW[t],a=n?e.severity:i;return{id:toRuleId(e),...n?describeRule(n,r):{title:r},help:`**${a}** · ${renderHelp(c[t])}`,url:(0,s.xC)(e),level:u[a]}}function toRuleId(e){let t=(0,s.x2)(e);return e.rule&&(0,o.nY)(t)?`ruleset/${t}`:t}function describeRule({name:e,description:t=``},n){let r=t.trim().slice(0,1024).split(/\r?\n/),[a=``]=r;return a===``?{title:`${n}: ${(0,i.X1)(e)}`}:{title:(0,i.X1)(a),description:r.map(i.X1).join(`
`)}}function toMessage({message:e,hint:t,section:n}){let r=[(0,i.X1)(e)];return t!==void 0&&r.push(`Hint: ${t.split(`
`).map(i.X1).join(`
`)}`),n!==void 0&&r.push((0,i.X1)(n)),r.join(`
`)}function toLocation(e,{start:t,end:n},r){return{physicalLocation:{artifactLocation:{...toArtifactLocation(e),...r===void 0?{}:{index:r}},region:{startLine:t.line,startColumn:t.column,endLine:n.line,endColumn:n.column}}}}function toRelated(e){return e.length===0?{}:{relatedLocations:e.slice(0,100).map(({file:e,range:t,message:n},r)=>({id:r,...toLocation(e,t),message:{text:(0,i.X1)(n)}}))}}function toArtifactLocation(e){if((0,a.gU)(e))return{uri:URL.parse(e)?.href??`about:invalid`};let t=(0,i.lH)(e).split(`/`),n=t.map(e=>encodeURIComponent(e)).join(`/`);return t[0]===`..`||n===``?{uri:n||`.`}:{uri:n,uriBaseId:l}}function toFingerprints(){let e=new Map;return t=>{let n=(0,r.createHash)(`sha256`).update((0,i.lH)(JSON.stringify(t))).digest(`hex`).slice(0,32),a=(e.get(n)??0)+1;return e.set(n,a),{primaryLocationLineHash:`${n.slice(0,16)}:${a}`,"openapiPages/v1":`${n}:${a}`}}}})};