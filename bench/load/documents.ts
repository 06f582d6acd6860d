/** An OpenAPI document with this number of operations. Another `version` makes other bytes. */
export function toDocument(operations: number, version: number): string {
  const paths = Array.from({ length: operations }, (_, index) => toPath(index)).join('')
  return `openapi: 3.1.0
info:
  title: Pets
  version: 1.${version}.0
servers:
  - url: https://api.example.com
paths:
${paths}components:
  schemas:
    Pet:
      type: object
      required: [id, name]
      properties:
        id:
          type: integer
        name:
          type: string
          description: The name that its owner gave it.
`
}

function toPath(index: number): string {
  return `  /pets-${index}/{petId}:
    get:
      operationId: getPet${index}
      summary: Get a pet of kind ${index}
      tags: [Pets ${index % 5}]
      parameters:
        - name: petId
          in: path
          required: true
          schema:
            type: integer
      responses:
        '200':
          description: The pet.
          content:
            application/json:
              schema:
                $ref: '#/components/schemas/Pet'
`
}

export function toDocsConfig(): string {
  const docs = {
    $schema: 'https://mintlify.com/docs.json',
    theme: 'mint',
    name: 'Pets',
    colors: { primary: '#0f766e' },
    navigation: { groups: [{ group: 'API', openapi: 'openapi.yaml' }] },
  }
  return `${JSON.stringify(docs, null, 2)}\n`
}
