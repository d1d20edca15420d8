import { errorCatalogue } from '@cartulary/errors';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/**
 * The files of `packages/client/src/generated`: types of all functions, from the OpenAPI document of the service, and of all
 * errors, from the catalogue.
 */

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, unknown>;
}

const head = (source: string): string =>
  `/** Made from ${source} by \`npm run client:types\`. Do not edit. */\n\n`;

/** File name → text, for the document as the service answers it. */
export async function clientTypes(document: object): Promise<Record<string, string>> {
  const nodes = await openapiTS(simplified(document), { alphabetize: false, emptyObjectsUnknown: true });
  const codes = Object.entries(errorCatalogue).map(([code, [status]]) => `  ${code}: ${status};\n`);
  return {
    'schema.ts': `${head('the OpenAPI document of the service')}${astToString(nodes)}`,
    'catalogue.ts': `${head('the catalogue of errors')}/** Code → usual status. */\nexport interface ErrorStatuses {\n${codes.join('')}}\n`,
  };
}

/**
 * The document without what the types do not need. The client fills in the project, and reads every error as JSON of one
 * form: without this the types would be eight times as long.
 */
function simplified(document: object): OpenAPI3 {
  const copy = withoutExamples(document) as OpenAPI3;
  const items = Object.values(copy.paths ?? {}) as Record<string, Operation>[];
  for (const item of items) for (const operation of Object.values(item)) simplify(operation);
  return copy;
}

function simplify(operation: Operation): void {
  operation.parameters = operation.parameters?.filter(
    ({ name, in: place }) => place !== 'path' || name !== 'project',
  ) as Parameter[];
  operation.responses = {
    ...Object.fromEntries(Object.entries(operation.responses).filter(([status]) => Number(status) < 400)),
    default: {
      description: 'An error of the catalogue',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  };
}

/** Examples of schemas and media are left out; a property named `example` stays. */
function withoutExamples(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNames || !['example', 'examples'].includes(key))
      .map(([key, item]) => [key, withoutExamples(item, !isNames && key === 'properties')]),
  );
}
