import { Ajv, type ValidateFunction } from 'ajv';
import type { App } from './app-type.js';

/**
 * Validates requests by the schemas of their routes. Values of queries and paths are converted to their types ('5' becomes 5);
 * values of JSON bodies are not. Responses are not filtered.
 */
export function validateRequests(app: App): void {
  const options = { allErrors: false, useDefaults: false, removeAdditional: false, strict: false } as const;
  const ofText = new Ajv({ ...options, coerceTypes: true });
  const ofJson = new Ajv(options);
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compiledOnDemand(httpPart === 'body' ? ofJson : ofText, schema as object),
  );
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
}

/** A validator that is compiled by its first request. Compiling all of them takes a third of the time of a start. */
function compiledOnDemand(ajv: Ajv, schema: object): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const check = (value: unknown): boolean => {
    compiled ??= ajv.compile(schema);
    const isRight = compiled(value) as boolean;
    check.errors = compiled.errors;
    return isRight;
  };
  check.errors = undefined as ValidateFunction['errors'];
  return check as ValidateFunction;
}
